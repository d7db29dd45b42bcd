//! mcp.result.input-required: a result that wants input says what it wants.

use crate::diagnostic::Finding;
use crate::document::CallResult;
use crate::rules::context::Context;
use crate::rules::result_form::{self, Form};
use crate::rules::result_request;
use crate::rules::shape::{Type, optional};

pub(in crate::rules) fn check(
    context: &Context<'_>,
    result: &CallResult<'_>,
    out: &mut Vec<Finding>,
) {
    let at = &result.at;
    if result_form::of(result, context.version) != Form::InputRequired {
        return;
    }
    if at.get("inputRequests").is_none() && at.get("requestState").is_none() {
        let message = "the result has neither `inputRequests` nor `requestState`";
        out.push(Finding::new(at.pointer.clone(), message));
    }
    optional(at, "requestState", Type::String, out);
    if let Some(requests) = optional(at, "inputRequests", Type::Object, out) {
        for (_, request) in requests.members() {
            result_request::check(&request, context.version, out);
        }
    }
}
