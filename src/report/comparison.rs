//! What `certify --compare` says of certificates side by side, in each format.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::{certificate, comparison_html, comparison_json, comparison_markdown, comparison_text};
use crate::certify::{Answer, CertificateCase, Compared, Comparison, Row, Verdict, same_question};
use crate::corpus::Level;

/// How a comparison is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComparisonFormat {
    /// A matrix, then every divergence
    Text,
    /// One JSON object, with a published schema
    Json,
    /// A scoreboard to be committed
    Markdown,
    /// One self-contained page, with filters
    Html,
}

/// Writes `comparison` as `format`. `files` are the certificates as the command line names them,
/// so that a reader can make the rest of what a long list is cut to.
pub fn write(
    comparison: &Comparison<'_>,
    files: &[String],
    format: ComparisonFormat,
    out: &mut impl Write,
) -> io::Result<()> {
    match format {
        ComparisonFormat::Text => comparison_text::write(comparison, out),
        ComparisonFormat::Json => {
            serde_json::to_writer_pretty(&mut *out, &comparison_json::value(comparison, files))?;
            writeln!(out)
        }
        ComparisonFormat::Markdown => comparison_markdown::write(comparison, files, out),
        ComparisonFormat::Html => {
            let value = comparison_json::value(comparison, files);
            out.write_all(comparison_html::html(&value).as_bytes())
        }
    }
}

/// The command that puts the same certificates side by side again.
pub(super) fn again(files: &[String]) -> String {
    format!("mcp-conform certify --compare {}", files.join(" "))
}

/// What holds in a cell of the scoreboard: the word that is earned, if one is, and the figures.
pub(super) fn standing(row: &Row) -> (Option<&'static str>, String) {
    let figures = || {
        let levels = [("must", row.must), ("should", row.should)];
        let some = levels.into_iter().filter(|(_, tally)| tally.total > 0);
        let some = some.map(|(name, tally)| format!("{name} {}/{}", tally.passed, tally.total));
        let mut said = some.collect::<Vec<_>>().join(", ");
        if row.skipped() > 0 {
            let _ = write!(said, ", {} skipped", row.skipped());
        }
        said
    };
    match (row.is_judged(), row.core, row.strict) {
        (false, ..) => (None, "not judged".to_owned()),
        (_, _, true) => (
            Some("strict"),
            (row.must.total + row.should.total).to_string(),
        ),
        (_, true, false) => (Some("core"), figures()),
        _ => (None, figures()),
    }
}

/// Who did what, those that did the same together, in the order of the columns.
pub(super) struct Group<'c> {
    pub(super) case: &'c CertificateCase,
    pub(super) columns: Vec<usize>,
    /// What its certificate asks, where that is not what the first one asks.
    pub(super) asks: Option<String>,
}

/// The answers to a case, the same ones together.
pub(super) fn groups<'c>(one: &Compared<'c>) -> Vec<Group<'c>> {
    let mut groups: Vec<Group<'c>> = Vec::new();
    let cells = one.cells.iter().enumerate();
    for (column, case) in cells.filter_map(|(column, case)| Some((column, (*case)?))) {
        let alike = |group: &&mut Group<'c>| {
            let other = group.case;
            let same = other.verdict == case.verdict && other.why == case.why;
            same && said(other) == said(case)
                && other.known == case.known
                && same_question(other, case)
        };
        match groups.iter_mut().find(alike) {
            Some(group) => group.columns.push(column),
            None => groups.push(Group {
                case,
                columns: vec![column],
                asks: asks_otherwise(one, case),
            }),
        }
    }
    groups
}

/// What the certificate of `case` asks, where another suite asks for something else.
pub(super) fn asks_otherwise(one: &Compared<'_>, case: &CertificateCase) -> Option<String> {
    let differs = !same_question(one.asked, case);
    differs.then(|| format!("{}: {}", case.level.as_str(), certificate::expected(case)))
}

/// What came back, in one clause, and why that is no pass where the answer alone does not show it.
pub(super) fn said(case: &CertificateCase) -> String {
    let why = case.why.as_deref();
    match case.verdict {
        Verdict::Pass | Verdict::Informational => certificate::got(case),
        Verdict::Skipped | Verdict::Errored | Verdict::Timeout | Verdict::Crashed => {
            why.unwrap_or("no answer").to_owned()
        }
        Verdict::Fail | Verdict::NonStrict | Verdict::WrongReason => {
            let shown = case.outcome.answer.as_str() != case.expected.as_str();
            match why.filter(|_| !shown) {
                Some(why) => format!("{}: {why}", certificate::got(case)),
                None => certificate::got(case),
            }
        }
    }
}

/// One word for a cell where the specification is silent.
pub(super) fn answer(case: &CertificateCase) -> &'static str {
    match (case.verdict, case.outcome.answer) {
        (Verdict::Skipped, _) => "skipped",
        (_, Answer::Accept) => "accepts",
        (_, Answer::Reject) => "rejects",
        _ => case.verdict.as_str(),
    }
}

/// What the divergences of a level are, as a heading.
pub(super) const fn heading(level: Level) -> &'static str {
    match level {
        Level::Must => "Musts that somebody misses",
        Level::Should => "Shoulds that somebody misses",
        Level::Informational => "No answer where the specification is silent",
    }
}

/// The divergences of a level, by rule.
pub(super) fn by_rule<'a, 'c>(
    list: &'a [Compared<'c>],
    level: Level,
) -> Vec<(&'c str, Vec<&'a Compared<'c>>)> {
    let mut rules: Vec<(&str, Vec<&Compared>)> = Vec::new();
    for one in list.iter().filter(|one| one.asked.level == level) {
        let rule = one.asked.rule.as_deref().unwrap_or("");
        match rules.last_mut().filter(|(known, _)| *known == rule) {
            Some((_, cases)) => cases.push(one),
            None => rules.push((rule, vec![one])),
        }
    }
    rules
}

/// The counts in one clause.
pub(super) fn counts(comparison: &Comparison<'_>) -> String {
    let counts = comparison.counts;
    let mut said = format!(
        "{} on their versions: {} on which nobody diverges, {} on which somebody does, {} on which the specification is silent",
        super::plural(counts.total(), "case"),
        counts.agreed,
        counts.diverged,
        counts.silent
    );
    if counts.skipped > 0 {
        said += &format!(", {} that none of them does", counts.skipped);
    }
    said
}

/// The days of the certificates: "2026-11-30", or the first and the last.
pub(super) fn days(comparison: &Comparison<'_>) -> String {
    let columns = comparison.implementations.iter();
    let days = columns.map(|column| column.certificate.date.as_str());
    match (days.clone().min(), days.max()) {
        (Some(first), Some(last)) if first != last => format!("{first} to {last}"),
        (first, _) => first.unwrap_or_default().to_owned(),
    }
}

/// The labels of some columns.
pub(super) fn names(comparison: &Comparison<'_>, columns: &[usize]) -> String {
    let labels = columns
        .iter()
        .filter_map(|column| comparison.implementations.get(*column));
    let labels: Vec<_> = labels.map(|column| column.label.as_str()).collect();
    labels.join(", ")
}
