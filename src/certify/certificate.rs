//! What a run says of an implementation, in one piece. Its JSON is described by
//! `docs/schemas/certificate.schema.json`.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::baseline::Known;
use super::outcome::Outcome;
use super::verdict::Verdict;
use crate::corpus::{Expected, Level};
use crate::gate::{Branch, RejectionReason};

/// A certificate.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Certificate {
    /// The implementation.
    pub implementation: Tool,
    /// The suites.
    pub suite: Suite,
    /// This program.
    pub tool: Tool,
    /// The day, in UTC.
    pub date: String,
    /// Whether everything that was selected has been judged.
    pub complete: bool,
    /// What was selected; null is everything.
    pub selection: Value,
    /// Whether every answer was the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub smoke: Option<Smoke>,
    /// Per version and gate, what holds.
    pub levels: Vec<Row>,
    /// Cases by verdict.
    pub counts: Counts,
    /// Every case on every version.
    pub cases: Vec<CertificateCase>,
    /// The end of what the implementation wrote to its standard error.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stderr: String,
    /// How often it was started again.
    pub restarts: u32,
}

/// A program and its version.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The language that it is written in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Where to read about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub homepage: Option<String>,
    /// How it was set up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub config: Option<String>,
}

/// The suites as a certificate names them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Suite {
    /// Their version.
    pub version: String,
    /// Their hash.
    pub sha256: String,
}

/// An implementation that does not look at what it is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Smoke {
    /// It accepts everything.
    AcceptsAll,
    /// It rejects everything.
    RejectsAll,
}

/// What holds on one version at one gate.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Row {
    /// The version.
    pub protocol_version: String,
    /// The gate.
    pub gate: String,
    /// Every must has been judged and has passed.
    pub core: bool,
    /// Every should, too.
    pub strict: bool,
    /// The musts.
    pub must: Tally,
    /// The shoulds.
    pub should: Tally,
}

/// How many cases of a level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// There are.
    pub total: usize,
    /// Were judged: all but those that the implementation does not do.
    pub judged: usize,
    /// Have passed.
    pub passed: usize,
}

/// Cases by verdict.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts(pub(super) [usize; 9]);

/// A case on a version.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CertificateCase {
    /// The case.
    pub id: String,
    /// The gate.
    pub gate: String,
    /// The version.
    pub protocol_version: String,
    /// How much a miss weighs.
    pub level: Level,
    /// `accept` or `reject`.
    pub expected: Expected,
    /// What it comes to.
    pub verdict: Verdict,
    /// What came back.
    pub outcome: Outcome,
    /// The first rule that the case is about.
    pub rule: Option<Cow<'static, str>>,
    /// All of them: those that reject, or those beside which an accepted case stands.
    pub rules: Vec<Cow<'static, str>>,
    /// Where the expectation comes from.
    pub source: Vec<String>,
    /// What is special about the case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What the specification leaves open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Why it is not a pass.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The reasons that a rejection may have.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub expected_reason: Vec<RejectionReason>,
    /// The keyword that rejects.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_keyword: Option<String>,
    /// The value that it rejects.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_at: Option<String>,
    /// The branch of an audited call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_branch: Option<Branch>,
    /// The tools of a listing that stay usable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_usable: Option<Vec<String>>,
    /// What was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sent: Option<Value>,
    /// A smaller payload that shows the same divergence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shrunk: Option<Smaller>,
    /// The command that asks this case again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rerun: Option<String>,
    /// The baseline's word on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known: Option<Known>,
}

/// A case made small while the implementation still diverged.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Smaller {
    /// The payload.
    pub payload: Value,
    /// What was sent.
    pub sent: Value,
    /// How often the implementation was asked about smaller payloads.
    pub tries: usize,
}

impl Certificate {
    /// Notes beside each reduced case what it was reduced to.
    pub fn note_reduced(&mut self, reduced: &[super::Reduced]) {
        for one in reduced {
            if let Some(case) = self.cases.iter_mut().find(|case| case.id == one.case.id) {
                case.shrunk = Some(Smaller {
                    payload: one.payload.clone(),
                    sent: one.sent.clone(),
                    tries: one.tries,
                });
            }
        }
    }

    /// The cases that tell against the implementation and are not known.
    pub fn failures(&self) -> impl Iterator<Item = &CertificateCase> {
        self.cases
            .iter()
            .filter(|case| case.verdict.is_failure() && case.known.is_none())
    }

    /// Whether any case was judged at all.
    pub fn is_empty(&self) -> bool {
        self.cases
            .iter()
            .all(|case| case.verdict == Verdict::Skipped)
    }
}

impl Row {
    /// Whether any must or should has been judged: a gate that the implementation does not have is
    /// no failure of it.
    pub const fn is_judged(&self) -> bool {
        self.must.judged + self.should.judged > 0
    }

    /// How many musts and shoulds the implementation does not do.
    pub const fn skipped(&self) -> usize {
        (self.must.total + self.should.total).saturating_sub(self.must.judged + self.should.judged)
    }
}

impl Counts {
    /// How many cases came to `verdict`.
    pub fn of(&self, verdict: Verdict) -> usize {
        self.0[verdict as usize]
    }

    /// How many cases there are.
    pub fn total(&self) -> usize {
        self.0.iter().sum()
    }
}

impl Serialize for Counts {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(Verdict::ALL.map(|verdict| (verdict, self.of(verdict))))
    }
}

impl<'de> Deserialize<'de> for Counts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut counts = Self::default();
        for (verdict, count) in BTreeMap::<Verdict, usize>::deserialize(deserializer)? {
            counts.0[verdict as usize] = count;
        }
        Ok(counts)
    }
}
