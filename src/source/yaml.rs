//! Restricted YAML as events: one document that says what JSON can say.
//!
//! Aliases, anchors, tags, merge keys, keys that are no strings and numbers that are not finite
//! are refused, so that a document means the same to every reader. Scalars are typed as in the
//! core schema of YAML 1.2.2, section 10.3.2.

use std::borrow::Cow;

use saphyr_parser::{Event as Yaml, Marker, Parser, ScalarStyle, Tag};

use super::build::{Builder, Event, Index};
use super::{Fault, Limits, Parsed, Pointer, Span};

/// Turns the parser's character indexes, which only grow, into byte offsets.
struct Bytes<'a> {
    text: &'a str,
    chars: usize,
    offset: usize,
}

impl Bytes<'_> {
    fn at(&mut self, marker: Marker) -> usize {
        if marker.index() < self.chars {
            (self.chars, self.offset) = (0, 0);
        }
        let rest = self.text[self.offset..].chars();
        self.offset += rest
            .take(marker.index() - self.chars)
            .map(char::len_utf8)
            .sum::<usize>();
        self.chars = marker.index();
        self.offset
    }
}

/// Where a container stands between its members.
enum Frame {
    Sequence,
    /// A mapping, and whether its next node is a key.
    Mapping {
        key: bool,
    },
}

fn events<'a>(
    text: &'a str,
    mut take: impl FnMut(Event<'_>, Span) -> Result<(), Fault>,
) -> Result<(), Fault> {
    if text.starts_with('\u{feff}') {
        return Err(Fault::syntax(0..3, "a byte order mark before the document"));
    }
    if text.starts_with('%') {
        return Err(directive(0));
    }
    let mut bytes = Bytes {
        text,
        chars: 0,
        offset: 0,
    };
    let mut stack: Vec<Frame> = Vec::new();
    let mut documents = 0;
    for step in Parser::<'a, _>::new_from_str(text) {
        let (event, marks) = step.map_err(|error| {
            let at = bytes.at(*error.marker());
            match error.info() {
                "recursion limit exceeded" => Fault::bounds(at..at, "too many levels of nesting"),
                message => Fault::syntax(at..at, message.to_owned()),
            }
        })?;
        let start = bytes.at(marks.start);
        let span = start..bytes.at(marks.end).max(start);
        let is_key = matches!(stack.last(), Some(Frame::Mapping { key: true }));
        match event {
            Yaml::Nothing | Yaml::StreamStart | Yaml::StreamEnd | Yaml::DocumentEnd => continue,
            Yaml::DocumentStart(_) => {
                let before = text[..start].match_indices('\n').map(|(at, _)| at + 1);
                if let Some(at) = before.into_iter().find(|at| text[*at..].starts_with('%')) {
                    return Err(directive(at));
                }
                documents += 1;
                if documents > 1 {
                    return Err(Fault::syntax(span, "a second document in one file"));
                }
                continue;
            }
            Yaml::Alias(_) => {
                return Err(Fault::syntax(span, "an alias; write the value out"));
            }
            Yaml::Scalar(value, style, anchor, tag) => {
                refuse_properties(anchor, tag.as_ref(), &span)?;
                let event = scalar(value, style, &span)?;
                if is_key {
                    match event {
                        Event::String(name) if name == "<<" && style == ScalarStyle::Plain => {
                            return Err(Fault::syntax(span, "a merge key; write the members out"));
                        }
                        Event::String(name) => take(Event::Key(name), span)?,
                        _ => return Err(key_fault(span)),
                    }
                } else {
                    take(event, span)?;
                }
            }
            Yaml::SequenceStart(anchor, tag) | Yaml::MappingStart(anchor, tag) if is_key => {
                refuse_properties(anchor, tag.as_ref(), &span)?;
                return Err(key_fault(span));
            }
            Yaml::SequenceStart(anchor, tag) => {
                refuse_properties(anchor, tag.as_ref(), &span)?;
                take(Event::ArrayStart, span)?;
                stack.push(Frame::Sequence);
                continue;
            }
            Yaml::MappingStart(anchor, tag) => {
                refuse_properties(anchor, tag.as_ref(), &span)?;
                take(Event::ObjectStart, span)?;
                stack.push(Frame::Mapping { key: true });
                continue;
            }
            Yaml::SequenceEnd | Yaml::MappingEnd => {
                stack.pop();
                take(Event::End, span)?;
            }
        }
        // A node is complete: in a mapping, key and value take turns.
        if let Some(Frame::Mapping { key }) = stack.last_mut() {
            *key = !*key;
        }
    }
    if documents == 0 {
        return Err(Fault::syntax(0..0, "no document in the file"));
    }
    Ok(())
}

