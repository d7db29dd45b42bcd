//! mcp.tool.schema.anchor-unique: within one schema an identifier names one place.

use crate::diagnostic::Finding;
use crate::rules::context::{Context, ToolView};

pub(in crate::rules) fn check(context: &Context<'_>, view: &ToolView<'_>, out: &mut Vec<Finding>) {
    for at in view.readable(context.version) {
        let tree = at.schema.tree();
        for (node, keyword) in &tree.repeated {
            let place = at.at(&tree.nodes[*node].pointer.join(keyword));
            let message = format!("another subschema has this `{keyword}` already");
            out.push(Finding::new(place, message).keyword(*keyword));
        }
    }
}
