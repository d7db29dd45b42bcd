//! mcpdesc.example.shape: a tool's example is a named pair of an input and a completed result.

use crate::diagnostic::Finding;
use crate::document::Description;
use crate::rules::context::Context;
use crate::rules::description_example::{check_shape, written};

pub(in crate::rules) fn check(
    context: &Context<'_>,
    description: &Description<'_>,
    out: &mut Vec<Finding>,
) {
    for (_, _, example) in written(context, description) {
        check_shape(example, out);
    }
}
