//! An audit as a job summary in GitHub's Markdown.

use std::io::{self, Write};

use super::audit::{MOST_ROWS, example, row, shown, spaced, summary, title, worst};
use super::markdown::{code, prose};
use crate::audit::Report;

pub(super) fn write(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let at_fault = report.does_not_fit + report.damaged > 0;
    let sign = if at_fault || !report.complete {
        "❌"
    } else {
        "✅"
    };
    writeln!(out, "## {sign} mcp-conform audit\n\n{}.", summary(report))?;
    if !report.complete {
        writeln!(
            out,
            "\n> Stopped before the end: these counts are of the first part alone."
        )?;
    }
    let branches = report
        .branches
        .each()
        .map(|(branch, counts)| row(branch.as_str(), &counts));
    table("Branch", &branches, 0, out)?;
    for (what, map) in [("Tool", &report.tools), ("Server", &report.servers)] {
        let worst = worst(map);
        let rows: Vec<_> = worst
            .iter()
            .take(MOST_ROWS)
            .map(|(name, counts)| row(name, counts))
            .collect();
        table(what, &rows, worst.len().saturating_sub(MOST_ROWS), out)?;
    }
    if !report.rules.is_empty() {
        writeln!(out, "\n| Rule | Records |\n| --- | ---: |")?;
    }
    for (id, records) in &report.rules {
        writeln!(out, "| {} | {} |", code(id), spaced(*records))?;
    }
    let entries = shown(report);
    for entry in entries.iter().take(MOST_ROWS) {
        writeln!(out, "\n**{}**\n", prose(&title(entry)))?;
        for one in entry.examples.iter().take(MOST_ROWS) {
            writeln!(out, "- {}", prose(&example(one)))?;
        }
    }
    match entries.len().saturating_sub(MOST_ROWS) {
        0 => Ok(()),
        more => writeln!(out, "\n{more} more kinds are in the JSON report."),
    }
}

fn table(what: &str, rows: &[[String; 5]], more: usize, out: &mut impl Write) -> io::Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n| {what} | Records | Fit | Do not | Not judged |")?;
    writeln!(out, "| --- | ---: | ---: | ---: | ---: |")?;
    for [name, counts @ ..] in rows {
        // A cell ends at a bar, in code too.
        let name = code(name).replace('|', "\\|");
        writeln!(out, "| {name} | {} |", counts.join(" | "))?;
    }
    match more {
        0 => Ok(()),
        more => writeln!(out, "\nAnd {more} more."),
    }
}
