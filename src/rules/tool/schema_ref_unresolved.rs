//! mcp.tool.schema.ref-unresolved: a reference within the schema leads somewhere.

use crate::diagnostic::Finding;
use crate::rules::context::{Context, ToolView};
use crate::schema::Target;
use crate::source::cut;

pub(in crate::rules) fn check(context: &Context<'_>, view: &ToolView<'_>, out: &mut Vec<Finding>) {
    for at in view.readable(context.version) {
        let tree = at.schema.tree();
        for reference in &tree.references {
            if let Target::Missing(why) = &reference.target {
                let place = tree.nodes[reference.node].pointer.join(reference.keyword);
                let message = format!("\"{}\" leads nowhere: {why}", cut(reference.text, 80));
                out.push(Finding::new(at.at(&place), message).keyword(reference.keyword));
            }
        }
    }
}
