//! mcp.result.structured-content.schema: the structured content fits the outputSchema.

use crate::diagnostic::Finding;
use crate::document::CallResult;
use crate::rules::context::Context;
use crate::rules::{result_form, value};

pub(in crate::rules) fn check(
    context: &Context<'_>,
    result: &CallResult<'_>,
    out: &mut Vec<Finding>,
) {
    if result_form::is_error(result) {
        return;
    }
    if let Some((structured, schema)) = result_form::typed(context, result) {
        value::check(context, &structured, schema, out);
    }
}
