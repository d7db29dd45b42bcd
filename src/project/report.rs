//! What projecting came to, for every item and target: the data that reports are written from, and
//! the record that is committed beside projections.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::drift::{Cause, Difference};
use super::loss::{Loss, Refusal};
use super::proof::{Counterexample, Direction, Proof};
use super::read_back::ReadBack;

/// What became of one item for one target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// What is committed of it, a refusal included, is what it would be now.
    Unchanged,
    /// It is projected, and the proof holds.
    Projected,
    /// It is projected; no value could be drawn to prove it with, or none was wanted.
    Unproved,
    /// It cannot be projected.
    Refused,
    /// Its committed projection is not what it would be now.
    Drifted,
    /// It is projected, and a value shows that the projection is not faithful.
    Unfaithful,
}

impl Status {
    /// Its name in reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Unchanged => "unchanged",
            Self::Projected => "projected",
            Self::Unproved => "unproved",
            Self::Refused => "refused",
            Self::Drifted => "drifted",
            Self::Unfaithful => "unfaithful",
        }
    }
}

/// Everything that was projected.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The worst status of all.
    pub verdict: Status,
    /// Each item for each target.
    pub projections: Vec<Entry>,
}

/// One item for one target.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// The target.
    pub target: String,
    /// `tool`, `handoff`, `state` or `contract`.
    pub kind: &'static str,
    /// The item's name.
    pub name: String,
    /// What became of it.
    pub status: Status,
    /// The SHA-256 of the source.
    pub source: String,
    /// The projection.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub projection: Option<Value>,
    /// What it does not say as the source does.
    pub losses: Vec<Loss>,
    /// Why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal: Option<Refusal>,
    /// How values are read back, for each schema of which they are not the same.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub mappings: Vec<ReadBack>,
    /// How its schemas were proved.
    pub proof: Vec<Proved>,
    /// How the committed projection differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drift: Option<Drift>,
}

/// How one schema was proved.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Proved {
    /// The member of the tool; `schema` where the item is one.
    pub member: &'static str,
    /// `identical`, `held`, `broken` or `unasked`.
    pub status: &'static str,
    /// Values on which both agree.
    pub agreed: usize,
    /// Values on which they differ as the loss report says.
    pub excused: usize,
    /// Values that could not be judged.
    pub not_judged: usize,
    /// The value that breaks it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counterexample: Option<Shown>,
    /// Why nothing was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A counterexample as reports have it.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Shown {
    /// `wider` or `narrower`: what the projection turns out to be.
    pub direction: &'static str,
    /// The value as the projection has it.
    pub projected: Value,
    /// The value as the source has it.
    pub source: Value,
    /// The keyword by which it is refused.
    pub keyword: String,
    /// That keyword's place, from the root of the schema that refuses.
    pub schema_pointer: String,
    /// The value at fault.
    pub pointer: String,
}

/// How a committed projection differs from a fresh one.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Drift {
    /// Why it may.
    pub cause: Cause,
    /// Where it does.
    pub differences: Vec<Difference>,
    /// A value that shows what the difference does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counterexample: Option<Shown>,
}

/// What is committed beside the projections of one target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Record {
    /// The target.
    pub target: String,
    /// The SHA-256 of its table.
    pub table: String,
    /// Each item.
    pub items: Vec<Recorded>,
}

/// What is committed of one item beside its projection.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Recorded {
    /// `tool`, `handoff`, `state` or `contract`.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// The SHA-256 of its source.
    pub source: String,
    /// What its projection does not say as the source does.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub losses: Vec<Loss>,
    /// Why it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refusal: Option<Refusal>,
}

impl Report {
    /// A report of these entries.
    pub fn new(projections: Vec<Entry>) -> Self {
        let worst = projections.iter().map(|entry| entry.status).max();
        Self {
            verdict: worst.unwrap_or(Status::Unchanged),
            projections,
        }
    }

    /// How many entries have this status.
    pub fn count(&self, status: Status) -> usize {
        self.projections
            .iter()
            .filter(|entry| entry.status == status)
            .count()
    }
}

impl Proved {
    /// What a proof came to.
    pub fn new(member: &'static str, proof: Proof) -> Self {
        let status = match &proof {
            proof if proof.identical => "identical",
            proof if proof.counterexample.is_some() => "broken",
            proof if proof.holds() => "held",
            _ => "unasked",
        };
        Self {
            member,
            status,
            agreed: proof.agreed,
            excused: proof.excused,
            not_judged: proof.not_judged,
            counterexample: proof.counterexample.map(Shown::from),
            reason: proof.unasked,
        }
    }
}

impl From<Counterexample> for Shown {
    fn from(found: Counterexample) -> Self {
        Self {
            direction: match found.direction {
                Direction::Wider => "wider",
                Direction::Narrower => "narrower",
            },
            projected: found.projected,
            source: found.source,
            keyword: found.keyword,
            schema_pointer: found.schema.to_string(),
            pointer: found.at.to_string(),
        }
    }
}

impl From<&Entry> for Recorded {
    fn from(entry: &Entry) -> Self {
        Self {
            kind: entry.kind.to_owned(),
            name: entry.name.clone(),
            source: entry.source.clone(),
            losses: entry.losses.clone(),
            refusal: entry.refusal.clone(),
        }
    }
}

/// A counterexample as a clause.
impl Shown {
    /// What the value shows.
    pub fn clause(&self) -> String {
        let (kind, value, other) = match self.direction {
            "wider" => ("lets through", &self.projected, "source"),
            _ => ("cannot say", &self.source, "projection"),
        };
        let at = match self.pointer.as_str() {
            "" => "the root".to_owned(),
            pointer => pointer.to_owned(),
        };
        format!(
            "it {kind} {}, which the {other} {} by `{}` at {at}",
            crate::source::cut(&value.to_string(), 200),
            if self.direction == "wider" {
                "refuses"
            } else {
                "shuts out"
            },
            self.keyword,
        )
    }
}
