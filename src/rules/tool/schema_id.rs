//! mcp.tool.schema.id: `$id` is a URI reference that others can be resolved against.

use crate::diagnostic::Finding;
use crate::rules::context::{Context, ToolView};
use crate::source::cut;

pub(in crate::rules) fn check(context: &Context<'_>, view: &ToolView<'_>, out: &mut Vec<Finding>) {
    for at in view.readable(context.version) {
        let tree = at.schema.tree();
        for fault in &tree.id_faults {
            let node = &tree.nodes[fault.node];
            let keyword = node.dialect.id_keyword();
            let place = at.at(&node.pointer.join(keyword));
            let text = cut(fault.text, 80);
            out.push(if fault.opaque {
                let message =
                    format!("\"{text}\" has no hierarchy, so relative references below it break");
                Finding::new(place, message).keyword(keyword).warning()
            } else {
                let message = format!("\"{text}\" is not a URI reference");
                Finding::new(place, message).keyword(keyword)
            });
        }
    }
}
