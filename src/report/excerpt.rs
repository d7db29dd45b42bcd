//! The lines of a text that a snippet shows: few and short, however long the text and its lines.
//!
//! Everything here looks at a bounded number of characters on either side of the span. A report of
//! many diagnostics on one line of many megabytes costs no more than on a short one.

use crate::source::Span;

/// What stands where the rest of a line is left out.
const ELLIPSIS: char = '…';

/// Lines around a span.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Excerpt {
    /// The lines, without a newline at the end.
    pub text: String,
    /// The span in these lines; never empty, and never longer than its first line.
    pub span: Span,
    /// How many lines stand before the one with the span.
    pub lines_before: usize,
    /// The column of the span in these lines, in characters from 1.
    pub column: usize,
}

/// The line of `span`, at most `width` characters of it, and its neighbours if it is shown whole.
pub(super) fn around(text: &str, span: &Span, width: usize) -> Excerpt {
    let start = boundary(text, span.start);
    let end = boundary(text, span.end).max(start);
    let (before, after) = (tail(&text[..start], width), head(&text[start..], width));
    let (left, right) = share(before.chars, after.chars, width);
    let (before, after) = (tail(&text[..start], left), head(&text[start..], right));

    let mut excerpt = Excerpt {
        text: String::new(),
        span: 0..0,
        lines_before: 0,
        column: 1,
    };
    let whole = !before.cut && !after.cut;
    let line_start = start - before.text.len();
    if whole && let Some(line) = line_above(&text[..line_start], width) {
        excerpt.push(line);
        excerpt.text.push('\n');
        excerpt.lines_before = 1;
    }
    let column_0 = excerpt.text.len();
    if before.cut {
        excerpt.text.push(ELLIPSIS);
    }
    excerpt.push(before.text);
    excerpt.span.start = excerpt.text.len();
    excerpt.column += excerpt.text[column_0..].chars().count();

    // The renderer gives no caret to nothing: an empty span points at what follows it.
    let token = match (end - start).min(after.text.len()) {
        0 => after.text.chars().next().map_or(0, char::len_utf8),
        length => length,
    };
    excerpt.push(&after.text[..token]);
    if token == 0 {
        excerpt.text.push(' ');
    }
    excerpt.span.end = excerpt.text.len();
    excerpt.push(&after.text[token..]);
    if after.cut {
        excerpt.text.push(ELLIPSIS);
    }
    if whole && let Some(line) = line_below(&text[start + after.text.len()..]) {
        let line = head(line, width);
        excerpt.text.push('\n');
        excerpt.push(line.text);
        if line.cut {
            excerpt.text.push(ELLIPSIS);
        }
    }
    excerpt
}

impl Excerpt {
    /// Adds a part of the text; what a terminal would obey is replaced. (The renderer does so for
    /// the control characters of ASCII.)
    fn push(&mut self, part: &str) {
        self.text.extend(part.chars().map(harmless));
    }
}

/// The character itself, unless a terminal might obey it or break the line at it.
pub(super) fn harmless(char: char) -> char {
    match char {
        '\r' => '␍',
        '\u{80}'..='\u{9f}' | '\u{2028}' | '\u{2029}' => char::REPLACEMENT_CHARACTER,
        _ => char,
    }
}

/// The last place up to `at` where a character starts or the text ends.
fn boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// A piece of one line.
struct Piece<'a> {
    text: &'a str,
    chars: usize,
    /// Whether the line goes on.
    cut: bool,
}

/// The end of `text`, back to the start of its last line or to `most` characters.
fn tail(text: &str, most: usize) -> Piece<'_> {
    let line = text.chars().rev().take_while(|char| *char != '\n');
    let (chars, bytes) = measure(line.take(most));
    let (rest, piece) = text.split_at(text.len() - bytes);
    Piece {
        text: piece,
        chars,
        cut: !rest.is_empty() && !rest.ends_with('\n'),
    }
}

