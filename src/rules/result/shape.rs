//! mcp.result.shape: the result has the shape of the version's `CallToolResult`.

use crate::diagnostic::Finding;
use crate::document::CallResult;
use crate::rules::context::Context;
use crate::rules::result_form::{self, Form};
use crate::rules::shape::{Type, is, optional, required};
use crate::rules::{meta, result_content};

pub(in crate::rules) fn check(
    context: &Context<'_>,
    result: &CallResult<'_>,
    out: &mut Vec<Finding>,
) {
    let at = &result.at;
    if !is(at, "the result", Type::Object, out) {
        return;
    }
    meta::check_result(at, context.version, out);
    if matches!(
        result_form::of(result, context.version),
        Form::InputRequired | Form::Task
    ) {
        return;
    }
    optional(at, "isError", Type::Boolean, out);
    if let Some(content) = required(at, "content", Type::Array, out) {
        for block in content.elements() {
            result_content::check(&block, context.version, out);
        }
    }
}
