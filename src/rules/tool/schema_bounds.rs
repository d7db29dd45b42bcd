//! mcp.tool.schema.bounds: a schema is small enough for every reader.

use crate::diagnostic::Finding;
use crate::rules::context::{Context, ToolView};

pub(in crate::rules) fn check(context: &Context<'_>, view: &ToolView<'_>, out: &mut Vec<Finding>) {
    for at in view.readable(context.version) {
        for excess in at.schema.excesses() {
            let message = format!("{}; it is not judged further", excess.message);
            out.push(Finding::new(at.at(&excess.pointer), message));
        }
    }
}
