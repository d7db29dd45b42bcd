//! Cases whose payload was drawn from a schema: arguments, and the structured content of results.

use std::sync::Arc;

use serde_json::{Value, json};

use super::text::written_otherwise;
use super::{Cases, Generated, accept, reject};
use crate::corpus::{Case, Expectation, GateName, Input, Level, Text};
use crate::generate::rng::Rng;
use crate::generate::{Mutant, Sample};
use crate::protocol::ProtocolVersion::{self, V2026_07_28};

/// A schema of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// That of arguments.
    Input,
    /// That of structured content.
    Output,
}

impl Side {
    /// The tool's member.
    pub const fn member(self) -> &'static str {
        match self {
            Self::Input => "inputSchema",
            Self::Output => "outputSchema",
        }
    }
}

/// A payload in a case that is about it alone.
#[derive(Clone, Debug)]
pub struct Embedded {
    /// The payload.
    pub value: Value,
    /// The schema that judges it.
    pub side: Side,
    /// Whether it fits.
    pub fits: bool,
    /// The keyword that it is about: the one that it violates, or `format`, which nothing violates.
    pub keyword: Option<String>,
}

const SCHEMA: &str = "mcp.result.structured-content.schema";
const OBJECT: &str = "mcp.result.structured-content.object";
const REQUIRED: &str = "mcp.result.structured-content.required";
const FORMAT: &str = "fits: `format` is an annotation";
const ARGUMENTS: &str = "mcp.call.arguments.schema";

impl Embedded {
    /// The case with another payload in its place: what it says of keyword and place goes, since
    /// another payload may violate another.
    pub fn with(&self, case: &Case, value: &Value) -> Case {
        let mut case = case.clone();
        let structured = |text: &Text| {
            let mut result = text.value()?.clone();
            result["structuredContent"] = value.clone();
            // A text that repeats the payload goes on doing so.
            let repeated = result.pointer_mut("/content/0/text");
            if let Some(repeated) = repeated.filter(|text| **text == self.value.to_string()) {
                *repeated = json!(value.to_string());
            }
            Some(Text::Value(Arc::new(result)))
        };
        match &mut case.input {
            Input::Arguments { arguments, .. } => *arguments = Text::Value(Arc::new(value.clone())),
            Input::Result { result, .. } => *result = structured(result).unwrap_or(result.clone()),
            Input::Audit { body, .. } => *body = structured(body).unwrap_or(body.clone()),
            _ => {}
        }
        for expectation in case.expect.iter_mut().flatten() {
            (expectation.keyword, expectation.at) = (None, None);
        }
        case
    }
}

/// A rejection with keyword and place, where there is but one right answer.
fn reject_by(mutant: &Mutant, level: Level, because: Vec<&'static str>) -> Expectation {
    let only = mutant.sole && because.len() == 1;
    Expectation {
        keyword: only.then(|| mutant.keyword.clone()),
        // Of `items: false` some name the array and some the element.
        at: (only && mutant.keyword != "items").then(|| mutant.at.to_string()),
        ..reject(level, because)
    }
}

fn described(mutant: &Mutant) -> String {
    format!("{} violates `{}` at {:?}", mutant.kind, mutant.keyword, mutant.at.as_str())
}

fn embedded(sample: &Sample, side: Side) -> Embedded {
    Embedded { value: sample.value().clone(), side, fits: true, keyword: None }
}

fn damaged(mutant: &Mutant, side: Side) -> Embedded {
    Embedded { value: mutant.value.clone(), side, fits: false, keyword: Some(mutant.keyword.clone()) }
}

fn annotated(value: &Value, side: Side) -> Embedded {
    Embedded { value: value.clone(), side, fits: true, keyword: Some("format".to_owned()) }
}

/// A result with structured content, where the tool's own text is `text`.
pub(super) fn result(structured: &Value, text: &str) -> Value {
    json!({
        "resultType": "complete",
        "content": [{"type": "text", "text": text}],
        "structuredContent": structured,
    })
}

