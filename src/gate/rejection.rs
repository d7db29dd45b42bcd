//! Why a gate says no, in a form that can be shown to anybody.

use std::fmt;

use serde_json::{Value, json};

use crate::diagnostic::{Finding, Severity};
use crate::rules::{GateEffect, Rule};
use crate::schema::Unusable;
use crate::source::{Fault, FaultKind, Pointer};

/// The sorts of rejection, as the adapter protocol names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RejectionReason {
    /// A schema cannot be used.
    SchemaInvalid,
    /// A schema is of a dialect that is not supported.
    DialectUnsupported,
    /// A reference leads nowhere, or out of the document.
    RefUnresolved,
    /// Structured content was promised and is not there.
    StructuredMissing,
    /// Structured content does not fit.
    StructuredMismatch,
    /// A message has the wrong shape.
    ShapeInvalid,
    /// Arguments do not fit.
    ArgumentsMismatch,
    /// Judging would exceed a bound.
    LimitExceeded,
    /// Something else.
    Other,
}

impl RejectionReason {
    /// Every reason.
    pub const ALL: [Self; 9] = [
        Self::SchemaInvalid,
        Self::DialectUnsupported,
        Self::RefUnresolved,
        Self::StructuredMissing,
        Self::StructuredMismatch,
        Self::ShapeInvalid,
        Self::ArgumentsMismatch,
        Self::LimitExceeded,
        Self::Other,
    ];

    /// The reason's name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::SchemaInvalid => "schema-invalid",
            Self::DialectUnsupported => "dialect-unsupported",
            Self::RefUnresolved => "ref-unresolved",
            Self::StructuredMissing => "structured-missing",
            Self::StructuredMismatch => "structured-mismatch",
            Self::ShapeInvalid => "shape-invalid",
            Self::ArgumentsMismatch => "arguments-mismatch",
            Self::LimitExceeded => "limit-exceeded",
            Self::Other => "other",
        }
    }

    /// The reason of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.as_str() == name)
    }

    /// The reasons that an implementation may give for a violation of `rule`, best first.
    pub fn of_rule(rule: &str) -> &'static [Self] {
        match rule {
            "mcp.result.shape" | "mcp.result.type" | "mcp.result.input-required" => {
                &[Self::ShapeInvalid]
            }
            "mcp.result.structured-content.object" => {
                &[Self::ShapeInvalid, Self::StructuredMismatch]
            }
            "mcp.result.structured-content.required" => &[Self::StructuredMissing],
            "mcp.result.structured-content.schema" => &[Self::StructuredMismatch],
            "mcp.call.shape" => &[Self::ShapeInvalid, Self::ArgumentsMismatch],
            "mcp.call.arguments.schema" => &[Self::ArgumentsMismatch],
            "mcp.call.x-mcp-header.integer" => &[Self::ArgumentsMismatch, Self::Other],
            "json.syntax" => &[Self::ShapeInvalid, Self::SchemaInvalid, Self::Other],
            "mcp.tool.schema.dialect" => &[Self::DialectUnsupported, Self::SchemaInvalid],
            "mcp.tool.schema.ref-unresolved"
            | "mcp.tool.schema.ref-external"
            | "mcp.tool.schema.ref-cycle" => &[Self::RefUnresolved, Self::SchemaInvalid],
            "mcp.tool.schema.bounds" | "json.bounds" => {
                &[Self::LimitExceeded, Self::SchemaInvalid, Self::Other]
            }
            "mcp.list.shape" => &[Self::ShapeInvalid],
            rule if rule.starts_with("mcp.tool.") => &[Self::SchemaInvalid, Self::ShapeInvalid],
            _ => &[Self::Other],
        }
    }
}

/// One rule that is broken, without any part of the value that broke it.
#[derive(Clone, Debug, PartialEq)]
pub struct Violated {
    /// The rule.
    pub rule: &'static str,
    /// The value at fault, from the root of what was judged. It may name members of the value, so
    /// it is for logs and not for a model.
    pub at: Pointer,
    /// The JSON Schema keyword.
    pub keyword: Option<String>,
    /// That keyword's place in the schema.
    pub schema: Option<Pointer>,
    /// What is wrong, for logs: it may name members of the value.
    pub message: String,
}

/// A gate's no.
#[derive(Clone, Debug, PartialEq)]
pub struct Rejection {
    /// What sort of no.
    pub reason: RejectionReason,
    /// The rules that are broken; at least one.
    pub violations: Vec<Violated>,
}

