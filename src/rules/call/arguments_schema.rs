//! mcp.call.arguments.schema: the arguments fit the inputSchema.

use crate::diagnostic::Finding;
use crate::document::Call;
use crate::rules::context::Context;
use crate::rules::{call_arguments, value};

pub(in crate::rules) fn check(context: &Context<'_>, call: &Call<'_>, out: &mut Vec<Finding>) {
    if let Some((arguments, schema)) = call_arguments::typed(context, call) {
        let first = out.len();
        value::check(context, &arguments, schema, out);
        if call.arguments.is_none() {
            for finding in &mut out[first..] {
                finding.message = format!("absent arguments are {{}}, and {}", finding.message);
            }
        }
    }
}
