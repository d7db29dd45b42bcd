//! Conversations with a model: what it asks of tools, in the forms of the vendors, and what it is told.
//!
//! A call is read as an exchange: the tool's name and its arguments. Some forms carry the arguments
//! as a text; [`texts`] finds those, so that they are parsed once, when the document is read.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde_json::Value;

use super::{At, Call, Catalogue, Subjects, Tool, catalogue};
use crate::protocol::VersionSet;
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

static NONE: LazyLock<Value> = LazyLock::new(|| Value::Object(serde_json::Map::new()));

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

/// What stands where JSON is expected.
#[derive(Clone, Debug)]
pub enum Said<'a> {
    /// A value, its own or the one that a text holds. Its pointer goes on inside the text.
    Value(At<'a>),
    /// A text that is no JSON.
    Damaged(At<'a>, &'a Fault),
}

/// How a name is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// As the tool of this index into [`Subjects::tools`].
    Tool(usize),
    /// As several tools of the catalogue.
    Ambiguous,
    /// Not at all, though there are tools at hand.
    Unknown,
    /// No tools are at hand.
    NothingAtHand,
}

impl Known {
    /// The tool's index, where there is one tool.
    pub const fn tool(self) -> Option<usize> {
        match self {
            Self::Tool(index) => Some(index),
            _ => None,
        }
    }
}

/// A call that a model asks for.
#[derive(Debug)]
pub struct ModelCall<'a> {
    /// The object that holds the name and the arguments.
    pub at: At<'a>,
    /// The form that it has.
    pub form: Form,
    /// The name, if there is one.
    pub name: Option<At<'a>>,
    /// The arguments; absent ones are none.
    pub arguments: Option<Said<'a>>,
    /// The tool that it names.
    pub known: Known,
}

/// What a model is told of a call.
#[derive(Debug)]
pub struct ModelResult<'a> {
    /// The object that holds it.
    pub at: At<'a>,
    /// The tool that answers, where the call is at hand.
    pub tool: Option<usize>,
    /// What it says, where that is JSON and the call has not failed.
    pub value: Option<At<'a>>,
}

/// What passes between a model and its host.
#[derive(Debug, Default)]
pub struct Conversation<'a> {
    /// What the model asks for.
    pub calls: Vec<ModelCall<'a>>,
    /// What it is told.
    pub results: Vec<ModelResult<'a>>,
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
enum Part<'a> {
    Call(Form, At<'a>, Option<&'a str>),
    Result {
        at: At<'a>,
        of: Option<&'a str>,
        said: Option<At<'a>>,
        failed: bool,
    },
}

/// Visits the parts of a conversation in order. Nothing that a tool takes or gives is walked into.
fn visit<'a>(root: &At<'a>, take: &mut impl FnMut(Part<'a>)) {
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
fn text_of<'a>(said: &At<'a>) -> Option<At<'a>> {
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

/// Reads a conversation. Its tools are those of the catalogue at hand, then those that the request
/// itself offers to the model.
pub(super) fn read<'a>(
    subjects: &mut Subjects<'a>,
    root: &At<'a>,
    texts: &'a Texts,
    forced: Option<VersionSet>,
    catalogue: Option<&'a Catalogue>,
) {
    let versions = forced.unwrap_or(VersionSet::STRUCTURED);
    subjects.versions = versions;
    let mut own = HashMap::new();
    for (name, schema) in offered(root) {
        subjects
            .tools
            .push(Tool::consulted(schema.clone(), Some(schema), None));
        own.entry(name).or_insert(subjects.tools.len() - 1);
    }
    let has_tools = !own.is_empty() || catalogue.is_some_and(|it| it.tools().next().is_some());
    let mut conversation = Conversation::default();
    let mut asked: HashMap<&str, usize> = HashMap::new();
    visit(root, &mut |part| match part {
        Part::Call(form, at, id) => {
            let name = at.get("name").filter(|name| name.value.is_string());
            let known = name
                .as_ref()
                .and_then(|name| name.value.as_str())
                .map(
                    |name| match catalogue.map(|catalogue| catalogue.tool(name)) {
                        Some(Ok(entry)) => Known::Tool(subjects.consult(entry)),
                        Some(Err(catalogue::Unfound::Ambiguous(_))) => Known::Ambiguous,
                        _ => match own.get(name) {
                            Some(tool) => Known::Tool(*tool),
                            None if has_tools => Known::Unknown,
                            None => Known::NothingAtHand,
                        },
                    },
                );
            let known = known.unwrap_or(Known::NothingAtHand);
            let called = name.as_ref().and_then(|name| name.value.as_str());
            // Only a catalogue's tool says what it answers.
            let is_typed = !own.values().any(|tool| Some(*tool) == known.tool());
            if let Some(tool) = known.tool().filter(|_| is_typed) {
                for key in id.into_iter().chain(called) {
                    asked.insert(key, tool);
                }
            }
            let arguments = at.get(form.member()).map(|at| said(at, texts));
            // That form may leave out arguments that are empty.
            let none = (form == Form::FunctionCall)
                .then(|| Said::Value(At::new(&NONE, at.pointer.clone())));
            let arguments = arguments.or(none);
            if let Some(Said::Value(arguments)) = &arguments
                && arguments.value.is_object()
            {
                subjects.calls.push(Call {
                    params: None,
                    arguments: Some(arguments.clone()),
                    versions,
                    tool: known.tool(),
                    unknown: false,
                });
            }
            conversation.calls.push(ModelCall {
                at,
                form,
                name,
                arguments,
                known,
            });
        }
        Part::Result {
            at,
            of,
            said: written,
            failed,
        } => {
            let value = written.filter(|_| !failed).and_then(|written| {
                let written = text_of(&written).unwrap_or(written);
                match said(written, texts) {
                    Said::Value(at) if at.value.is_object() || at.value.is_array() => Some(at),
                    _ => None,
                }
            });
            let tool = of.and_then(|of| asked.get(of).copied());
            conversation.results.push(ModelResult { at, tool, value });
        }
    });
    subjects.conversation = Some(conversation);
}

/// What is said at `at`: the value that a text holds, if it is one that has been read.
fn said<'a>(at: At<'a>, texts: &'a Texts) -> Said<'a> {
    match texts.get(&at.pointer) {
        None => Said::Value(at),
        Some(Ok(parsed)) => Said::Value(At::new(&parsed.value, at.pointer)),
        Some(Err(fault)) => Said::Damaged(at, fault),
    }
}

/// The tools that a request offers, by name, with the schema of their arguments, in any form.
fn offered<'a>(root: &At<'a>) -> Vec<(&'a str, At<'a>)> {
    const SCHEMAS: [&str; 4] = [
        "parameters",
        "input_schema",
        "inputSchema",
        "parametersJsonSchema",
    ];
    let mut offered = Vec::new();
    for tool in root.get("tools").iter().flat_map(At::elements) {
        let several = tool.get("functionDeclarations");
        let declared: Vec<_> = match several {
            Some(several) => several.elements().collect(),
            None => vec![tool.get("function").unwrap_or(tool)],
        };
        for tool in declared {
            let schema = SCHEMAS.iter().find_map(|name| tool.get(name));
            if let (Some(name), Some(schema)) = (tool.value.get("name"), schema)
                && let Some(name) = name.as_str()
            {
                offered.push((name, schema));
            }
        }
    }
    offered
}
