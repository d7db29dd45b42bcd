//! mcp.tool.annotations.contradiction: what only reads does not destroy.

use serde_json::Value;

use crate::diagnostic::Finding;
use crate::rules::context::{Context, ToolView};

pub(in crate::rules) fn check(_: &Context<'_>, view: &ToolView<'_>, out: &mut Vec<Finding>) {
    let Some(annotations) = view.tool.at.get("annotations") else {
        return;
    };
    let is_true = |hint| annotations.value.get(hint) == Some(&Value::Bool(true));
    if is_true("readOnlyHint") && is_true("destructiveHint") {
        let message = "`readOnlyHint` and `destructiveHint` are both true";
        out.push(Finding::new(annotations.pointer, message));
    }
}
