//! Calls: the arguments that a tool's inputSchema judges.

use std::sync::Arc;

use serde_json::Value;

use super::payload::{FORMAT, Side, annotated, damaged, described, embedded, reject_by};
use super::text::written_otherwise;
use super::{Cases, Generated, accept, reject};
use crate::corpus::{GateName, Input, Level, Text};
use crate::generate::rng::Rng;
use crate::protocol::ProtocolVersion;

const ARGUMENTS: &str = "mcp.call.arguments.schema";

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
            (
                text,
                None,
                "fits, written with escapes and other forms of numbers",
            )
        } else {
            (
                shared(sample.value()),
                Some(embedded(&sample, Side::Input)),
                "fits",
            )
        };
        let make = |number, arguments, expectation, payload, description: String| {
            let blank = self.blank(gate, tool, number);
            let input = Input::Arguments {
                tool: blank.tool.clone(),
                arguments,
            };
            Generated {
                case: blank.case(gate, input, version, expectation, description),
                version,
                tool,
                payload,
            }
        };
        let first = make(pair * 2, text, accept(), payload, description.to_owned());
        let (expectation, payload, description) = if mutant.value.is_object() {
            let expectation = reject_by(&mutant, Level::Should, vec![ARGUMENTS]);
            let payload = Some(damaged(&mutant, Side::Input));
            (expectation, payload, described(&mutant))
        } else {
            let expectation = reject(Level::Must, vec!["mcp.call.shape", ARGUMENTS]);
            let description = "arguments that are no object".to_owned();
            (expectation, None, description)
        };
        let arguments = shared(&mutant.value);
        let second = make(pair * 2 + 1, arguments, expectation, payload, description);
        Some([first, second])
    }
}

/// Whether an integer is beyond those that a header carries exactly.
fn holds_unsafe(value: &Value) -> bool {
    match value {
        Value::Number(number) => number
            .as_f64()
            .is_none_or(|double| double.abs() >= 9_007_199_254_740_992.0),
        Value::Array(items) => items.iter().any(holds_unsafe),
        Value::Object(members) => members.values().any(holds_unsafe),
        _ => false,
    }
}
