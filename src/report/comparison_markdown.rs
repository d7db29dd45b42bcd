//! A comparison as a page of Markdown to be committed: the scoreboard, the divergences with what
//! is needed to see each again, and who does what where the specification is silent.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::comparison::{again, answer, by_rule, counts, days, heading, standing};
use super::comparison_entry::{anchor, divergence, entry};
use super::markdown::{code, fenced, prose};
use super::plural;
use crate::certify::{Compared, Comparison};
use crate::corpus::Level;

/// The most cases of one rule at one level: each rule is to have its turn.
const MOST_OF_A_RULE: usize = 10;
/// The most cases where the specification is silent.
const MOST_SILENT: usize = 60;
/// About how many bytes the divergences may take: beyond 512 KiB a page is not shown everywhere.
const MOST_BYTES: usize = 400 << 10;

pub(super) fn write(
    comparison: &Comparison<'_>,
    files: &[String],
    out: &mut impl Write,
) -> io::Result<()> {
    let page = Page { comparison, files };
    let mut text = page.top();
    text += &page.scoreboard();
    let mut left = MOST_BYTES;
    for level in Level::ALL {
        text += &page.level(level, &mut left);
    }
    text += &page.silent();
    text += &page.bottom();
    out.write_all(text.as_bytes())
}

struct Page<'a, 'c> {
    comparison: &'a Comparison<'c>,
    files: &'a [String],
}

