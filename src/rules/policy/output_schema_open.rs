//! policy.output-schema.open: an outputSchema lets a result grow.

use crate::diagnostic::Finding;
use crate::rules::context::{Context, ToolView};
use crate::rules::policy_schemas::{refines, shut};

pub(in crate::rules) fn check(context: &Context<'_>, view: &ToolView<'_>, out: &mut Vec<Finding>) {
    let outputs = view.readable(context.version);
    for at in outputs.filter(|at| at.member == "outputSchema") {
        let tree = at.schema.tree();
        for node in tree.nodes.iter().filter(|node| !refines(tree, node)) {
            if let Some(keyword) = shut(node) {
                let place = at.at(&node.pointer.join(keyword));
                let message = "the output is closed: a member that is added breaks every client that validates";
                out.push(Finding::new(place, message).keyword(keyword));
            }
        }
    }
}
