//! What the changes between two catalogues or listings do to callers.
//!
//! Arguments: accepting less breaks who calls. Results: giving more breaks who reads. A handoff or a
//! state is written by some and read by others, and either change breaks one of them. What the
//! schemas decide by comparison is decided so; where a value shows it, the value is given; and what
//! neither tells is unknown.

mod hunt;
mod schema;

use serde::Serialize;
use serde_json::Value;

use self::schema::{judge, schema};
use super::compare::{Bearing, SchemaChange};
use super::{Item, ItemKind};
use crate::source::Pointer;

/// What a change does to those who rely on the old one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Nothing that worked stops working.
    Compatible,
    /// It cannot be told.
    Unknown,
    /// Something that worked stops working.
    Breaking,
}

/// How that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Decided {
    /// The schemas tell.
    Comparison,
    /// A value shows it.
    Counterexample,
    /// It was not.
    Nothing,
}

/// One change.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Change {
    /// `tool`, `handoff`, `state` or `contract`.
    pub kind: &'static str,
    /// Whose.
    pub name: String,
    /// `arguments`, `result`, `payload`, or `definition` for what is no schema.
    pub part: &'static str,
    /// Where, from the root of the new definition.
    pub pointer: String,
    /// The keyword or member.
    pub keyword: String,
    /// What it does.
    pub verdict: Verdict,
    /// How that was found.
    pub decided_by: Decided,
    /// What has changed and whom that hits, as a clause.
    pub message: String,
    /// A value that shows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counterexample: Option<Counterexample>,
}

/// A value that one version accepts and the other does not.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Counterexample {
    /// The value.
    pub value: Value,
    /// `old` or `new`: who refuses it.
    pub refused_by: &'static str,
    /// The keyword by which it is refused.
    pub keyword: String,
    /// The value at fault.
    pub pointer: String,
}

/// The changes of a whole.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The worst of all.
    pub verdict: Verdict,
    /// Each change.
    pub changes: Vec<Change>,
}

impl Report {
    /// A report of these changes.
    pub fn new(changes: Vec<Change>) -> Self {
        let worst = changes.iter().map(|change| change.verdict).max();
        Self {
            verdict: worst.unwrap_or(Verdict::Compatible),
            changes,
        }
    }
}

/// Who relies on a schema, and so what breaks them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    /// They send it: accepting less breaks them.
    Sent,
    /// They read it: giving more breaks them.
    Read,
}

impl Side {
    fn breaks(self, bearing: Bearing) -> Option<Verdict> {
        match (self, bearing) {
            (_, Bearing::Unknown) => Some(Verdict::Unknown),
            (_, Bearing::Both) | (Self::Sent, Bearing::Narrower) | (Self::Read, Bearing::Wider) => {
                Some(Verdict::Breaking)
            }
            _ => None,
        }
    }

    fn whom(self, part: &str) -> &'static str {
        match (self, part) {
            (Self::Sent, "arguments") => "a call that was in order is refused now",
            (Self::Sent, _) => "what is written as before, or was written before, is refused now",
            (Self::Read, "result") => "a result may now be what callers do not know",
            (Self::Read, _) => "what is written now may be what readers do not know",
        }
    }
}

/// What is there only before or after.
pub fn came_or_went(kind: &'static str, name: &str, came: bool) -> Change {
    let message = match came {
        true => "it is new",
        false => "it is gone: whoever uses it fails",
    };
    Change {
        kind,
        name: name.to_owned(),
        part: "definition",
        pointer: String::new(),
        keyword: String::new(),
        verdict: if came {
            Verdict::Compatible
        } else {
            Verdict::Breaking
        },
        decided_by: Decided::Comparison,
        message: message.to_owned(),
        counterexample: None,
    }
}

/// The changes between two versions of one tool or contract; `samples` values are drawn a side.
pub fn diff(
    kind: &'static str,
    old: &Item<'_>,
    new: &Item<'_>,
    (samples, seed): (usize, u64),
) -> Vec<Change> {
    let mut found = Vec::new();
    let parts: &[(&str, &'static str, &[Side])] = match new.kind() {
        ItemKind::Tool => &[
            ("inputSchema", "arguments", &[Side::Sent]),
            ("outputSchema", "result", &[Side::Read]),
        ],
        ItemKind::Contract => &[("schema", "payload", &[Side::Sent, Side::Read])],
    };
    for (member, part, sides) in parts {
        let base = match *member {
            "schema" => Pointer::root(),
            member => Pointer::root().join(member),
        };
        let make = |change: &SchemaChange| Change {
            kind,
            name: new.name().to_owned(),
            part,
            pointer: base.concat(change.new.as_str()).to_string(),
            keyword: change.keyword.clone(),
            verdict: Verdict::Compatible,
            decided_by: Decided::Comparison,
            message: change.message.clone(),
            counterexample: None,
        };
        match (old.schema(member), new.schema(member)) {
            (None, None) => {}
            (Some(before), Some(after)) if before.value() == after.value() => {}
            (Some(before), Some(after)) => {
                found.extend(schema(before, after, (part, sides), (samples, seed), &make));
            }
            (before, _) => {
                let came = before.is_none();
                let bearing = if came {
                    Bearing::Narrower
                } else {
                    Bearing::Wider
                };
                let change = SchemaChange {
                    old: Pointer::root(),
                    new: Pointer::root(),
                    keyword: String::new(),
                    bearing,
                    message: match came {
                        true => format!("{member} is declared now"),
                        false => format!("{member} is declared no more"),
                    },
                };
                let mut change = (make(&change), change);
                judge(&mut change.0, &change.1, (part, sides));
                found.push(change.0);
            }
        }
    }
    found.extend(beside(kind, old, new));
    found
}

/// Members of a tool that are no schemas.
fn beside(kind: &'static str, old: &Item<'_>, new: &Item<'_>) -> Vec<Change> {
    if new.kind() != ItemKind::Tool {
        return Vec::new();
    }
    let told = [
        ("title", Verdict::Compatible, "it is for people"),
        (
            "description",
            Verdict::Compatible,
            "a model reads it, and may choose otherwise",
        ),
        (
            "annotations",
            Verdict::Unknown,
            "hosts ask for consent by it",
        ),
        (
            "execution",
            Verdict::Unknown,
            "it says how the tool may be called",
        ),
    ];
    let changed = told
        .into_iter()
        .filter(|(name, ..)| old.value().get(*name) != new.value().get(*name));
    let change = |(member, verdict, why): (&str, Verdict, &str)| Change {
        kind,
        name: new.name().to_owned(),
        part: "definition",
        pointer: Pointer::root().join(member).to_string(),
        keyword: member.to_owned(),
        verdict,
        decided_by: match verdict {
            Verdict::Unknown => Decided::Nothing,
            _ => Decided::Comparison,
        },
        message: format!("the {member} has changed: {why}"),
        counterexample: None,
    };
    changed.map(change).collect()
}
