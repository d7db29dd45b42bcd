//! mcp.result.text-fallback: a text block stands beside structured content.

use crate::diagnostic::Finding;
use crate::document::CallResult;
use crate::rules::context::Context;
use crate::rules::result_form;

pub(in crate::rules) fn check(
    context: &Context<'_>,
    result: &CallResult<'_>,
    out: &mut Vec<Finding>,
) {
    if result_form::structured(context, result).is_none() {
        return;
    }
    // Content that is missing or no array is at fault for a better reason.
    if let Some(mut texts) = result_form::texts(context, result)
        && texts.next().is_none()
    {
        let message = "`structuredContent` has no text block beside it";
        out.push(Finding::new(result.at.pointer.join("content"), message));
    }
}
