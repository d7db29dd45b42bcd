//! Conversations with a model: what it asks of tools, in the forms of the vendors, and what it is told.
//!
//! A call is read as an exchange: the tool's name and its arguments.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde_json::Value;

use super::catalogue::Catalogue;
use super::catalogue_entry::Unfound;
use super::conversation_parts::{Form, Part, Texts, text_of, visit};
use super::{At, Call, Subjects, Tool};
use crate::protocol::VersionSet;
use crate::source::Fault;

static NONE: LazyLock<Value> = LazyLock::new(|| Value::Object(serde_json::Map::new()));

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
                        Some(Err(Unfound::Ambiguous(_))) => Known::Ambiguous,
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
        Part::Result(answer) => {
            let value = answer.said.filter(|_| !answer.failed).and_then(|written| {
                let written = text_of(&written).unwrap_or(written);
                match said(written, texts) {
                    Said::Value(at) if at.value.is_object() || at.value.is_array() => Some(at),
                    _ => None,
                }
            });
            let tool = answer.of.and_then(|of| asked.get(of).copied());
            let at = answer.at;
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
