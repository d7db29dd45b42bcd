//! mcp.call.shape: a `tools/call` names a tool and passes an object.

use crate::diagnostic::Finding;
use crate::document::{At, Call};
use crate::protocol::ProtocolVersion::{self, V2025_11_25, V2026_07_28};
use crate::rules::context::Context;
use crate::rules::shape::{self, Type, is, optional};
use crate::rules::{call_answer, meta};

pub(in crate::rules) fn check(context: &Context<'_>, call: &Call<'_>, out: &mut Vec<Finding>) {
    let Some(params) = &call.params else {
        // An exchange: nothing of the request is there but its arguments.
        if let Some(arguments) = &call.arguments {
            is(arguments, "`arguments`", Type::Object, out);
        }
        return;
    };
    // A request without `params` stands in for them.
    if params.pointer.last().as_deref() != Some("params") {
        let message = "`params` is missing";
        out.push(Finding::new(params.pointer.clone(), message));
    } else if is(params, "`params`", Type::Object, out) {
        check_params(params, context.version, out);
    }
}

fn check_params(params: &At<'_>, version: ProtocolVersion, out: &mut Vec<Finding>) {
    shape::required(params, "name", Type::String, out);
    optional(params, "arguments", Type::Object, out);
    if version < V2026_07_28
        && let Some(meta) = optional(params, "_meta", Type::Object, out)
    {
        shape::id(&meta, "progressToken", out);
    }
    if version == V2025_11_25
        && let Some(task) = optional(params, "task", Type::Object, out)
    {
        optional(&task, "ttl", Type::Integer, out);
    }
    if version >= V2026_07_28 {
        meta::check_stateless_request(params, out);
        optional(params, "requestState", Type::String, out);
        if let Some(answers) = optional(params, "inputResponses", Type::Object, out) {
            for (_, answer) in answers.members() {
                call_answer::check(&answer, version, out);
            }
        }
    }
}
