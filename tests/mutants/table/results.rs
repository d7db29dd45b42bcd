//! Mutants that are wrong about what a call returns: what is there, what is owed, what counts.

use mcp_conform::certify::Verdict::{Fail, NonStrict};
use mcp_conform::certify::{Answer, Request};
use mcp_conform::corpus::GateName::{self, Arguments, Result};
use mcp_conform::gate::RejectionReason::{self, ShapeInvalid, StructuredMismatch};
use mcp_conform::protocol::ProtocolVersion::V2026_07_28;
use serde_json::{Value, json};

use super::{SHAPES, TOOLS};
use crate::change::{
    Members, accepting, asking, edited, read, rejecting, result_of, seeing_results,
};
use crate::mutant::Matter::{Rule, Suite};
use crate::mutant::Mutant;
use crate::rules::forgiving;

const STRUCTURED: &str = "structuredContent";
const SHAPE: &str = "mcp.result.shape";
const REQUIRED: &str = "mcp.result.structured-content.required";
const OBJECT: &str = "mcp.result.structured-content.object";
const SCHEMA: &str = "mcp.result.structured-content.schema";
const TYPE: &str = "mcp.result.type";

pub fn mutants() -> Vec<Mutant> {
    [presence(), sources(), errors(), shapes(), kinds()]
        .into_iter()
        .flatten()
        .collect()
}

