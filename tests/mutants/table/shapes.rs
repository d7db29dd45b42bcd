//! Mutants that are wrong about the shape of results and of arguments.

use mcp_conform::certify::Answer;
use mcp_conform::certify::Verdict::{Fail, NonStrict};
use mcp_conform::corpus::GateName::{Arguments, Result};
use mcp_conform::gate::RejectionReason::{self, ShapeInvalid};
use mcp_conform::protocol::ProtocolVersion::V2026_07_28;
use serde_json::{Value, json};

use super::SHAPES;
use crate::change::{accepting, asking, members, of_result, read, rejecting, seeing_results};
use crate::mutant::Matter::{Rule, Suite};
use crate::mutant::Mutant;
use crate::rules::forgiving;

const STRUCTURED: &str = "structuredContent";

const SHAPE: &str = "mcp.result.shape";

const TYPE: &str = "mcp.result.type";

pub fn mutants() -> Vec<Mutant> {
    [shapes(), kinds(), arguments()]
        .into_iter()
        .flatten()
        .collect()
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
    ]
}

fn arguments() -> Vec<Mutant> {
    vec![
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
