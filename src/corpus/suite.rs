//! Suites of cases: an input for a gate, and the answer that each protocol version asks for.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::text::Text;
use crate::gate::Branch;
use crate::protocol::{ProtocolVersion, VersionSet};

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

/// What one version asks of a case.
#[derive(Clone, Debug, PartialEq)]
pub struct Expectation {
    /// The answer.
    pub answer: Expected,
    /// How much a miss weighs.
    pub level: Level,
    /// The rules that reject; any of them is a right reason.
    pub because: Vec<&'static str>,
    /// The keyword that rejects, where there is one right answer.
    pub keyword: Option<String>,
    /// The value that it rejects, likewise.
    pub at: Option<String>,
    /// The names of the tools of a listing that stay usable.
    pub usable: Option<Vec<String>>,
    /// The branch of an audited call.
    pub branch: Option<Branch>,
}

/// What a case puts to its gate, as JSON texts.
#[derive(Clone, Debug)]
pub enum Input {
    /// A tool.
    Definition {
        /// The tool.
        tool: Text,
    },
    /// A `tools/list` result.
    Listing {
        /// The whole result.
        tools: Text,
    },
    /// The arguments of a call.
    Arguments {
        /// The tool that is called.
        tool: Text,
        /// The arguments.
        arguments: Text,
    },
    /// The result of a call.
    Result {
        /// The tool that was called.
        tool: Text,
        /// The result.
        result: Text,
    },
    /// A recorded call.
    Audit {
        /// The tool that was called.
        tool: Text,
        /// How the call says that it is to be judged.
        record: Text,
        /// The recorded result.
        body: Text,
    },
    /// What one agent hands to another, or the checkpoint of a flow.
    Contract {
        /// The schema that both ends agreed on.
        schema: Text,
        /// The payload.
        value: Text,
    },
    /// A session, for the runner of live clients to read.
    Wire {
        /// The case as the suite has it.
        case: Arc<Map<String, Value>>,
        /// The suite's tools, by their keys.
        tools: Arc<Map<String, Value>>,
    },
}

impl Input {
    /// The texts under the names that the adapter protocol sends them by.
    pub fn fields(&self) -> Vec<(&'static str, &Text)> {
        match self {
            Self::Definition { tool } => vec![("tool", tool)],
            Self::Listing { tools } => vec![("tools", tools)],
            Self::Arguments { tool, arguments } => vec![("tool", tool), ("arguments", arguments)],
            Self::Result { tool, result } => vec![("tool", tool), ("result", result)],
            Self::Audit { tool, record, body } => {
                vec![("tool", tool), ("record", record), ("body", body)]
            }
            Self::Contract { schema, value } => vec![("schema", schema), ("value", value)],
            Self::Wire { .. } => Vec::new(),
        }
    }
}

/// One input and what is expected of it.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its identity for ever: `suite#name`.
    pub id: String,
    /// What it is put to.
    pub gate: GateName,
    /// What is put to it.
    pub input: Input,
    /// What each version asks, by [`ProtocolVersion::index`]; none where the case says nothing.
    pub expect: [Option<Expectation>; 5],
    /// Where the expectation comes from.
    pub source: Vec<String>,
    /// What is special about it, as a clause.
    pub description: Option<String>,
    /// What the specification leaves open.
    pub note: Option<String>,
    /// The accepted case that differs in one thing, by its name in the same suite.
    pub neighbour: Option<String>,
    /// For an accepted case: the rules whose rejections it stands beside.
    pub guards: Vec<&'static str>,
}

impl Case {
    /// What `version` asks.
    pub fn on(&self, version: ProtocolVersion) -> Option<&Expectation> {
        self.expect[version.index()].as_ref()
    }

    /// The versions on which it is judged.
    pub fn versions(&self) -> VersionSet {
        ProtocolVersion::ALL.into_iter().filter(|version| self.on(*version).is_some()).collect()
    }

    /// Its name in its suite.
    pub fn name(&self) -> &str {
        self.id.split_once('#').map_or(&self.id, |(_, name)| name)
    }

    /// The rules that some version rejects it for.
    pub fn rules(&self) -> Vec<&'static str> {
        let mut rules = Vec::new();
        for rule in self.expect.iter().flatten().flat_map(|expect| &expect.because) {
            if !rules.contains(rule) {
                rules.push(*rule);
            }
        }
        rules
    }
}

/// Cases that belong together.
#[derive(Clone, Debug)]
pub struct Suite {
    /// Its identity: its path without `corpus/` and `.json`.
    pub name: String,
    /// What an implementation that passes it has understood.
    pub description: String,
    /// Whether the cases run in order in one process, since one prepares the next.
    pub sequence: bool,
    /// The cases in the order in which they are written.
    pub cases: Vec<Case>,
}

impl Suite {
    /// The folder that it is in: its gate's name, or `hostile`.
    pub fn folder(&self) -> &str {
        self.name.split('/').next().unwrap_or_default()
    }
}
