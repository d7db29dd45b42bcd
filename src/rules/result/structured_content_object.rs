//! mcp.result.structured-content.object: before 2026-07-28 structured content is an object.

use crate::diagnostic::Finding;
use crate::document::CallResult;
use crate::rules::context::Context;
use crate::rules::result_form;
use crate::rules::shape::{self, Type};

pub(in crate::rules) fn check(
    context: &Context<'_>,
    result: &CallResult<'_>,
    out: &mut Vec<Finding>,
) {
    if let Some(structured) = result_form::structured(context, result) {
        shape::is(&structured, "`structuredContent`", Type::Object, out);
    }
}
