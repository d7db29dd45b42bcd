//! Mutants that take the value, or the schema for it, from another place.

use mcp_conform::certify::Verdict::{Fail, NonStrict};
use mcp_conform::corpus::GateName::{self, Arguments, Result};
use mcp_conform::gate::RejectionReason::{self, ShapeInvalid, StructuredMismatch};
use serde_json::{Value, json};

use super::{SHAPES, TOOLS};
use crate::change::{
    Members, accepting, asking, edited, members, of_result, rejecting, seeing_results,
};
use crate::mutant::Matter::{Rule, Suite};
use crate::mutant::Mutant;

const STRUCTURED: &str = "structuredContent";

const REQUIRED: &str = "mcp.result.structured-content.required";

const OBJECT: &str = "mcp.result.structured-content.object";

pub fn mutants() -> Vec<Mutant> {
    vec![
        Mutant::new(
            "prefers-the-text",
            "JSON in a text block is judged in the place of structured content",
            seeing_results(members(|members| {
                let text = json_text(members).filter(|_| members.contains_key(STRUCTURED));
                text.is_some_and(|text| {
                    members.insert(STRUCTURED.into(), text.clone()) != Some(text)
                })
            })),
        )
        .known_by(Result, NonStrict, Suite("result/text-and-value")),
        Mutant::new(
            "falls-back-on-the-text",
            "JSON in a text block stands in for structured content that is not there",
            seeing_results(members(|members| {
                let text = json_text(members).filter(|_| !members.contains_key(STRUCTURED));
                text.is_some_and(|text| members.insert(STRUCTURED.into(), text).is_none())
            })),
        )
        .known_by(Result, NonStrict, Rule(REQUIRED)),
        Mutant::new(
            "asks-for-the-same-in-the-text",
            "a value is refused unless a text block says the same",
            rejecting(StructuredMismatch, |request| {
                request.gate == Result
                    && of_result(request, |members| {
                        let value = members.get(STRUCTURED);
                        value.is_some_and(|value| json_text(members).as_ref() != Some(value))
                    })
            }),
        )
        .broad()
        .known_by(Result, NonStrict, Suite("result/text-and-value")),
        Mutant::new(
            "asks-for-a-text-block",
            "a result without any text is refused",
            rejecting(ShapeInvalid, |request| {
                request.gate == Result
                    && of_result(request, |members| {
                        let blocks = members.get("content").and_then(Value::as_array);
                        blocks.is_some_and(|blocks| {
                            blocks.iter().all(|block| block["type"] != "text")
                        })
                    })
            }),
        )
        .ungenerated(SHAPES)
        .sparing("result/is-error")
        .known_by(Result, Fail, Suite("result/content-blocks")),
        Mutant::new(
            "wraps-what-is-no-object",
            "a value that is no object is judged as {\"result\": value}",
            seeing_results(members(|members| {
                let other = members
                    .get(STRUCTURED)
                    .filter(|value| !value.is_object())
                    .cloned();
                other.is_some_and(|value| {
                    members
                        .insert(STRUCTURED.into(), json!({"result": value}))
                        .is_some()
                })
            })),
        )
        .known_by(Result, Fail, Rule(OBJECT)),
        Mutant::new(
            "unwraps-every-envelope",
            "of {\"result\": value} the value is judged, whoever sent it",
            seeing_results(members(|members| {
                let envelope = members.get_mut(STRUCTURED).and_then(Value::as_object_mut);
                let inner = envelope
                    .filter(|envelope| envelope.len() == 1)
                    .and_then(|envelope| envelope.shift_remove("result"));
                inner.is_some_and(|inner| members.insert(STRUCTURED.into(), inner).is_some())
            })),
        )
        .known_by(Result, NonStrict, Suite("result/get-report")),
        Mutant::new(
            "swaps-the-schemas",
            "arguments are held against the outputSchema, and results against the inputSchema",
            asking(|request| {
                if !matches!(request.gate, Arguments | Result) {
                    return None;
                }
                edited(request, ("tool", None), |tool| {
                    let Some(tool) = tool
                        .as_object_mut()
                        .filter(|tool| tool.contains_key("outputSchema"))
                    else {
                        return false;
                    };
                    let input = tool.get("inputSchema").cloned();
                    let output = tool.get("outputSchema").cloned();
                    let (Some(input), Some(output)) = (input, output) else {
                        return false;
                    };
                    let object = output.get("type") == Some(&json!("object"));
                    object && input != output && {
                        tool.insert("inputSchema".into(), output);
                        tool.insert("outputSchema".into(), input);
                        true
                    }
                })
            }),
        )
        .broad()
        .known_by(Arguments, NonStrict, Suite("arguments/swapped-schemas")),
        Mutant::new(
            "accepts-what-it-cannot-judge",
            "under a schema that cannot be used every value passes",
            accepting(|request, outcome| {
                matches!(
                    request.gate,
                    Arguments | Result | GateName::Handoff | GateName::State
                ) && matches!(
                    outcome.reason,
                    Some(
                        RejectionReason::SchemaInvalid
                            | RejectionReason::DialectUnsupported
                            | RejectionReason::RefUnresolved
                    )
                )
            }),
        )
        .ungenerated(TOOLS)
        .known_by(Result, Fail, Suite("result/unusable-definitions")),
    ]
}

/// The object or the array that a text block is.
fn json_text(members: &Members) -> Option<Value> {
    let blocks = members.get("content")?.as_array()?;
    let mut texts = blocks
        .iter()
        .filter_map(|block| block.get("text")?.as_str());
    let read = texts.find_map(|text| serde_json::from_str::<Value>(text).ok());
    read.filter(|value| value.is_object() || value.is_array())
}
