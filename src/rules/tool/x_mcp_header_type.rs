//! mcp.tool.x-mcp-header.type: only a string, an integer or a boolean goes into a header.

use crate::diagnostic::Finding;
use crate::rules::context::{Context, ToolView};
use crate::rules::tool_header::{annotations, is_header_type};

pub(in crate::rules) fn check(_: &Context<'_>, view: &ToolView<'_>, out: &mut Vec<Finding>) {
    // Where an annotation has no business at all, its type is beside the point.
    for annotation in annotations(view).into_iter().filter(|a| a.placed) {
        if !is_header_type(annotation.schema) {
            let message = "the property's `type` is not exactly \"string\", \"integer\" or \"boolean\"";
            out.push(Finding::new(annotation.pointer, message).keyword("type"));
        }
    }
}
