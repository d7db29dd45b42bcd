//! Mutants that are wrong about what a call owes: structured content, or the message of an error.

use mcp_conform::certify::Verdict::{Fail, NonStrict};
use mcp_conform::corpus::GateName::Result;
use mcp_conform::gate::RejectionReason::{ShapeInvalid, StructuredMismatch};
use mcp_conform::protocol::ProtocolVersion::V2026_07_28;
use serde_json::{Value, json};

use super::{SHAPES, TOOLS};
use crate::change::{Members, accepting, members, of_result, read, rejecting, seeing_results};
use crate::mutant::Matter::{Rule, Suite};
use crate::mutant::Mutant;
use crate::rules::forgiving;

const STRUCTURED: &str = "structuredContent";

const REQUIRED: &str = "mcp.result.structured-content.required";

const OBJECT: &str = "mcp.result.structured-content.object";

const SCHEMA: &str = "mcp.result.structured-content.schema";

pub fn mutants() -> Vec<Mutant> {
    [presence(), errors()].into_iter().flatten().collect()
}

/// Takes structured content for absent where `absent` says so.
fn without(absent: fn(&Value) -> bool) -> impl Fn(&mut Value) -> bool + Clone {
    move |result| {
        let members = result.as_object_mut();
        let members = members.filter(|members| members.get(STRUCTURED).is_some_and(absent));
        members.is_some_and(|members| members.shift_remove(STRUCTURED).is_some())
    }
}

fn presence() -> Vec<Mutant> {
    let owed = |mutant: Mutant| mutant.known_by(Result, NonStrict, Rule(REQUIRED));
    vec![
        Mutant::new(
            "judges-no-result",
            "structured content is handed on as it comes",
            forgiving(&[SCHEMA]),
        )
        .broad()
        .known_by(Result, NonStrict, Rule(SCHEMA)),
        owed(Mutant::new(
            "asks-for-no-structured-content",
            "a result without the value that its tool declares passes",
            forgiving(&[REQUIRED]),
        )),
        Mutant::new(
            "takes-null-for-absent",
            "structured content of null is none",
            seeing_results(without(Value::is_null)),
        )
        .known_by(Result, NonStrict, Suite("result/roots")),
        Mutant::new(
            "takes-falsy-values-for-absent",
            "structured content of false, 0 or \"\" is none",
            seeing_results(without(|value| {
                value == &json!(false) || value == 0 || value == ""
            })),
        )
        .known_by(Result, NonStrict, Suite("result/roots")),
        Mutant::new(
            "takes-an-empty-array-for-absent",
            "structured content of [] is none",
            seeing_results(without(|value| value.as_array().is_some_and(Vec::is_empty))),
        )
        .known_by(Result, NonStrict, Suite("result/search-tickets")),
        Mutant::new(
            "takes-an-empty-object-for-absent",
            "structured content of {} is none",
            seeing_results(without(|value| {
                value.as_object().is_some_and(Members::is_empty)
            })),
        )
        .known_by(Result, NonStrict, Suite("result/presence")),
        Mutant::new(
            "refuses-undeclared-structured-content",
            "a value from a tool without an outputSchema is refused",
            rejecting(StructuredMismatch, |request| {
                let tool = read(request, "tool").filter(|_| request.gate == Result);
                let undeclared = tool.is_some_and(|tool| tool.get("outputSchema").is_none());
                undeclared && of_result(request, |members| members.contains_key(STRUCTURED))
            }),
        )
        .ungenerated(TOOLS)
        .known_by(Result, NonStrict, Suite("result/presence")),
        Mutant::new(
            "lets-any-value-pass-before-2026",
            "structured content need not be an object on 2025-06-18 and 2025-11-25",
            forgiving(&[OBJECT]),
        )
        .known_by(Result, Fail, Rule(OBJECT)),
        Mutant::new(
            "asks-for-an-object-after-2025",
            "structured content must be an object on 2026-07-28, too",
            rejecting(ShapeInvalid, |request| {
                request.version >= V2026_07_28
                    && of_result(request, |members| {
                        members
                            .get(STRUCTURED)
                            .is_some_and(|value| !value.is_object())
                    })
            }),
        )
        .known_by(Result, NonStrict, Suite("result/roots")),
    ]
}

fn errors() -> Vec<Mutant> {
    vec![
        Mutant::new(
            "judges-errors",
            "a tool's own error is held against the outputSchema",
            seeing_results(members(|members| {
                members.get("isError") == Some(&json!(true))
                    && members.insert("isError".into(), json!(false)).is_some()
            })),
        )
        .known_by(Result, NonStrict, Suite("result/is-error")),
        Mutant::new(
            "lets-errors-have-any-shape",
            "under isError nothing is looked at",
            accepting(|request, _| {
                request.gate == Result
                    && of_result(request, |members| {
                        members.get("isError") == Some(&json!(true))
                    })
            }),
        )
        .ungenerated(SHAPES)
        .known_by(Result, Fail, Suite("result/is-error")),
        Mutant::new(
            "takes-a-truthy-flag-for-an-error",
            "isError may be \"true\" or 1",
            seeing_results(members(|members| {
                let flag = members
                    .get("isError")
                    .is_some_and(|flag| flag == "true" || flag == 1);
                flag && members.insert("isError".into(), json!(true)).is_some()
            })),
        )
        .ungenerated(SHAPES)
        .known_by(Result, Fail, Suite("result/is-error")),
        Mutant::new(
            "takes-a-word-for-an-error",
            "a text with the word error or unknown in it is a tool's own error",
            seeing_results(members(|members| {
                let text = members
                    .get("content")
                    .map(Value::to_string)
                    .unwrap_or_default();
                let flagged = text.contains("error") || text.contains("unknown");
                flagged && members.insert("isError".into(), json!(true)) != Some(json!(true))
            })),
        )
        .known_by(Result, NonStrict, Rule(REQUIRED)),
        Mutant::new(
            "reads-names-in-snake-case",
            "structured_content and is_error are read as if they were the members meant",
            seeing_results(members(|members| {
                let mut changed = false;
                for (other, name) in [("structured_content", STRUCTURED), ("is_error", "isError")] {
                    if let Some(value) = members.shift_remove(other) {
                        members.insert(name.into(), value);
                        changed = true;
                    }
                }
                changed
            })),
        )
        .ungenerated(SHAPES)
        .known_by(Result, NonStrict, Rule(REQUIRED)),
    ]
}
