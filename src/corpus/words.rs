//! The words of suites: gates, answers and levels.

use std::fmt;
use std::str::FromStr;

/// What a case is put to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GateName {
    /// May this tool be used?
    Definition,
    /// Which tools of this listing may be used?
    Listing,
    /// May this call be sent?
    Arguments,
    /// May this result be handed on?
    Result,
    /// Which branch does this recorded call belong to, and does it fit there?
    Audit,
    /// May the next agent start from this payload?
    Handoff,
    /// May a flow go on from this checkpoint?
    State,
    /// What does a client do in this session?
    Wire,
}

impl GateName {
    /// Every gate, in the order of reports.
    pub const ALL: [Self; 8] = [
        Self::Definition,
        Self::Listing,
        Self::Arguments,
        Self::Result,
        Self::Audit,
        Self::Handoff,
        Self::State,
        Self::Wire,
    ];

    /// The gate's name, which is that of its folder in the corpus too.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Definition => "definition",
            Self::Listing => "listing",
            Self::Arguments => "arguments",
            Self::Result => "result",
            Self::Audit => "audit",
            Self::Handoff => "handoff",
            Self::State => "state",
            Self::Wire => "wire",
        }
    }
}

impl fmt::Display for GateName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for GateName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|gate| gate.as_str() == text);
        found.ok_or_else(|| format!("no gate has the name {text:?}"))
    }
}

/// What a gate is to answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Expected {
    /// It lets the input pass.
    Accept,
    /// It does not.
    Reject,
}

impl Expected {
    /// Both answers.
    pub const ALL: [Self; 2] = [Self::Accept, Self::Reject];

    /// `accept` or `reject`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Accept => "accept",
            Self::Reject => "reject",
        }
    }
}

/// How much a miss weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// The specification says MUST.
    Must,
    /// The specification says SHOULD.
    Should,
    /// The specification is silent.
    Informational,
}

impl Level {
    /// Every level, the heaviest first.
    pub const ALL: [Self; 3] = [Self::Must, Self::Should, Self::Informational];

    /// The level's name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Must => "must",
            Self::Should => "should",
            Self::Informational => "informational",
        }
    }
}

impl FromStr for Level {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|level| level.as_str() == text);
        found.ok_or_else(|| format!("no level has the name {text:?}"))
    }
}
