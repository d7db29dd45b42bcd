//! mcpdesc.example.schema: an example fits the schemas of its tool.

use crate::diagnostic::Finding;
use crate::document::Description;
use crate::protocol::ProtocolVersion::{V2025_06_18, V2026_07_28};
use crate::rules::context::Context;
use crate::rules::description_example::{check_value, sound};

pub(in crate::rules) fn check(
    context: &Context<'_>,
    description: &Description<'_>,
    out: &mut Vec<Finding>,
) {
    for example in sound(context, description) {
        let first = out.len();
        for (value, schema) in example.typed() {
            let is_output = schema.member == "outputSchema";
            // What the version has no room for is a fault whatever the schema says.
            let misplaced = context.version < V2025_06_18
                || context.version < V2026_07_28 && !value.value.is_object();
            if !(is_output && misplaced) {
                check_value(context, &value, schema, out);
            }
        }
        example.attribute(&mut out[first..]);
    }
}
