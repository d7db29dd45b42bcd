//! Strings that match a pattern, or that read like what people write.

use regex_syntax::hir::{Class, Hir, HirKind};

use super::rng::Rng;

/// Attempts at one string before it counts as impossible.
const TRIES: usize = 60;

/// A `pattern`, ready to draw strings from and to hold them against.
#[derive(Debug)]
pub(super) struct Pattern {
    /// What decides: ECMA-262 with the `u` flag, as JSON Schema asks.
    ecma: regress::Regex,
    /// What is drawn from; `None` where the expression uses what only ECMA-262 has.
    drawn: Option<Hir>,
}

impl Pattern {
    /// Reads a pattern; `None` where it is no ECMA-262.
    pub(super) fn new(text: &str) -> Option<Self> {
        let ecma = regress::Regex::with_flags(text, "u").ok()?;
        let plain = without_lookaround(text);
        Some(Self {
            ecma,
            drawn: regex_syntax::Parser::new().parse(&plain).ok(),
        })
    }

    /// Whether the pattern matches somewhere in `text`.
    pub(super) fn matches(&self, text: &str) -> bool {
        self.ecma.find(text).is_some()
    }

    /// A string that the pattern matches, of `length` characters if one turns up.
    pub(super) fn draw(&self, length: (usize, usize), rng: &mut Rng) -> Option<String> {
        let hir = self.drawn.as_ref()?;
        (0..TRIES).find_map(|attempt| {
            // Long strings only come about where repetitions go on long enough.
            let more = if attempt % 2 == 0 {
                2
            } else {
                1 + length.0.max(attempt)
            };
            let mut text = String::new();
            write(hir, more, rng, &mut text);
            let short = length.0.saturating_sub(text.chars().count());
            if short > 0 && attempt > 4 && self.matches(&text) {
                // An open end takes anything.
                text.extend(std::iter::repeat_n('x', short));
            }
            let count = text.chars().count();
            let fits = (length.0..=length.1).contains(&count) && self.matches(&text);
            fits.then_some(text)
        })
    }
}

/// The expression with every lookaround taken out: a string is drawn from what is left and then
/// held against the whole.
fn without_lookaround(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len());
    let mut rest = pattern;
    while let Some(char) = rest.chars().next() {
        if char == '\\' {
            let end = rest.char_indices().nth(2).map_or(rest.len(), |(at, _)| at);
            out.push_str(&rest[..end]);
            rest = &rest[end..];
            continue;
        }
        if ["(?=", "(?!", "(?<=", "(?<!"]
            .iter()
            .any(|open| rest.starts_with(open))
        {
            rest = &rest[group_end(rest)..];
            continue;
        }
        out.push(char);
        rest = &rest[char.len_utf8()..];
    }
    out
}

/// The bytes up to and with the parenthesis that closes the group at the start of `text`.
fn group_end(text: &str) -> usize {
    let (mut depth, mut in_class) = (0_usize, false);
    let mut chars = text.char_indices();
    while let Some((at, char)) = chars.next() {
        match char {
            '\\' => {
                chars.next();
            }
            '[' => in_class = true,
            ']' => in_class = false,
            '(' if !in_class => depth += 1,
            ')' if !in_class => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    text.len()
}

/// Appends a match of `part`; a repetition goes on at most `more` times beyond its least.
fn write(part: &Hir, more: usize, rng: &mut Rng, out: &mut String) {
    match part.kind() {
        // Anchors hold at the ends, and the whole is held against the pattern afterwards.
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => out.push_str(&String::from_utf8_lossy(&literal.0)),
        HirKind::Class(class) => out.extend(draw_class(class, rng)),
        HirKind::Repetition(repetition) => {
            let least = repetition.min as usize;
            let most = repetition.max.map_or(usize::MAX, |max| max as usize);
            let most = most.min(least.saturating_add(more)).min(least.max(200));
            let times = least + rng.below(most.saturating_sub(least) + 1);
            for _ in 0..times.min(10_000) {
                write(&repetition.sub, more, rng, out);
            }
        }
        HirKind::Capture(capture) => write(&capture.sub, more, rng, out),
        HirKind::Concat(parts) => parts.iter().for_each(|part| write(part, more, rng, out)),
        HirKind::Alternation(parts) => {
            if let Some(part) = rng.pick(parts) {
                write(part, more, rng, out);
            }
        }
    }
}

/// A character of the class: printable ASCII where the class has some, since readers of patterns
/// agree on that.
fn draw_class(class: &Class, rng: &mut Rng) -> Option<char> {
    let ranges: Vec<(u32, u32)> = match class {
        Class::Unicode(class) => class
            .ranges()
            .iter()
            .map(|range| (range.start() as u32, range.end() as u32))
            .collect(),
        Class::Bytes(class) => class
            .ranges()
            .iter()
            .map(|range| (u32::from(range.start()), u32::from(range.end())))
            .collect(),
    };
    let printable: Vec<(u32, u32)> = ranges
        .iter()
        .map(|(start, end)| ((*start).max(0x20), (*end).min(0x7E)))
        .filter(|(start, end)| start <= end)
        .collect();
    let from = if printable.is_empty() {
        &ranges
    } else {
        &printable
    };
    let (start, end) = *rng.pick(from)?;
    let span = (end - start) as usize + 1;
    char::from_u32(start + u32::try_from(rng.below(span)).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(pattern: &str, length: (usize, usize)) -> Option<String> {
        let pattern = Pattern::new(pattern)?;
        let text = pattern.draw(length, &mut Rng::new(1))?;
        assert!(pattern.matches(&text));
        Some(text)
    }

    #[test]
    fn strings_are_drawn_from_patterns() {
        for pattern in [
            r"^A-[0-9]{4,}$",
            r"^[a-z]{2,4}-[0-9]{1,6}$",
            r"\p{L}+",
            r"^(?<year>\d{4})-(0[1-9]|1[0-2])$",
            r"^(?!draft)[a-z]+$",
            r"^(?=.*\d).{4,8}$",
            r"foo|bar",
            r"^$",
            r"^[^/]+(/[^/]+)*$",
            r"^\u00e9$",
        ] {
            assert!(drawn(pattern, (0, 100)).is_some(), "{pattern}");
        }
    }

    #[test]
    fn the_length_is_kept() {
        assert_eq!(
            drawn("^[a-z]+$", (40, 41)).map(|text| text.len() / 40),
            Some(1)
        );
        assert!(drawn("^a", (12, 12)).is_some_and(|text| text.len() == 12));
        assert_eq!(drawn("^abc$", (4, 9)), None);
    }

    #[test]
    fn lookaround_is_taken_out_whole() {
        assert_eq!(without_lookaround(r"^(?!a(b)[)]\))c\(?=$"), r"^c\(?=$");
        assert_eq!(without_lookaround("(?<name>a)"), "(?<name>a)");
    }
}
