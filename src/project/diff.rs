//! What the changes between two catalogues or listings do to callers.
//!
//! Arguments: accepting less breaks who calls. Results: giving more breaks who reads. A handoff or a
//! state is written by some and read by others, and either change breaks one of them. What the
//! schemas decide by comparison is decided so; where a value shows it, the value is given; and what
//! neither tells is unknown.

use serde::Serialize;
use serde_json::Value;

use super::compare::{Bearing, SchemaChange, changes};
use super::{Item, ItemKind};
use crate::generate::{Generator, Rng, Tally, Tried, shrink};
use crate::schema::{Compiled, Instance, Judgement, Schema, Violation};
use crate::source::Pointer;

/// Smaller values that are tried for a counterexample.
const SHRINKS: usize = 200;
/// Counterexamples that are gathered of one schema.
const MOST: usize = 20;

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

/// Gives a change its verdict.
fn judge(change: &mut Change, found: &SchemaChange, (part, sides): (&str, &[Side])) {
    let worst = sides
        .iter()
        .filter_map(|side| Some((side.breaks(found.bearing)?, *side)))
        .max_by_key(|(verdict, _)| *verdict);
    let Some((verdict, side)) = worst else {
        return;
    };
    change.verdict = verdict;
    match verdict {
        Verdict::Breaking => change.message = format!("{}: {}", found.message, side.whom(part)),
        _ => change.decided_by = Decided::Nothing,
    }
}

/// The changes of one schema.
fn schema(
    old: &Schema<'_>,
    new: &Schema<'_>,
    (part, sides): (&'static str, &[Side]),
    (samples, seed): (usize, u64),
    make: &dyn Fn(&SchemaChange) -> Change,
) -> Vec<Change> {
    let (before, after) = match (old.compiled(), new.compiled()) {
        (Ok(before), Ok(after)) => (before, after),
        (before, after) => {
            let change = SchemaChange {
                old: Pointer::root(),
                new: Pointer::root(),
                keyword: String::new(),
                bearing: Bearing::Unknown,
                message: match (before.is_ok(), after.is_ok()) {
                    (true, false) => {
                        "the new schema cannot judge: every value is refused".to_owned()
                    }
                    (false, true) => "the old schema could not judge".to_owned(),
                    _ => "neither schema can judge".to_owned(),
                },
            };
            let mut made = make(&change);
            judge(&mut made, &change, (part, sides));
            if after.is_err() && before.is_ok() {
                made.verdict = Verdict::Breaking;
                made.decided_by = Decided::Comparison;
            }
            return vec![made];
        }
    };
    let found = changes(old, new);
    let mut made: Vec<Change> = found.iter().map(make).collect();
    for (change, found) in made.iter_mut().zip(&found) {
        judge(change, found, (part, sides));
    }
    let (was, is) = ((old.value(), &*before), (new.value(), &*after));
    for side in sides {
        // Who sends as before meets the new; who knows the old reads the new.
        let (giver, taker) = match side {
            Side::Sent => (was, is),
            Side::Read => (is, was),
        };
        let hunt = Hunt {
            side: *side,
            giver,
            taker,
        };
        for (value, violation) in hunt.run(samples, seed) {
            attach(&mut made, &found, (part, *side), (value, &violation), make);
        }
    }
    made
}

/// A search for values that one version gives and the other does not take.
struct Hunt<'h> {
    side: Side,
    giver: (&'h Value, &'h Compiled),
    taker: (&'h Value, &'h Compiled),
}