impl Rejection {
    /// The rejection that `findings` ask for, or `None` where a gate lets them pass.
    pub(super) fn from_findings<'f>(
        findings: impl IntoIterator<Item = &'f (&'static Rule, Severity, Finding)>,
        base: &Pointer,
    ) -> Option<Self> {
        let violations: Vec<_> = findings
            .into_iter()
            .filter(|(rule, severity, finding)| rejects(rule, *severity, finding))
            .map(|(rule, _, finding)| Violated {
                rule: rule.id,
                at: finding.pointer.below(base).unwrap_or_default().into(),
                keyword: finding.keyword.clone(),
                schema: finding.schema_pointer.clone(),
                message: finding.message.clone(),
            })
            .collect();
        let first = violations.first()?;
        Some(Self {
            reason: RejectionReason::of_rule(first.rule)[0],
            violations,
        })
    }

    /// The rejection by one rule that has no finding of its own here.
    pub(super) fn by(rule: &'static str, message: impl Into<String>) -> Self {
        Self {
            reason: RejectionReason::of_rule(rule)[0],
            violations: vec![Violated {
                rule,
                at: Pointer::root(),
                keyword: None,
                schema: None,
                message: message.into(),
            }],
        }
    }

    /// The rejection of a text that cannot be read.
    pub(super) fn of_text(fault: &Fault) -> Self {
        let rule = match fault.kind {
            FaultKind::Syntax => "json.syntax",
            FaultKind::Bounds => "json.bounds",
        };
        Self::by(rule, fault.message.as_str())
    }

    /// The rejection of whatever needs a schema that cannot judge.
    pub(crate) fn unusable(why: &Unusable) -> Self {
        let (rule, message) = match why {
            Unusable::NotASchema => ("mcp.tool.shape", "the schema is no object"),
            Unusable::Dialect => ("mcp.tool.schema.dialect", "the dialect is not supported"),
            Unusable::Bounds => ("mcp.tool.schema.bounds", "the schema exceeds a bound"),
            Unusable::Id => ("mcp.tool.schema.id", "an identifier is no URI reference"),
            Unusable::Unresolved => (
                "mcp.tool.schema.ref-unresolved",
                "a reference leads nowhere",
            ),
            Unusable::External => (
                "mcp.tool.schema.ref-external",
                "a reference leads out of the document",
            ),
            Unusable::Cycle => (
                "mcp.tool.schema.ref-cycle",
                "references go round in a circle",
            ),
            Unusable::Pattern => ("mcp.tool.schema.pattern", "a pattern is not understood"),
            Unusable::Invalid | Unusable::Engine(_) => {
                ("mcp.tool.schema.valid", "the schema is not valid")
            }
        };
        Self::by(rule, message)
    }

    /// The rejection as a tool's own error: what a model may read instead of the value. It names
    /// rules, keywords and places in the schema, and holds no part of what was rejected.
    pub fn to_result(&self) -> Value {
        let mut lines = vec![format!(
            "The value was rejected ({}).",
            self.reason.as_str()
        )];
        for violated in self.violations.iter().take(8) {
            let keyword = match (&violated.keyword, &violated.schema) {
                (Some(keyword), Some(schema)) => format!(": `{keyword}` at {schema} of the schema"),
                (Some(keyword), None) => format!(": `{keyword}`"),
                _ => String::new(),
            };
            lines.push(format!("- {}{keyword}", violated.rule));
        }
        json!({
            "resultType": "complete",
            "isError": true,
            "content": [{"type": "text", "text": lines.join("\n")}],
        })
    }
}

/// Whether a gate rejects for a finding: for errors and for what cannot be judged, unless the
/// catalogue says otherwise.
pub(super) fn rejects(rule: &Rule, severity: Severity, finding: &Finding) -> bool {
    match rule.gate {
        Some(GateEffect::Reject) => true,
        Some(GateEffect::Accept) => false,
        None if finding.judged => severity.min(finding.at_most) == Severity::Error,
        None => severity == Severity::Error,
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.reason.as_str())?;
        for violated in &self.violations {
            write!(
                f,
                "; {} at {:?}: {}",
                violated.rule,
                violated.at.as_str(),
                violated.message
            )?;
        }
        Ok(())
    }
}

impl std::error::Error for Rejection {}
