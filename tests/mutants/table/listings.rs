//! Mutants that lose tools of a listing, or hold on to what an earlier one said.

use std::collections::HashMap;

use mcp_conform::certify::Verdict::{Fail, NonStrict};
use mcp_conform::certify::{Answer, Implementation, Outcome, Request};
use mcp_conform::corpus::GateName::{Arguments, Listing, Result};
use mcp_conform::gate::RejectionReason::SchemaInvalid;
use serde_json::{Value, json};

use crate::change::{asking, edited, judges, read, read_part, rejected, schema_of, with_text};
use crate::mutant::Matter::{Rule, Suite};
use crate::mutant::Mutant;
use crate::rules::forgiving;

/// Why generation does not reach listings.
const UNGENERATED: &str = "no listings are generated";

const BAD: &str = "listing/one-bad-tool";

pub fn mutants() -> Vec<Mutant> {
    let mut all: Vec<_> = lost()
        .into_iter()
        .chain(shapes())
        .map(|mutant| mutant.ungenerated(UNGENERATED))
        .collect();
    all.extend(stale());
    all
}

/// Changes the names that are left of an accepted listing, knowing its tools.
fn leaving(
    change: impl Fn(&[Value], Vec<String>) -> Option<Vec<String>> + Clone,
) -> impl Fn(&Request, &mut dyn Implementation) -> Outcome + Clone {
    move |request, inner| {
        let right = inner.run(request);
        let (Answer::Accept, Some(usable)) = (right.answer, right.usable.clone()) else {
            return right;
        };
        let Some(listing) = read(request, "tools") else {
            return right;
        };
        let tools = listing["tools"].as_array().map_or(&[][..], Vec::as_slice);
        match change(tools, usable) {
            Some(usable) => Outcome {
                usable: Some(usable),
                ..right
            },
            None => rejected(right, SchemaInvalid),
        }
    }
}

/// Whether the tool is one of those that are left.
fn is_left(tool: &Value, usable: &[String]) -> bool {
    let name = tool.get("name").and_then(Value::as_str);
    name.is_some_and(|name| usable.iter().any(|left| left == name))
}

fn lost() -> Vec<Mutant> {
    let known = |mutant: Mutant, suite| {
        mutant
            .sparing("listing/shape")
            .known_by(Listing, NonStrict, Suite(suite))
    };
    let names = "listing/names-and-identifiers";
    vec![
        known(
            Mutant::new(
                "drops-the-listing-for-one-tool",
                "one tool that cannot be used costs all the others",
                leaving(|tools, usable| {
                    tools
                        .iter()
                        .all(|tool| is_left(tool, &usable))
                        .then_some(usable)
                }),
            ),
            BAD,
        ),
        known(
            Mutant::new(
                "stops-at-the-first-bad-tool",
                "what follows a tool that cannot be used is lost",
                leaving(|tools, usable| {
                    let good = tools.iter().take_while(|tool| is_left(tool, &usable));
                    Some(
                        good.filter_map(|tool| tool["name"].as_str().map(str::to_owned))
                            .collect(),
                    )
                }),
            ),
            BAD,
        ),
        known(
            Mutant::new(
                "keeps-tools-that-cannot-be-used",
                "a tool that cannot be used is offered all the same",
                leaving(|tools, _| {
                    Some(
                        tools
                            .iter()
                            .filter_map(|tool| tool.get("name")?.as_str().map(str::to_owned))
                            .collect(),
                    )
                }),
            ),
            BAD,
        ),
        known(
            Mutant::new(
                "stumbles-over-entries-that-are-no-objects",
                "an entry of null or of text costs the whole listing",
                leaving(|tools, usable| tools.iter().all(Value::is_object).then_some(usable)),
            ),
            BAD,
        ),
        known(
            Mutant::new(
                "reads-forty-tools",
                "of a large listing the first forty tools are kept",
                leaving(|_, usable| Some(usable.into_iter().take(40).collect())),
            ),
            "listing/large-catalogue",
        )
        .known_by(Listing, Fail, Suite("listing/large-catalogue")),
        known(
            Mutant::new(
                "refuses-a-name-twice",
                "two tools of one name cost the whole listing",
                leaving(|tools, usable| {
                    let mut names: Vec<_> = tools
                        .iter()
                        .filter_map(|tool| tool.get("name")?.as_str())
                        .collect();
                    let all = names.len();
                    names.sort_unstable();
                    names.dedup();
                    (names.len() == all).then_some(usable)
                }),
            ),
            names,
        ),
        known(
            Mutant::new(
                "folds-names-in-other-letters",
                "names that differ in case alone are one",
                leaving(|_, usable| {
                    let mut left: Vec<String> = Vec::new();
                    for name in usable {
                        if !left.iter().any(|known| known.eq_ignore_ascii_case(&name)) {
                            left.push(name);
                        }
                    }
                    Some(left)
                }),
            ),
            names,
        ),
        known(
            Mutant::new(
                "cleans-names",
                "names that are equal but for `-`, `_` and `.` are one",
                leaving(|_, usable| {
                    let cleaned = |name: &str| name.replace(['-', '.'], "_");
                    let mut left: Vec<String> = Vec::new();
                    for name in usable {
                        if !left.iter().any(|known| cleaned(known) == cleaned(&name)) {
                            left.push(name);
                        }
                    }
                    Some(left)
                }),
            ),
            names,
        )
        .known_by(Listing, Fail, Suite(names)),
        known(
            Mutant::new(
                "loses-names-of-the-prototype",
                "a tool called constructor or toString is taken for one that is there already",
                leaving(|_, usable| {
                    let inherited = ["constructor", "__proto__", "toString", "hasOwnProperty"];
                    Some(
                        usable
                            .into_iter()
                            .filter(|name| !inherited.contains(&name.as_str()))
                            .collect(),
                    )
                }),
            ),
            names,
        )
        .known_by(Listing, Fail, Suite(names)),
        known(
            Mutant::new(
                "registers-an-identifier-once",
                "a second schema under the same `$id` costs its tool",
                leaving(|tools, usable| {
                    let mut seen: Vec<&str> = Vec::new();
                    let mut left = usable.clone();
                    for tool in tools {
                        let id = tool
                            .get("outputSchema")
                            .and_then(|schema| schema.get("$id"))
                            .and_then(Value::as_str);
                        let Some(id) = id else {
                            continue;
                        };
                        if seen.contains(&id) {
                            left.retain(|name| tool["name"] != **name);
                        }
                        seen.push(id);
                    }
                    Some(left)
                }),
            ),
            names,
        ),
        known(
            Mutant::new(
                "resolves-references-among-tools",
                "a `$ref` may lead into the schema of another tool of the listing",
                leaving(|tools, usable| {
                    let listed = serde_json::to_string(tools).unwrap_or_default();
                    let more = tools.iter().filter(|tool| {
                        let text = tool.to_string();
                        let target = text
                            .split("\"$ref\":\"#/$defs/")
                            .nth(1)
                            .and_then(|rest| rest.split('"').next());
                        target.is_some_and(|target| {
                            listed.contains(&format!("\"$defs\":{{\"{target}\":"))
                        })
                    });
                    let more = more.filter_map(|tool| tool["name"].as_str().map(str::to_owned));
                    Some(usable.into_iter().chain(more).collect())
                }),
            ),
            names,
        ),
    ]
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
