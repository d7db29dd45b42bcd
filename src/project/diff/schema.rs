//! The changes of one schema, with the values that show them.

use serde_json::Value;

use super::hunt::Hunt;
use super::{Change, Counterexample, Decided, Side, Verdict};
use crate::project::compare::{Bearing, SchemaChange, changes};
use crate::schema::{Schema, Violation};
use crate::source::Pointer;

/// Gives a change its verdict.
pub(super) fn judge(change: &mut Change, found: &SchemaChange, (part, sides): (&str, &[Side])) {
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
pub(super) fn schema(
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
