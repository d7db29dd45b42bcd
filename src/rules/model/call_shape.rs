//! model.call.shape: a call that a model asks for has a name, and arguments that are an object.

use serde_json::Value;

use crate::diagnostic::Finding;
use crate::document::{ModelCall, Said};
use crate::rules::context::Context;
use crate::rules::shape::{Type, required};
use crate::schema::type_of;
use crate::source::cut;

pub(in crate::rules) fn check(_: &Context<'_>, call: &ModelCall<'_>, out: &mut Vec<Finding>) {
    required(&call.at, "name", Type::String, out);
    let member = call.form.member();
    let (place, message) = match &call.arguments {
        None => (
            call.at.pointer.clone(),
            format!("`{member}` is missing; a call without arguments passes an empty object"),
        ),
        Some(Said::Damaged(at, fault)) => (
            at.pointer.clone(),
            format!("`{member}` is a text that is no JSON: {}", cut(&fault.message, 80)),
        ),
        Some(Said::Value(at)) => match at.value {
            Value::Object(_) => return,
            Value::String(_) if call.form.is_text() => (
                at.pointer.clone(),
                format!("`{member}` holds a text inside the text: it was encoded twice"),
            ),
            Value::String(_) => (
                at.pointer.clone(),
                format!("`{member}` was left a string, and an object is passed here"),
            ),
            other => (
                at.pointer.clone(),
                format!("`{member}` is of type {}, not object", type_of(other)),
            ),
        },
    };
    out.push(Finding::new(place, message));
}
