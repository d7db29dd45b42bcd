//! Suites of cases: an input for a gate, and the answer that each protocol version asks for.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::session::Session;
use super::text::Text;
use super::words::{Expected, GateName, Level};
use crate::gate::{Branch, RejectionReason};
use crate::protocol::{ProtocolVersion, VersionSet};

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
    /// Whether its suite is hostile: then declining to judge is as good a reason as finding the
    /// fault.
    pub hostile: bool,
}

/// The reasons of an implementation that declines to judge.
const DECLINED: [RejectionReason; 3] = [
    RejectionReason::LimitExceeded,
    RejectionReason::SchemaInvalid,
    RejectionReason::Other,
];

impl Expectation {
    /// The reasons that a rejection may have: any of those of any of its rules and, in a hostile
    /// suite, those of declining to judge.
    pub fn reasons(&self) -> Vec<RejectionReason> {
        let mut reasons = Vec::new();
        let rules = self.because.iter();
        let by_rule = rules.flat_map(|rule| RejectionReason::of_rule(rule));
        let declines = self.hostile && self.answer == Expected::Reject;
        let declined = DECLINED.iter().filter(|_| declines);
        for reason in by_rule.chain(declined) {
            if !reasons.contains(reason) {
                reasons.push(*reason);
            }
        }
        reasons
    }
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
    /// A session with a live client.
    Wire {
        /// What the server does, and what is asked of the client.
        session: Arc<Session>,
        /// The tools that it lists, by their keys.
        tools: BTreeMap<String, Text>,
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
        ProtocolVersion::ALL
            .into_iter()
            .filter(|version| self.on(*version).is_some())
            .collect()
    }

    /// Its name in its suite.
    pub fn name(&self) -> &str {
        self.id.split_once('#').map_or(&self.id, |(_, name)| name)
    }

    /// The rules that some version rejects it for.
    pub fn rules(&self) -> Vec<&'static str> {
        let mut rules = Vec::new();
        for rule in self
            .expect
            .iter()
            .flatten()
            .flat_map(|expect| &expect.because)
        {
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
