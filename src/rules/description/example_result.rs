//! mcpdesc.example.result: the result of an example is one that its versions could return.

use super::result_shape;
use crate::diagnostic::Finding;
use crate::document::{CallResult, Description};
use crate::protocol::ProtocolVersion::{V2025_06_18, V2026_07_28};
use crate::rules::context::Context;
use crate::rules::description_example::{Example, sound};
use crate::rules::description_members::add;

pub(in crate::rules) fn check(
    context: &Context<'_>,
    description: &Description<'_>,
    out: &mut Vec<Finding>,
) {
    for example in sound(context, description) {
        let first = out.len();
        let result = CallResult {
            at: example.result.clone(),
            versions: context.version.into(),
            full: false,
            tool: Some(example.described.tool),
        };
        result_shape::check(context, &result, out);
        let more = [
            type_fault(context, &example),
            structured_fault(context, &example),
        ];
        for finding in more.into_iter().flatten() {
            add(out, first, finding);
        }
        example.attribute(&mut out[first..]);
    }
}

/// From 2026-07-28 on every result says that it is complete, and before none does.
fn type_fault(context: &Context<'_>, example: &Example<'_, '_>) -> Option<Finding> {
    let Some(form) = example.result.get("resultType") else {
        let missing = "`resultType` is missing";
        return (context.version >= V2026_07_28)
            .then(|| Finding::new(example.result.pointer.clone(), missing));
    };
    let message = if context.version < V2026_07_28 {
        format!("`resultType` exists since {V2026_07_28}")
    } else if form.value != "complete" {
        "`resultType` is not \"complete\"".to_owned()
    } else {
        return None;
    };
    Some(Finding::new(form.pointer, message))
}

/// A success shows the value that the outputSchema describes; a failure shows text alone.
fn structured_fault(context: &Context<'_>, example: &Example<'_, '_>) -> Option<Finding> {
    let Some(structured) = example.result.get("structuredContent") else {
        let typed = example.output().is_some() && context.version >= V2025_06_18;
        let missing = "`structuredContent` is missing, though the tool declares an `outputSchema`";
        return (typed && !example.is_error())
            .then(|| Finding::new(example.result.pointer.clone(), missing));
    };
    let message = if context.version < V2025_06_18 {
        format!("`structuredContent` exists since {V2025_06_18}")
    } else if example.is_error() {
        "`structuredContent` stands beside `isError`, and an error shows text alone".to_owned()
    } else if context.version < V2026_07_28 && !structured.value.is_object() {
        format!("`structuredContent` is not an object, as it has to be before {V2026_07_28}")
    } else {
        return None;
    };
    Some(Finding::new(structured.pointer, message))
}
