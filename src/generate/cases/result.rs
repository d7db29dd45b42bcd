//! Results: the structured content that a tool's outputSchema judges, and what surrounds it.

use std::sync::Arc;

use serde_json::{Value, json};

use super::payload::{Embedded, FORMAT, Side, annotated, damaged, described, embedded, reject_by};
use super::text::written_otherwise;
use super::{Cases, Generated, accept, reject};
use crate::corpus::{Expectation, GateName, Input, Level, Text};
use crate::generate::Mutant;
use crate::generate::rng::Rng;
use crate::protocol::ProtocolVersion::{self, V2026_07_28};

const SCHEMA: &str = "mcp.result.structured-content.schema";
const OBJECT: &str = "mcp.result.structured-content.object";
const REQUIRED: &str = "mcp.result.structured-content.required";

impl Cases<'_> {
    pub(super) fn result(
        &mut self,
        tool: usize,
        version: ProtocolVersion,
        pair: u64,
        rng: &mut Rng,
    ) -> Option<[Generated; 2]> {
        let (sample, mutant, misnamed) = self.payloads(tool, Side::Output, version, rng)?;
        let fitting = sample.value();
        if version < V2026_07_28 && !fitting.is_object() {
            return None;
        }
        let gate = GateName::Result;
        let shared = |value: Value| Text::Value(Arc::new(value));
        let own = fitting.to_string();
        let form = rng.below(12);
        let (text, payload, description) = match form {
            _ if misnamed.is_some() => {
                let value = misnamed.as_ref().unwrap_or(fitting);
                (
                    shared(result(value, &value.to_string())),
                    Some(annotated(value, Side::Output)),
                    FORMAT,
                )
            }
            0 => {
                let text = written_otherwise(&result(fitting, "As asked."), rng);
                (
                    Text::Raw(text.into()),
                    None,
                    "fits, written with escapes and other forms of numbers",
                )
            }
            // Before 2026-07-28 structured content is an object, in an error too.
            1 if version >= V2026_07_28 || mutant.value.is_object() => {
                let mut error = result(&mutant.value, "The ledger is closed.");
                error["isError"] = json!(true);
                (
                    shared(error),
                    None,
                    "the tool's own error, whose content is not judged",
                )
            }
            2 => {
                let mut open = result(fitting, &own);
                open["_meta"] = json!({"example.com/trace": "4bf92f35"});
                open["x-origin"] = json!(null);
                (
                    shared(open),
                    Some(embedded(&sample, Side::Output)),
                    "fits, beside members that no version defines",
                )
            }
            3 => (
                shared(result(fitting, &mutant.value.to_string())),
                Some(embedded(&sample, Side::Output)),
                "fits, and its text says something else",
            ),
            _ => (
                shared(result(fitting, &own)),
                Some(embedded(&sample, Side::Output)),
                "fits",
            ),
        };
        let make = |number, result, expectation, payload, description: String| {
            let blank = self.blank(gate, tool, number);
            let input = Input::Result {
                tool: blank.tool.clone(),
                result,
            };
            Generated {
                case: blank.case(gate, input, version, expectation, description),
                version,
                tool,
                payload,
            }
        };
        let first = make(pair * 2, text, accept(), payload, description.to_owned());
        let (result, expectation, payload, description) =
            damaged_result(fitting, &mutant, version, rng);
        let second = make(
            pair * 2 + 1,
            shared(result),
            expectation,
            payload,
            description,
        );
        Some([first, second])
    }
}

fn damaged_result(
    fitting: &Value,
    mutant: &Mutant,
    version: ProtocolVersion,
    rng: &mut Rng,
) -> (Value, Expectation, Option<Embedded>, String) {
    let own = fitting.to_string();
    let mut damaged_result = result(&mutant.value, &own);
    let whole =
        |expectation, value, description: &str| (value, expectation, None, description.to_owned());
    match rng.below(16) {
        0 => {
            let missing = json!({"resultType": "complete", "content": damaged_result["content"]});
            let expectation = reject(Level::Must, vec![REQUIRED]);
            whole(
                expectation,
                missing,
                "the value in the text, and no structured content",
            )
        }
        1 => {
            let mut shapeless = result(fitting, &own);
            shapeless["content"] =
                [json!(null), json!(own), json!([{"type": "txt"}])][rng.below(3)].clone();
            let expectation = reject(Level::Must, vec!["mcp.result.shape"]);
            whole(expectation, shapeless, "`content` of no known shape")
        }
        2 => {
            let mut shapeless = result(fitting, &own);
            shapeless["isError"] = [json!("false"), json!(0), json!(null)][rng.below(3)].clone();
            let expectation = reject(Level::Must, vec!["mcp.result.shape"]);
            whole(expectation, shapeless, "`isError` that is no boolean")
        }
        3 if version >= V2026_07_28 => {
            let mut other = result(fitting, &own);
            other["resultType"] = json!(["done", ""][rng.below(2)]);
            let expectation = reject(Level::Must, vec!["mcp.result.type"]);
            whole(expectation, other, "a resultType that nobody knows")
        }
        kind => {
            if kind % 2 == 0 {
                damaged_result["content"][0]["text"] = json!("As asked.");
            }
            let is_no_object = version < V2026_07_28 && !mutant.value.is_object();
            let expectation = if is_no_object {
                reject(Level::Must, vec![OBJECT, SCHEMA])
            } else {
                reject_by(mutant, Level::Should, vec![SCHEMA])
            };
            // Smaller payloads must stay what the case is about.
            let payload = (!is_no_object).then(|| damaged(mutant, Side::Output));
            (damaged_result, expectation, payload, described(mutant))
        }
    }
}

/// A result with structured content, where the tool's own text is `text`.
pub(super) fn result(structured: &Value, text: &str) -> Value {
    json!({
        "resultType": "complete",
        "content": [{"type": "text", "text": text}],
        "structuredContent": structured,
    })
}
