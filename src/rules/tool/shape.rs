//! mcp.tool.shape: the members of a tool have the JSON types of the version's `Tool`.

use crate::diagnostic::Finding;
use crate::protocol::ProtocolVersion::V2025_06_18;
use crate::rules::context::{Context, ToolView};
use crate::rules::shape::{Type, is};
use crate::rules::tool_members;

pub(in crate::rules) fn check(context: &Context<'_>, view: &ToolView<'_>, out: &mut Vec<Finding>) {
    let tool = &view.tool.at;
    if !is(tool, "the tool", Type::Object, out) {
        return;
    }
    tool_members::check(tool, context.version, out);
    if context.version >= V2025_06_18
        && let Some(output) = &view.tool.output
    {
        is(output, "`outputSchema`", Type::Object, out);
    }
}
