//! What the corpus tries and what it does not: rules by verdict and version, keywords, and the
//! gaps.

use std::collections::BTreeMap;

use super::suites::Corpus;
use super::words::{Expected, Level};
use crate::protocol::{ProtocolVersion, VersionSet};
use crate::rules::{GateEffect, RULES, Rule, Surface};
use crate::schema::{Dialect, Holds, keywords};

/// How often something is expected to be rejected, and accepted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tried {
    /// Rejections for it.
    pub reject: usize,
    /// Acceptances beside those.
    pub accept: usize,
}

/// What the corpus tries.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// By rule, and by [`ProtocolVersion::index`].
    pub rules: BTreeMap<&'static str, [Tried; 5]>,
    /// By keyword, over all versions.
    pub keywords: BTreeMap<String, Tried>,
    /// Rules for which a gate rejects, on these versions, and no case does.
    pub unrejected: Vec<(&'static str, VersionSet)>,
    /// Keywords that no case rejects by.
    pub untried: Vec<&'static str>,
    /// Rejected cases whose accepted neighbour is not there.
    pub alone: Vec<String>,
    /// Cases by verdict and level, over all versions.
    pub expected: BTreeMap<(&'static str, &'static str), usize>,
}

impl Coverage {
    /// What `corpus` tries.
    pub fn of(corpus: &Corpus) -> Self {
        let mut coverage = Self::default();
        for suite in &corpus.suites {
            for case in &suite.cases {
                for version in case.versions().iter() {
                    if let Some(expected) = case.on(version) {
                        let key = (expected.answer.as_str(), expected.level.as_str());
                        *coverage.expected.entry(key).or_default() += 1;
                        let rules = match expected.answer {
                            Expected::Reject => &expected.because,
                            Expected::Accept => &case.guards,
                        };
                        for rule in rules {
                            let tried =
                                &mut coverage.rules.entry(rule).or_default()[version.index()];
                            tried.add(expected.answer);
                        }
                    }
                }
                let keyword = case
                    .expect
                    .iter()
                    .flatten()
                    .find_map(|expected| expected.keyword.clone());
                let rejects = case.neighbour.as_ref();
                let neighbour =
                    rejects.and_then(|name| suite.cases.iter().find(|other| other.name() == name));
                if rejects.is_some() && neighbour.is_none() {
                    coverage.alone.push(case.id.clone());
                }
                if let Some(keyword) = keyword {
                    let tried = coverage.keywords.entry(keyword).or_default();
                    tried.reject += 1;
                    tried.accept += usize::from(neighbour.is_some());
                }
            }
        }
        coverage.unrejected = RULES.iter().filter_map(|rule| coverage.gap(rule)).collect();
        let tried = |name: &&str| coverage.keywords.contains_key(*name);
        coverage.untried = judging_keywords().filter(|name| !tried(name)).collect();
        coverage
    }

    /// The versions on which a gate rejects for `rule` and no case is about that.
    fn gap(&self, rule: &'static Rule) -> Option<(&'static str, VersionSet)> {
        let missing: VersionSet = VersionSet::STRUCTURED
            .iter()
            .filter(|version| rejects(rule, *version))
            .filter(|version| {
                let tried = self
                    .rules
                    .get(rule.id)
                    .map_or(0, |tried| tried[version.index()].reject);
                tried == 0
            })
            .collect();
        (!missing.is_empty()).then_some((rule.id, missing))
    }

    /// How many cases of `answer` and `level` there are.
    pub fn expected(&self, answer: Expected, level: Level) -> usize {
        let key = (answer.as_str(), level.as_str());
        self.expected.get(&key).copied().unwrap_or_default()
    }
}

impl Tried {
    fn add(&mut self, answer: Expected) {
        match answer {
            Expected::Reject => self.reject += 1,
            Expected::Accept => self.accept += 1,
        }
    }
}

/// Whether a gate rejects for a finding of `rule`.
fn rejects(rule: &Rule, version: ProtocolVersion) -> bool {
    let gated = matches!(
        rule.surface,
        Surface::Tool | Surface::Listing | Surface::Call | Surface::Result
    ) || matches!(rule.id, "json.syntax" | "json.bounds");
    let severity = rule.severity(version);
    gated
        && match rule.gate {
            Some(GateEffect::Reject) => severity.is_some(),
            Some(GateEffect::Accept) => false,
            None => severity == Some(crate::diagnostic::Severity::Error),
        }
}

/// The keywords of 2020-12 by which an instance can be rejected.
fn judging_keywords() -> impl Iterator<Item = &'static str> {
    // Those that choose or name what judges: a rejection is by what they lead to.
    const LEAD: &[&str] = &[
        "$defs",
        "definitions",
        "contentSchema",
        "properties",
        "patternProperties",
        "prefixItems",
        "allOf",
        "dependentSchemas",
        "if",
        "then",
        "else",
    ];
    let judges = |name: &&str| {
        let holds = Dialect::Draft202012.keyword(name);
        holds.is_some_and(|holds| holds != Holds::Other) && !LEAD.contains(name)
    };
    keywords().filter(judges)
}
