//! Certificates side by side: who holds what, who diverges where, and what is done where the
//! specification is silent.
//!
//! Cases are put together by their ids and versions. Nothing is judged anew: each certificate keeps
//! its verdicts.

use std::collections::HashMap;

use super::certificate::{Certificate, CertificateCase, Row, Smoke};
use super::labels::labels;
use super::verdict::Verdict;
use crate::corpus::{GateName, Level};
use crate::source::cut;

/// Certificates side by side. Whatever is there once for each of them is in their order.
#[derive(Debug)]
pub struct Comparison<'c> {
    /// The certificates.
    pub implementations: Vec<Column<'c>>,
    /// Per version and gate, what holds.
    pub levels: Vec<Standings<'c>>,
    /// What became of the cases.
    pub counts: Agreement,
    /// Where somebody diverges: musts first, then shoulds; within a level by rule.
    pub divergences: Vec<Compared<'c>>,
    /// Where the specification is silent, and who does what.
    pub silent: Vec<Compared<'c>>,
}

/// One certificate.
#[derive(Debug)]
pub struct Column<'c> {
    /// What tells it from the others: its name, and as much more as that takes.
    pub label: String,
    /// The certificate.
    pub certificate: &'c Certificate,
}

/// What holds at one gate on one version.
#[derive(Debug)]
pub struct Standings<'c> {
    /// The version.
    pub version: &'c str,
    /// The gate.
    pub gate: &'c str,
    /// What each certificate says of it; `None` where it has not been asked.
    pub rows: Vec<Option<&'c Row>>,
}

/// A case on the versions on which it came to the same everywhere.
#[derive(Clone, Debug)]
pub struct Compared<'c> {
    /// The versions.
    pub versions: Vec<&'c str>,
    /// What was asked, as the first certificate that has the case says it.
    pub asked: &'c CertificateCase,
    /// The case in each certificate, on the first of the versions; `None` where it is not there.
    pub cells: Vec<Option<&'c CertificateCase>>,
}

/// Cases, each counted on each version, by what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// Nobody diverges, and somebody was judged.
    pub agreed: usize,
    /// Somebody diverges.
    pub diverged: usize,
    /// The specification is silent, and everybody who was asked gave an answer.
    pub silent: usize,
    /// None of the implementations does this.
    pub skipped: usize,
}

impl Agreement {
    /// All of them.
    pub const fn total(self) -> usize {
        self.agreed + self.diverged + self.silent + self.skipped
    }
}

impl<'c> Comparison<'c> {
    /// Puts `certificates` side by side.
    pub fn new(certificates: &'c [Certificate]) -> Self {
        let labels = labels(certificates);
        let columns = labels.into_iter().zip(certificates);
        let mut comparison = Self {
            implementations: columns
                .map(|(label, certificate)| Column { label, certificate })
                .collect(),
            levels: standings(certificates),
            counts: Agreement::default(),
            divergences: Vec::new(),
            silent: Vec::new(),
        };
        for one in together(certificates) {
            comparison.sort_in(one);
        }
        comparison.divergences = in_order(comparison.divergences);
        comparison
    }

    /// Whether all certificates are of the same suites.
    pub fn is_of_one_suite(&self) -> bool {
        let mut hashes = self.suites();
        let first = hashes.next();
        hashes.all(|hash| Some(hash) == first)
    }

    fn suites(&self) -> impl Iterator<Item = &'c str> {
        let columns = self.implementations.iter();
        columns.map(|column| column.certificate.suite.sha256.as_str())
    }

    /// What has to be said before any figure, as sentences.
    pub fn notices(&self) -> Vec<String> {
        let mut notices = Vec::new();
        if !self.is_of_one_suite() {
            let of = self.implementations.iter().map(|column| {
                let suite = &column.certificate.suite;
                let hash = suite.sha256.get(..12).unwrap_or(&suite.sha256);
                format!("{} of {} ({hash})", column.label, suite.version)
            });
            let of: Vec<_> = of.collect();
            notices.push(format!(
                "The certificates are of different suites: {}. A case that only some have is compared among those, and one that asks for something else says so.",
                of.join(", ")
            ));
        }
        for Column { label, certificate } in &self.implementations {
            if !certificate.complete {
                notices.push(format!(
                    "{label}: the run was interrupted; the certificate is partial and claims nothing."
                ));
            }
            if let Some(smoke) = certificate.smoke {
                let does = match smoke {
                    Smoke::AcceptsAll => "accepts",
                    Smoke::RejectsAll => "rejects",
                };
                notices.push(format!(
                    "{label} {does} everything: does its adapter look at what it is sent?"
                ));
            }
            if !certificate.selection.is_null() {
                notices.push(format!(
                    "{label} was asked a selection alone: {}.",
                    cut(&certificate.selection.to_string(), 200)
                ));
            }
        }
        notices
    }

    /// Counts a case, and keeps it where there is something to say.
    fn sort_in(&mut self, one: Compared<'c>) {
        let (list, count) = if one.has(Verdict::is_failure) {
            (Some(&mut self.divergences), &mut self.counts.diverged)
        } else if !one.has(|verdict| verdict != Verdict::Skipped) {
            (None, &mut self.counts.skipped)
        } else if one.asked.level == Level::Informational {
            (Some(&mut self.silent), &mut self.counts.silent)
        } else {
            (None, &mut self.counts.agreed)
        };
        *count += 1;
        let Some(list) = list else { return };
        // The versions of a case follow one another.
        match list.iter_mut().rev().take(4).find(|other| other.same(&one)) {
            Some(other) => other.versions.extend(one.versions),
            None => list.push(one),
        }
    }
}