fn directive(at: usize) -> Fault {
    Fault::syntax(at..at + 1, "a directive; the restricted profile has none")
}

fn key_fault(span: Span) -> Fault {
    Fault::syntax(span, "a key that is not a string; put it in quotes")
}

fn refuse_properties(anchor: usize, tag: Option<&Cow<'_, Tag>>, span: &Span) -> Result<(), Fault> {
    if anchor != 0 {
        return Err(Fault::syntax(
            span.clone(),
            "an anchor; the restricted profile has none",
        ));
    }
    if tag.is_some() {
        return Err(Fault::syntax(
            span.clone(),
            "a tag; the restricted profile has none",
        ));
    }
    Ok(())
}

/// The value of a scalar under the core schema.
fn scalar<'a>(value: Cow<'a, str>, style: ScalarStyle, span: &Span) -> Result<Event<'a>, Fault> {
    if style != ScalarStyle::Plain {
        return Ok(Event::String(value));
    }
    Ok(match value.as_ref() {
        "" | "~" | "null" | "Null" | "NULL" => Event::Null,
        "true" | "True" | "TRUE" => Event::Bool(true),
        "false" | "False" | "FALSE" => Event::Bool(false),
        text => {
            let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
            if matches!(unsigned, ".inf" | ".Inf" | ".INF")
                || matches!(text, ".nan" | ".NaN" | ".NAN")
            {
                return Err(Fault::syntax(span.clone(), "a number that is not finite"));
            }
            match json_number(text, unsigned) {
                Some(number) => Event::Number(Cow::Owned(number)),
                None => Event::String(value),
            }
        }
    })
}

/// A number of the core schema as JSON writes it.
fn json_number(text: &str, unsigned: &str) -> Option<String> {
    for (prefix, radix) in [("0o", 8), ("0x", 16)] {
        if let Some(digits) = text.strip_prefix(prefix) {
            return decimal(digits, radix);
        }
    }
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !(digits(whole) && digits(fraction)) || whole.len() + fraction.len() == 0 {
        return None;
    }
    if let Some(exponent) = exponent {
        let power = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        if power.is_empty() || !digits(power) {
            return None;
        }
    }
    let whole = match whole.trim_start_matches('0') {
        "" => "0",
        whole => whole,
    };
    let mut number = String::new();
    if text.starts_with('-') {
        number.push('-');
    }
    number.push_str(whole);
    if !fraction.is_empty() {
        number.push('.');
        number.push_str(fraction);
    }
    if let Some(exponent) = exponent {
        number.push('e');
        number.push_str(exponent);
    }
    Some(number)
}

/// The decimal digits of an integer that is written in another base; `None` where it is none.
fn decimal(digits: &str, radix: u32) -> Option<String> {
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
        return None;
    }
    let digits = digits.trim_start_matches('0');
    // No finite double has more than 1,024 bits, and writing out more of them takes its time.
    if digits.len() > 1_024 {
        return Some("1e999".to_owned());
    }
    // In groups of nine decimal digits, the lowest first.
    let mut groups = vec![0_u64];
    for digit in digits.chars() {
        let mut carry = u64::from(digit.to_digit(radix)?);
        for group in &mut groups {
            carry += *group * u64::from(radix);
            *group = carry % 1_000_000_000;
            carry /= 1_000_000_000;
        }
        if carry > 0 {
            groups.push(carry);
        }
    }
    let written: Vec<_> = groups
        .iter()
        .rev()
        .map(|group| format!("{group:09}"))
        .collect();
    let written = written.concat();
    Some(match written.trim_start_matches('0') {
        "" => "0".to_owned(),
        written => written.to_owned(),
    })
}

/// Reads the one document of a YAML text.
pub(super) fn parse(text: &str, limits: &Limits) -> Result<Parsed, Fault> {
    let mut builder = Builder::new(limits, Pointer::root());
    events(text, |event, span| builder.event(event, span))?;
    Ok(builder.finish())
}

/// Notes where the values of `text` stand; stops in silence where the text is damaged.
pub(super) fn index(text: &str, index: &mut Index) {
    index.start(Pointer::root());
    let _ = events(text, |event, span| {
        index.event(&event, span);
        Ok(())
    });
}
