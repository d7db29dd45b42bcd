//! What `audit` says of logs, in each format.

use std::fmt::Write as _;
use std::io::{self, Write};

use clap::ValueEnum;

use super::{audit_markdown, audit_text, plural};
use crate::audit::{Counts, Entry, Example, Place, Report};

/// How the report of an audit is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AuditFormat {
    /// Tables, then examples of what does not fit
    Text,
    /// One JSON object, with a published schema; it can be merged
    Json,
    /// One JSON object a record, in the order of the log
    Jsonl,
    /// A job summary
    Markdown,
}

/// Writes `report` as `format`. [`AuditFormat::Jsonl`] has been written record by record; nothing
/// is left of it to write.
pub fn write(report: &Report, format: AuditFormat, out: &mut impl Write) -> io::Result<()> {
    match format {
        AuditFormat::Text => audit_text::write(report, out),
        AuditFormat::Json => {
            serde_json::to_writer_pretty(&mut *out, report)?;
            writeln!(out)
        }
        AuditFormat::Jsonl => Ok(()),
        AuditFormat::Markdown => audit_markdown::write(report, out),
    }
}

/// The most rows of a table and the most examples in the formats that people read.
pub(super) const MOST_ROWS: usize = 20;

/// The verdicts in one clause: "8 records: 5 fit, 2 do not, 1 not judged".
pub fn summary(report: &Report) -> String {
    let mut said = spaced_plural(report.records, "record");
    let parts = [
        (report.fits, "fit"),
        (report.does_not_fit, "do not fit"),
        (report.not_judged, "not judged"),
        (report.damaged, "damaged"),
    ];
    let mut before = ": ";
    for (count, what) in parts.into_iter().filter(|(count, _)| *count > 0) {
        let _ = write!(said, "{before}{} {what}", spaced(count));
        before = ", ";
    }
    if report.messages > 0 {
        let messages = spaced_plural(report.messages, "message");
        let _ = write!(said, "; {messages} beside them");
    }
    said
}

fn spaced_plural(count: u64, noun: &str) -> String {
    match count {
        0..=999 => plural(usize::try_from(count).unwrap_or(0), noun),
        _ => format!("{} {noun}s", spaced(count)),
    }
}

/// A number in groups of three digits.
pub(super) fn spaced(count: u64) -> String {
    let digits = count.to_string();
    let mut spaced = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            spaced.push(',');
        }
        spaced.push(digit);
    }
    spaced
}

/// The cells of a row: its name and its counts.
pub(super) fn row(name: &str, counts: &Counts) -> [String; 5] {
    [
        name.to_owned(),
        spaced(counts.records),
        spaced(counts.fits),
        spaced(counts.does_not_fit),
        spaced(counts.not_judged),
    ]
}

/// The rows of `map` that matter most: those with the most records that do not fit, then those
/// with the most that were not judged. Names of which every record fits are not among them.
pub(super) fn worst(map: &std::collections::BTreeMap<String, Counts>) -> Vec<(&str, &Counts)> {
    let mut rows: Vec<_> = map
        .iter()
        .filter(|(_, counts)| counts.fits < counts.records)
        .map(|(name, counts)| (name.as_str(), counts))
        .collect();
    rows.sort_by_key(|(name, counts)| {
        (
            std::cmp::Reverse((counts.does_not_fit, counts.not_judged)),
            *name,
        )
    });
    rows
}

/// The counts that have examples, those of the most records first.
pub(super) fn shown(report: &Report) -> Vec<&Entry> {
    let mut entries: Vec<_> = report
        .counts
        .iter()
        .filter(|entry| !entry.examples.is_empty())
        .collect();
    entries.sort_by_key(|entry| std::cmp::Reverse((entry.verdict, entry.records)));
    entries
}

/// What a count is of, in one line.
pub(super) fn title(entry: &Entry) -> String {
    let records = spaced_plural(entry.records, "record");
    let what = entry.rule.as_deref().unwrap_or("no rule");
    let mut said = format!("{}, {what}: {records}", entry.verdict);
    for (before, name) in [(" of ", &entry.tool), (" from ", &entry.server)] {
        if let Some(name) = name {
            let _ = write!(said, "{before}{name}");
        }
    }
    match entry.branch.as_deref() {
        Some(branch) => format!("{said}, in {branch}"),
        None => said,
    }
}

/// An example in one line.
pub(super) fn example(example: &Example) -> String {
    let mut said = format!("{}:{}", example.log, example.line);
    if let Some(message) = &example.message {
        let _ = write!(said, " {message}");
    }
    for Place {
        pointer,
        keyword,
        schema_pointer,
        value,
    } in &example.places
    {
        let pointer = if pointer.is_empty() {
            "the line"
        } else {
            pointer.as_str()
        };
        let _ = write!(said, "; {pointer}");
        if let (Some(keyword), Some(schema)) = (keyword, schema_pointer) {
            let _ = write!(said, " breaks `{keyword}` at {schema} of the schema");
        }
        if let Some(value) = value {
            let _ = write!(said, ": {value}");
        }
    }
    said
}
