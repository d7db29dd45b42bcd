//! Projections as a job summary in GitHub's Markdown.

use std::io::{self, Write};

use super::audit::MOST_ROWS;
use super::markdown::{code, prose};
use super::project::summary;
use super::project_text::{place, told};
use crate::project::report::{Entry, Report, Status};

pub(super) fn write(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let sign = if report.verdict <= Status::Unproved {
        "✅"
    } else {
        "❌"
    };
    writeln!(out, "## {sign} mcp-conform project\n\n{}.", summary(report))?;
    let mut worst: Vec<&Entry> = report.projections.iter().collect();
    worst.sort_by_key(|entry| std::cmp::Reverse(entry.status));
    for entry in worst.iter().take(MOST_ROWS) {
        one(entry, out)?;
    }
    match worst.len().saturating_sub(MOST_ROWS) {
        0 => Ok(()),
        more => writeln!(out, "\n{more} more are in the JSON report."),
    }
}

fn one(entry: &Entry, out: &mut impl Write) -> io::Result<()> {
    let (name, target) = (code(&entry.name), code(&entry.target));
    writeln!(
        out,
        "\n### {} {name} for {target}: {}\n",
        entry.kind,
        entry.status.as_str()
    )?;
    if let Some(refusal) = &entry.refusal {
        writeln!(out, "{}.\n", prose(&refusal.to_string()))?;
    }
    if let Some(drift) = &entry.drift {
        writeln!(out, "{}.\n", prose(drift.cause.clause()))?;
        for difference in drift.differences.iter().take(MOST_ROWS) {
            let at = code(place(&difference.pointer));
            writeln!(out, "- {at}: {}", prose(&difference.message))?;
        }
        if let Some(shown) = &drift.counterexample {
            writeln!(out, "- as it is committed, {}", prose(&shown.clause()))?;
        }
        writeln!(out)?;
    }
    if !entry.losses.is_empty() {
        writeln!(
            out,
            "| Change | Effect | Where | Why |\n| --- | --- | --- | --- |"
        )?;
    }
    for loss in entry.losses.iter().take(MOST_ROWS) {
        let (at, why) = (code(&loss.pointer), prose(&loss.reason));
        let at = at.replace('|', "\\|");
        writeln!(out, "| {} | {} | {at} | {why} |", loss.change, loss.effect)?;
    }
    if entry.losses.len() > MOST_ROWS {
        writeln!(out, "\n{} more losses.", entry.losses.len() - MOST_ROWS)?;
    }
    for proof in &entry.proof {
        writeln!(out, "\n{}.", prose(&told(proof)))?;
    }
    Ok(())
}