/// The start of `text`, up to the end of its first line or to `most` characters.
fn head(text: &str, most: usize) -> Piece<'_> {
    let line = text.chars().take_while(|char| *char != '\n');
    let (mut chars, bytes) = measure(line.take(most));
    let (mut piece, rest) = text.split_at(bytes);
    let ends = rest.is_empty() || rest.starts_with('\n') || rest.starts_with("\r\n");
    if let Some(without) = piece.strip_suffix('\r')
        && rest.starts_with('\n')
    {
        (piece, chars) = (without, chars - 1);
    }
    Piece {
        text: piece,
        chars,
        cut: !ends,
    }
}

/// How many characters there are, and how many bytes they take.
fn measure(chars: impl Iterator<Item = char>) -> (usize, usize) {
    chars.fold((0, 0), |(chars, bytes), char| {
        (chars + 1, bytes + char.len_utf8())
    })
}

/// Shares `width` out to what stands before a span and what follows from it on: what follows says
/// more, so a span in a long line stands at a third of it.
fn share(before: usize, after: usize, width: usize) -> (usize, usize) {
    if before + after <= width {
        return (before, after);
    }
    let left = before.min((width / 3).max(width.saturating_sub(after)));
    (left, width.saturating_sub(left))
}

/// The last line of `text`, which ends in a newline, if its start is near.
fn line_above(text: &str, width: usize) -> Option<&str> {
    let text = text.strip_suffix('\n')?;
    let line = tail(text.strip_suffix('\r').unwrap_or(text), width);
    (!line.cut).then_some(line.text)
}

/// What follows the line that ends where `text` starts, unless nothing does.
fn line_below(text: &str) -> Option<&str> {
    let text = text.strip_prefix('\r').unwrap_or(text);
    text.strip_prefix('\n').filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::{Excerpt, around};

    fn pointed_at(excerpt: &Excerpt) -> &str {
        &excerpt.text[excerpt.span.clone()]
    }

    #[test]
    fn a_short_line_stands_between_its_neighbours() {
        let text = "{\r\n  \"name\": 7,\r\n  \"title\": \"Refunds\"\r\n}\r\n";
        let at = text.find('7').expect("the text has a 7");
        let excerpt = around(text, &(at..at + 1), 80);
        assert_eq!(excerpt.text, "{\n  \"name\": 7,\n  \"title\": \"Refunds\"");
        assert_eq!(
            (pointed_at(&excerpt), excerpt.lines_before, excerpt.column),
            ("7", 1, 11)
        );
    }

    #[test]
    fn a_long_line_is_cut_around_the_span_and_stands_alone() {
        let text = format!(
            "[\n{}{{\"id\":7}}{}\n]\n",
            "1,".repeat(500_000),
            ",1".repeat(500_000)
        );
        let at = text.find('7').expect("the text has a 7");
        let excerpt = around(&text, &(at..at + 1), 30);
        assert_eq!(excerpt.text, "…1,1,{\"id\":7},1,1,1,1,1,1,1,1,1…");
        assert_eq!(
            (pointed_at(&excerpt), excerpt.lines_before, excerpt.column),
            ("7", 0, 12)
        );
    }

    #[test]
    fn a_long_token_is_pointed_at_as_far_as_it_is_shown() {
        let text = format!("{{\"text\":\"{}\"}}", "é".repeat(1_000));
        let excerpt = around(&text, &(8..text.len() - 1), 20);
        assert_eq!(excerpt.text, "…text\":\"ééééééééééééé…");
        assert_eq!(pointed_at(&excerpt), "\"ééééééééééééé");
    }

    #[test]
    fn the_end_of_a_text_has_a_place_of_its_own() {
        for (text, shown) in [("", " "), ("{\n", "{\n "), ("{\r\n", "{\n "), ("{", "{ ")] {
            let excerpt = around(text, &(text.len()..text.len() + 1), 80);
            assert_eq!(
                (excerpt.text.as_str(), pointed_at(&excerpt)),
                (shown, " "),
                "{text:?}"
            );
        }
    }

    #[test]
    fn what_a_terminal_would_obey_is_replaced() {
        let excerpt = around("\"a\u{9b}31m\rb\"", &(0..1), 80);
        assert_eq!(excerpt.text, "\"a\u{fffd}31m␍b\"");
    }
}
