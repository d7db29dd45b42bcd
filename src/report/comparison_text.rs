//! A comparison for a terminal: the divergences, then who holds what.

use std::io::{self, Write};

use super::certificate::{expected, texts};
use super::certificate_text::{columns, visible};
use super::comparison::{by_rule, counts, days, groups, heading, names, said, standing};
use super::{MOST_SHOWN, plural};
use crate::certify::{Compared, Comparison};
use crate::corpus::Level;
use crate::source::cut;

/// The most divergences that are printed: beyond, the other formats are for reading.
const MOST_LISTED: usize = 100;
/// The most characters of each text of a message as it was sent.
const MOST_SENT: usize = 400;

pub(super) fn write(comparison: &Comparison<'_>, out: &mut impl Write) -> io::Result<()> {
    let mut left = MOST_LISTED;
    for level in Level::ALL {
        let rules = by_rule(&comparison.divergences, level);
        if rules.is_empty() || left == 0 {
            continue;
        }
        writeln!(out, "{}\n", heading(level))?;
        for (rule, cases) in rules {
            if left == 0 {
                break;
            }
            match rule {
                "" => writeln!(out, "  about no rule\n")?,
                rule => writeln!(out, "  {}\n", visible(rule))?,
            }
            for one in cases.iter().take(left) {
                item(comparison, one, out)?;
            }
            left = left.saturating_sub(cases.len());
        }
    }
    if comparison.divergences.len() > MOST_LISTED {
        let more = plural(
            comparison.divergences.len() - MOST_LISTED,
            "more divergence",
        );
        writeln!(
            out,
            "{more} not shown; --format html and json have them all\n"
        )?;
    }
    silent(comparison, out)?;
    for column in &comparison.implementations {
        let (it, suite) = (
            &column.certificate.implementation,
            &column.certificate.suite,
        );
        let about = [&it.language, &it.config].into_iter().flatten();
        let about: Vec<_> = about.map(|word| format!(", {}", visible(word))).collect();
        writeln!(
            out,
            "{}: {} {}{}; suite {} ({}), {}",
            visible(&column.label),
            visible(&it.name),
            visible(&it.version),
            about.concat(),
            visible(&suite.version),
            visible(&cut(&suite.sha256, 12)),
            visible(&column.certificate.date)
        )?;
    }
    writeln!(out)?;
    matrix(comparison, out)?;
    for notice in comparison.notices() {
        writeln!(out, "{}", visible(&notice))?;
    }
    writeln!(
        out,
        "{}; certificates of {}",
        counts(comparison),
        visible(&days(comparison))
    )
}

fn item(comparison: &Comparison<'_>, one: &Compared<'_>, out: &mut impl Write) -> io::Result<()> {
    let asked = one.asked;
    writeln!(
        out,
        "    {} on {}",
        visible(&asked.id),
        visible(&one.versions.join(", "))
    )?;
    let mut line = |name: &str, text: &str, most: usize| match text {
        "" => Ok(()),
        text => writeln!(out, "      {name:12} {}", visible(&cut(text, most))),
    };
    line(
        "what",
        asked.description.as_deref().unwrap_or_default(),
        MOST_SHOWN,
    )?;
    line("expected", &expected(asked), MOST_SHOWN)?;
    let sent = one
        .cells
        .iter()
        .flatten()
        .find_map(|case| case.sent.as_ref());
    for (name, text) in sent.into_iter().flat_map(texts) {
        line(name, text, MOST_SENT)?;
    }
    line("source", &asked.source.join("; "), MOST_SHOWN)?;
    for group in groups(one) {
        let names = names(comparison, &group.columns);
        line(
            group.case.verdict.as_str(),
            &format!("{names}: {}", said(group.case)),
            MOST_SHOWN,
        )?;
        line(
            "  asked",
            group.asks.as_deref().unwrap_or_default(),
            MOST_SHOWN,
        )?;
        if let Some(known) = &group.case.known {
            line("  known", &known.reason, MOST_SHOWN)?;
        }
    }
    let failed = one
        .cells
        .iter()
        .flatten()
        .filter_map(|case| case.rerun.as_deref());
    for rerun in failed {
        line("again", rerun, usize::MAX)?;
    }
    writeln!(out)
}

fn silent(comparison: &Comparison<'_>, out: &mut impl Write) -> io::Result<()> {
    let differing = comparison.silent.iter().filter(|one| one.differs()).count();
    match differing {
        0 => Ok(()),
        differing => writeln!(
            out,
            "where the specification is silent, answers differ on {}; --format html and markdown list them\n",
            plural(differing, "case")
        ),
    }
}

fn matrix(comparison: &Comparison<'_>, out: &mut impl Write) -> io::Result<()> {
    let labels = comparison
        .implementations
        .iter()
        .map(|column| visible(&column.label));
    let head = ["version".to_owned(), "gate".to_owned()]
        .into_iter()
        .chain(labels);
    let mut lines = vec![head.collect::<Vec<_>>()];
    for one in &comparison.levels {
        let cells = one.rows.iter().map(|row| match row {
            None => "–".to_owned(),
            Some(row) => match standing(row) {
                (Some(word), figures) => format!("{word} {figures}"),
                (None, figures) => figures,
            },
        });
        let names = [visible(one.version), visible(one.gate)].into_iter();
        lines.push(names.chain(cells).collect());
    }
    columns(&lines, out)?;
    writeln!(out)
}
