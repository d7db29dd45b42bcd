//! Counts: how many records of each kind there are, and the first examples of each.
//!
//! A kind is a branch, a verdict, a tool and a server; a record that breaks rules is counted once
//! more for each of them. Tallies of parts add up to the tally of the whole.

use std::collections::HashMap;

use super::example::Example;
use super::record::{Named, Outcome, Verdict};
use super::rule::Rule;
use super::tools::Tools;
use crate::gate::Branch;

/// Names of servers and of tools that the listing lacks; beyond, they are counted together. A log
/// could name a new one on every line.
const MOST_NAMES: usize = 10_000;
/// What they are counted under.
const OTHERS: &str = "…";
/// Damaged lines that are located, whatever the number of examples is.
const MOST_DAMAGED: usize = 1_000;

/// What records are counted by; `rule` is `None` for the count of the records themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Kind {
    server: Name,
    tool: Name,
    branch: Option<Branch>,
    verdict: Verdict,
    rule: Option<Rule>,
}

/// A name as an index into [`Tally::names`], or that there is none.
type Name = Option<u32>;

/// One count.
#[derive(Clone, Debug, Default, PartialEq)]
struct Count {
    records: u64,
    examples: Vec<Example>,
}

/// The counts of an audit.
#[derive(Clone, Debug)]
pub struct Tally {
    names: Vec<Box<str>>,
    by_name: HashMap<Box<str>, u32>,
    counts: HashMap<Kind, Count>,
    /// Messages of transcripts that are no call's result.
    pub(super) messages: u64,
    examples: usize,
}

/// A count with its names.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row<'t> {
    pub(super) server: Option<&'t str>,
    pub(super) tool: Option<&'t str>,
    pub(super) branch: Option<Branch>,
    pub(super) verdict: Verdict,
    pub(super) rule: Option<Rule>,
    pub(super) records: u64,
    pub(super) examples: &'t [Example],
}

impl Tally {
    /// No record yet; `examples` are kept of each kind.
    pub fn new(examples: usize) -> Self {
        Self {
            names: Vec::new(),
            by_name: HashMap::new(),
            counts: HashMap::new(),
            messages: 0,
            examples,
        }
    }

    /// The same with the names of `tools` at their own indexes.
    pub(super) fn with_tools(mut self, tools: &Tools) -> Self {
        for name in tools.names() {
            self.name(name);
        }
        self
    }

    fn name(&mut self, name: &str) -> u32 {
        if let Some(index) = self.by_name.get(name) {
            return *index;
        }
        let index = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        self.names.push(Box::from(name));
        self.by_name.insert(Box::from(name), index);
        index
    }

    /// As [`Tally::name`], for a name that a log made up, where `known` are not.
    fn strange(&mut self, name: &str, known: usize) -> u32 {
        let room = self.names.len() < known + MOST_NAMES || self.by_name.contains_key(name);
        self.name(if room { name } else { OTHERS })
    }

    /// Counts a record. `explain` is asked for an example where one is wanted: of each rule that
    /// it breaks, or of a verdict that no rule explains.
    pub(super) fn add(
        &mut self,
        outcome: &Outcome,
        known: usize,
        mut explain: impl FnMut(Option<Rule>) -> Example,
    ) {
        let server = outcome
            .server
            .as_ref()
            .map(|name| self.strange(name, known));
        let tool = match &outcome.tool {
            Named::Nothing => None,
            Named::Known(index) => Some(*index),
            Named::Unknown(name) => Some(self.strange(name, known)),
        };
        let mut kind = Kind {
            server,
            tool,
            branch: outcome.branch,
            verdict: outcome.verdict,
            rule: None,
        };
        let wanted = self.wanted(outcome.verdict);
        let records = self.counts.entry(kind).or_default();
        records.records += 1;
        if outcome.rules.is_empty()
            && outcome.verdict != Verdict::Fits
            && records.examples.len() < wanted
        {
            records.examples.push(explain(None));
        }
        for rule in outcome.rules.iter() {
            kind.rule = Some(rule);
            let count = self.counts.entry(kind).or_default();
            count.records += 1;
            if count.examples.len() < wanted {
                count.examples.push(explain(Some(rule)));
            }
        }
    }

    fn wanted(&self, verdict: Verdict) -> usize {
        match verdict {
            Verdict::Damaged => self.examples.max(MOST_DAMAGED),
            _ => self.examples,
        }
    }

    /// Adds `records` of one kind, which come after those that are counted already.
    pub(super) fn add_row(&mut self, row: &Row<'_>) {
        let kind = Kind {
            server: row.server.map(|name| self.name(name)),
            tool: row.tool.map(|name| self.name(name)),
            branch: row.branch,
            verdict: row.verdict,
            rule: row.rule,
        };
        let wanted = self.wanted(row.verdict);
        let count = self.counts.entry(kind).or_default();
        count.records += row.records;
        let room = wanted.saturating_sub(count.examples.len());
        count
            .examples
            .extend(row.examples.iter().take(room).cloned());
    }

    /// Adds the counts of `later`, whose records come after those that are counted already.
    pub fn merge(&mut self, later: &Self) {
        for row in later.rows() {
            self.add_row(&row);
        }
        self.messages += later.messages;
    }

    /// Every count, in an order that depends on nothing but the counts.
    pub(super) fn rows(&self) -> Vec<Row<'_>> {
        let name = |index: Name| index.map(|index| &*self.names[index as usize]);
        let rows = self.counts.iter().map(|(kind, count)| Row {
            server: name(kind.server),
            tool: name(kind.tool),
            branch: kind.branch,
            verdict: kind.verdict,
            rule: kind.rule,
            records: count.records,
            examples: &count.examples,
        });
        let mut rows: Vec<_> = rows.collect();
        rows.sort_by_key(|row| (row.server, row.tool, row.branch, row.verdict, row.rule));
        rows
    }
}
