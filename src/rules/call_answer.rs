//! What a client answers to a request for input, sent along when it calls again.

use serde_json::Value;

use super::result_content;
use super::shape::{self, Type, is, optional};
use crate::diagnostic::Finding;
use crate::document::At;
use crate::protocol::ProtocolVersion;

type Look = fn(&At<'_>, ProtocolVersion, &mut Vec<Finding>);

/// The kinds of answer, each with the members by which one shows itself.
const KINDS: [(&[&str], Look); 3] = [
    (&["action"], check_elicitation),
    (&["roots"], check_roots),
    (&["role", "model", "content"], check_sampling),
];

/// Reports what is wrong with an answer. Nothing in it says to which kind of request it belongs,
/// so it has to fit one of them, and is held against the one that it resembles.
pub(super) fn check(answer: &At<'_>, version: ProtocolVersion, out: &mut Vec<Finding>) {
    if !is(answer, "an input response", Type::Object, out) {
        return;
    }
    let mut closest = None;
    for (names, look) in KINDS {
        let mut found = Vec::new();
        look(answer, version, &mut found);
        if found.is_empty() {
            return;
        }
        let resembles = names.iter().any(|name| answer.get(name).is_some());
        if resembles && closest.is_none() {
            closest = Some(found);
        }
    }
    out.extend(closest.unwrap_or_else(|| {
        let message = "an input response answers no elicitation, roots or sampling request";
        vec![Finding::new(answer.pointer.clone(), message)]
    }));
}

fn check_elicitation(answer: &At<'_>, _: ProtocolVersion, out: &mut Vec<Finding>) {
    shape::missing(answer, &["action"], out);
    shape::one_of(answer, "action", &["accept", "decline", "cancel"], out);
    let Some(content) = optional(answer, "content", Type::Object, out) else {
        return;
    };
    for (_, field) in content.members() {
        let holds = match field.value {
            Value::String(_) | Value::Number(_) | Value::Bool(_) => true,
            Value::Array(items) => items.iter().all(Value::is_string),
            _ => false,
        };
        if !holds {
            let message =
                "a field is neither a string, a number, a boolean nor an array of strings";
            out.push(Finding::new(field.pointer, message));
        }
    }
}

fn check_roots(answer: &At<'_>, _: ProtocolVersion, out: &mut Vec<Finding>) {
    let Some(roots) = shape::required(answer, "roots", Type::Array, out) else {
        return;
    };
    for root in roots.elements() {
        if is(&root, "a root", Type::Object, out) {
            shape::required(&root, "uri", Type::String, out);
            optional(&root, "name", Type::String, out);
            optional(&root, "_meta", Type::Object, out);
        }
    }
}

fn check_sampling(answer: &At<'_>, version: ProtocolVersion, out: &mut Vec<Finding>) {
    shape::missing(answer, &["role", "content", "model"], out);
    shape::one_of(answer, "role", &["user", "assistant"], out);
    optional(answer, "model", Type::String, out);
    optional(answer, "stopReason", Type::String, out);
    optional(answer, "_meta", Type::Object, out);
    if let Some(content) = answer.get("content") {
        check_sampled(&content, version, out);
    }
}

/// The content of a message to or from a model: one block or several, tool use among them.
pub(super) fn check_sampled(content: &At<'_>, version: ProtocolVersion, out: &mut Vec<Finding>) {
    if content.value.is_array() {
        content
            .elements()
            .for_each(|block| check_block(&block, version, out));
    } else {
        check_block(content, version, out);
    }
}

fn check_block(block: &At<'_>, version: ProtocolVersion, out: &mut Vec<Finding>) {
    let Some((kind, at)) = result_content::kind(block, out) else {
        return;
    };
    match kind {
        "text" | "image" | "audio" => result_content::check_kind(kind, block, version, out),
        "tool_use" => {
            shape::missing(block, &["id", "name", "input"], out);
            optional(block, "id", Type::String, out);
            optional(block, "name", Type::String, out);
            optional(block, "input", Type::Object, out);
            optional(block, "_meta", Type::Object, out);
        }
        "tool_result" => {
            shape::missing(block, &["toolUseId", "content"], out);
            optional(block, "toolUseId", Type::String, out);
            optional(block, "isError", Type::Boolean, out);
            optional(block, "_meta", Type::Object, out);
            if let Some(content) = optional(block, "content", Type::Array, out) {
                for part in content.elements() {
                    result_content::check(&part, version, out);
                }
            }
        }
        _ => out.push(result_content::unknown(&at, kind)),
    }
}
