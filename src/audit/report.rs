//! The report of an audit: its counts, summed up in every direction that people ask for. Its
//! schema is `docs/schemas/audit.schema.json`. The same logs give the same bytes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::example::Example;
use super::record::Verdict;
use super::rule::Rule;
use super::tally::{Row, Tally};
use crate::gate::Branch;

/// A report as it is written and read back.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// False where the audit was stopped before the end of the logs.
    pub complete: bool,
    /// Lines that record a call, or should: the sum of the four that follow.
    pub records: u64,
    /// Records that are as their tool has declared.
    pub fits: u64,
    /// Records that are not.
    pub does_not_fit: u64,
    /// Records of which it cannot be told.
    pub not_judged: u64,
    /// Lines that cannot be read as a record.
    pub damaged: u64,
    /// Messages of transcripts that are no call's result.
    pub messages: u64,
    /// Records by branch.
    pub branches: Branches,
    /// How many records break each rule, or give it a reason to warn.
    pub rules: BTreeMap<String, u64>,
    /// Records by tool.
    pub tools: BTreeMap<String, Counts>,
    /// Records by server, those that name one.
    pub servers: BTreeMap<String, Counts>,
    /// The counts that all others are sums of.
    pub counts: Vec<Entry>,
}

/// Records by verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Counts {
    /// All of them.
    pub records: u64,
    /// Those that fit.
    pub fits: u64,
    /// Those that do not.
    pub does_not_fit: u64,
    /// Those that were not judged.
    pub not_judged: u64,
}

/// Records by branch of the guard, and on each by verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Branches {
    /// Structured content itself was judged.
    pub validate_root: Counts,
    /// The object in the envelope of an older server was.
    pub legacy_wrapper: Counts,
    /// There is no structured content.
    pub missing: Counts,
    /// The record does not say how to judge.
    pub schema: Counts,
}

impl Branches {
    fn of(&mut self, branch: Branch) -> &mut Counts {
        match branch {
            Branch::ValidateRoot => &mut self.validate_root,
            Branch::LegacyWrapper => &mut self.legacy_wrapper,
            Branch::Missing => &mut self.missing,
            Branch::Schema => &mut self.schema,
        }
    }

    /// Each branch with its records.
    pub fn each(mut self) -> [(Branch, Counts); 4] {
        Branch::ALL.map(|branch| (branch, *self.of(branch)))
    }
}

/// How many records are of one kind. Without `rule` all of the kind, with it those that break it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// The server that they name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
    /// Their tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// Their branch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// Their verdict.
    pub verdict: Verdict,
    /// The rule that they break.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// How many.
    pub records: u64,
    /// The first of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<Example>,
}

impl Counts {
    fn add(&mut self, verdict: Verdict, records: u64) {
        self.records += records;
        match verdict {
            Verdict::Fits => self.fits += records,
            Verdict::DoesNotFit => self.does_not_fit += records,
            Verdict::NotJudged => self.not_judged += records,
            Verdict::Damaged => {}
        }
    }
}

impl Report {
    /// The report of what `tally` has counted.
    pub fn new(tally: &Tally, complete: bool) -> Self {
        let mut report = Self {
            complete,
            messages: tally.messages,
            ..Self::default()
        };
        for row in tally.rows() {
            match row.rule {
                None => report.add(&row),
                Some(rule) => *report.rules.entry(rule.id().to_owned()).or_default() += row.records,
            }
            report.counts.push(Entry {
                server: row.server.map(str::to_owned),
                tool: row.tool.map(str::to_owned),
                branch: row.branch.map(|branch| branch.as_str().to_owned()),
                verdict: row.verdict,
                rule: row.rule.map(|rule| rule.id().to_owned()),
                records: row.records,
                examples: row.examples.to_vec(),
            });
        }
        report
    }

    fn add(&mut self, row: &Row<'_>) {
        self.records += row.records;
        *match row.verdict {
            Verdict::Fits => &mut self.fits,
            Verdict::DoesNotFit => &mut self.does_not_fit,
            Verdict::NotJudged => &mut self.not_judged,
            Verdict::Damaged => &mut self.damaged,
        } += row.records;
        if let Some(branch) = row.branch {
            self.branches.of(branch).add(row.verdict, row.records);
        }
        for (map, name) in [(&mut self.tools, row.tool), (&mut self.servers, row.server)] {
            if let Some(name) = name {
                map.entry(name.to_owned())
                    .or_default()
                    .add(row.verdict, row.records);
            }
        }
    }

    /// The counts of the report, to be merged with others; `examples` are kept of each kind.
    ///
    /// # Errors
    /// What in the report no audit writes.
    pub fn tally(&self, examples: usize) -> Result<Tally, String> {
        let mut tally = Tally::new(examples);
        tally.messages = self.messages;
        for entry in &self.counts {
            let unknown = |what: &str, name: &str| format!("no {what} is called {name:?}");
            let branch = entry.branch.as_deref().map(|name| {
                let branch = Branch::ALL
                    .into_iter()
                    .find(|branch| branch.as_str() == name);
                branch.ok_or_else(|| unknown("branch", name))
            });
            let rule = entry
                .rule
                .as_deref()
                .map(|id| Rule::named(id).ok_or_else(|| unknown("rule of the audit", id)));
            tally.add_row(&Row {
                server: entry.server.as_deref(),
                tool: entry.tool.as_deref(),
                branch: branch.transpose()?,
                verdict: entry.verdict,
                rule: rule.transpose()?,
                records: entry.records,
                examples: &entry.examples,
            });
        }
        Ok(tally)
    }

    /// The one report of several, in the order of their logs.
    ///
    /// # Errors
    /// What in a report no audit writes.
    pub fn merge(reports: &[Self], examples: usize) -> Result<Self, String> {
        let mut whole = Tally::new(examples);
        for report in reports {
            whole.merge(&report.tally(examples)?);
        }
        Ok(Self::new(
            &whole,
            reports.iter().all(|report| report.complete),
        ))
    }
}
