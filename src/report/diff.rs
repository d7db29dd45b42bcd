//! What `diff` says of two versions, in each format.

use std::io::{self, Write};

use super::markdown::{code, prose};
use super::project::ChangeFormat;
use super::project_text::{place, plain};
use crate::project::diff::{Change, Decided, Report, Verdict};
use crate::source::cut;

/// Changes that a job summary shows.
const MOST: usize = 100;

/// Writes `report` as `format`.
pub fn write(report: &Report, format: ChangeFormat, out: &mut impl Write) -> io::Result<()> {
    match format {
        ChangeFormat::Text => text(report, out),
        ChangeFormat::Json => {
            serde_json::to_writer_pretty(&mut *out, report)?;
            writeln!(out)
        }
        ChangeFormat::Markdown => markdown(report, out),
    }
}

fn name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Compatible => "compatible",
        Verdict::Unknown => "unknown",
        Verdict::Breaking => "breaking",
    }
}

/// The counts in one clause.
pub fn summary(report: &Report) -> String {
    if report.changes.is_empty() {
        return "no change".to_owned();
    }
    let counts = [Verdict::Breaking, Verdict::Unknown, Verdict::Compatible].map(|verdict| {
        let of = report
            .changes
            .iter()
            .filter(|change| change.verdict == verdict);
        (of.count(), name(verdict))
    });
    let told = counts.into_iter().filter(|(count, _)| *count > 0);
    told.map(|(count, what)| format!("{count} {what}"))
        .collect::<Vec<_>>()
        .join(", ")
}

/// The worst first, in the order of the document else.
fn ordered(report: &Report) -> Vec<&Change> {
    let mut changes: Vec<&Change> = report.changes.iter().collect();
    changes.sort_by_key(|change| std::cmp::Reverse(change.verdict));
    changes
}

fn shown(change: &Change) -> Option<String> {
    let example = change.counterexample.as_ref()?;
    let value = cut(&example.value.to_string(), 300).into_owned();
    Some(format!(
        "for example {value}, which the {} schema refuses by `{}` at {}",
        example.refused_by,
        example.keyword,
        place(&example.pointer)
    ))
}

fn text(report: &Report, out: &mut impl Write) -> io::Result<()> {
    for change in ordered(report) {
        let Change {
            kind,
            part,
            message,
            ..
        } = change;
        let owner = cut(&change.name, 80);
        let verdict = name(change.verdict);
        writeln!(out, "{verdict}: {kind} {}, {part}", owner.escape_debug())?;
        let at = cut(&change.pointer, 160);
        writeln!(out, "  {}", plain(&format!("at {}: {message}", place(&at))))?;
        if let Some(example) = shown(change) {
            writeln!(out, "  {}", plain(&example))?;
        }
        if change.decided_by == Decided::Nothing {
            writeln!(
                out,
                "  neither the schemas nor generated values tell what this does"
            )?;
        }
    }
    writeln!(out, "{}", summary(report))
}

fn markdown(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let sign = match report.verdict {
        Verdict::Breaking => "❌",
        Verdict::Unknown => "⚠️",
        Verdict::Compatible => "✅",
    };
    writeln!(out, "## {sign} mcp-conform diff\n\n{}.", summary(report))?;
    let changes = ordered(report);
    if !changes.is_empty() {
        writeln!(
            out,
            "\n| Verdict | Of | Where | What |\n| --- | --- | --- | --- |"
        )?;
    }
    for change in changes.iter().take(MOST) {
        let what = match shown(change) {
            Some(example) => format!("{}; {example}", change.message),
            None => change.message.clone(),
        };
        let cell = |text: String| text.replace('|', "\\|");
        writeln!(
            out,
            "| {} | {} {} {} | {} | {} |",
            name(change.verdict),
            change.kind,
            cell(code(&change.name)),
            change.part,
            cell(code(place(&change.pointer))),
            prose(&what)
        )?;
    }
    match changes.len().saturating_sub(MOST) {
        0 => Ok(()),
        more => writeln!(out, "\n{more} more changes are in the JSON report."),
    }
}
