//! mcp.tool.schema.nested-dialect: only a resource's root declares a dialect.

use crate::diagnostic::Finding;
use crate::rules::context::{Context, ToolView};

pub(in crate::rules) fn check(context: &Context<'_>, view: &ToolView<'_>, out: &mut Vec<Finding>) {
    for at in view.readable(context.version) {
        for node in &at.schema.tree().nodes {
            if !node.pointer.is_root()
                && node.get("$schema").is_some()
                && !node.declares_dialect()
            {
                let message = "`$schema` counts only at the root or beside an `$id` of its own";
                let place = at.at(&node.pointer.join("$schema"));
                out.push(Finding::new(place, message).keyword("$schema"));
            }
        }
    }
}