impl<'c> Page<'_, 'c> {
    fn top(&self) -> String {
        let mut text = "# Scoreboard\n\n".to_owned();
        let _ = writeln!(
            text,
            "What implementations do with the cases of mcp-conform, side by side. Certificates of {}, put together by mcp-conform {}. {}.\n",
            prose(&days(self.comparison)),
            env!("CARGO_PKG_VERSION"),
            counts(self.comparison)
        );
        for notice in self.comparison.notices() {
            let _ = writeln!(text, "> {}\n", prose(&notice));
        }
        text += "| Implementation | Version | Language | Configuration | Date | Suite | Cases |\n";
        text += "| --- | --- | --- | --- | --- | --- | --- |\n";
        for column in &self.comparison.implementations {
            let (it, suite) = (
                &column.certificate.implementation,
                &column.certificate.suite,
            );
            let or_none = |text: &Option<String>| text.as_deref().map_or("–".to_owned(), prose);
            let partial = if column.certificate.complete {
                ""
            } else {
                " (partial)"
            };
            let _ = writeln!(
                text,
                "| {}{partial} | {} | {} | {} | {} | {} {} | {} |",
                prose(&column.label),
                prose(&it.version),
                or_none(&it.language),
                or_none(&it.config),
                prose(&column.certificate.date),
                prose(&suite.version),
                cell_code(suite.sha256.get(..12).unwrap_or(&suite.sha256)),
                super::certificate::counts(column.certificate)
            );
        }
        text
    }

    fn scoreboard(&self) -> String {
        let mut text = "\n## What holds\n\n✅ strict: every must and every should holds. ☑️ core: every must holds. Elsewhere the figures say how many do, of how many; a case that an implementation skips is not passed.\n\n".to_owned();
        text += &self.head(&["Version", "Gate"]);
        for one in &self.comparison.levels {
            let _ = write!(text, "| {} | {} |", prose(one.version), prose(one.gate));
            for row in &one.rows {
                let cell = match row.map(standing) {
                    None => "–".to_owned(),
                    Some((None, figures)) => figures,
                    Some((Some("strict"), figures)) => format!("✅ strict, {figures}"),
                    Some((Some(word), figures)) => format!("☑️ {word}, {figures}"),
                };
                let _ = write!(text, " {cell} |");
            }
            text.push('\n');
        }
        text
    }

    /// The divergences of one level, as long as there are bytes `left`.
    fn level(&self, level: Level, left: &mut usize) -> String {
        let rules = by_rule(&self.comparison.divergences, level);
        if rules.is_empty() {
            return String::new();
        }
        let mut text = format!("\n## {}\n", heading(level));
        for (rule, cases) in rules {
            let part = self.rule(rule, &cases);
            *left = left.saturating_sub(part.len());
            if *left > 0 {
                text += &part;
            } else {
                let title = if rule.is_empty() {
                    "about no rule".to_owned()
                } else {
                    code(rule)
                };
                let cases = plural(cases.len(), "case");
                let _ = writeln!(
                    text,
                    "\n{title}: {cases} not listed; see [all of it](#all-of-it)."
                );
            }
        }
        text
    }

    fn rule(&self, rule: &str, cases: &[&Compared<'c>]) -> String {
        let title = crate::rules::find(rule).map_or("", |rule| rule.title);
        let mut text = match (rule, title) {
            ("", _) => "\n### About no rule\n\n".to_owned(),
            (rule, "") => format!("\n### {}\n\n", code(rule)),
            (rule, title) => format!("\n### {}\n\n{}.\n\n", code(rule), prose(title)),
        };
        text += &self.head(&["Case", "Versions", "Expected"]);
        let listed = &cases[..cases.len().min(MOST_OF_A_RULE)];
        for one in listed {
            let anchor = anchor(one);
            let _ = write!(
                text,
                "| [{}](#{anchor}) | {} | {} |",
                cell_code(&one.asked.id),
                prose(&one.versions.join(", ")),
                one.asked.expected.as_str()
            );
            for cell in &one.cells {
                let _ = write!(text, " {} |", divergence(*cell, &anchor));
            }
            text.push('\n');
        }
        if cases.len() > listed.len() {
            let more = plural(cases.len() - listed.len(), "more case");
            let _ = writeln!(text, "\n{more} not listed; see [all of it](#all-of-it).");
        }
        for one in listed {
            text += &entry(self.comparison, one);
        }
        text
    }

    fn silent(&self) -> String {
        let all = &self.comparison.silent;
        if all.is_empty() {
            return String::new();
        }
        let differing: Vec<_> = all.iter().filter(|one| one.differs()).collect();
        let mut text = "\n## Where the specification is silent\n\n".to_owned();
        let _ = writeln!(
            text,
            "Nothing is held against anybody here. On {} the implementations answer differently, on {} alike.",
            plural(differing.len(), "case"),
            all.len() - differing.len()
        );
        if differing.is_empty() {
            return text;
        }
        text.push('\n');
        text += &self.head(&["Case", "Versions", "What is left open"]);
        for one in differing.iter().take(MOST_SILENT) {
            let asked = one.asked;
            let open = asked.note.as_deref().or(asked.description.as_deref());
            let _ = write!(
                text,
                "| {} | {} | {} |",
                cell_code(&asked.id),
                prose(&one.versions.join(", ")),
                prose(open.unwrap_or_default())
            );
            for cell in &one.cells {
                let _ = write!(text, " {} |", cell.map_or("–", answer));
            }
            text.push('\n');
        }
        if differing.len() > MOST_SILENT {
            let more = plural(differing.len() - MOST_SILENT, "more case");
            let _ = writeln!(text, "\n{more} not listed; see [all of it](#all-of-it).");
        }
        text
    }

    fn bottom(&self) -> String {
        let again = again(self.files);
        format!(
            "\n## All of it\n\nThis page was made by the first command. The second makes one that has every case, with filters.\n\n{}",
            fenced(
                "sh",
                &format!(
                    "{again} --format markdown --output scoreboard.md\n{again} --format html --output scoreboard.html"
                )
            )
        )
    }

    /// The head of a table: some columns, and one for each implementation.
    fn head(&self, columns: &[&str]) -> String {
        let labels = self
            .comparison
            .implementations
            .iter()
            .map(|column| prose(&column.label));
        let names: Vec<_> = columns
            .iter()
            .map(|name| (*name).to_owned())
            .chain(labels)
            .collect();
        format!(
            "| {} |\n|{}\n",
            names.join(" | "),
            " --- |".repeat(names.len())
        )
    }
}

/// Code in a cell of a table.
fn cell_code(text: &str) -> String {
    code(text).replace('|', "\\|")
}
