//! mcp.tool.annotations.schema-members: annotations hold hints, not a schema.

use crate::diagnostic::Finding;
use crate::rules::context::{Context, ToolView};

pub(in crate::rules) fn check(_: &Context<'_>, view: &ToolView<'_>, out: &mut Vec<Finding>) {
    let Some(annotations) = view.tool.at.get("annotations") else {
        return;
    };
    for keyword in ["properties", "required", "type"] {
        if let Some(member) = annotations.get(keyword) {
            let message = format!("`{keyword}` is a schema's keyword, and annotations hold hints");
            out.push(Finding::new(member.pointer, message));
        }
    }
}
