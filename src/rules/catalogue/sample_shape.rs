//! catalogue.sample.shape: samples name a schema, payloads, and a verdict for each.

use serde_json::Value;

use crate::diagnostic::Finding;
use crate::document::{Samples, Unresolved};
use crate::rules::context::Context;
use crate::rules::sample::expected;
use crate::rules::shape::{Type, required};
use crate::source::cut;

pub(in crate::rules) fn check(_: &Context<'_>, samples: &Samples<'_>, out: &mut Vec<Finding>) {
    let root = &samples.at;
    match &samples.reference {
        None => {
            let message = "neither `tool_ref` nor `schema_ref` says what to hold the payloads to";
            out.push(Finding::new(root.pointer.clone(), message));
        }
        Some(at) if samples.target == Err(Unresolved::Malformed) => {
            let message = "the reference is not of the form TOOL.inputSchema or TOOL.outputSchema";
            out.push(Finding::new(at.pointer.clone(), message));
        }
        Some(_) => {}
    }
    if let Some(payloads) = root.get("payloads")
        && !matches!(payloads.value, Value::Object(_) | Value::String(_))
    {
        let message = "`payloads` is neither an object of payloads nor the name of their file";
        out.push(Finding::new(payloads.pointer, message));
    }
    let before = out.len();
    required(root, "validate_these", Type::Object, out);
    if out.len() == before && samples.payloads.is_empty() {
        let message = "`validate_these` names no payload, so nothing is held to anything";
        out.push(Finding::new(root.pointer.join("validate_these"), message));
    }
    for sample in samples.payloads.iter().filter(|sample| expected(&sample.at).is_none()) {
        let message = format!(
            "the verdict of `{}` is none of \"pass\", \"fail\" and {{\"verdict\": \"fail\", \"keyword\": …, \"at\": …}}",
            cut(sample.name, 40)
        );
        out.push(Finding::new(sample.at.pointer.clone(), message));
    }
}