impl Hunt<'_> {
    /// Values, each small, each with another reason.
    fn run(&self, samples: usize, seed: u64) -> Vec<(Value, Violation)> {
        let mut found: Vec<(Value, Violation)> = Vec::new();
        let fitting = Generator::new(self.giver.0);
        let barely = Generator::new(self.taker.0);
        let mut tally = Tally::default();
        for number in 0..samples as u64 {
            if found.len() >= MOST {
                break;
            }
            let name = match self.side {
                Side::Sent => "sent",
                Side::Read => "read",
            };
            let mut rng = Rng::of(seed, name, number);
            let mut values = Vec::new();
            if let Ok(generator) = &fitting {
                values.extend(
                    generator
                        .sample(&mut rng, &mut tally)
                        .map(|it| it.value().clone()),
                );
            }
            if let Ok(generator) = &barely
                && let Some(sample) = generator.sample(&mut rng, &mut tally)
            {
                values.extend(
                    generator
                        .mutant(&sample, &mut rng, &mut tally)
                        .map(|it| it.value),
                );
            }
            for value in values {
                for reason in self.reasons(&value) {
                    let known = found
                        .iter()
                        .any(|(_, it)| it.schema == reason.schema && it.reason == reason.reason);
                    if !known && found.len() < MOST {
                        found.push(self.smaller(&value, reason));
                    }
                }
            }
        }
        found
    }

    /// Why the taker refuses a value that the giver gives.
    fn reasons(&self, value: &Value) -> Vec<Violation> {
        let instance = Instance::plain(value);
        if self.giver.1.fits(instance) != Ok(true) {
            return Vec::new();
        }
        match self.taker.1.judge(instance) {
            Judgement::DoesNotFit(violations) => violations,
            _ => Vec::new(),
        }
    }

    fn smaller(&self, value: &Value, reason: Violation) -> (Value, Violation) {
        let same = |value: &Value| {
            let reasons = self.reasons(value);
            // One thing wrong tells more than two.
            reasons
                .into_iter()
                .find(|it| it.schema == reason.schema && it.reason.kind() == reason.reason.kind())
        };
        let shrunk = shrink(value, SHRINKS, &mut |value| match same(value) {
            Some(_) => Tried::Holds,
            None => Tried::Fails,
        });
        match same(&shrunk.value) {
            Some(reason) => (shrunk.value, reason),
            None => (value.clone(), reason),
        }
    }
}

/// Gives a counterexample to the change that it is of.
fn attach(
    made: &mut Vec<Change>,
    found: &[SchemaChange],
    (part, side): (&'static str, Side),
    (value, violation): (Value, &Violation),
    make: &dyn Fn(&SchemaChange) -> Change,
) {
    let place = |change: &SchemaChange| match side {
        Side::Sent => change.new.clone(),
        Side::Read => change.old.clone(),
    };
    let declared = found.iter().any(|change| {
        // An undeclared member that happens to have the name of a new one.
        change.keyword == "properties"
            && change.bearing == Bearing::None
            && violation.schema.below(&place(change)).is_some()
    });
    if declared {
        return;
    }
    let at = &violation.schema;
    let names = |change: &SchemaChange| {
        let name = violation.reason.to_string();
        change.keyword != "required"
            || change
                .message
                .split('`')
                .nth(1)
                .is_some_and(|it| name.contains(it))
    };
    // The very keyword; else one that it stands in, or that stands in it.
    let exact = found
        .iter()
        .position(|change| place(change) == *at && names(change));
    let extra = || {
        let parent = at.parent()?;
        let is_extra = |change: &SchemaChange| {
            change.keyword == "properties" && place(change).parent() == Some(parent.clone())
        };
        (violation.keyword == "additionalProperties").then(|| found.iter().position(is_extra))?
    };
    let near = || {
        let close = |change: &SchemaChange| {
            let place = place(change);
            let touches = at.below(&place).is_some() || place.below(at).is_some();
            touches && side.breaks(change.bearing).is_some()
        };
        found.iter().position(close)
    };
    let shown = Counterexample {
        value,
        refused_by: match side {
            Side::Sent => "new",
            Side::Read => "old",
        },
        keyword: violation.keyword.clone(),
        pointer: violation.instance.to_string(),
    };
    match exact
        .or_else(extra)
        .or_else(near)
        .filter(|index| *index < made.len())
    {
        Some(index) => {
            let change = &mut made[index];
            if change.verdict != Verdict::Breaking {
                change.verdict = Verdict::Breaking;
                change.decided_by = Decided::Counterexample;
                change.message = format!("{}: {}", found[index].message, side.whom(part));
            }
            change.counterexample.get_or_insert(shown);
        }
        None => {
            let at = violation.schema.clone();
            let change = SchemaChange {
                old: at.clone(),
                new: at,
                keyword: violation.keyword.clone(),
                bearing: Bearing::Unknown,
                message: String::new(),
            };
            let mut change = make(&change);
            change.verdict = Verdict::Breaking;
            change.decided_by = Decided::Counterexample;
            side.whom(part).clone_into(&mut change.message);
            change.counterexample = Some(shown);
            made.push(change);
        }
    }
}
