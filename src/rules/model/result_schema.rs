//! model.result.schema: what a tool answers in JSON fits its outputSchema.

use crate::diagnostic::Finding;
use crate::document::ModelResult;
use crate::rules::context::Context;
use crate::rules::value;

pub(in crate::rules) fn check(context: &Context<'_>, result: &ModelResult<'_>, out: &mut Vec<Finding>) {
    if let (Some(value), Some(view)) = (&result.value, context.tool(result.tool))
        && view.tool.output.is_some()
    {
        match view.output.as_ref().filter(|at| at.schema.compiled().is_ok()) {
            Some(at) => value::check(context, value, at, out),
            None => {
                let message = "not judged: the tool's outputSchema cannot be used";
                out.push(Finding::new(value.pointer.clone(), message).not_judged());
            }
        }
    }
}
