//! mcp.call.x-mcp-header.integer: an integer that goes into a header is exact as a double.

use serde_json::{Number, Value};

use crate::diagnostic::Finding;
use crate::document::{At, Call};
use crate::rules::context::Context;
use crate::rules::shape::is_integer;
use crate::rules::{call_arguments, tool_header};
use crate::source::{self, Pointer};

/// 2^53 − 1, the largest integer up to which every one has a double of its own.
const LARGEST: u64 = (1 << 53) - 1;

pub(in crate::rules) fn check(context: &Context<'_>, call: &Call<'_>, out: &mut Vec<Finding>) {
    let Some((arguments, schema)) = call_arguments::typed(context, call) else {
        return;
    };
    let Some(view) = context.tool(call.tool) else {
        return;
    };
    for annotation in tool_header::annotations(view) {
        let is_integer_property = annotation.schema.get("type") == Some(&Value::from("integer"));
        let Some(path) = annotation.pointer.below(&schema.pointer) else {
            continue;
        };
        if !annotation.placed || !annotation.value.is_string() || !is_integer_property {
            continue;
        }
        // The place is `/properties/a/properties/b/x-mcp-header`, the argument `/a/b`.
        let place = Pointer::from(path);
        let mut names = place.tokens().skip(1).step_by(2);
        let argument = names.try_fold(arguments.clone(), |at, name| at.get(&name));
        if let Some(argument) = argument
            && let Value::Number(number) = argument.value
            && is_whole(context, &argument)
            && !is_safe(number)
        {
            let message = "the integer goes into a header and is beyond ±(2^53 − 1)";
            out.push(Finding::new(argument.pointer, message));
        }
    }
}

/// Whether the argument is an integer as it is written: a double may have no room for its fraction.
fn is_whole(context: &Context<'_>, argument: &At<'_>) -> bool {
    let mut rounded = context.rounded.iter();
    let written = rounded.find(|number| number.pointer == argument.pointer);
    written.map_or_else(|| is_integer(argument.value), |number| source::is_integer(&number.text))
}

fn is_safe(number: &Number) -> bool {
    match (number.as_i64(), number.as_u64(), number.as_f64()) {
        (Some(integer), ..) => integer.unsigned_abs() <= LARGEST,
        (None, Some(integer), _) => integer <= LARGEST,
        (None, None, Some(double)) => double.abs() < 9_007_199_254_740_992.0,
        (None, None, None) => false,
    }
}
