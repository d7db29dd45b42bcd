//! mcp.tool.input-schema.required: a tool has an `inputSchema`, and it is an object.

use crate::diagnostic::Finding;
use crate::rules::context::{Context, ToolView};
use crate::rules::shape::{Type, is};

pub(in crate::rules) fn check(_: &Context<'_>, view: &ToolView<'_>, out: &mut Vec<Finding>) {
    if !view.tool.at.value.is_object() {
        return;
    }
    match &view.tool.input {
        Some(input) => {
            is(input, "`inputSchema`", Type::Object, out);
        }
        None => out.push(Finding::new(
            view.tool.at.pointer.clone(),
            "`inputSchema` is missing",
        )),
    }
}
