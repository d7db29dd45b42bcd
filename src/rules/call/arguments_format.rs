//! mcp.call.arguments.format: the arguments fit the formats of the inputSchema too.

use crate::diagnostic::Finding;
use crate::document::Call;
use crate::rules::context::Context;
use crate::rules::{call_arguments, value};

pub(in crate::rules) fn check(context: &Context<'_>, call: &Call<'_>, out: &mut Vec<Finding>) {
    if let Some((arguments, schema)) = call_arguments::typed(context, call) {
        value::check_formats(context, &arguments, schema, out);
    }
}
