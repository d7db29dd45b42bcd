//! The definition gate: may this tool be used?

use std::sync::Arc;

use serde_json::Value;

use super::rejection::Rejection;
use crate::diagnostic::{Finding, Severity};
use crate::document::At;
use crate::rules::{Rule, SchemaAt, ToolView};
use crate::schema::{Compiled, Unusable};
use crate::source::Pointer;

/// A tool as a client holds it: its definition, judged, with its schemas compiled.
#[derive(Clone, Debug)]
pub struct ToolGate {
    definition: Definition,
    rejection: Option<Rejection>,
    pub(super) input: Side,
    pub(super) output: Side,
}

/// A tool's definition in what it was judged with: a whole listing, or itself.
#[derive(Clone, Debug)]
pub(super) struct Definition {
    /// The listing or the tool.
    pub(super) root: Arc<Value>,
    /// The tool's place in the listing.
    pub(super) index: Option<usize>,
}

impl Definition {
    fn get(&self) -> &Value {
        match self.index {
            None => &self.root,
            Some(index) => &self.root["tools"][index],
        }
    }
}

/// One schema of a tool.
#[derive(Clone, Debug)]
pub enum Side {
    /// There is none.
    Absent,
    /// There is one that cannot judge.
    Unusable(Rejection),
    /// There is one that can.
    Ready(Arc<Compiled>),
}

impl ToolGate {
    /// The gate of one tool; `findings` are those of the tool rules at or below it. A schema that
    /// the view has left out exceeds a bound.
    pub(super) fn new(
        view: &ToolView<'_>,
        findings: &[(&'static Rule, Severity, Finding)],
        definition: Definition,
    ) -> Self {
        let tool = &view.tool.at;
        let of = |pointer: &Pointer| {
            let below = findings
                .iter()
                .filter(|(.., f)| f.pointer.below(pointer).is_some());
            Rejection::from_findings(below, &tool.pointer)
        };
        let side = |member: &Option<At<'_>>, schema: &Option<SchemaAt<'_>>| match member {
            None => Side::Absent,
            Some(member) => match (of(&member.pointer), schema) {
                (Some(rejection), _) => Side::Unusable(rejection),
                (None, None) if member.value.is_object() => {
                    Side::Unusable(Rejection::unusable(&Unusable::Bounds))
                }
                (None, None) => Side::Unusable(Rejection::unusable(&Unusable::NotASchema)),
                (None, Some(at)) => match at.schema.compiled() {
                    Ok(compiled) => Side::Ready(compiled),
                    Err(why) => Side::Unusable(Rejection::unusable(&why)),
                },
            },
        };
        let input = match side(&view.tool.input, &view.input) {
            // Every version asks for an inputSchema.
            Side::Absent => Side::Unusable(Rejection::by(
                "mcp.tool.input-schema.required",
                "`inputSchema` is missing",
            )),
            input => input,
        };
        let output = side(&view.tool.output, &view.output);
        let of_side = |side: &Side| match side {
            Side::Unusable(rejection) => Some(rejection.clone()),
            _ => None,
        };
        Self {
            definition,
            rejection: of(&tool.pointer)
                .or_else(|| of_side(&input))
                .or_else(|| of_side(&output)),
            input,
            output,
        }
    }

    /// The tool's name, if it has one.
    pub fn name(&self) -> Option<&str> {
        self.definition().get("name")?.as_str()
    }

    /// The definition as the server sent it.
    pub fn definition(&self) -> &Value {
        self.definition.get()
    }

    /// Whether the tool can be used.
    ///
    /// # Errors
    /// Why it cannot.
    pub fn usable(&self) -> Result<(), &Rejection> {
        self.rejection.as_ref().map_or(Ok(()), Err)
    }

    /// Whether an `outputSchema` is declared, usable or not.
    pub fn has_output_schema(&self) -> bool {
        !matches!(self.output, Side::Absent)
    }
}
