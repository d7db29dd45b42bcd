//! The tools of a server, and the gates before and after each call.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value;

use super::Gate;
use super::definition::{Side, ToolGate};
use super::rejection::Rejection;
use crate::document::{At, Call, CallResult, Subjects, Tool};
use crate::protocol::{ProtocolVersion, VersionSet};
use crate::rules::{Context, Form, Surface, ToolView, findings};
use crate::schema::{Compiled, Instance, Judgement};
use crate::source::{Parsed, Pointer, RoundedNumber};

/// A listing that has passed the gate: each tool usable or not, schemas compiled once.
///
/// It is immutable and can be shared between threads. On `notifications/tools/list_changed` and
/// after a reconnect, [`Toolbox::refresh`] replaces it whole: nothing of an earlier listing, no
/// schema under an `$id` that has changed, outlives it.
#[derive(Clone, Debug)]
pub struct Toolbox {
    pub(super) gate: Gate,
    pub(super) tools: Vec<ToolGate>,
    pub(super) by_name: HashMap<String, usize>,
}

/// What passes to the model, or to the app, after a call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Delivery<'r> {
    /// `structuredContent`, never text in its place.
    pub structured: Option<&'r Value>,
    /// The tool's own error: read `content`, and trust `structured` for nothing.
    pub is_error: bool,
    /// False where the server wants input first, or works on as a task.
    pub is_complete: bool,
    /// Whether a text block says something else than the structured content.
    pub text_differs: bool,
}

impl Gate {
    /// One tool, as the subject of the session's version.
    pub(super) fn subjects<'a>(&self, definition: &'a Value) -> Subjects<'a> {
        let versions = VersionSet::from(self.version);
        Subjects {
            tools: vec![Tool::new(At::new(definition, Pointer::root()), versions)],
            versions,
            ..Subjects::default()
        }
    }

    pub(super) fn context<'a>(
        &'a self,
        subjects: &'a Subjects<'a>,
        tools: &'a [ToolView<'a>],
        rounded: &'a [RoundedNumber],
    ) -> Context<'a> {
        Context {
            rounded,
            subjects,
            tools,
            version: self.version,
            profiles: &self.settings.profiles,
        }
    }

    /// Judges the arguments of a call of `tool`, whose inputSchema alone counts.
    pub(crate) fn arguments(&self, tool: &ToolGate, arguments: &Parsed) -> Result<(), Rejection> {
        let compiled = ready(&tool.input)?;
        let root = Pointer::root();
        let mut subjects = self.subjects(tool.definition());
        subjects.calls.push(Call {
            params: None,
            arguments: Some(At::new(&arguments.value, root.clone())),
            versions: subjects.versions,
            tool: Some(0),
            unknown: false,
        });
        let views = [ToolView::ready(&subjects.tools[0], compiled.cloned(), None)];
        let context = self.context(&subjects, &views, &arguments.rounded);
        let found = findings(&context, Surface::Call, &self.settings);
        Rejection::from_findings(&found, &root).map_or(Ok(()), Err)
    }

    /// Judges the result of a call of `tool`, whose outputSchema alone counts.
    pub(crate) fn result<'r>(
        &self,
        tool: &ToolGate,
        result: &'r Parsed,
    ) -> Result<Delivery<'r>, Rejection> {
        let root = Pointer::root();
        let mut subjects = self.subjects(tool.definition());
        subjects.results.push(CallResult {
            at: At::new(&result.value, root.clone()),
            versions: subjects.versions,
            full: false,
            tool: Some(0),
        });
        let compiled = match &tool.output {
            Side::Ready(compiled) => Some(compiled.clone()),
            _ => None,
        };
        let views = [ToolView::ready(&subjects.tools[0], None, compiled)];
        let context = self.context(&subjects, &views, &result.rounded);
        let found = findings(&context, Surface::Result, &self.settings);
        if let Some(rejection) = Rejection::from_findings(&found, &root) {
            return Err(rejection);
        }
        let delivery = Delivery::of(context.version, &result.value, &found);
        // The tool's own error passes whatever the schema is; nothing structured passes unjudged.
        if let (Side::Unusable(rejection), false) = (&tool.output, delivery.is_error) {
            return Err(rejection.clone());
        }
        Ok(delivery)
    }
}

