//! mcp.tool.input-schema.object-root: the root of an `inputSchema` says `"type": "object"`.

use crate::diagnostic::Finding;
use crate::rules::context::{Context, ToolView};
use crate::rules::tool_root::{Root, root, root_finding};

pub(in crate::rules) fn check(_: &Context<'_>, view: &ToolView<'_>, out: &mut Vec<Finding>) {
    if let Some(input) = &view.input
        && root(input) != Root::Object
    {
        out.push(root_finding(input));
    }
}
