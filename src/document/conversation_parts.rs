//! The parts of a conversation with a model, whatever the vendor's form: calls, and what comes back.
//!
//! Some forms carry JSON as a text. [`texts`] finds those, so that they are parsed once, when the
//! document is read.

use std::collections::HashMap;

use serde_json::Value;

use super::At;
use crate::source::{Fault, Limits, Parsed, Pointer, parse_json};

/// The texts inside a document that are JSON by themselves, by the place of the string.
pub(super) type Texts = HashMap<Pointer, Result<Parsed, Fault>>;

/// The members that lead from a request or a response to the parts of a conversation.
const CONTAINERS: [&str; 9] = [
    "messages",
    "input",
    "output",
    "contents",
    "choices",
    "candidates",
    "message",
    "content",
    "parts",
];

/// The types of items and blocks that calls and their answers have.
const ITEMS: [&str; 7] = [
    "function_call",
    "function_call_output",
    "mcp_call",
    "tool_use",
    "tool_result",
    "mcp_tool_use",
    "mcp_tool_result",
];

/// A vendor's form of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `tool_calls` of a chat message (`OpenAI`); the arguments are a text.
    Chat,
    /// A `function_call` item (`OpenAI` Responses); the arguments are a text.
    Responses,
    /// A `tool_use` block (Anthropic); the input is an object.
    ToolUse,
    /// A `functionCall` part (Gemini); the args are an object.
    FunctionCall,
}

impl Form {
    /// The member that holds the arguments.
    pub const fn member(self) -> &'static str {
        match self {
            Self::Chat | Self::Responses => "arguments",
            Self::ToolUse => "input",
            Self::FunctionCall => "args",
        }
    }

    /// Whether the form carries the arguments as a text; an object is understood all the same.
    pub const fn is_text(self) -> bool {
        matches!(self, Self::Chat | Self::Responses)
    }
}

/// Whether `value` is a conversation, or a part of one.
pub(super) fn is_conversation(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(is_part),
        Value::Object(members) if members.contains_key("jsonrpc") => false,
        Value::Object(members) => {
            let lists = CONTAINERS.iter().filter_map(|name| members.get(*name));
            is_part(value)
                || lists.filter(|list| list.is_array()).any(|list| {
                    let items = list.as_array().into_iter().flatten();
                    items.map(unwrapped).any(is_part)
                })
        }
        _ => false,
    }
}

/// A choice or a candidate is a message in a wrapper.
fn unwrapped(value: &Value) -> &Value {
    let inner = value.get("message").or_else(|| value.get("content"));
    inner.filter(|inner| inner.is_object()).unwrap_or(value)
}

fn is_part(value: &Value) -> bool {
    let Some(members) = value.as_object() else {
        return false;
    };
    let has = |name: &str| members.contains_key(name);
    let word = |name: &str| members.get(name).and_then(Value::as_str);
    let is_message = word("role").is_some()
        && ["content", "parts", "tool_calls", "function_call"]
            .iter()
            .any(|name| has(name));
    let is_item = word("type").is_some_and(|kind| ITEMS.contains(&kind));
    let is_part = ["functionCall", "functionResponse", "function_response"]
        .iter()
        .any(|name| has(name));
    !has("jsonrpc") && (is_message || is_item || is_part)
}

/// An object on the way through a conversation, and what it is.
pub(super) enum Part<'a> {
    Call(Form, At<'a>, Option<&'a str>),
    Result(Answer<'a>),
}

/// What comes back of a call.
pub(super) struct Answer<'a> {
    /// The object that holds it.
    pub(super) at: At<'a>,
    /// The call's id, or the tool's name where the form has no ids.
    pub(super) of: Option<&'a str>,
    /// What is said.
    pub(super) said: Option<At<'a>>,
    /// Whether the form marks it as a failure.
    pub(super) failed: bool,
}

/// Visits the parts of a conversation in order. Nothing that a tool takes or gives is walked into.
pub(super) fn visit<'a>(root: &At<'a>, take: &mut impl FnMut(Part<'a>)) {
    let mut waiting = vec![root.clone()];
    while let Some(at) = waiting.pop() {
        if !item(&at, take) && !part(&at, take) {
            message(&at, take);
            waiting.extend(inner(&at));
        }
    }
}

fn text<'a>(at: &At<'a>, name: &str) -> Option<&'a str> {
    at.value.get(name).and_then(Value::as_str)
}

