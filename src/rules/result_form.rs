//! What a result is: the outcome of a call, or word that something else has to come first.

use serde_json::Value;

use super::context::{Context, SchemaAt};
use crate::document::{At, CallResult};
use crate::protocol::ProtocolVersion::{self, V2025_11_25, V2026_07_28};

/// The forms of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The call is over.
    Complete,
    /// The server wants something before it goes on.
    InputRequired,
    /// The work goes on as a task.
    Task,
    /// A `resultType` that nobody knows: what the other members mean cannot be told.
    Unknown,
}

impl Form {
    /// The form of a result on `version` whose `resultType` is this, the inner `None` where that
    /// is no string. Before 2026-07-28 it is a member like any other; a task of 2025-11-25 shows
    /// by what it has instead of content, which `is_task` says.
    pub fn told(
        version: ProtocolVersion,
        kind: Option<Option<&str>>,
        is_task: impl FnOnce() -> bool,
    ) -> Self {
        match version {
            V2026_07_28 => match kind {
                None | Some(Some("complete")) => Self::Complete,
                Some(Some("input_required")) => Self::InputRequired,
                Some(Some("task")) => Self::Task,
                Some(_) => Self::Unknown,
            },
            V2025_11_25 if is_task() => Self::Task,
            _ => Self::Complete,
        }
    }
}

/// The form of `result` on `version`.
pub(super) fn of(result: &CallResult<'_>, version: ProtocolVersion) -> Form {
    let value = result.at.value;
    let kind = value.get("resultType").map(Value::as_str);
    Form::told(version, kind, || {
        value.get("content").is_none() && value.get("task").is_some_and(Value::is_object)
    })
}

/// Whether the tool itself says that it failed.
pub(super) fn is_error(result: &CallResult<'_>) -> bool {
    result.at.value.get("isError") == Some(&Value::Bool(true))
}

/// The `structuredContent` of a complete result. null is present too.
pub(super) fn structured<'a>(context: &Context<'_>, result: &CallResult<'a>) -> Option<At<'a>> {
    let structured = result.at.get("structuredContent")?;
    (of(result, context.version) == Form::Complete).then_some(structured)
}

/// The outputSchema of the tool that was called.
pub(super) fn output<'c>(
    context: &Context<'c>,
    result: &CallResult<'_>,
) -> Option<&'c SchemaAt<'c>> {
    context.tool(result.tool)?.output.as_ref()
}

/// Structured content that its schema may judge, and the schema. Before 2026-07-28 that is an
/// object: anything else is at fault whatever the schema says.
pub(super) fn typed<'a, 'c>(
    context: &Context<'c>,
    result: &CallResult<'a>,
) -> Option<(At<'a>, &'c SchemaAt<'c>)> {
    let structured = structured(context, result)?;
    let judged = structured.value.is_object() || context.version >= V2026_07_28;
    judged.then_some((structured, output(context, result)?))
}

/// The text blocks of a complete result; `None` where its content is no array.
pub(super) fn texts<'a>(
    context: &Context<'_>,
    result: &CallResult<'a>,
) -> Option<impl Iterator<Item = At<'a>> + use<'a>> {
    let list = result.at.get("content")?;
    let is_read = list.value.is_array() && of(result, context.version) == Form::Complete;
    is_read.then(|| {
        list.elements()
            .filter(|block| block.value.get("type").and_then(Value::as_str) == Some("text"))
    })
}
