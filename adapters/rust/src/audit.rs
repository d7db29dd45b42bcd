//! The audit of a recorded call: which part of it is judged, and how that ends.

use serde_json::{Value, json};

use crate::Answer;
use crate::client::{self, Rejected};

pub fn audit(version: &str, tool: &Value, record: &Value, mut body: Value) -> Answer {
    if client::expect("record", record, "other").is_err() {
        return Err(Rejected(json!({"branch": "schema"})));
    }
    let branch = json!(branch(record, &mut body));
    match client::structured(version, tool, &body) {
        Ok(()) => Ok(json!({"branch": branch})),
        Err(Rejected(mut why)) => {
            why["branch"] = branch;
            Err(Rejected(why))
        }
    }
}

/// The branch; `body` becomes what is judged there.
fn branch(record: &Value, body: &mut Value) -> &'static str {
    let current = record["protocol"] == "2026-07-28";
    match body.get("structuredContent") {
        Some(value) if current || value.is_object() => {
            let inner = value.as_object().filter(|members| members.len() == 1);
            let inner = inner.and_then(|members| members.get("result")).filter(|inner| inner.is_object());
            match inner.cloned() {
                Some(inner) if !current && record["metaIdTool"] == true => {
                    body["structuredContent"] = inner;
                    "legacy_wrapper"
                }
                _ => "validate_root",
            }
        }
        _ => {
            body.as_object_mut().map(|members| members.shift_remove("structuredContent"));
            "missing"
        }
    }
}
