//! mcp.tool.x-mcp-header.placement: an annotated property is reached by `properties` alone.

use crate::diagnostic::Finding;
use crate::rules::context::{Context, ToolView};
use crate::rules::tool_header::annotations;

pub(in crate::rules) fn check(_: &Context<'_>, view: &ToolView<'_>, out: &mut Vec<Finding>) {
    for annotation in annotations(view).into_iter().filter(|a| !a.placed) {
        let message = if annotation.at_root {
            "the root is no property, so it has no value to put into a header"
        } else {
            "the way from the root to this schema is not of `properties` alone"
        };
        out.push(Finding::new(annotation.pointer, message));
    }
}
