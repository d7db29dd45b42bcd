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
    let is_item = matches!(
        word("type"),
        Some("function_call" | "function_call_output" | "tool_use" | "tool_result")
    );
    !has("jsonrpc") && (is_message || is_item || has("functionCall") || has("functionResponse"))
}

/// An object on the way through a conversation, and what it is.
pub(super) enum Part<'a> {
    Call(Form, At<'a>, Option<&'a str>),
    Result {
        at: At<'a>,
        of: Option<&'a str>,
        said: Option<At<'a>>,
        failed: bool,
    },
}

/// Visits the parts of a conversation in order. Nothing that a tool takes or gives is walked into.
pub(super) fn visit<'a>(root: &At<'a>, take: &mut impl FnMut(Part<'a>)) {
    let mut waiting = vec![root.clone()];
    while let Some(at) = waiting.pop() {
        let word = |name: &str| at.value.get(name).and_then(Value::as_str);
        if let Some(call) = at.get("functionCall") {
            let id = call.value.get("id").and_then(Value::as_str);
            take(Part::Call(Form::FunctionCall, call, id));
        } else if let Some(result) = at.get("functionResponse") {
            take(response(result));
        } else if let (Some("tool"), Some(id)) = (word("role"), word("tool_call_id")) {
            let said = at.get("content");
            take(Part::Result {
                of: Some(id),
                said,
                failed: false,
                at,
            });
        } else {
            match word("type") {
                Some("function_call") => {
                    let id = word("call_id");
                    take(Part::Call(Form::Responses, at, id));
                }
                Some("function_call_output") => {
                    let (of, said) = (word("call_id"), at.get("output"));
                    take(Part::Result {
                        of,
                        said,
                        failed: false,
                        at,
                    });
                }
                Some("tool_use") => {
                    let id = word("id");
                    take(Part::Call(Form::ToolUse, at, id));
                }
                Some("tool_result") => {
                    let (of, said) = (word("tool_use_id"), at.get("content"));
                    let failed = at.value.get("is_error") == Some(&Value::Bool(true));
                    take(Part::Result {
                        of,
                        said,
                        failed,
                        at,
                    });
                }
                _ => {
                    for call in at.get("tool_calls").iter().flat_map(At::elements) {
                        let id = call.value.get("id").and_then(Value::as_str);
                        let called = call.get("function").unwrap_or(call);
                        take(Part::Call(Form::Chat, called, id));
                    }
                    if let Some(call) = at
                        .get("function_call")
                        .filter(|call| call.value.is_object())
                    {
                        take(Part::Call(Form::Chat, call, None));
                    }
                    waiting.extend(inner(&at));
                }
            }
        }
    }
}

/// What a function's response says: its `output` or `result` where that is all that it holds.
fn response(at: At<'_>) -> Part<'_> {
    let said = at.get("response");
    let alone = |name| {
        let said = said.as_ref()?;
        let is_alone = said.value.as_object()?.len() == 1;
        said.get(name).filter(|_| is_alone)
    };
    Part::Result {
        of: at
            .value
            .get("id")
            .or_else(|| at.value.get("name"))
            .and_then(Value::as_str),
        failed: alone("error").is_some(),
        said: alone("output").or_else(|| alone("result")).or(said.clone()),
        at,
    }
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
        Part::Result { said, .. } => {
            if let Some(said) = said.as_ref().and_then(text_of) {
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
