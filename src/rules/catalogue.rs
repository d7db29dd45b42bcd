//! What the catalogue says of a rule. The entries themselves are `rules/*.yaml`, carried here as
//! the generated table.

use std::fmt;

use super::context::{Context, TextView, ToolView};
use crate::diagnostic::{Finding, Severity};
use crate::document::{
    Call, CallResult, Description, Listing, Message, ModelCall, ModelResult, Recorded, Samples,
    SchemaFile,
};
use crate::protocol::ProtocolVersion;

/// A rule's entry in the catalogue.
#[derive(Debug)]
pub struct Rule {
    /// Its identity for ever.
    pub id: &'static str,
    /// What it asks for, as a heading.
    pub title: &'static str,
    /// Whose rule it is.
    pub owner: Owner,
    /// The profile that turns it on; a rule that has none is on.
    pub profile: Option<Profile>,
    /// What it looks at.
    pub surface: Surface,
    /// Where it looks, as a JSON Pointer with `*` for any token and `**` for any depth.
    pub path: &'static str,
    /// What sort of rule it is.
    pub nature: Nature,
    /// How strongly its source puts it, by version.
    pub level: [Option<Level>; 5],
    /// Whether the sources agree.
    pub status: Status,
    /// Who decides.
    pub enforcement: Enforcement,
    /// How much a finding weighs, by version; none where the rule does not apply.
    pub severity: [Option<Severity>; 5],
    /// What a gate does with a finding, where that is not what its severity says.
    pub gate: Option<GateEffect>,
    /// The requirement in one sentence.
    pub requirement: &'static str,
    /// What to do about a finding, in one sentence.
    pub help: &'static str,
    /// Why the rule exists, what else to know.
    pub details: &'static str,
    /// The clauses that ask for it.
    pub required_by: &'static [Clause],
    /// What it rests on.
    pub based_on: &'static [Basis],
    /// The arbitrations that shaped it, by number.
    pub arbitrations: &'static [u8],
    /// Fragments of fixtures that it judges.
    pub examples: Examples,
    /// The function that looks.
    pub check: Check,
}

impl Rule {
    /// How much a finding weighs on `version`; `None` where the rule does not apply.
    pub fn severity(&self, version: ProtocolVersion) -> Option<Severity> {
        self.severity[version.index()]
    }

    /// Whether the rule judges a schema as such, so that it holds for contracts too, which are no
    /// tools. The native shape is that of the protocol's own types.
    pub fn judges_contracts(&self) -> bool {
        let is_of_schemas = ["mcp.tool.schema.", "policy.schema."]
            .iter()
            .any(|start| self.id.starts_with(start));
        is_of_schemas && self.id != "mcp.tool.schema.native-shape"
    }
}

/// The function that looks for a rule's findings, by what it looks at.
#[derive(Clone, Copy, Debug)]
pub enum Check {
    /// At the text.
    Text(fn(&TextView<'_>, &mut Vec<Finding>)),
    /// At a JSON-RPC message.
    Message(fn(&Context<'_>, &Message<'_>, &mut Vec<Finding>)),
    /// At a listing.
    Listing(fn(&Context<'_>, &Listing<'_>, &mut Vec<Finding>)),
    /// At a tool.
    Tool(fn(&Context<'_>, &ToolView<'_>, &mut Vec<Finding>)),
    /// At a call.
    Call(fn(&Context<'_>, &Call<'_>, &mut Vec<Finding>)),
    /// At a result.
    Result(fn(&Context<'_>, &CallResult<'_>, &mut Vec<Finding>)),
    /// At a description.
    Description(fn(&Context<'_>, &Description<'_>, &mut Vec<Finding>)),
    /// At a schema file of a catalogue.
    SchemaFile(fn(&Context<'_>, &SchemaFile<'_>, &mut Vec<Finding>)),
    /// At samples.
    Samples(fn(&Context<'_>, &Samples<'_>, &mut Vec<Finding>)),
    /// At a recorded handoff or checkpoint.
    Recorded(fn(&Context<'_>, &Recorded<'_>, &mut Vec<Finding>)),
    /// At a call that a model asks for.
    ModelCall(fn(&Context<'_>, &ModelCall<'_>, &mut Vec<Finding>)),
    /// At what a model is told of a call.
    ModelResult(fn(&Context<'_>, &ModelResult<'_>, &mut Vec<Finding>)),
}

/// A clause of a specification.
#[derive(Debug)]
pub struct Clause {
    /// The specification.
    pub specification: &'static str,
    /// The section.
    pub section: &'static str,
    /// What it asks for.
    pub requirement: &'static str,
}

/// A source that a rule rests on.
#[derive(Debug)]
pub struct Basis {
    /// 1: the version's schema and normative text; 2: an accepted SEP, JSON Schema, an RFC;
    /// 3: the practice of the ecosystem.
    pub tier: u8,
    /// The source.
    pub source: &'static str,
}

/// A fragment of a fixture.
#[derive(Debug)]
pub struct Example {
    /// The fixture.
    pub file: &'static str,
    /// The fragment.
    pub pointer: &'static str,
    /// The version on which it is an example; every version in scope where there is none.
    pub version: Option<&'static str>,
}

/// The fragments that show a rule.
#[derive(Debug)]
pub struct Examples {
    /// The rule finds nothing there.
    pub valid: &'static [Example],
    /// The rule finds something there.
    pub invalid: &'static [Example],
    /// It would find something if it applied.
    pub not_applicable: &'static [Example],
}

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$variant_doc])* $variant),+ }

        impl $name {
            /// Every one.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The word that the catalogue uses.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }
    };
}

