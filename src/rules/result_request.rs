//! What a server may ask of a client before it goes on with a call.

use serde_json::Value;

use super::call_answer;
use super::result_content::check_share;
use super::shape::{self, Type, is, optional, required};
use super::tool_members;
use crate::diagnostic::Finding;
use crate::document::At;
use crate::protocol::ProtocolVersion;

/// The methods that a client knows an answer to.
const METHODS: &[&str] = &["elicitation/create", "sampling/createMessage", "roots/list"];

/// Reports what is wrong with a request for input.
pub(super) fn check(request: &At<'_>, version: ProtocolVersion, out: &mut Vec<Finding>) {
    if !is(request, "an input request", Type::Object, out) {
        return;
    }
    shape::missing(request, &["method"], out);
    shape::one_of(request, "method", METHODS, out);
    match request.value.get("method").and_then(Value::as_str) {
        Some("elicitation/create") => {
            if let Some(params) = required(request, "params", Type::Object, out) {
                check_elicitation(&params, out);
            }
        }
        Some("sampling/createMessage") => {
            if let Some(params) = required(request, "params", Type::Object, out) {
                check_sampling(&params, version, out);
            }
        }
        Some("roots/list") => {
            if let Some(params) = optional(request, "params", Type::Object, out) {
                optional(&params, "_meta", Type::Object, out);
            }
        }
        _ => {}
    }
}

/// A form to fill in, which is the mode where none is named, or a page to visit.
fn check_elicitation(params: &At<'_>, out: &mut Vec<Finding>) {
    shape::one_of(params, "mode", &["form", "url"], out);
    optional(params, "message", Type::String, out);
    if params.value.get("mode").and_then(Value::as_str) == Some("url") {
        shape::missing(params, &["message", "url"], out);
        optional(params, "url", Type::String, out);
        return;
    }
    shape::missing(params, &["message", "requestedSchema"], out);
    let Some(schema) = optional(params, "requestedSchema", Type::Object, out) else {
        return;
    };
    shape::missing(&schema, &["type", "properties"], out);
    shape::one_of(&schema, "type", &["object"], out);
    optional(&schema, "$schema", Type::String, out);
    strings(&schema, "required", out);
    if let Some(fields) = optional(&schema, "properties", Type::Object, out) {
        for (_, field) in fields.members() {
            check_field(&field, out);
        }
    }
}

/// A field of a form: a flat schema of a few keywords.
fn check_field(field: &At<'_>, out: &mut Vec<Finding>) {
    if !is(field, "a field", Type::Object, out) {
        return;
    }
    shape::missing(field, &["type"], out);
    shape::one_of(
        field,
        "type",
        &["string", "number", "integer", "boolean", "array"],
        out,
    );
    optional(field, "title", Type::String, out);
    optional(field, "description", Type::String, out);
    match field.value.get("type").and_then(Value::as_str) {
        Some("string") => {
            optional(field, "default", Type::String, out);
            if !is_choice(field.value.get("enum"), field.value.get("oneOf")) {
                optional(field, "minLength", Type::Integer, out);
                optional(field, "maxLength", Type::Integer, out);
                shape::one_of(field, "format", &["date", "date-time", "email", "uri"], out);
            }
        }
        Some("number" | "integer") => {
            for name in ["default", "minimum", "maximum"] {
                optional(field, name, Type::Number, out);
            }
        }
        Some("boolean") => {
            optional(field, "default", Type::Boolean, out);
        }
        Some("array") => {
            strings(field, "default", out);
            optional(field, "minItems", Type::Integer, out);
            optional(field, "maxItems", Type::Integer, out);
            if let Some(items) = required(field, "items", Type::Object, out) {
                check_choices(&items, out);
            }
        }
        _ => {}
    }
}

/// What a field that takes several choices says of each: `enum` of strings, or `anyOf` with titles.
fn check_choices(items: &At<'_>, out: &mut Vec<Finding>) {
    if is_choice(None, items.value.get("anyOf")) {
        return;
    }
    if is_choice(items.value.get("enum"), None) {
        shape::missing(items, &["type"], out);
        shape::one_of(items, "type", &["string"], out);
    } else {
        let message = "`items` lists no choices, in `enum` or `anyOf`";
        out.push(Finding::new(items.pointer.clone(), message));
    }
}

/// Whether a field offers choices: bare strings, or strings under titles.
fn is_choice(bare: Option<&Value>, titled: Option<&Value>) -> bool {
    let every = |list: Option<&Value>, holds: fn(&Value) -> bool| {
        let list = list.and_then(Value::as_array);
        list.is_some_and(|list| list.iter().all(holds))
    };
    every(bare, Value::is_string)
        || every(titled, |choice| {
            let mut parts = ["const", "title"].iter().map(|name| choice.get(name));
            parts.all(|part| part.is_some_and(Value::is_string))
        })
}

fn check_sampling(params: &At<'_>, version: ProtocolVersion, out: &mut Vec<Finding>) {
    shape::missing(params, &["messages", "maxTokens"], out);
    optional(params, "maxTokens", Type::Integer, out);
    optional(params, "systemPrompt", Type::String, out);
    optional(params, "temperature", Type::Number, out);
    optional(params, "metadata", Type::Object, out);
    strings(params, "stopSequences", out);
    shape::one_of(
        params,
        "includeContext",
        &["none", "thisServer", "allServers"],
        out,
    );
    if let Some(choice) = optional(params, "toolChoice", Type::Object, out) {
        shape::one_of(&choice, "mode", &["auto", "required", "none"], out);
    }
    if let Some(preferences) = optional(params, "modelPreferences", Type::Object, out) {
        for name in ["costPriority", "speedPriority", "intelligencePriority"] {
            check_share(&preferences, name, out);
        }
        for hint in elements(&preferences, "hints", out) {
            if is(&hint, "a hint", Type::Object, out) {
                optional(&hint, "name", Type::String, out);
            }
        }
    }
    for tool in elements(params, "tools", out) {
        if is(&tool, "a tool", Type::Object, out) {
            check_tool(&tool, version, out);
        }
    }
    for message in elements(params, "messages", out) {
        if !is(&message, "a message", Type::Object, out) {
            continue;
        }
        shape::missing(&message, &["role", "content"], out);
        shape::one_of(&message, "role", &["user", "assistant"], out);
        optional(&message, "_meta", Type::Object, out);
        if let Some(content) = message.get("content") {
            call_answer::check_sampled(&content, version, out);
        }
    }
}

/// A tool that the model may use: its shape, and of its schemas what the wire asks of them.
fn check_tool(tool: &At<'_>, version: ProtocolVersion, out: &mut Vec<Finding>) {
    tool_members::check(tool, version, out);
    if let Some(input) = required(tool, "inputSchema", Type::Object, out) {
        shape::missing(&input, &["type"], out);
        shape::one_of(&input, "type", &["object"], out);
        optional(&input, "$schema", Type::String, out);
    }
    if let Some(output) = optional(tool, "outputSchema", Type::Object, out) {
        optional(&output, "$schema", Type::String, out);
    }
}

/// The elements of the member `name`, which is an array if it is present.
fn elements<'a>(at: &At<'a>, name: &str, out: &mut Vec<Finding>) -> Vec<At<'a>> {
    let list = optional(at, name, Type::Array, out);
    list.map_or_else(Vec::new, |list| list.elements().collect())
}

/// Reports the member `name` where it is present and no array of strings.
fn strings(at: &At<'_>, name: &str, out: &mut Vec<Finding>) {
    for element in elements(at, name, out) {
        is(
            &element,
            &format!("an element of `{name}`"),
            Type::String,
            out,
        );
    }
}
