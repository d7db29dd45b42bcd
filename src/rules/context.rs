//! What a rule can see beside its own subject.

use std::sync::Arc;

use super::catalogue::Profile;
use crate::diagnostic::Finding;
use crate::document::{Subjects, Tool};
use crate::protocol::ProtocolVersion;
use crate::schema::{Bounds, Compiled, Instance, Schema, Violation};
use crate::source::{Duplicate, Fault, Pointer, RoundedNumber};
use serde_json::Value;

/// A text as rules see it.
#[derive(Debug)]
pub struct TextView<'a> {
    /// Where it cannot be read.
    pub faults: &'a [Fault],
    /// Members that an object names twice.
    pub duplicates: &'a [Duplicate],
    /// Whether it is an MCP Description, which has one author and no excuse.
    pub is_description: bool,
}

/// A schema of a tool and where it stands.
#[derive(Debug)]
pub struct SchemaAt<'a> {
    /// The schema.
    pub schema: Schema<'a>,
    /// Where it stands in the document.
    pub pointer: Pointer,
    /// `inputSchema` or `outputSchema`.
    pub member: &'static str,
}

/// A tool as rules see it.
#[derive(Debug)]
pub struct ToolView<'a> {
    /// The definition.
    pub tool: &'a Tool<'a>,
    /// Its `inputSchema`, if that is an object.
    pub input: Option<SchemaAt<'a>>,
    /// Its `outputSchema`, if that is an object.
    pub output: Option<SchemaAt<'a>>,
}

impl<'a> ToolView<'a> {
    /// The tool with its schemas, to be looked at within `bounds`.
    pub fn new(tool: &'a Tool<'a>, bounds: Bounds) -> Self {
        let schema = |at: &Option<crate::document::At<'a>>, member| {
            let at = at.as_ref().filter(|at| at.value.is_object())?;
            Some(SchemaAt {
                schema: Schema::new(at.value, bounds),
                pointer: at.pointer.clone(),
                member,
            })
        };
        Self {
            input: schema(&tool.input, "inputSchema"),
            output: schema(&tool.output, "outputSchema"),
            tool,
        }
    }

    /// The tool without the schemas that exceed a bound: a gate refuses those unseen.
    #[must_use]
    pub fn within_bounds(mut self) -> Self {
        for side in [&mut self.input, &mut self.output] {
            *side = side.take().filter(|at| at.schema.excesses().is_empty());
        }
        self
    }

    /// As [`ToolView::schemas`], those whose dialect is supported: of the others nothing is known.
    pub fn readable(&self, version: ProtocolVersion) -> impl Iterator<Item = &SchemaAt<'a>> {
        let schemas = self.schemas(version);
        schemas.filter(|at| at.schema.dialect().is_some())
    }

    /// A tool whose schemas have been compiled before.
    pub fn ready(
        tool: &'a Tool<'a>,
        input: Option<Arc<Compiled>>,
        output: Option<Arc<Compiled>>,
    ) -> Self {
        let schema = |at: &Option<crate::document::At<'a>>, member, compiled: Option<_>| {
            let at = at.as_ref().filter(|at| at.value.is_object())?;
            let schema = Schema::ready(at.value, compiled?);
            Some(SchemaAt {
                schema,
                pointer: at.pointer.clone(),
                member,
            })
        };
        Self {
            input: schema(&tool.input, "inputSchema", input),
            output: schema(&tool.output, "outputSchema", output),
            tool,
        }
    }

    /// The schemas that the version knows: an `outputSchema` from 2025-06-18 on.
    pub fn schemas(&self, version: ProtocolVersion) -> impl Iterator<Item = &SchemaAt<'a>> {
        let output = self
            .output
            .as_ref()
            .filter(|_| version >= ProtocolVersion::V2025_06_18);
        self.input.iter().chain(output)
    }
}

/// What surrounds the subject that a rule looks at.
#[derive(Debug)]
pub struct Context<'a> {
    /// Numbers of the document that a double would change.
    pub rounded: &'a [RoundedNumber],
    /// Everything in the document.
    pub subjects: &'a Subjects<'a>,
    /// Its tools, in the order of [`Subjects::tools`].
    pub tools: &'a [ToolView<'a>],
    /// The version that is being judged.
    pub version: ProtocolVersion,
    /// The profiles that are on.
    pub profiles: &'a [Profile],
}

impl<'a> Context<'a> {
    /// The view of tool `index`, if it exists on this version.
    pub fn tool(&self, index: Option<usize>) -> Option<&'a ToolView<'a>> {
        self.tools
            .get(index?)
            .filter(|view| view.tool.versions.contains(self.version))
    }

    /// The schema of `at` made ready to judge values; `None` where its definition has been found
    /// unusable, which is reported there.
    pub fn compiled(&self, at: Option<&SchemaAt<'a>>) -> Option<Arc<Compiled>> {
        at?.schema.compiled().ok()
    }

    /// A value of the document as an instance to judge.
    pub fn instance<'v>(&'v self, value: &'v Value, pointer: &'v Pointer) -> Instance<'v> {
        Instance {
            value,
            base: pointer,
            rounded: self.rounded,
        }
    }
}

impl SchemaAt<'_> {
    /// The place in the document of a pointer into this schema.
    pub fn at(&self, pointer: &Pointer) -> Pointer {
        self.pointer.concat(pointer.as_str())
    }
}

/// The finding of a fault of the text.
pub(super) fn fault(fault: &Fault) -> Finding {
    let mut finding = Finding::new(Pointer::root(), fault.message.as_str());
    finding.span = Some(fault.span.clone());
    finding
}

/// The finding of a violation by the value at `base`.
pub(super) fn violation(base: &Pointer, violation: &Violation) -> Finding {
    let mut finding = Finding::new(
        base.concat(violation.instance.as_str()),
        format!("the value {}", violation.reason),
    )
    .keyword(violation.keyword.as_str());
    finding.schema_pointer = Some(violation.schema.clone());
    finding
}
