//! JSON (RFC 8259) as events. The grammar is the `json-event-parser` crate's; spans are ours.

use json_event_parser::{JsonEvent, LowLevelJsonParser};

use super::build::{Builder, Event, Index};
use super::{Fault, Limits, Parsed, Pointer, Span};

/// Calls `take` with each event of `text`, which stands at byte `base` of a larger text.
fn events<'a>(
    text: &'a str,
    base: usize,
    mut take: impl FnMut(Event<'a>, Span) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let bytes = text.as_bytes();
    if bytes.starts_with(b"\xef\xbb\xbf") {
        return Err(Fault::syntax(
            base..base + 3,
            "a byte order mark before the value",
        ));
    }
    let mut parser = LowLevelJsonParser::new();
    let mut at = 0;
    loop {
        let step = parser.parse_next(&bytes[at..], true);
        let end = at + step.consumed_bytes;
        let event = match step.event {
            Some(Ok(event)) => event,
            Some(Err(error)) => {
                if let Some(half) = unpaired_surrogate(&text[at..]) {
                    let shown = &text[at..][half.clone()];
                    let message =
                        format!("{shown} is half of a surrogate pair, which is no character");
                    return Err(Fault::syntax(
                        base + at + half.start..base + at + half.end,
                        message,
                    ));
                }
                let location = error.location();
                let start = usize::try_from(location.start.offset).unwrap_or(at);
                let end = usize::try_from(location.end.offset).unwrap_or(at);
                return Err(Fault::syntax(
                    base + start..base + end.max(start),
                    plain(error.message()),
                ));
            }
            None => return Ok(()),
        };
        // The parser consumes what separates two tokens along with the second.
        let start = at
            + bytes[at..end]
                .iter()
                .take_while(|byte| b" \t\r\n,:".contains(byte))
                .count();
        at = end;
        let event = match event {
            JsonEvent::Eof => return Ok(()),
            JsonEvent::StartObject => Event::ObjectStart,
            JsonEvent::StartArray => Event::ArrayStart,
            JsonEvent::EndObject | JsonEvent::EndArray => Event::End,
            JsonEvent::ObjectKey(name) => Event::Key(name),
            JsonEvent::String(value) => Event::String(value),
            JsonEvent::Number(value) => Event::Number(value),
            JsonEvent::Boolean(value) => Event::Bool(value),
            JsonEvent::Null => Event::Null,
        };
        take(event, base + start..base + end)?;
    }
}

/// The first escape of half a character in the string that `text` starts with, separators aside.
/// The crate takes the six bytes that follow one for the other half, the closing quote among them,
/// and so reports it elsewhere, if not as the end of the text.
fn unpaired_surrogate(text: &str) -> Option<Span> {
    let start = text.len()
        - text
            .trim_start_matches([' ', '\t', '\r', '\n', ',', ':'])
            .len();
    let bytes = text.as_bytes();
    if bytes.get(start) != Some(&b'"') {
        return None;
    }
    let unit = |at: usize| {
        let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
        u16::from_str_radix(digits, 16).ok()
    };
    let mut at = start + 1;
    loop {
        match bytes.get(at)? {
            b'"' => return None,
            b'\\' => {
                at += match (unit(at), unit(at + 6)) {
                    (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 12,
                    (Some(0xd800..=0xdfff), _) => return Some(at..at + 6),
                    _ => 2,
                }
            }
            _ => at += 1,
        }
    }
}

/// The crate's message as a clause of ours: lower case, no full stop, one line.
fn plain(message: &str) -> String {
    let message = message.trim_end_matches('.').replace('\n', " ");
    let mut chars = message.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_lowercase().chain(chars).collect()
    })
}

fn parse_at(text: &str, base: usize, pointer: Pointer, limits: &Limits) -> Result<Parsed, Fault> {
    let mut builder = Builder::new(limits, pointer);
    events(text, base, |event, span| builder.event(event, span))?;
    if builder.is_done() {
        Ok(builder.finish())
    } else {
        let end = base + text.len();
        Err(Fault::syntax(end..end, "no value in the text"))
    }
}

/// Reads one JSON value.
pub(super) fn parse(text: &str, limits: &Limits) -> Result<Parsed, Fault> {
    parse_at(text, 0, Pointer::root(), limits)
}

/// Notes where the values of `text` stand; stops in silence where the text is damaged.
pub(super) fn index(text: &str, index: &mut Index) {
    index.start(Pointer::root());
    let _ = events(text, 0, |event, span| {
        index.event(&event, span);
        Ok(())
    });
}

/// The lines that hold something, with the byte where each starts.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut start = 0;
    text.split_inclusive('\n').filter_map(move |line| {
        let at = start;
        start += line.len();
        (!line.trim().is_empty()).then_some((at, line))
    })
}

/// Reads one value a line. A damaged line is a fault and stands as null, so that the pointers of
/// the others do not depend on it.
pub(super) fn parse_lines(text: &str, limits: &Limits) -> Parsed {
    let mut all = Parsed::default();
    let mut values = Vec::new();
    for (element, (at, line)) in lines(text).enumerate() {
        match parse_at(line, at, Pointer::root().join(element), limits) {
            Ok(parsed) => {
                values.push(parsed.value);
                all.duplicates.extend(parsed.duplicates);
                all.rounded.extend(parsed.rounded);
            }
            Err(fault) => {
                values.push(serde_json::Value::Null);
                all.faults.push(fault);
            }
        }
    }
    all.value = serde_json::Value::Array(values);
    all
}

/// As [`index()`], for one value a line.
pub(super) fn index_lines(text: &str, index: &mut Index) {
    for (element, (at, line)) in lines(text).enumerate() {
        index.start(Pointer::root().join(element));
        let _ = events(line, at, |event, span| {
            index.event(&event, span);
            Ok(())
        });
    }
}