impl Compared<'_> {
    fn has(&self, test: impl Fn(Verdict) -> bool) -> bool {
        let mut cells = self.cells.iter().flatten();
        cells.any(|case| test(case.verdict))
    }

    /// Whether the implementations that answered did not all answer alike.
    pub fn differs(&self) -> bool {
        let cells = self.cells.iter().flatten();
        let mut answers = cells
            .filter(|case| case.verdict != Verdict::Skipped)
            .map(|case| case.outcome.answer);
        let first = answers.next();
        answers.any(|answer| Some(answer) != first)
    }

    /// Whether `other` is the same case with the same answers.
    fn same(&self, other: &Self) -> bool {
        let asks = same_question(self.asked, other.asked);
        let mut pairs = self.cells.iter().zip(&other.cells);
        asks && pairs.all(|pair| match pair {
            (Some(one), Some(other)) => same_question(one, other) && same_answer(one, other),
            (None, None) => true,
            _ => false,
        })
    }
}

/// Whether two cases ask the same and expect the same.
pub fn same_question(one: &CertificateCase, other: &CertificateCase) -> bool {
    one.id == other.id
        && one.level == other.level
        && one.expected == other.expected
        && one.rules == other.rules
        && one.expected_reason == other.expected_reason
        && one.expected_keyword == other.expected_keyword
        && one.expected_at == other.expected_at
        && one.expected_branch == other.expected_branch
        && one.expected_usable == other.expected_usable
}

fn same_answer(one: &CertificateCase, other: &CertificateCase) -> bool {
    // How long an answer took is no part of it.
    let timeless = |case: &CertificateCase| super::Outcome {
        elapsed: std::time::Duration::ZERO,
        ..case.outcome.clone()
    };
    one.verdict == other.verdict
        && one.why == other.why
        && one.known == other.known
        && timeless(one) == timeless(other)
}

/// The cases of all certificates, each once on each version, in the order of the first.
fn together(certificates: &[Certificate]) -> Vec<Compared<'_>> {
    let mut all: Vec<Compared> = Vec::new();
    let mut places: HashMap<(&str, &str), usize> = HashMap::new();
    for (column, certificate) in certificates.iter().enumerate() {
        for case in &certificate.cases {
            let version = case.protocol_version.as_str();
            let place = *places.entry((&case.id, version)).or_insert(all.len());
            if place == all.len() {
                all.push(Compared {
                    versions: vec![version],
                    asked: case,
                    cells: vec![None; certificates.len()],
                });
            }
            all[place].cells[column] = Some(case);
        }
    }
    all
}

/// Sorted by level and then by rule, the rules in the order in which they are first met.
fn in_order(divergences: Vec<Compared<'_>>) -> Vec<Compared<'_>> {
    let mut rules: HashMap<Option<&str>, usize> = HashMap::new();
    let mut keyed: Vec<_> = divergences
        .into_iter()
        .map(|one| {
            let next = rules.len();
            let place = *rules.entry(one.asked.rule.as_deref()).or_insert(next);
            ((one.asked.level, place), one)
        })
        .collect();
    keyed.sort_by_key(|(key, _)| *key);
    keyed.into_iter().map(|(_, one)| one).collect()
}

/// The rows of all certificates, by version and then by gate.
fn standings(certificates: &[Certificate]) -> Vec<Standings<'_>> {
    let mut all: Vec<Standings> = Vec::new();
    for (column, certificate) in certificates.iter().enumerate() {
        for row in &certificate.levels {
            let (version, gate) = (row.protocol_version.as_str(), row.gate.as_str());
            let known = all
                .iter()
                .position(|other| (other.version, other.gate) == (version, gate));
            let place = known.unwrap_or_else(|| {
                all.push(Standings {
                    version,
                    gate,
                    rows: vec![None; certificates.len()],
                });
                all.len() - 1
            });
            all[place].rows[column] = Some(row);
        }
    }
    let gate = |name: &str| GateName::ALL.iter().position(|gate| gate.as_str() == name);
    all.sort_by_key(|one| (one.version, gate(one.gate).unwrap_or(GateName::ALL.len())));
    all
}
