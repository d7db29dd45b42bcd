//! mcp.tool.output-schema.object-root: before 2026-07-28 the root of an `outputSchema` is an object.

use crate::diagnostic::Finding;
use crate::protocol::ProtocolVersion::V2025_11_25;
use crate::rules::context::{Context, ToolView};
use crate::rules::tool_root::{Root, root, root_finding};

pub(in crate::rules) fn check(context: &Context<'_>, view: &ToolView<'_>, out: &mut Vec<Finding>) {
    let Some(output) = &view.output else {
        return;
    };
    let allowed = match root(output) {
        Root::Object => true,
        // From 2025-11-25 the schema may be any that admits an object (arbitration 1).
        Root::Untyped | Root::ListWithObject => context.version >= V2025_11_25,
        Root::Other => false,
    };
    if !allowed {
        out.push(root_finding(output));
    }
}
