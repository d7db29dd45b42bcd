//! Kinds of documents and profiles, as words of the command line.

use clap::ValueEnum;

use crate::document::Kind;
use crate::rules::Profile;

/// The kinds of document as the command line names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum KindArg {
    /// An MCP Description.
    Description,
    /// Tools: `{"tools": […]}`, a bare array, a response.
    Listing,
    /// Some of a tool, its arguments and its result.
    Exchange,
    /// One JSON-RPC message.
    Message,
    /// Messages, one a line.
    Transcript,
    /// Messages between a model and its host, in a vendor's form.
    Conversation,
    /// A catalogue's file of a tool.
    Tool,
    /// A catalogue's file of a handoff or a state.
    Contract,
    /// Payloads held against a schema, with the verdicts that they should have.
    Samples,
    /// Named payloads, which samples refer to.
    Payloads,
    /// A recorded handoff or checkpoint, which names its contract.
    Recorded,
}

/// The profiles as the command line names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ProfileArg {
    /// Nothing passes that nobody declared.
    Closed,
    /// Outputs may grow without breaking clients.
    Open,
    /// Every tool is typed, findable and versioned.
    Catalogue,
}

impl From<ProfileArg> for Profile {
    fn from(profile: ProfileArg) -> Self {
        match profile {
            ProfileArg::Closed => Self::Closed,
            ProfileArg::Open => Self::Open,
            ProfileArg::Catalogue => Self::Catalogue,
        }
    }
}

impl From<KindArg> for Kind {
    fn from(kind: KindArg) -> Self {
        match kind {
            KindArg::Description => Self::Description,
            KindArg::Listing => Self::Listing,
            KindArg::Exchange => Self::Exchange,
            KindArg::Message => Self::Message,
            KindArg::Transcript => Self::Transcript,
            KindArg::Conversation => Self::Conversation,
            KindArg::Tool => Self::Tool,
            KindArg::Contract => Self::Contract,
            KindArg::Samples => Self::Samples,
            KindArg::Payloads => Self::Payloads,
            KindArg::Recorded => Self::Recorded,
        }
    }
}
