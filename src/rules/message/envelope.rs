//! mcp.message.envelope: one JSON-RPC 2.0 object, identified, with a result or an error.

use serde_json::Value;

use crate::diagnostic::Finding;
use crate::document::{At, Message};
use crate::protocol::ProtocolVersion::V2025_06_18;
use crate::rules::context::Context;
use crate::rules::shape::{self, Type};

pub(in crate::rules) fn check(
    context: &Context<'_>,
    message: &Message<'_>,
    out: &mut Vec<Finding>,
) {
    let at = &message.at;
    if at.value.is_array() {
        // The messages in it are judged one by one.
        if context.version >= V2025_06_18 {
            let text = "several messages are sent as one array; batches ended with 2025-06-18";
            out.push(Finding::new(at.pointer.clone(), text));
        }
        for element in at.elements() {
            shape::is(&element, "a message of the batch", Type::Object, out);
        }
        return;
    }
    if !shape::is(at, "the message", Type::Object, out) {
        return;
    }
    if let Some(version) = at.get("jsonrpc")
        && version.value != &Value::from("2.0")
    {
        out.push(Finding::new(
            version.pointer,
            "`jsonrpc` is not the string \"2.0\"",
        ));
    }
    shape::id(at, "id", out);
    shape::optional(at, "method", Type::String, out);
    if ["method", "result", "error"].iter().all(|name| at.get(name).is_none()) {
        let text = "the message is neither a request nor a response: `method`, `result` and `error` are missing";
        out.push(Finding::new(at.pointer.clone(), text));
    }
    if let Some(result) = at.get("result")
        && !is_judged_elsewhere(context, &result)
    {
        shape::is(&result, "`result`", Type::Object, out);
    }
    let Some(error) = at.get("error") else {
        return;
    };
    if at.get("result").is_some() {
        let text = "the response holds a result and an error";
        out.push(Finding::new(error.pointer.clone(), text));
    }
    if shape::is(&error, "`error`", Type::Object, out) {
        shape::missing(&error, &["code", "message"], out);
        shape::optional(&error, "code", Type::Integer, out);
        shape::optional(&error, "message", Type::String, out);
    }
}

/// Whether a result is known to be a listing or a call's: then the rules of those report its shape.
fn is_judged_elsewhere(context: &Context<'_>, result: &At<'_>) -> bool {
    let subjects = context.subjects;
    let places = subjects.results.iter().map(|found| &found.at.pointer);
    let mut places = places.chain(subjects.listings.iter().map(|found| &found.at.pointer));
    places.any(|pointer| *pointer == result.pointer)
}
