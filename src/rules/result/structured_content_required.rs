//! mcp.result.structured-content.required: a tool with an outputSchema returns structured content.

use crate::diagnostic::Finding;
use crate::document::CallResult;
use crate::rules::context::Context;
use crate::rules::result_form::{self, Form};

pub(in crate::rules) fn check(
    context: &Context<'_>,
    result: &CallResult<'_>,
    out: &mut Vec<Finding>,
) {
    let owes = result.at.value.is_object()
        && result_form::of(result, context.version) == Form::Complete
        && !result_form::is_error(result)
        && result_form::output(context, result).is_some();
    if owes && result.at.get("structuredContent").is_none() {
        let message =
            "the tool declares an outputSchema, and the result has no `structuredContent`";
        out.push(Finding::new(result.at.pointer.clone(), message));
    }
}