/// The members of a result, where it is an object.
fn members(edit: fn(&mut Members) -> bool) -> impl Fn(&mut Value) -> bool + Clone {
    move |result| result.as_object_mut().is_some_and(edit)
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

/// Whether the members of the request's result are as `found` says.
fn of_result(request: &Request, found: impl Fn(&Members) -> bool) -> bool {
    let result = result_of(request.gate).and_then(|field| read(request, field));
    result
        .and_then(|result| result.as_object().map(found))
        .unwrap_or(false)
}

fn sources() -> Vec<Mutant> {
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
        .ungenerated(SHAPES)
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

fn shapes() -> Vec<Mutant> {
    let shape = |mutant: Mutant| {
        mutant
            .sparing("result/keywords-type")
            .known_by(Result, Fail, Rule(SHAPE))
    };
    vec![
        shape(
            Mutant::new(
                "takes-missing-content-for-empty",
                "`content` may be left out",
                seeing_results(members(|members| {
                    let looks =
                        members.contains_key(STRUCTURED) || members.contains_key("resultType");
                    looks
                        && !members.contains_key("content")
                        && members.insert("content".into(), json!([])).is_none()
                })),
            )
            .ungenerated(SHAPES),
        ),
        shape(Mutant::new(
            "takes-null-content-for-empty",
            "`content` may be null",
            seeing_results(members(|members| {
                members.get("content").is_some_and(Value::is_null)
                    && members.insert("content".into(), json!([])).is_some()
            })),
        )),
        shape(
            Mutant::new(
                "takes-one-block-for-content",
                "`content` may be a single block",
                seeing_results(members(|members| {
                    let one = members
                        .get("content")
                        .filter(|content| content.is_object())
                        .cloned();
                    one.is_some_and(|one| members.insert("content".into(), json!([one])).is_some())
                })),
            )
            .ungenerated(SHAPES),
        ),
        shape(Mutant::new(
            "passes-over-unknown-blocks",
            "a content block of a type that no version has is left out",
            seeing_results(members(|members| {
                const KNOWN: [&str; 5] = ["text", "image", "audio", "resource", "resource_link"];
                let Some(Value::Array(blocks)) = members.get_mut("content") else {
                    return false;
                };
                let before = blocks.len();
                blocks.retain(|block| {
                    block
                        .get("type")
                        .and_then(Value::as_str)
                        .is_none_or(|kind| KNOWN.contains(&kind))
                });
                blocks.len() < before
            })),
        )),
        shape(
            Mutant::new(
                "looks-at-the-first-block-only",
                "content blocks after the first are not looked at",
                seeing_results(members(|members| {
                    let blocks = members.get_mut("content").and_then(Value::as_array_mut);
                    let blocks = blocks.filter(|blocks| blocks.len() > 1);
                    blocks.map(|blocks| blocks.truncate(1)).is_some()
                })),
            )
            .ungenerated(SHAPES),
        ),
        shape(
            Mutant::new(
                "takes-null-members-of-a-block-for-absent",
                "`annotations` and `_meta` of a content block may be null",
                seeing_results(members(|members| {
                    let Some(Value::Array(blocks)) = members.get_mut("content") else {
                        return false;
                    };
                    let mut changed = false;
                    for block in blocks.iter_mut().filter_map(Value::as_object_mut) {
                        let before = block.len();
                        block.retain(|_, member| !member.is_null());
                        changed |= block.len() < before;
                    }
                    changed
                })),
            )
            .ungenerated(SHAPES),
        ),
        shape(Mutant::new(
            "takes-null-members-of-a-result-for-absent",
            "`_meta` and `isError` of a result may be null",
            seeing_results(members(|members| {
                let before = members.len();
                members.retain(|name, member| {
                    !(member.is_null() && ["_meta", "isError"].contains(&name.as_str()))
                });
                members.len() < before
            })),
        )),
        shape(
            Mutant::new(
                "opens-the-response-a-second-time",
                "of a result inside a result the inner one is read",
                seeing_results(|result| {
                    let inner = result
                        .get_mut("result")
                        .filter(|inner| inner.get("content").is_some());
                    inner.map(Value::take).is_some_and(|inner| {
                        *result = inner;
                        true
                    })
                }),
            )
            .ungenerated(SHAPES),
        ),
    ]
}

fn kinds() -> Vec<Mutant> {
    let known = |mutant: Mutant| mutant.sparing("result/keywords-type");
    vec![
        known(Mutant::new(
            "takes-an-unknown-result-type-for-complete",
            "a resultType that nobody knows is read past",
            forgiving(&[TYPE]),
        ))
        .known_by(Result, Fail, Rule(TYPE)),
        known(
            Mutant::new(
                "asks-for-a-result-type",
                "on 2026-07-28 a result without resultType is refused",
                rejecting(ShapeInvalid, |request| {
                    request.gate == Result
                        && request.version >= V2026_07_28
                        && of_result(request, |members| !members.contains_key("resultType"))
                }),
            )
            .ungenerated(SHAPES),
        )
        .known_by(Result, NonStrict, Suite("result/result-type")),
        known(
            Mutant::new(
                "takes-input-required-for-complete",
                "a result that asks for input is refused for the value that it does not owe yet",
                rejecting(RejectionReason::StructuredMissing, |request| {
                    request.gate == Result
                        && request.version >= V2026_07_28
                        && of_result(request, |members| {
                            members.get("resultType") == Some(&json!("input_required"))
                        })
                }),
            )
            .ungenerated(SHAPES),
        )
        .known_by(Result, Fail, Suite("result/result-type")),
        known(
            Mutant::new(
                "lets-input-required-ask-for-nothing",
                "a result may ask for input and not say for which",
                forgiving(&["mcp.result.input-required"]),
            )
            .ungenerated(SHAPES),
        )
        .known_by(Result, Fail, Rule("mcp.result.input-required")),
        known(
            Mutant::new(
                "refuses-result-type-before-2026",
                "on versions without resultType a result that carries it is refused",
                rejecting(ShapeInvalid, |request| {
                    request.gate == Result
                        && request.version < V2026_07_28
                        && of_result(request, |members| {
                            members
                                .get("resultType")
                                .is_some_and(|kind| kind != "complete")
                        })
                }),
            )
            .ungenerated(SHAPES),
        )
        .known_by(Result, NonStrict, Suite("result/result-type")),
        Mutant::new(
            "takes-arguments-as-text",
            "the JSON text of an object passes as arguments",
            asking(|request| {
                let text = read(request, "arguments").filter(|_| request.gate == Arguments)?;
                let inner = text.as_str()?.to_owned();
                Some(crate::change::with_text(request, "arguments", inner))
            }),
        )
        .ungenerated(SHAPES)
        .sparing("arguments/keywords-arrays")
        .known_by(Arguments, Fail, Rule("mcp.call.shape")),
        Mutant::new(
            "takes-null-arguments-for-none",
            "null passes as arguments, as {}",
            asking(|request| {
                (request.field("arguments") == "null")
                    .then(|| crate::change::with_text(request, "arguments", "{}".to_owned()))
            }),
        )
        .sparing("arguments/keywords-arrays")
        .known_by(Arguments, Fail, Rule("mcp.call.shape")),
        Mutant::new(
            "refuses-empty-arguments",
            "a call without any argument is refused",
            rejecting(RejectionReason::ArgumentsMismatch, |request| {
                request.gate == Arguments && request.field("arguments") == "{}"
            }),
        )
        .sparing("arguments/keywords-strings")
        .known_by(Arguments, NonStrict, Suite("arguments/shape")),
        Mutant::new(
            "sends-every-call",
            "every call is sent",
            accepting(|request, outcome| {
                request.gate == Arguments && outcome.answer == Answer::Reject
            }),
        )
        .broad()
        .sparing("result/keywords-type")
        .known_by(Arguments, NonStrict, Rule("mcp.call.arguments.schema")),
    ]
}