words!(
    /// Whose rule it is.
    Owner {
        /// The text's.
        Json = "json",
        /// The protocol's; for every kind of document.
        Mcp = "mcp",
        /// MCP Description's; for descriptions alone.
        Mcpdesc = "mcpdesc",
        /// The catalogue's; for its files, its samples, and what is held to its contracts.
        Catalogue = "catalogue",
        /// The conversation's between a model and its host.
        Model = "model",
        /// A team's own, off until a profile asks for it.
        Policy = "policy",
    }
);
words!(
    /// What a team may ask for beyond the protocol.
    Profile {
        /// Nothing passes that nobody declared: against injected members and open vocabularies.
        Closed = "closed",
        /// Outputs may grow a member without breaking a client that validates them.
        Open = "open",
        /// Every tool is typed, findable and versioned.
        Catalogue = "catalogue",
    }
);
impl std::str::FromStr for Profile {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        let mut all = Self::ALL.iter().copied();
        all.find(|profile| profile.as_str() == name).ok_or(())
    }
}
words!(
    /// What a rule looks at.
    Surface {
        /// The text of a document.
        Text = "text",
        /// A JSON-RPC message.
        Message = "message",
        /// A listing.
        Listing = "listing",
        /// A tool.
        Tool = "tool",
        /// A call.
        Call = "call",
        /// A result.
        Result = "result",
        /// A description.
        Description = "description",
        /// A schema file of a catalogue.
        SchemaFile = "schema-file",
        /// Samples.
        Samples = "samples",
        /// A recorded handoff or checkpoint.
        Recorded = "recorded",
        /// A call that a model asks for.
        ModelCall = "model-call",
        /// What a model is told of a call.
        ModelResult = "model-result",
    }
);
words!(
    /// What sort of rule it is.
    Nature {
        /// About shape: members and their types.
        Structural = "structural",
        /// About meaning: what the parts say together.
        Semantic = "semantic",
        /// About prudence.
        Advisory = "advisory",
    }
);
words!(
    /// How strongly a source puts it, in the words of RFC 2119.
    Level {
        /// MUST.
        Must = "must",
        /// MUST NOT.
        MustNot = "must not",
        /// SHOULD.
        Should = "should",
        /// SHOULD NOT.
        ShouldNot = "should not",
        /// No word at all.
        Advisory = "advisory",
    }
);
words!(
    /// Whether the sources agree.
    Status {
        /// They do.
        Settled = "settled",
        /// They do not, and an arbitration says what holds here.
        Arbitrated = "arbitrated",
    }
);
words!(
    /// Who decides.
    Enforcement {
        /// This engine.
        Internal = "internal",
        /// The JSON Schema engine.
        Delegated = "delegated",
    }
);
words!(
    /// What a gate does with a finding.
    GateEffect {
        /// It rejects.
        Reject = "reject",
        /// It lets pass.
        Accept = "accept",
    }
);
