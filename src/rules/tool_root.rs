//! What the root of a tool's schema says of its type.

use serde_json::Value;

use super::context::SchemaAt;
use super::shape::article;
use crate::diagnostic::Finding;

/// The `type` at the root of a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Root {
    /// The literal `"object"`.
    Object,
    /// No `type`.
    Untyped,
    /// A list that holds `"object"`.
    ListWithObject,
    /// Anything else.
    Other,
}

pub(super) fn root(at: &SchemaAt<'_>) -> Root {
    match at.schema.get("type") {
        None => Root::Untyped,
        Some(Value::String(name)) if name == "object" => Root::Object,
        Some(Value::Array(names)) if names.iter().any(|name| name == "object") => {
            Root::ListWithObject
        }
        Some(_) => Root::Other,
    }
}

/// The finding that a root is not of type object.
pub(super) fn root_finding(at: &SchemaAt<'_>) -> Finding {
    let member = at.member;
    let (pointer, message) = match at.schema.get("type") {
        None => (
            at.pointer.clone(),
            format!("the root of `{member}` has no `type`, and \"object\" is asked for"),
        ),
        Some(found) => (
            at.pointer.join("type"),
            match found {
                Value::String(name) => format!(
                    "the root of `{member}` is of type \"{}\", not \"object\"",
                    crate::source::cut(name, 40)
                ),
                Value::Array(_) => {
                    format!("the root type of `{member}` is a list, not the literal \"object\"")
                }
                other => format!("the root type of `{member}` is {}", article(other)),
            },
        ),
    };
    Finding::new(pointer, message).keyword("type")
}
