//! The building blocks of mutants: a request with another text in it, a schema read otherwise, a
//! value seen otherwise, an answer turned round.

use mcp_conform::certify::{Answer, Implementation, Outcome, Request};
use mcp_conform::corpus::GateName;
use mcp_conform::gate::RejectionReason as Reason;
use serde_json::{Map, Value};

use crate::walk::{Place, edit_pairs, edit_schemas};

/// The longest text that is looked into: larger ones are about size alone.
const MOST_BYTES: usize = 64 << 10;

/// An object of JSON.
pub type Members = Map<String, Value>;

/// The gates that hold a value against a schema.
const JUDGING: [GateName; 5] = [
    GateName::Arguments,
    GateName::Result,
    GateName::Audit,
    GateName::Handoff,
    GateName::State,
];

/// Whether the gate holds a value against a schema.
pub fn judges(gate: GateName) -> bool {
    JUDGING.contains(&gate)
}

/// The field that holds the schema that counts at a gate, and the member of it.
pub fn schema_of(gate: GateName) -> (&'static str, Option<&'static str>) {
    match gate {
        GateName::Arguments => ("tool", Some("inputSchema")),
        GateName::Handoff | GateName::State => ("schema", None),
        _ => ("tool", Some("outputSchema")),
    }
}

/// The field that holds the value under test, and the member of it.
pub fn value_of(gate: GateName) -> (&'static str, Option<&'static str>) {
    match gate {
        GateName::Arguments => ("arguments", None),
        GateName::Result => ("result", Some("structuredContent")),
        GateName::Audit => ("body", Some("structuredContent")),
        _ => ("value", None),
    }
}

/// The field that holds a whole result.
pub fn result_of(gate: GateName) -> Option<&'static str> {
    match gate {
        GateName::Result => Some("result"),
        GateName::Audit => Some("body"),
        _ => None,
    }
}

/// The value in a field, where it is JSON of a moderate size.
pub fn read(request: &Request, field: &str) -> Option<Value> {
    let text = request.field(field);
    (text.len() <= MOST_BYTES)
        .then(|| serde_json::from_str(text).ok())
        .flatten()
}

/// The part of a field that is called `member`, or all of it.
pub fn read_part(request: &Request, (field, member): (&str, Option<&str>)) -> Option<Value> {
    let mut whole = read(request, field)?;
    match member {
        None => Some(whole),
        Some(member) => Some(whole.get_mut(member)?.take()),
    }
}

/// The request with another text in `field`.
pub fn with_text(request: &Request, field: &str, text: String) -> Request {
    let mut request = request.clone();
    for (name, known) in &mut request.fields {
        if *name == field {
            *known = text;
            break;
        }
    }
    request
}

/// The request with a part of a field edited; `None` where the edit changes nothing.
pub fn edited(
    request: &Request,
    (field, member): (&str, Option<&str>),
    edit: impl FnOnce(&mut Value) -> bool,
) -> Option<Request> {
    let mut whole = read(request, field)?;
    let part = match member {
        None => &mut whole,
        Some(member) => whole.get_mut(member)?,
    };
    edit(part).then(|| with_text(request, field, whole.to_string()))
}

/// Asks another question than was put, where `change` makes one.
pub fn asking(
    change: impl Fn(&Request) -> Option<Request> + Clone,
) -> impl Fn(&Request, &mut dyn Implementation) -> Outcome + Clone {
    move |request, inner| match change(request) {
        Some(other) => inner.run(&other),
        None => inner.run(request),
    }
}

/// Gives another answer than the right one.
pub fn answering(
    change: impl Fn(&Request, Outcome) -> Outcome + Clone,
) -> impl Fn(&Request, &mut dyn Implementation) -> Outcome + Clone {
    move |request, inner| change(request, inner.run(request))
}

/// Reads every subschema as `edit` leaves it, when values are judged. Whether the schema can be
/// used is settled as it stands, so that the change is one of judging alone. `word` must stand in
/// the schema's text.
pub fn reading(
    word: &'static str,
    edit: impl Fn(&mut Members, Place) -> bool + Clone,
) -> impl Fn(&Request, &mut dyn Implementation) -> Outcome + Clone {
    reading_whole(word, move |schema| edit_schemas(schema, &edit))
}

