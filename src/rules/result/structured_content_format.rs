//! mcp.result.structured-content.format: the structured content fits the formats too.

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
        value::check_formats(context, &structured, schema, out);
    }
}
