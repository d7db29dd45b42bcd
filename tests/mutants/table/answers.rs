//! Mutants that say yes and no where they should, and something wrong beside it.

use mcp_conform::certify::Verdict::{NonStrict, WrongReason};
use mcp_conform::certify::{Answer, Implementation, Outcome, Request};
use mcp_conform::corpus::GateName::{Arguments, Result};
use mcp_conform::gate::RejectionReason::{Other, StructuredMismatch, StructuredMissing};
use serde_json::{Value, json};

use crate::change::{Members, answering, read_part, schema_of};
use crate::mutant::Matter::{Keyword, Rule, Suite};
use crate::mutant::Mutant;
use crate::walk::edit_all;

pub fn mutants() -> Vec<Mutant> {
    reasons().into_iter().chain(deliveries()).collect()
}

/// Says something else beside a rejection.
fn saying(
    change: fn(&mut Outcome),
) -> impl Fn(&Request, &mut dyn Implementation) -> Outcome + Clone {
    answering(move |_, mut outcome| {
        if outcome.answer == Answer::Reject {
            change(&mut outcome);
        }
        outcome
    })
}

fn reasons() -> Vec<Mutant> {
    let known = |mutant: Mutant| mutant.broad().sparing("listing/one-bad-tool");
    vec![
        known(Mutant::new(
            "gives-one-reason-for-everything",
            "every rejection is for another reason than those that there are names for",
            saying(|outcome| outcome.reason = Some(Other)),
        ))
        .known_by(
            Result,
            WrongReason,
            Rule("mcp.result.structured-content.schema"),
        ),
        Mutant::new(
            "calls-what-is-missing-a-mismatch",
            "structured content that is not there is said not to fit",
            saying(|outcome| {
                if outcome.reason == Some(StructuredMissing) {
                    outcome.reason = Some(StructuredMismatch);
                }
            }),
        )
        .known_by(
            Result,
            WrongReason,
            Rule("mcp.result.structured-content.required"),
        ),
        known(Mutant::new(
            "names-places-from-a-dollar-sign",
            "places are JSONPaths and not JSON Pointers",
            saying(|outcome| {
                let place = outcome.at.take();
                outcome.at = place.map(|at| format!("${}", at.replace('/', ".")));
            }),
        ))
        .known_by(Arguments, WrongReason, Keyword("type")),
        known(Mutant::new(
            "names-the-object-around-the-fault",
            "the place is that of the value around the one that does not fit",
            saying(|outcome| {
                if let Some(at) = &mut outcome.at {
                    at.truncate(at.rfind('/').unwrap_or(0));
                }
            }),
        ))
        .known_by(Arguments, WrongReason, Keyword("type")),
        known(Mutant::new(
            "names-type-for-every-keyword",
            "the keyword is `type`, whichever rejects",
            saying(|outcome| {
                if outcome.keyword.is_some() {
                    outcome.keyword = Some("type".to_owned());
                }
            }),
        ))
        .known_by(Arguments, WrongReason, Keyword("enum")),
    ]
}

/// Hands on another value than the one that was judged.
fn delivering(
    change: impl Fn(&Request, &mut Value) -> bool + Clone,
) -> impl Fn(&Request, &mut dyn Implementation) -> Outcome + Clone {
    answering(move |request, mut outcome| {
        let value = outcome
            .delivered
            .as_deref()
            .filter(|text| text.len() < 64 << 10);
        let value = value.and_then(|text| serde_json::from_str::<Value>(text).ok());
        if let Some(mut value) = value
            && change(request, &mut value)
        {
            outcome.delivered = Some(value.to_string());
        }
        outcome
    })
}

fn deliveries() -> Vec<Mutant> {
    vec![
        Mutant::new(
            "delivers-doubles",
            "integers beyond 2^53 are rounded on the way to the app",
            delivering(|_, value| {
                edit_all(value, &|value| {
                    let Some(number) = value
                        .as_u64()
                        .filter(|number| *number > 9_007_199_254_740_992)
                    else {
                        return false;
                    };
                    #[expect(clippy::cast_precision_loss, reason = "that is the mistake")]
                    let rounded = number as f64;
                    *value = json!(rounded);
                    true
                })
            }),
        )
        .known_by(Result, NonStrict, Suite("result/large-numbers")),
        Mutant::new(
            "delivers-no-nulls",
            "members of null are left out on the way to the app",
            delivering(|_, value| {
                edit_all(value, &|value| {
                    let Some(members) = value.as_object_mut() else {
                        return false;
                    };
                    let before = members.len();
                    members.retain(|_, member| !member.is_null());
                    members.len() < before
                })
            }),
        )
        .known_by(Result, NonStrict, Suite("result/null-and-optional")),
        Mutant::new(
            "delivers-declared-members-only",
            "members that the outputSchema does not declare are left out on the way to the app",
            delivering(|request, value| {
                let schema = read_part(request, schema_of(request.gate)).unwrap_or_default();
                let declared = schema.get("properties").and_then(Value::as_object);
                let (Some(declared), Some(members)) = (declared, value.as_object_mut()) else {
                    return false;
                };
                let before = members.len();
                members.retain(|name, _| declared.contains_key(name));
                members.len() < before
            }),
        )
        .known_by(Result, NonStrict, Suite("result/open-and-unknown")),
        Mutant::new(
            "delivers-an-envelope",
            "values that are no objects are handed on as {\"result\": value}",
            delivering(|_, value| {
                let wraps = !value.is_object();
                if wraps {
                    *value = json!({"result": value});
                }
                wraps
            }),
        )
        .known_by(Result, NonStrict, Suite("result/roots")),
        Mutant::new(
            "delivers-defaults",
            "members that are not there are handed on with their `default`",
            delivering(|request, value| {
                let schema = read_part(request, schema_of(request.gate)).unwrap_or_default();
                let declared = schema.get("properties").and_then(Value::as_object);
                let (Some(declared), Some(members)) = (declared, value.as_object_mut()) else {
                    return false;
                };
                fill(declared, members)
            }),
        )
        .known_by(Result, NonStrict, Suite("result/open-and-unknown")),
    ]
}

fn fill(declared: &Members, members: &mut Members) -> bool {
    let before = members.len();
    for (name, schema) in declared {
        if let Some(default) = schema.get("default") {
            members
                .entry(name.clone())
                .or_insert_with(|| default.clone());
        }
    }
    members.len() > before
}
