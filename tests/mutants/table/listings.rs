//! Mutants that lose tools of a listing.

use mcp_conform::certify::Verdict::{Fail, NonStrict};
use mcp_conform::certify::{Answer, Implementation, Outcome, Request};
use mcp_conform::corpus::GateName::Listing;
use mcp_conform::gate::RejectionReason::SchemaInvalid;
use serde_json::Value;

use crate::change::{read, rejected};
use crate::mutant::Matter::Suite;
use crate::mutant::Mutant;

/// Why generation does not reach listings.
const UNGENERATED: &str = "no listings are generated";

/// The suite of unusable tools among usable ones.
const BAD: &str = "listing/one-bad-tool";

pub fn mutants() -> Vec<Mutant> {
    let known = |mutant: Mutant, suite| {
        mutant
            .ungenerated(UNGENERATED)
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
                            let definition = format!("\"$defs\":{{\"{target}\":");
                            listed.contains(&definition) && !text.contains(&definition)
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
            None => rejected(&right, SchemaInvalid),
        }
    }
}

/// Whether the tool is one of those that are left.
fn is_left(tool: &Value, usable: &[String]) -> bool {
    let name = tool.get("name").and_then(Value::as_str);
    name.is_some_and(|name| usable.iter().any(|left| left == name))
}
