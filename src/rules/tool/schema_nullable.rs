//! mcp.tool.schema.nullable: null is allowed by `type`, not by `nullable`, which is `OpenAPI`'s.

use serde_json::Value;

use crate::diagnostic::Finding;
use crate::rules::context::{Context, ToolView};

pub(in crate::rules) fn check(context: &Context<'_>, view: &ToolView<'_>, out: &mut Vec<Finding>) {
    for at in view.readable(context.version) {
        for node in &at.schema.tree().nodes {
            let excludes_null = match node.get("type") {
                Some(Value::String(name)) => name != "null",
                Some(Value::Array(names)) => names.iter().all(|name| name != "null"),
                _ => false,
            };
            if excludes_null && node.get("nullable") == Some(&Value::Bool(true)) {
                let message = "`nullable` is OpenAPI's and ignored here; the type excludes null";
                let place = at.at(&node.pointer.join("nullable"));
                out.push(Finding::new(place, message).keyword("nullable"));
            }
        }
    }
}
