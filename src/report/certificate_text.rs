//! A certificate for a terminal: a matrix of gates and versions, then every divergence.

use std::io::{self, Write};

use super::certificate::{Divergence, Matrix, counts, divergences, expected, got, notices};
use super::{MOST_SHOWN, plural};
use crate::certify::Certificate;
use crate::source::cut;

/// The most divergences that are printed: beyond, the JSON format is for reading.
const MOST_LISTED: usize = 200;
/// The most characters of a message as it was sent.
const MOST_SENT: usize = 600;
/// The most lines of standard error.
const MOST_LINES: usize = 12;

pub(super) fn write(certificate: &Certificate, out: &mut impl Write) -> io::Result<()> {
    let mut left = MOST_LISTED;
    for (rule, group) in divergences(certificate) {
        if left > 0 {
            heading(rule, out)?;
        }
        for divergence in &group {
            if left > 0 {
                item(divergence, out)?;
                left -= 1;
            }
        }
    }
    let all: usize = divergences(certificate)
        .iter()
        .map(|(_, group)| group.len())
        .sum();
    if all > MOST_LISTED {
        let more = plural(all - MOST_LISTED, "more divergence");
        writeln!(out, "{more} not shown; --format json has them all\n")?;
    }
    stderr(certificate, out)?;
    let (implementation, suite) = (&certificate.implementation, &certificate.suite);
    writeln!(
        out,
        "{} {} on the suite {} ({}), {}\n",
        visible(&implementation.name),
        visible(&implementation.version),
        suite.version,
        cut(&suite.sha256, 12),
        certificate.date
    )?;
    matrix(certificate, out)?;
    for notice in notices(certificate) {
        writeln!(out, "{notice}")?;
    }
    let known = certificate
        .cases
        .iter()
        .filter(|case| case.known.is_some())
        .count();
    write!(out, "{}", counts(certificate))?;
    match known {
        0 => writeln!(out),
        known => writeln!(out, "; {known} of them known to the baseline"),
    }
}

fn heading(rule: &str, out: &mut impl Write) -> io::Result<()> {
    match crate::rules::find(rule) {
        Some(rule) => writeln!(out, "{}: {}\n", rule.id, rule.title),
        None => writeln!(out, "about no rule\n"),
    }
}

fn item(divergence: &Divergence<'_>, out: &mut impl Write) -> io::Result<()> {
    let case = divergence.case;
    let versions = divergence.versions.join(", ");
    writeln!(
        out,
        "  {} on {versions}: {} ({})",
        case.id,
        case.verdict,
        case.level.as_str()
    )?;
    let mut line = |name: &str, text: &str, most: usize| match text {
        "" => Ok(()),
        text => writeln!(out, "    {name:9} {}", visible(&cut(text, most))),
    };
    line(
        "what",
        case.description.as_deref().unwrap_or_default(),
        MOST_SHOWN,
    )?;
    line("why", case.why.as_deref().unwrap_or_default(), MOST_SHOWN)?;
    line("expected", &expected(case), MOST_SHOWN)?;
    line("got", &got(case), MOST_SHOWN)?;
    line(
        "sent",
        &case
            .sent
            .as_ref()
            .map_or_else(String::new, ToString::to_string),
        MOST_SENT,
    )?;
    if let Some(shrunk) = &case.shrunk {
        line("smallest", &shrunk.payload.to_string(), MOST_SENT)?;
    }
    line("source", &case.source.join("; "), MOST_SHOWN)?;
    if let Some(known) = &case.known {
        line("known", &known.reason, MOST_SHOWN)?;
    }
    line(
        "again",
        case.rerun.as_deref().unwrap_or_default(),
        usize::MAX,
    )?;
    writeln!(out)
}

fn stderr(certificate: &Certificate, out: &mut impl Write) -> io::Result<()> {
    // Only where something went wrong: a log of a good run is nobody's reading.
    if certificate.stderr.trim().is_empty() || certificate.failures().next().is_none() {
        return Ok(());
    }
    writeln!(out, "the end of its standard error:")?;
    let lines: Vec<_> = certificate.stderr.lines().collect();
    for line in lines.iter().skip(lines.len().saturating_sub(MOST_LINES)) {
        writeln!(out, "  {}", visible(&cut(line, MOST_SHOWN)))?;
    }
    writeln!(out)
}

fn matrix(certificate: &Certificate, out: &mut impl Write) -> io::Result<()> {
    let matrix = Matrix::of(certificate);
    let mut lines: Vec<Vec<String>> = vec![
        std::iter::once("gate".to_owned())
            .chain(matrix.versions.clone())
            .collect(),
    ];
    for gate in &matrix.gates {
        let mut line = vec![gate.clone()];
        for version in &matrix.versions {
            let cell = Matrix::cell(certificate, gate, version);
            line.push(cell.map_or_else(
                || "–".to_owned(),
                |(word, counts)| format!("{word} {counts}").trim_end().to_owned(),
            ));
        }
        lines.push(line);
    }
    columns(&lines, out)?;
    writeln!(out)
}

/// A table of lines with as many cells each, in columns as wide as they must be.
pub(super) fn columns(lines: &[Vec<String>], out: &mut impl Write) -> io::Result<()> {
    let columns = lines.first().map_or(0, Vec::len);
    let width = |column: usize| {
        let cells = lines.iter().map(|line| line[column].chars().count());
        cells.max().unwrap_or(0)
    };
    let widths: Vec<_> = (0..columns).map(width).collect();
    for line in lines {
        let cells = line.iter().zip(&widths);
        let cells: Vec<_> = cells
            .map(|(cell, width)| format!("{cell:width$}"))
            .collect();
        writeln!(out, "{}", cells.join("  ").trim_end())?;
    }
    Ok(())
}

/// A text from elsewhere as a terminal may show it: on one line, without commands.
pub(super) fn visible(text: &str) -> String {
    super::text::visible_whole(text)
}