/// Takes an item or a block that says by its `type` what it is, or a message of the role `tool`.
fn item<'a>(at: &At<'a>, take: &mut impl FnMut(Part<'a>)) -> bool {
    let answer = |id: &str, said: &str, failed| {
        Part::Result(Answer {
            of: text(at, id),
            said: at.get(said),
            failed,
            at: at.clone(),
        })
    };
    let is_true = |name: &str| at.value.get(name) == Some(&Value::Bool(true));
    match text(at, "type").unwrap_or_default() {
        "function_call" => take(Part::Call(Form::Responses, at.clone(), text(at, "call_id"))),
        "function_call_output" => take(answer("call_id", "output", false)),
        // A call that the vendor itself made of an MCP server, with its answer.
        "mcp_call" => {
            take(Part::Call(Form::Responses, at.clone(), text(at, "id")));
            let failed = at.value.get("error").is_some_and(|error| !error.is_null());
            take(answer("id", "output", failed));
        }
        "tool_use" | "mcp_tool_use" => {
            take(Part::Call(Form::ToolUse, at.clone(), text(at, "id")));
        }
        "tool_result" | "mcp_tool_result" => {
            take(answer("tool_use_id", "content", is_true("is_error")));
        }
        _ if text(at, "role") == Some("tool") && at.value.get("tool_call_id").is_some() => {
            take(answer("tool_call_id", "content", false));
        }
        _ => return false,
    }
    true
}

/// Takes a part that says by a member what it is, which some libraries write with an underscore.
fn part<'a>(at: &At<'a>, take: &mut impl FnMut(Part<'a>)) -> bool {
    let lower = at
        .get("function_call")
        .filter(|call| call.value.get("arguments").is_none() && text(at, "role").is_none());
    let answer = at
        .get("functionResponse")
        .or_else(|| at.get("function_response"));
    if let Some(call) = at.get("functionCall").or(lower) {
        let id = text(&call, "id");
        take(Part::Call(Form::FunctionCall, call, id));
    } else if let Some(answer) = answer {
        take(response(answer));
    } else {
        return false;
    }
    true
}

/// Takes the calls that hang on a message. A tool of the kind `custom` takes a text, and no schema
/// judges it.
fn message<'a>(at: &At<'a>, take: &mut impl FnMut(Part<'a>)) {
    for call in at.get("tool_calls").iter().flat_map(At::elements) {
        let id = text(&call, "id");
        if let Some(function) = call.get("function") {
            take(Part::Call(Form::Chat, function, id));
        } else if text(&call, "type") != Some("custom") {
            take(Part::Call(Form::Chat, call, id));
        }
    }
    let legacy = at.get("function_call");
    if let Some(call) = legacy.filter(|call| call.value.is_object()) {
        take(Part::Call(Form::Chat, call, None));
    }
}

/// What a function's response says: its `output`, if it has one, a failure where it has an `error`,
/// else all of it; a value that is no object is by convention put into `result`.
fn response(at: At<'_>) -> Part<'_> {
    let said = at.get("response");
    let member = |name: &str| said.as_ref()?.get(name);
    let is_alone = |said: &At<'_>| said.value.as_object().is_some_and(|it| it.len() == 1);
    let wrapped = member("result")
        .filter(|inner| !inner.value.is_object() && said.as_ref().is_some_and(is_alone));
    Part::Result(Answer {
        of: text(&at, "id").or_else(|| text(&at, "name")),
        failed: member("output").is_none() && member("error").is_some(),
        said: member("output").or(wrapped).or(said.clone()),
        at,
    })
}

/// The parts inside `at`, last first.
fn inner<'a>(at: &At<'a>) -> Vec<At<'a>> {
    let mut inner: Vec<_> = match at.value {
        Value::Array(_) => at.elements().collect(),
        _ => at
            .members()
            .filter(|(name, _)| CONTAINERS.contains(name))
            .map(|(_, inner)| inner)
            .collect(),
    };
    inner.reverse();
    inner
}

/// Reads every text inside `root` that is, or should be, JSON by itself.
pub(super) fn texts(root: &Value, limits: &Limits) -> Texts {
    let mut texts = Texts::new();
    let mut read = |at: &At<'_>, only_structured: bool| {
        if let Some(text) = at.value.as_str()
            && (!only_structured || text.trim_start().starts_with(['{', '[']))
        {
            texts.insert(at.pointer.clone(), parse_json(text, limits));
        }
    };
    visit(&At::new(root, Pointer::root()), &mut |part| match part {
        Part::Call(form, call, _) if form.is_text() => {
            if let Some(arguments) = call.get(form.member()) {
                read(&arguments, false);
            }
        }
        Part::Call(..) => {}
        Part::Result(answer) => {
            if let Some(said) = answer.said.as_ref().and_then(text_of) {
                read(&said, true);
            }
        }
    });
    texts
}

/// The one text of what a tool said, where it said one: itself, or its only block's.
pub(super) fn text_of<'a>(said: &At<'a>) -> Option<At<'a>> {
    match said.value {
        Value::String(_) => Some(said.clone()),
        Value::Array(blocks) if blocks.len() == 1 => said
            .elements()
            .next()?
            .get("text")
            .filter(|text| text.value.is_string()),
        _ => None,
    }
}