impl Cases<'_> {
    pub(super) fn arguments(
        &mut self,
        tool: usize,
        version: ProtocolVersion,
        pair: u64,
        rng: &mut Rng,
    ) -> Option<[Generated; 2]> {
        let (sample, mutant, misnamed) = self.payloads(tool, Side::Input, version, rng)?;
        let headers = self.pool.tool(tool).to_string().contains("x-mcp-header");
        if !sample.value().is_object() || headers && holds_unsafe(sample.value()) {
            return None;
        }
        let gate = GateName::Arguments;
        let shared = |value: &Value| Text::Value(Arc::new(value.clone()));
        let (text, payload, description) = if let Some(value) = misnamed {
            (shared(&value), Some(annotated(&value, Side::Input)), FORMAT)
        } else if rng.chance(15) {
            let text = Text::Raw(written_otherwise(sample.value(), rng).into());
            (text, None, "fits, written with escapes and other forms of numbers")
        } else {
            (shared(sample.value()), Some(embedded(&sample, Side::Input)), "fits")
        };
        let blank = self.blank(gate, tool, pair * 2);
        let input = Input::Arguments { tool: blank.tool.clone(), arguments: text };
        let case = blank.case(gate, input, version, accept(), description.to_owned());
        let first = Generated { case, version, tool, payload };
        let blank = self.blank(gate, tool, pair * 2 + 1);
        let (arguments, expectation, payload, description) = if mutant.value.is_object() {
            let expectation = reject_by(&mutant, Level::Should, vec![ARGUMENTS]);
            let payload = Some(damaged(&mutant, Side::Input));
            (shared(&mutant.value), expectation, payload, described(&mutant))
        } else {
            let expectation = reject(Level::Must, vec!["mcp.call.shape", ARGUMENTS]);
            (shared(&mutant.value), expectation, None, "arguments that are no object".to_owned())
        };
        let input = Input::Arguments { tool: blank.tool.clone(), arguments };
        let case = blank.case(gate, input, version, expectation, description);
        Some([first, Generated { case, version, tool, payload }])
    }

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
                (shared(result(value, &value.to_string())), Some(annotated(value, Side::Output)), FORMAT)
            }
            0 => {
                let text = written_otherwise(&result(fitting, "As asked."), rng);
                (Text::Raw(text.into()), None, "fits, written with escapes and other forms of numbers")
            }
            // Before 2026-07-28 structured content is an object, in an error too.
            1 if version >= V2026_07_28 || mutant.value.is_object() => {
                let mut error = result(&mutant.value, "The ledger is closed.");
                error["isError"] = json!(true);
                (shared(error), None, "the tool's own error, whose content is not judged")
            }
            2 => {
                let mut open = result(fitting, &own);
                open["_meta"] = json!({"example.com/trace": "4bf92f35"});
                open["x-origin"] = json!(null);
                (shared(open), Some(embedded(&sample, Side::Output)), "fits, beside members that no version defines")
            }
            3 => (
                shared(result(fitting, &mutant.value.to_string())),
                Some(embedded(&sample, Side::Output)),
                "fits, and its text says something else",
            ),
            _ => (shared(result(fitting, &own)), Some(embedded(&sample, Side::Output)), "fits"),
        };
        let blank = self.blank(gate, tool, pair * 2);
        let input = Input::Result { tool: blank.tool.clone(), result: text };
        let case = blank.case(gate, input, version, accept(), description.to_owned());
        let first = Generated { case, version, tool, payload };
        let (result, expectation, payload, description) = damaged_result(fitting, &mutant, version, rng);
        let blank = self.blank(gate, tool, pair * 2 + 1);
        let input = Input::Result { tool: blank.tool.clone(), result: shared(result) };
        let case = blank.case(gate, input, version, expectation, description);
        Some([first, Generated { case, version, tool, payload }])
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
    let whole = |expectation, value, description: &str| (value, expectation, None, description.to_owned());
    match rng.below(16) {
        0 => {
            let missing = json!({"resultType": "complete", "content": damaged_result["content"]});
            let expectation = reject(Level::Must, vec![REQUIRED]);
            whole(expectation, missing, "the value in the text, and no structured content")
        }
        1 => {
            let mut shapeless = result(fitting, &own);
            shapeless["content"] = [json!(null), json!(own), json!([{"type": "txt"}])][rng.below(3)].clone();
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

/// Whether an integer is beyond those that a header carries exactly.
fn holds_unsafe(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.as_f64().is_none_or(|double| double.abs() >= 9_007_199_254_740_992.0),
        Value::Array(items) => items.iter().any(holds_unsafe),
        Value::Object(members) => members.values().any(holds_unsafe),
        _ => false,
    }
}
