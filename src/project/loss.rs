//! What a projection does not say as its source does: one entry a keyword, with the reason.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::source::Pointer;

/// What became of a keyword.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// It is not in the projection.
    Dropped,
    /// What stands in its place asks for less.
    Weakened,
    /// What stands in its place, or was added, asks for more.
    Narrowed,
    /// It is said in other words, which mean the same once values are mapped back.
    Rewritten,
    /// Two different values of the source become one.
    Ambiguous,
}

/// What that does to the set of accepted values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Effect {
    /// Nothing.
    None,
    /// The projection accepts more: the source is still to be asked.
    Wider,
    /// The projection accepts less: some values cannot be said any more.
    Narrower,
    /// Both.
    Both,
}

/// One keyword that the projection does not carry as it stands.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Loss {
    /// The keyword's place, from the root of the tool or schema; of a keyword that was added, the
    /// place that it would have.
    pub pointer: String,
    /// The keyword, or the member of the tool.
    pub keyword: String,
    /// What became of it.
    pub change: Change,
    /// What that does to the set of accepted values.
    pub effect: Effect,
    /// Why, as a clause.
    pub reason: String,
}

impl Change {
    /// The name that reports give it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Dropped => "dropped",
            Self::Weakened => "weakened",
            Self::Narrowed => "narrowed",
            Self::Rewritten => "rewritten",
            Self::Ambiguous => "ambiguous",
        }
    }
}

impl Effect {
    /// The name that reports give it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Wider => "wider",
            Self::Narrower => "narrower",
            Self::Both => "both",
        }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Why something cannot be projected at all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Refusal {
    /// Where the reason stands, from the root of the tool or schema.
    pub pointer: String,
    /// The keyword that cannot be said, where it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keyword: Option<String>,
    /// Why, as a clause.
    pub reason: String,
}

impl Refusal {
    /// A refusal at a place.
    pub fn new(pointer: &Pointer, keyword: Option<&str>, reason: impl Into<String>) -> Self {
        Self {
            pointer: pointer.to_string(),
            keyword: keyword.map(str::to_owned),
            reason: reason.into(),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.pointer.as_str() {
            "" => f.write_str(&self.reason),
            pointer => write!(f, "at {pointer}: {}", self.reason),
        }
    }
}
