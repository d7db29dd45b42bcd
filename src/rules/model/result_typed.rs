//! model.result.typed: what a tool answers in JSON is described by an outputSchema.

use crate::diagnostic::Finding;
use crate::document::ModelResult;
use crate::rules::context::Context;
use crate::source::cut;

pub(in crate::rules) fn check(context: &Context<'_>, result: &ModelResult<'_>, out: &mut Vec<Finding>) {
    if let (Some(value), Some(view)) = (&result.value, context.tool(result.tool))
        && view.tool.output.is_none()
    {
        let name = cut(view.tool.name().unwrap_or_default(), 40);
        let message = format!("`{name}` answers in JSON and declares no outputSchema: nothing can judge it");
        out.push(Finding::new(value.pointer.clone(), message));
    }
}
