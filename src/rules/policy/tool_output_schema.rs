//! policy.tool.output-schema: a tool says what its results look like.

use crate::diagnostic::Finding;
use crate::rules::context::{Context, ToolView};

pub(in crate::rules) fn check(_: &Context<'_>, view: &ToolView<'_>, out: &mut Vec<Finding>) {
    if view.tool.output.is_none() && view.tool.at.value.is_object() {
        let message = "`outputSchema` is missing: nobody can tell a right result from a wrong one";
        out.push(Finding::new(view.tool.at.pointer.clone(), message));
    }
}
