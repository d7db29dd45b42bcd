//! mcp.result.type: the `resultType` is one that a client knows.

use crate::diagnostic::Finding;
use crate::document::CallResult;
use crate::rules::context::Context;
use crate::rules::shape;

pub(in crate::rules) fn check(_: &Context<'_>, result: &CallResult<'_>, out: &mut Vec<Finding>) {
    let at = &result.at;
    if result.full && at.value.is_object() {
        shape::missing(at, &["resultType"], out);
    }
    shape::one_of(
        at,
        "resultType",
        &["complete", "input_required", "task"],
        out,
    );
}
