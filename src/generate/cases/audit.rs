//! Recorded calls: which branch they belong to follows from how the record was made.

use std::sync::Arc;

use serde_json::{Value, json};

use super::payload::{Embedded, Side};
use super::result::result;
use super::{Cases, Generated, accept, reject};
use crate::corpus::{Expectation, GateName, Input, Level, Text};
use crate::gate::Branch;
use crate::generate::rng::Rng;
use crate::protocol::ProtocolVersion::{self, V2025_11_25, V2026_07_28};

const SCHEMA: &str = "mcp.result.structured-content.schema";
const REQUIRED: &str = "mcp.result.structured-content.required";

impl Cases<'_> {
    pub(super) fn audit(
        &mut self,
        tool: usize,
        version: ProtocolVersion,
        pair: u64,
        rng: &mut Rng,
    ) -> Option<[Generated; 2]> {
        if version < V2025_11_25 {
            return None;
        }
        let (sample, mutant, _) = self.payloads(tool, Side::Output, version, rng)?;
        let (fitting, damaged) = (sample.value(), &mutant.value);
        let is_old = version == V2025_11_25;
        if is_old && !(fitting.is_object() && damaged.is_object()) {
            return None;
        }
        let name = self.pool.tool(tool).get("name")?.as_str();
        let name = name.filter(|name| !name.is_empty())?;
        let wraps = rng.chance(50);
        let record = json!({"tool": name, "protocol": version.as_str(), "metaIdTool": wraps});
        // Of an envelope whose one key is `result` the inner object is judged, where the record
        // says so; an object of that form that a schema asks for is no clear case.
        let is_envelope = |value: &Value| {
            value
                .as_object()
                .is_some_and(|members| members.len() == 1 && members.contains_key("result"))
        };
        if is_envelope(fitting) || is_envelope(damaged) {
            return None;
        }
        let wrapped = |value: &Value| json!({"result": value});
        let root = Branch::ValidateRoot;
        let legacy = Branch::LegacyWrapper;
        let (first, second) = match rng.below(4) {
            0 if is_old && wraps => (
                good(wrapped(fitting), legacy, "fits inside the envelope"),
                bad(wrapped(damaged), legacy, "does not fit inside the envelope"),
            ),
            0 if self.fits(tool, Side::Output, &wrapped(fitting)) == Some(false) => (
                good(fitting.clone(), root, "fits"),
                bad(
                    wrapped(fitting),
                    root,
                    "an envelope where nothing says that there is one",
                ),
            ),
            1 => (
                good(fitting.clone(), root, "fits"),
                missing("no structured content"),
            ),
            _ => {
                let keyword = Some(Some(mutant.keyword.clone()));
                let (value, expectation, branch, what, _) =
                    bad(damaged.clone(), root, "does not fit");
                let (fits, accepted, _, fine, _) = good(fitting.clone(), root, "fits");
                (
                    (fits, accepted, root, fine, Some(None)),
                    (value, expectation, branch, what, keyword),
                )
            }
        };
        let make = |number: u64, part: Part| {
            let (value, expectation, branch, description, keyword) = part;
            let mut body = result(&value, "As asked.");
            if branch == Branch::Missing {
                body.as_object_mut()?.shift_remove("structuredContent");
            }
            if version < V2026_07_28 {
                body.as_object_mut()?.shift_remove("resultType");
            }
            let blank = self.blank(GateName::Audit, tool, number);
            let shared = |value: &Value| Text::Value(Arc::new(value.clone()));
            let input = Input::Audit {
                tool: blank.tool.clone(),
                record: shared(&record),
                body: shared(&body),
            };
            let expectation = Expectation {
                branch: Some(branch),
                ..expectation
            };
            let case = blank.case(
                GateName::Audit,
                input,
                version,
                expectation,
                description.to_owned(),
            );
            let payload = keyword.map(|keyword| Embedded {
                value,
                side: Side::Output,
                fits: keyword.is_none(),
                keyword,
            });
            Some(Generated {
                case,
                version,
                tool,
                payload,
            })
        };
        Some([make(pair * 2, first)?, make(pair * 2 + 1, second)?])
    }
}

/// Structured content, what is expected of it, its branch, a description, and the keyword where the
/// payload can be made smaller.
type Part = (
    Value,
    Expectation,
    Branch,
    &'static str,
    Option<Option<String>>,
);

fn good(value: Value, branch: Branch, what: &'static str) -> Part {
    (value, accept(), branch, what, None)
}

fn bad(value: Value, branch: Branch, what: &'static str) -> Part {
    let expectation = reject(Level::Should, vec![SCHEMA]);
    (value, expectation, branch, what, None)
}

fn missing(what: &'static str) -> Part {
    let expectation = reject(Level::Must, vec![REQUIRED]);
    (Value::Null, expectation, Branch::Missing, what, None)
}