/// As [`reading`], of the schema as a whole.
pub fn reading_whole(
    word: &'static str,
    edit: impl Fn(&mut Value) -> bool + Clone,
) -> impl Fn(&Request, &mut dyn Implementation) -> Outcome + Clone {
    move |request, inner| {
        let place = schema_of(request.gate);
        let concerns = judges(request.gate) && request.field(place.0).contains(word);
        let other = concerns.then(|| edited(request, place, |schema| edit(schema)));
        let right = inner.run(request);
        let Some(other) = other.flatten().filter(|_| !is_of_the_schema(&right)) else {
            return right;
        };
        let wrong = inner.run(&other);
        if is_of_the_schema(&wrong) {
            right
        } else {
            wrong
        }
    }
}

/// Whether an answer speaks of the schema, and not of a value.
fn is_of_the_schema(outcome: &Outcome) -> bool {
    matches!(
        outcome.reason,
        Some(
            Reason::SchemaInvalid
                | Reason::DialectUnsupported
                | Reason::RefUnresolved
                | Reason::LimitExceeded
        )
    )
}

/// Sees the value under test as `edit` leaves it.
pub fn seeing(
    edit: impl Fn(&mut Value) -> bool + Clone,
) -> impl Fn(&Request, &mut dyn Implementation) -> Outcome + Clone {
    asking(move |request| {
        let place = value_of(request.gate);
        judges(request.gate)
            .then(|| edited(request, place, |value| edit(value)))
            .flatten()
    })
}

/// Sees each part of the value as `edit` leaves it, which is told what its schema says. `word` must
/// stand in the schema's text.
pub fn seeing_pairs(
    word: &'static str,
    edit: impl Fn(&Members, &mut Value) -> bool + Clone,
) -> impl Fn(&Request, &mut dyn Implementation) -> Outcome + Clone {
    asking(move |request| {
        let place = schema_of(request.gate);
        if !judges(request.gate) || !request.field(place.0).contains(word) {
            return None;
        }
        let schema = read_part(request, place)?;
        edited(request, value_of(request.gate), |value| {
            edit_pairs(&schema, value, &edit)
        })
    })
}

/// Sees a whole result as `edit` leaves it.
pub fn seeing_results(
    edit: impl Fn(&mut Value) -> bool + Clone,
) -> impl Fn(&Request, &mut dyn Implementation) -> Outcome + Clone {
    asking(move |request| {
        let field = result_of(request.gate)?;
        edited(request, (field, None), |result| edit(result))
    })
}

/// Accepts what `lets_pass` picks of all that is rejected.
pub fn accepting(
    lets_pass: impl Fn(&Request, &Outcome) -> bool + Clone,
) -> impl Fn(&Request, &mut dyn Implementation) -> Outcome + Clone {
    answering(move |request, outcome| {
        if outcome.answer == Answer::Reject && lets_pass(request, &outcome) {
            accepted(outcome)
        } else {
            outcome
        }
    })
}

/// Rejects for `reason` what `refuses` picks of all that is accepted.
pub fn rejecting(
    reason: Reason,
    refuses: impl Fn(&Request) -> bool + Clone,
) -> impl Fn(&Request, &mut dyn Implementation) -> Outcome + Clone {
    answering(move |request, outcome| {
        if outcome.answer == Answer::Accept && refuses(request) {
            rejected(&outcome, reason)
        } else {
            outcome
        }
    })
}

/// An acceptance in the place of `outcome`, with what its gate must say beside it.
pub fn accepted(outcome: Outcome) -> Outcome {
    Outcome {
        branch: outcome.branch,
        usable: outcome.usable,
        ..Outcome::accept()
    }
}

/// A rejection in the place of `outcome`.
pub fn rejected(outcome: &Outcome, reason: Reason) -> Outcome {
    Outcome {
        branch: outcome.branch,
        ..Outcome::reject(reason)
    }
}

/// Gives the value under `from` to `to`, where that is free.
pub fn rename(schema: &mut Members, from: &str, to: &str) -> bool {
    if schema.contains_key(to) {
        return false;
    }
    let value = schema.shift_remove(from);
    value.is_some_and(|value| schema.insert(to.to_owned(), value).is_none())
}

/// Puts another value in the place of `value`.
pub fn replace(value: &mut Value, other: Value) -> bool {
    *value = other;
    true
}

/// Whether the members of the request's result are as `found` says.
pub fn of_result(request: &Request, found: impl Fn(&Members) -> bool) -> bool {
    let result = result_of(request.gate).and_then(|field| read(request, field));
    result
        .and_then(|result| result.as_object().map(found))
        .unwrap_or(false)
}

/// The members of a result, where it is an object.
pub fn members(edit: fn(&mut Members) -> bool) -> impl Fn(&mut Value) -> bool + Clone {
    move |result| result.as_object_mut().is_some_and(edit)
}
