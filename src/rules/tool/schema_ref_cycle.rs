//! mcp.tool.schema.ref-cycle: references consume a part of the instance before they come back.

use crate::diagnostic::Finding;
use crate::rules::context::{Context, ToolView};
use crate::source::cut;

pub(in crate::rules) fn check(context: &Context<'_>, view: &ToolView<'_>, out: &mut Vec<Finding>) {
    for at in view.readable(context.version) {
        for reference in at.schema.cycles() {
            let node = &at.schema.tree().nodes[reference.node];
            let message = format!(
                "\"{}\" applies a schema to the same value for ever",
                cut(reference.text, 80)
            );
            let place = at.at(&node.pointer.join(reference.keyword));
            out.push(Finding::new(place, message).keyword(reference.keyword));
        }
    }
}
