//! What a rule finds, and what a report says of it.

use std::fmt;

use serde::Serialize;

use crate::protocol::VersionSet;
use crate::source::{Pointer, Span};

/// How much a finding weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Allowed, and likely to hurt somebody.
    Warning,
    /// Not allowed.
    Error,
}

impl Severity {
    /// `error` or `warning`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// One place at which one rule is broken, on the version that was being judged.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The value at fault, from the document's root.
    pub pointer: Pointer,
    /// The text at fault, where the value's own place is not it: a repeated name.
    pub span: Option<Span>,
    /// The JSON Schema keyword that is violated.
    pub keyword: Option<String>,
    /// That keyword's place, from the schema's root.
    pub schema_pointer: Option<Pointer>,
    /// What is wrong, as a clause.
    pub message: String,
    /// The heaviest severity that this finding may have, whatever the rule's is.
    pub at_most: Severity,
    /// False where it cannot be told whether the rule is broken: a report warns, a gate rejects.
    pub judged: bool,
}

impl Finding {
    /// A finding at `pointer`.
    pub fn new(pointer: Pointer, message: impl Into<String>) -> Self {
        Self {
            pointer,
            span: None,
            keyword: None,
            schema_pointer: None,
            message: message.into(),
            at_most: Severity::Error,
            judged: true,
        }
    }

    /// The same about `keyword` of a schema.
    #[must_use]
    pub fn keyword(mut self, keyword: impl Into<String>) -> Self {
        self.keyword = Some(keyword.into());
        self
    }

    /// The same, as a warning even where the rule is an error.
    #[must_use]
    pub fn warning(mut self) -> Self {
        self.at_most = Severity::Warning;
        self
    }

    /// The same, where it cannot be told whether the rule is broken at all.
    #[must_use]
    pub fn not_judged(mut self) -> Self {
        self.judged = false;
        self.warning()
    }
}

/// A finding on every version for which it holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// The rule's id.
    pub rule: &'static str,
    /// How much it weighs on these versions.
    pub severity: Severity,
    /// The versions.
    pub versions: VersionSet,
    /// The value at fault, from the document's root.
    pub pointer: Pointer,
    /// The JSON Schema keyword that is violated.
    pub keyword: Option<String>,
    /// That keyword's place, from the schema's root.
    pub schema_pointer: Option<Pointer>,
    /// The text at fault, in bytes.
    pub span: Span,
    /// Its line, from 1.
    pub line: usize,
    /// Its column in characters, from 1.
    pub column: usize,
    /// What is wrong, as a clause.
    pub message: String,
    /// What to do about it.
    pub help: &'static str,
}

/// What a document, or a part of it, comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Nothing is wrong.
    Valid,
    /// Nothing is forbidden, something is unwise.
    Warning,
    /// Something is forbidden.
    Invalid,
    /// It could not be read as any kind of document.
    Unreadable,
}

impl Verdict {
    /// The verdict as reports write it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Warning => "warning",
            Self::Invalid => "invalid",
            Self::Unreadable => "unreadable",
        }
    }
}

impl From<Severity> for Verdict {
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Warning => Self::Warning,
            Severity::Error => Self::Invalid,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
