//! A job summary in GitHub's Markdown: a table of documents and verdicts, then the diagnostics.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::{DocumentReport, MOST_SHOWN, Report, plural, spoken};
use crate::diagnostic::{Diagnostic, Verdict};
use crate::protocol::{ProtocolVersion, VersionSet};
use crate::source::cut;

/// The most rows and the most diagnostics. GitHub refuses a summary of more than 1 MiB whole, and
/// these stay below that.
const MOST_ROWS: usize = 500;
const MOST_LISTED: usize = 500;

pub(super) fn write(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let summary = report.summary();
    let elapsed = spoken(report.elapsed);
    writeln!(out, "## {} mcp-conform check\n", sign(report.verdict()))?;
    writeln!(
        out,
        "{} in {elapsed}. {} and {}. Typed output: {} of {}.",
        summary.documents,
        plural(summary.errors, "error"),
        plural(summary.warnings, "warning"),
        summary.typed_output,
        plural(summary.tools, "tool"),
    )?;
    table(report, out)?;
    let mut left = MOST_LISTED;
    let mut unlisted = 0;
    for document in &report.documents {
        match document.verdict() {
            Verdict::Valid => {}
            _ if left == 0 => unlisted += 1,
            _ => section(document, &mut left, out)?,
        }
    }
    match unlisted {
        0 => Ok(()),
        more => writeln!(
            out,
            "\n{} with findings not listed.",
            plural(more, "more document")
        ),
    }
}

fn table(report: &Report, out: &mut impl Write) -> io::Result<()> {
    if report.documents.is_empty() {
        return Ok(());
    }
    let versions = report
        .documents
        .iter()
        .filter(|document| document.unreadable.is_none())
        .fold(VersionSet::EMPTY, |all, document| {
            all.union(document.checked.versions)
        });
    let mut head = vec!["Document", "Kind", "Verdict"];
    head.extend(versions.names());
    let rules = "| --- ".repeat(head.len());
    writeln!(out, "\n| {} | Tools | Typed output |", head.join(" | "))?;
    writeln!(out, "{rules}| ---: | ---: |")?;
    // Of too many documents the valid ones are left out first: nobody has to look at them.
    let rows = report.documents.iter();
    let few = report.documents.len() <= MOST_ROWS;
    let shown: Vec<_> = rows
        .filter(|document| few || document.verdict() != Verdict::Valid)
        .take(MOST_ROWS)
        .collect();
    for document in &shown {
        writeln!(out, "{}", row(document, versions))?;
    }
    match report.documents.len() - shown.len() {
        0 => Ok(()),
        more => writeln!(out, "\n{} not listed.", plural(more, "more document")),
    }
}

fn row(document: &DocumentReport, versions: VersionSet) -> String {
    let verdict_on = |version: ProtocolVersion| {
        let mut judged = document.verdicts();
        judged
            .find(|(on, _)| *on == version)
            .map(|(_, verdict)| verdict)
    };
    let mut row = format!(
        "| {} | {} | {} |",
        code(&document.path).replace('|', "\\|"),
        document.kind.unwrap_or(""),
        labelled(document.verdict()),
    );
    for version in versions.iter() {
        let cell = verdict_on(version).map_or_else(|| "–".to_owned(), labelled);
        let _ = write!(row, " {cell} |");
    }
    let _ = write!(
        row,
        " {} | {} |",
        document.checked.tools, document.checked.typed_output
    );
    row
}

fn section(document: &DocumentReport, left: &mut usize, out: &mut impl Write) -> io::Result<()> {
    let found = &document.checked.diagnostics;
    writeln!(
        out,
        "\n### {} {}\n",
        sign(document.verdict()),
        code(&document.path)
    )?;
    if let Some(reason) = &document.unreadable {
        *left -= 1;
        return writeln!(out, "{}", prose(reason));
    }
    let shown = found.len().min(*left);
    *left -= shown;
    for diagnostic in &found[..shown] {
        writeln!(out, "{}", item(document, diagnostic))?;
    }
    match found.len() - shown + document.checked.omitted {
        0 => Ok(()),
        more => writeln!(out, "\n{} not listed.", plural(more, "more diagnostic")),
    }
}