fn ready(side: &Side) -> Result<Option<&Arc<Compiled>>, Rejection> {
    match side {
        Side::Absent => Ok(None),
        Side::Unusable(rejection) => Err(rejection.clone()),
        Side::Ready(compiled) => Ok(Some(compiled)),
    }
}

impl<'r> Delivery<'r> {
    fn of(
        version: ProtocolVersion,
        result: &'r Value,
        found: &[(
            &crate::rules::Rule,
            crate::diagnostic::Severity,
            crate::diagnostic::Finding,
        )],
    ) -> Self {
        let kind = result.get("resultType").map(Value::as_str);
        let is_task = || result.get("content").is_none() && result.get("task").is_some();
        Self {
            structured: result.get("structuredContent"),
            is_error: result.get("isError") == Some(&Value::Bool(true)),
            is_complete: Form::told(version, kind, is_task) == Form::Complete,
            text_differs: found
                .iter()
                .any(|(rule, ..)| rule.id == "mcp.result.text-mismatch"),
        }
    }
}

impl Toolbox {
    /// The tools in the order of the listing.
    pub fn tools(&self) -> &[ToolGate] {
        &self.tools
    }

    /// The tools that can be used.
    pub fn usable(&self) -> impl Iterator<Item = &ToolGate> {
        self.tools.iter().filter(|tool| tool.usable().is_ok())
    }

    /// The first usable tool of this name, or else the first.
    pub fn tool(&self, name: &str) -> Option<&ToolGate> {
        self.by_name.get(name).map(|index| &self.tools[*index])
    }

    /// Judges a new listing and replaces everything that was known of the old one.
    ///
    /// # Errors
    /// As [`Gate::discover`]; then the old listing stays.
    pub fn refresh(&mut self, listing: &Value) -> Result<(), Rejection> {
        *self = self.gate.discover(listing)?;
        Ok(())
    }

    fn known(&self, name: &str) -> Result<&ToolGate, Rejection> {
        let unknown = || Rejection::by("mcp.call.tool.known", "the listing has no such tool");
        let tool = self.tool(name).ok_or_else(unknown)?;
        Ok(tool)
    }

    /// Judges the arguments of a call before it is sent. They are the object that goes over the
    /// wire; a string of JSON is rejected, see [`Toolbox::arguments_text`].
    ///
    /// # Errors
    /// Why the call must not be sent.
    pub fn arguments(&self, tool: &str, arguments: &Value) -> Result<(), Rejection> {
        let tool = self.known(tool)?;
        self.gate.arguments(tool, &parsed(arguments))
    }

    /// Reads the string in which a model writes its arguments, judges what it says, and returns
    /// the object to send.
    ///
    /// # Errors
    /// Why the call must not be sent; damaged JSON is `json.syntax`.
    pub fn arguments_text(&self, tool: &str, text: &str) -> Result<Value, Rejection> {
        let tool = self.known(tool)?;
        let arguments = self.gate.parse(text)?;
        self.gate.arguments(tool, &arguments)?;
        Ok(arguments.value)
    }

    /// Judges a result after the call: its shape, and its structured content where the result is
    /// complete and no error.
    ///
    /// # Errors
    /// Why nothing of it may pass. [`Rejection::to_result`] is what to pass instead.
    pub fn result<'r>(&self, tool: &str, result: &'r Parsed) -> Result<Delivery<'r>, Rejection> {
        self.gate.result(self.known(tool)?, result)
    }
}

/// A value whose text is gone: its numbers are what they seem.
fn parsed(value: &Value) -> Parsed {
    Parsed {
        value: value.clone(),
        ..Parsed::default()
    }
}

/// Holds `value` against `compiled`, as a violation of `rule`.
pub(super) fn judge(
    compiled: &Compiled,
    instance: Instance<'_>,
    rule: &'static str,
) -> Result<(), Rejection> {
    let violations = match compiled.judge(instance) {
        Judgement::Fits => return Ok(()),
        Judgement::NotJudged(why) => return Err(Rejection::by(rule, why.clause())),
        Judgement::DoesNotFit(violations) => violations,
    };
    let mut rejection = Rejection::by(rule, "");
    rejection.violations = violations
        .into_iter()
        .map(|violation| super::Violated {
            rule,
            message: violation.reason.to_string(),
            at: violation.instance,
            keyword: Some(violation.keyword),
            schema: Some(violation.schema),
        })
        .collect();
    Err(rejection)
}
