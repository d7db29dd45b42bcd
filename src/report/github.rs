//! The format of GitHub Actions: one workflow command a diagnostic, which the runner turns into an
//! annotation on the file, and the figures as a plain line for the log.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};

use super::{DocumentReport, MOST_SHOWN, Report, plural};
use crate::diagnostic::{Diagnostic, Severity};
use crate::source::cut;

pub(super) fn write(report: &Report, out: &mut impl Write) -> io::Result<()> {
    for document in &report.documents {
        if let Some(reason) = &document.unreadable {
            command(out, "error", document, None, "unreadable", reason)?;
        }
        for diagnostic in &document.checked.diagnostics {
            let level = match diagnostic.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            };
            let body = body(document, diagnostic);
            command(
                out,
                level,
                document,
                Some(diagnostic),
                diagnostic.rule,
                &body,
            )?;
        }
        if document.checked.omitted > 0 {
            let more = plural(document.checked.omitted, "more diagnostic");
            let more = format!("{more} not shown");
            command(out, "notice", document, None, "mcp-conform", &more)?;
        }
    }
    let summary = report.summary();
    let (typed, tools) = (summary.typed_output, plural(summary.tools, "tool"));
    writeln!(out, "checked {}", summary.documents)?;
    writeln!(out, "typed output: {typed} of {tools}")
}

/// The message, then a line each for what the annotation's frame does not show.
fn body(document: &DocumentReport, diagnostic: &Diagnostic) -> String {
    let mut lines = vec![cut(&diagnostic.message, MOST_SHOWN).into_owned()];
    if !diagnostic.pointer.is_root() {
        lines.push(format!(
            "at {}",
            cut(diagnostic.pointer.as_str(), MOST_SHOWN)
        ));
    }
    if let Some(versions) = document.narrower_scope(diagnostic) {
        lines.push(format!("on {versions}"));
    }
    lines.push(format!("help: {}", diagnostic.help));
    lines.join("\n")
}

fn command(
    out: &mut impl Write,
    level: &str,
    document: &DocumentReport,
    place: Option<&Diagnostic>,
    title: &str,
    message: &str,
) -> io::Result<()> {
    write!(out, "::{level} ")?;
    // Standard input is no file that an annotation could stand beside.
    if document.path != "-" {
        write!(out, "file={},", property(&document.path))?;
        if let Some(Diagnostic { line, column, .. }) = place {
            write!(out, "line={line},col={column},")?;
        }
    }
    writeln!(out, "title={}::{}", property(title), data(message))
}

/// A message as the runner reads it back.
fn data(text: &str) -> Cow<'_, str> {
    escape(text, &['%', '\r', '\n'])
}

/// A property's value; the characters that end one are escaped too.
fn property(text: &str) -> Cow<'_, str> {
    escape(text, &['%', '\r', '\n', ':', ','])
}

fn escape<'a>(text: &'a str, special: &[char]) -> Cow<'a, str> {
    if !text.contains(|char: char| char.is_control() || special.contains(&char)) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 8);
    for char in text.chars() {
        if special.contains(&char) {
            let _ = write!(escaped, "%{:02X}", u32::from(char));
        } else {
            // The log is shown by a terminal's rules, and the text is a stranger's.
            let obeyed = char.is_control() && char != '\t';
            escaped.push(if obeyed {
                char::REPLACEMENT_CHARACTER
            } else {
                char
            });
        }
    }
    Cow::Owned(escaped)
}

#[cfg(test)]
mod tests {
    use super::{data, property};

    #[test]
    fn only_properties_escape_their_delimiters() {
        let text = "100 %: a, b\r\nc";
        assert_eq!(data(text), "100 %25: a, b%0D%0Ac");
        assert_eq!(property(text), "100 %25%3A a%2C b%0D%0Ac");
        assert_eq!(data("plain\ttext"), "plain\ttext");
        assert_eq!(data("\u{1b}[31m"), "\u{fffd}[31m");
    }
}