fn item(document: &DocumentReport, diagnostic: &Diagnostic) -> String {
    let Diagnostic {
        rule,
        severity,
        line,
        column,
        help,
        ..
    } = diagnostic;
    let mut item = format!("- **{severity}** `{rule}` at {line}:{column}");
    if !diagnostic.pointer.is_root() {
        let _ = write!(item, ", {}", code(diagnostic.pointer.as_str()));
    }
    if let Some(versions) = document.narrower_scope(diagnostic) {
        let _ = write!(item, ", on {versions}");
    }
    let _ = write!(
        item,
        "  \n  {}  \n  *Help:* {}",
        prose(&diagnostic.message),
        prose(help)
    );
    item
}

fn sign(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Valid => "✅",
        Verdict::Warning => "⚠️",
        Verdict::Invalid => "❌",
        Verdict::Unreadable => "🚫",
    }
}

fn labelled(verdict: Verdict) -> String {
    format!("{} {verdict}", sign(verdict))
}

/// A text as code, whatever it holds: fenced by more backticks than stand together in it.
pub(super) fn code(text: &str) -> String {
    whole_code(&cut(text, MOST_SHOWN))
}

/// As [`code`], of any length: a command is of no use without its end.
pub(super) fn whole_code(text: &str) -> String {
    let text = text.replace(|char: char| char.is_control(), " ");
    let longest = longest_fence(&text);
    let fence = "`".repeat(longest + 1);
    let pad = if longest > 0 { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// Lines of code as a block of their own.
pub(super) fn fenced(language: &str, lines: &str) -> String {
    let harmless = |char: char| char.is_control() && char != '\n';
    let lines = lines.replace(harmless, " ");
    let fence = "`".repeat(longest_fence(&lines).max(2) + 1);
    format!("{fence}{language}\n{lines}\n{fence}\n")
}

/// How many backticks stand together at most.
fn longest_fence(text: &str) -> usize {
    let mut longest = 0;
    let mut run = 0;
    for char in text.chars() {
        run = if char == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

/// A message as text. Its own `code` stays code; whatever else has a meaning to Markdown loses it.
pub(super) fn prose(text: &str) -> String {
    let text = one_line(text);
    let parts: Vec<_> = text.split('`').collect();
    let mut escaped = String::with_capacity(text.len());
    for (index, part) in parts.iter().enumerate() {
        let closed = index + 1 < parts.len();
        match (index % 2, closed) {
            (1, true) => escaped.push_str(&code(part)),
            (1, false) => {
                escaped.push_str("\\`");
                escape(part, &mut escaped);
            }
            _ => escape(part, &mut escaped),
        }
    }
    escaped
}

fn escape(text: &str, escaped: &mut String) {
    for char in text.chars() {
        match char {
            '<' => escaped.push_str("&lt;"),
            '&' => escaped.push_str("&amp;"),
            // A mention would write to somebody.
            '@' => escaped.push_str("&#64;"),
            '\\' | '*' | '_' | '[' | ']' | '|' | '~' | '#' | '$' => {
                escaped.push('\\');
                escaped.push(char);
            }
            _ => escaped.push(char),
        }
    }
}

fn one_line(text: &str) -> String {
    cut(text, MOST_SHOWN).replace(|char: char| char.is_control(), " ")
}

#[cfg(test)]
mod tests {
    use super::{code, fenced, prose};

    #[test]
    fn what_a_document_holds_stays_text() {
        assert_eq!(prose("`isError` is a string"), "`isError` is a string");
        assert_eq!(
            prose("has <img> & @all_of"),
            "has &lt;img> &amp; &#64;all\\_of"
        );
        assert_eq!(prose("a lone ` stays"), "a lone \\` stays");
        assert_eq!(code("/a`b"), "`` /a`b ``");
        assert_eq!(code("two\nlines"), "`two lines`");
        assert_eq!(fenced("sh", "a\nb\r"), "```sh\na\nb \n```\n");
        assert_eq!(fenced("", "```"), "````\n```\n````\n");
    }
}
