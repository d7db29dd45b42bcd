//! Which kind of document a value is.

use std::fmt;

use serde_json::Value;

use super::Kind;
use super::catalogue_file::names_a_contract;
use super::conversation_parts::is_conversation;
use crate::source::Format;

/// A value that is of no known kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unrecognised {
    /// What it is instead, as a clause.
    pub found: &'static str,
}

impl fmt::Display for Unrecognised {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}; a document is an MCP Description (\"mcpdesc\"), a listing (\"tools\" or an array of \
             tools), an exchange (\"tool\", \"arguments\", \"result\"), a JSON-RPC message, a transcript \
             of messages, one a line, a conversation with a model, or a file of a catalogue",
            self.found
        )
    }
}

/// The kind that `value`, read from `format`, shows itself to be.
pub(super) fn kind(value: &Value, format: Format) -> Result<Kind, Unrecognised> {
    let unrecognised = |found| Err(Unrecognised { found });
    if format == Format::JsonLines {
        let lines = value.as_array().map_or(&[][..], Vec::as_slice);
        let says_so = |line: &Value| line.get("jsonrpc").is_some();
        return if !lines.iter().any(says_so) && lines.iter().any(is_conversation) {
            Ok(Kind::Conversation)
        } else if lines.iter().any(is_message) {
            Ok(Kind::Transcript)
        } else {
            unrecognised("no line is a JSON-RPC message")
        };
    }
    match value {
        Value::Object(members) => {
            let has = |name| members.contains_key(name);
            if has("mcpdesc") {
                Ok(Kind::Description)
            } else if members
                .get("result")
                .is_some_and(|r| r.get("tools").is_some())
                && has("jsonrpc")
            {
                Ok(Kind::Listing)
            } else if has("validate_these") && (has("tool_ref") || has("schema_ref")) {
                Ok(Kind::Samples)
            } else if is_conversation(value) && !is_recorded(value) {
                Ok(Kind::Conversation)
            } else if is_message(value) {
                Ok(Kind::Message)
            } else if has("tools") {
                Ok(Kind::Listing)
            } else if has("tool") || has("arguments") || has("result") {
                Ok(Kind::Exchange)
            } else if is_recorded(value) {
                Ok(Kind::Recorded)
            } else if has("name") && has("inputSchema") && (has("$id") || has("version")) {
                Ok(Kind::Tool)
            } else if has("$id") && has("version") && looks_like_a_schema(value) {
                Ok(Kind::Contract)
            } else if members.get("payloads").is_some_and(Value::is_object) {
                Ok(Kind::Payloads)
            } else if has("name") && (has("inputSchema") || has("outputSchema")) {
                unrecognised("the document is a single tool; put it into {\"tools\": [ … ]}")
            } else if has("content") || has("structuredContent") {
                unrecognised("the document is a single result; put it into {\"result\": … }")
            } else {
                unrecognised("the document has none of the members that tell a kind")
            }
        }
        Value::Array(items) if items.iter().any(is_message) => Ok(Kind::Message),
        Value::Array(_) if is_conversation(value) => Ok(Kind::Conversation),
        Value::Array(items) if items.iter().all(looks_like_a_tool) => Ok(Kind::Listing),
        Value::Array(_) => unrecognised("the document is an array, and not of tools"),
        _ => unrecognised("the document is neither an object nor an array"),
    }
}

/// Why `value` is not of the `kind` that somebody says it is. What has the outline of the kind is
/// left to the rules.
pub(super) fn misfit(kind: Kind, value: &Value) -> Option<Unrecognised> {
    let found = match (kind, value) {
        (Kind::Exchange, Value::Object(members)) => {
            let parts = ["tool", "arguments", "result"];
            if parts.iter().any(|part| members.contains_key(*part)) {
                return None;
            }
            "the document has none of the members of an exchange"
        }
        (
            Kind::Exchange
            | Kind::Tool
            | Kind::Contract
            | Kind::Samples
            | Kind::Payloads
            | Kind::Recorded,
            Value::Array(_),
        ) => "the document is an array",
        (Kind::Message | Kind::Transcript, Value::Array(items)) if items.is_empty() => {
            "the document holds no message"
        }
        (Kind::Description, _) | (_, Value::Object(_) | Value::Array(_)) => return None,
        _ => "the document is neither an object nor an array",
    };
    Some(Unrecognised { found })
}

pub(super) fn is_message(value: &Value) -> bool {
    value.as_object().is_some_and(|members| {
        members.contains_key("jsonrpc")
            || members.get("method").is_some_and(Value::is_string)
            || members.contains_key("id")
                && (members.contains_key("result") || members.contains_key("error"))
    })
}

fn looks_like_a_tool(value: &Value) -> bool {
    value
        .as_object()
        .is_some_and(|tool| tool.contains_key("name") || tool.contains_key("inputSchema"))
}

/// Whether a value names the contract that it is held to.
fn is_recorded(value: &Value) -> bool {
    value.get("schema").is_some_and(names_a_contract)
}

fn looks_like_a_schema(value: &Value) -> bool {
    const SHOWN_BY: [&str; 9] = [
        "$schema",
        "type",
        "properties",
        "enum",
        "const",
        "allOf",
        "anyOf",
        "oneOf",
        "$ref",
    ];
    SHOWN_BY.iter().any(|name| value.get(name).is_some())
}
