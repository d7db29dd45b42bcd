//! An audit for a terminal: the figures, then examples of what does not fit.

use std::io::{self, Write};

use super::MOST_SHOWN;
use super::audit::{MOST_ROWS, example, row, shown, spaced, summary, title, worst};
use super::text::visible_whole;
use crate::audit::Report;
use crate::source::cut;

const HEAD: [&str; 4] = ["records", "fit", "do not", "not judged"];

pub(super) fn write(report: &Report, out: &mut impl Write) -> io::Result<()> {
    examples(report, out)?;
    let branches = report
        .branches
        .each()
        .map(|(branch, counts)| row(branch.as_str(), &counts));
    table("branch", &branches, 0, out)?;
    for (what, map) in [("tool", &report.tools), ("server", &report.servers)] {
        let worst = worst(map);
        let rows: Vec<_> = worst
            .iter()
            .take(MOST_ROWS)
            .map(|(name, counts)| row(name, counts))
            .collect();
        table(what, &rows, worst.len().saturating_sub(MOST_ROWS), out)?;
    }
    for (id, records) in &report.rules {
        let title = crate::rules::find(id).map_or("", |rule| rule.title);
        writeln!(out, "{:>10}  {id}: {title}", spaced(*records))?;
    }
    if !report.rules.is_empty() {
        writeln!(out)?;
    }
    if !report.complete {
        writeln!(
            out,
            "stopped before the end: these counts are of the first part alone"
        )?;
    }
    writeln!(out, "{}", summary(report))
}

fn examples(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let entries = shown(report);
    for entry in entries.iter().take(MOST_ROWS) {
        writeln!(out, "{}", visible(&title(entry)))?;
        for one in entry.examples.iter().take(MOST_ROWS) {
            writeln!(out, "  {}", visible(&example(one)))?;
        }
    }
    if entries.len() > MOST_ROWS {
        let more = entries.len() - MOST_ROWS;
        writeln!(
            out,
            "{more} more kinds not shown; --format json has them all"
        )?;
    }
    if !entries.is_empty() {
        writeln!(out)?;
    }
    Ok(())
}

fn visible(text: &str) -> String {
    visible_whole(&cut(text, MOST_SHOWN))
}

/// Names to the left, counts to the right.
fn table(what: &str, rows: &[[String; 5]], more: usize, out: &mut impl Write) -> io::Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let names: Vec<_> = rows
        .iter()
        .map(|[name, ..]| visible(&cut(name, 60)))
        .collect();
    let width = names
        .iter()
        .map(|name| name.chars().count())
        .max()
        .unwrap_or(0);
    let width = width.max(what.len());
    write!(out, "{what:width$}")?;
    for head in HEAD {
        write!(out, "  {head:>12}")?;
    }
    writeln!(out)?;
    for (name, [_, counts @ ..]) in names.iter().zip(rows) {
        write!(out, "{name:width$}")?;
        for count in counts {
            write!(out, "  {count:>12}")?;
        }
        writeln!(out)?;
    }
    match more {
        0 => writeln!(out),
        more => writeln!(out, "and {more} more; --format json has them all\n"),
    }
}
