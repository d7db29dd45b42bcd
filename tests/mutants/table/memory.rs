//! Mutants that read a listing of another shape, or hold on to what an earlier one said.

use std::collections::HashMap;

use mcp_conform::certify::Verdict::{Fail, NonStrict};
use mcp_conform::certify::{Answer, Implementation, Outcome, Request};
use mcp_conform::corpus::GateName::{Arguments, Listing, Result};
use serde_json::{Value, json};

use crate::change::{asking, edited, judges, read, read_part, schema_of, with_text};
use crate::mutant::Matter::{Rule, Suite};
use crate::mutant::Mutant;
use crate::rules::forgiving;

/// Why generation does not reach listings.
const UNGENERATED: &str = "no listings are generated";

/// The suite of unusable tools among usable ones.
const BAD: &str = "listing/one-bad-tool";

pub fn mutants() -> Vec<Mutant> {
    let shapes = shapes().into_iter();
    let shapes = shapes.map(|mutant| mutant.ungenerated(UNGENERATED));
    shapes.chain(stale()).collect()
}

fn shapes() -> Vec<Mutant> {
    let known = |mutant: Mutant| {
        mutant
            .sparing(BAD)
            .known_by(Listing, Fail, Rule("mcp.list.shape"))
    };
    let listing = |change: fn(&mut Value) -> bool| {
        asking(move |request| {
            (request.gate == Listing)
                .then(|| edited(request, ("tools", None), change))
                .flatten()
        })
    };
    vec![
        known(Mutant::new(
            "takes-a-null-cursor-for-the-end",
            "nextCursor may be null",
            listing(|listing| {
                let members = listing.as_object_mut();
                let members =
                    members.filter(|members| members.get("nextCursor").is_some_and(Value::is_null));
                members.is_some_and(|members| members.shift_remove("nextCursor").is_some())
            }),
        )),
        known(Mutant::new(
            "takes-any-cursor",
            "nextCursor may be a number, an object or false",
            listing(|listing| {
                let members = listing.as_object_mut();
                let members = members.filter(|members| {
                    members
                        .get("nextCursor")
                        .is_some_and(|cursor| !cursor.is_null() && !cursor.is_string())
                });
                members.is_some_and(|members| members.shift_remove("nextCursor").is_some())
            }),
        )),
        known(Mutant::new(
            "takes-missing-tools-for-none",
            "a listing without `tools` is an empty one",
            listing(|listing| {
                let Some(members) = listing.as_object_mut() else {
                    return false;
                };
                let missing = members.get("tools").is_none_or(Value::is_null);
                missing && members.insert("tools".into(), json!([])) != Some(json!([]))
            }),
        )),
        known(Mutant::new(
            "takes-one-tool-for-a-listing",
            "`tools` may be a single tool",
            listing(|listing| {
                let one = listing
                    .get("tools")
                    .filter(|tools| tools.get("name").is_some())
                    .cloned();
                one.is_some_and(|one| {
                    listing["tools"] = json!([one]);
                    true
                })
            }),
        )),
        known(Mutant::new(
            "takes-any-listing",
            "the shape of a listing is not looked at",
            |request: &Request, inner: &mut dyn Implementation| {
                let outcome = forgiving(&["mcp.list.shape"])(request, inner);
                let empty = outcome.answer == Answer::Accept
                    && outcome.usable.is_none()
                    && request.gate == Listing;
                Outcome {
                    usable: if empty {
                        Some(Vec::new())
                    } else {
                        outcome.usable.clone()
                    },
                    ..outcome
                }
            },
        )),
    ]
}

fn stale() -> Vec<Mutant> {
    vec![
        Mutant::remembering(
            "keeps-the-first-schema-of-an-identifier",
            "of two schemas under one `$id` the first judges for both",
            || {
                let mut known: HashMap<String, Value> = HashMap::new();
                Box::new(move |request, inner| {
                    let place = schema_of(request.gate);
                    let has_id = judges(request.gate) && request.field(place.0).contains("\"$id\"");
                    let schema = has_id.then(|| read_part(request, place)).flatten();
                    let Some(schema) = schema else {
                        return inner.run(request);
                    };
                    let Some(id) = schema.get("$id").and_then(Value::as_str) else {
                        return inner.run(request);
                    };
                    // A schema that cannot be used is never registered.
                    let first = known.get(id);
                    match first.filter(|first| **first != schema).cloned() {
                        Some(first) => {
                            let other = edited(request, place, |schema| {
                                *schema = first;
                                true
                            });
                            inner.run(other.as_ref().unwrap_or(request))
                        }
                        None => {
                            known.insert(id.to_owned(), schema);
                            inner.run(request)
                        }
                    }
                })
            },
        )
        .known_by(Result, NonStrict, Suite("result/shared-id")),
        Mutant::remembering(
            "keeps-the-schema-of-a-tool",
            "a tool that is listed anew is judged by what its name stood for before",
            || {
                let mut last: Option<(String, Value)> = None;
                Box::new(move |request, inner| {
                    let tool = (request.gate == Result)
                        .then(|| read(request, "tool"))
                        .flatten();
                    let Some(tool) = tool else {
                        return inner.run(request);
                    };
                    let name = tool["name"].as_str().unwrap_or_default().to_owned();
                    match &last {
                        Some((known, first)) if *known == name => {
                            let text = first.to_string();
                            if *first == tool {
                                return inner.run(request);
                            }
                            inner.run(&with_text(request, "tool", text))
                        }
                        _ => {
                            last = Some((name, tool));
                            inner.run(request)
                        }
                    }
                })
            },
        )
        .broad()
        .sparing("result/content-blocks")
        .known_by(Result, NonStrict, Suite("result/changed-schema")),
        Mutant::remembering(
            "stops-judging-a-schema-that-changed",
            "a schema under an `$id` that stood for another before judges nothing",
            || {
                let mut known: HashMap<String, Value> = HashMap::new();
                Box::new(move |request, inner| {
                    let right = inner.run(request);
                    let place = schema_of(request.gate);
                    let has_id =
                        request.gate == Arguments && request.field(place.0).contains("\"$id\"");
                    let Some(schema) = has_id.then(|| read_part(request, place)).flatten() else {
                        return right;
                    };
                    let Some(id) = schema.get("$id").and_then(Value::as_str) else {
                        return right;
                    };
                    if known.get(id).is_some_and(|first| *first != schema) {
                        return crate::change::accepted(right);
                    }
                    known.insert(id.to_owned(), schema);
                    right
                })
            },
        )
        .sparing("arguments/keywords-arrays")
        .known_by(Arguments, NonStrict, Suite("arguments/shared-id")),
    ]
}
