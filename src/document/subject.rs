//! What rules look at: the subjects in a document, each with its place and its versions.

use serde_json::Value;

use super::catalogue::Catalogue;
use super::catalogue_file::{self, Recorded, Samples, SchemaFile};
use super::conversation::{self, Conversation};
use super::description::{self, Description};
use super::{Document, Kind, exchange, stream};
use crate::protocol::{ProtocolVersion, VersionSet};
use crate::source::Pointer;

/// A value and where it stands in its document.
#[derive(Clone, Debug)]
pub struct At<'a> {
    /// The value.
    pub value: &'a Value,
    /// Where it stands.
    pub pointer: Pointer,
}

impl<'a> At<'a> {
    /// A value and its place.
    pub fn new(value: &'a Value, pointer: Pointer) -> Self {
        Self { value, pointer }
    }

    /// The member `name`, if this is an object that has it.
    pub fn get(&self, name: &str) -> Option<At<'a>> {
        let value = self.value.as_object()?.get(name)?;
        Some(At::new(value, self.pointer.join(name)))
    }

    /// The elements, if this is an array.
    pub fn elements(&self) -> impl Iterator<Item = At<'a>> + use<'a> {
        let pointer = self.pointer.clone();
        let items = self.value.as_array().map_or(&[][..], Vec::as_slice);
        items
            .iter()
            .enumerate()
            .map(move |(index, value)| At::new(value, pointer.join(index)))
    }

    /// The members, if this is an object.
    pub fn members(&self) -> impl Iterator<Item = (&'a str, At<'a>)> + use<'a> {
        let pointer = self.pointer.clone();
        let members = self.value.as_object().into_iter().flatten();
        members.map(move |(name, value)| (name.as_str(), At::new(value, pointer.join(name))))
    }
}

/// A JSON-RPC message.
#[derive(Debug)]
pub struct Message<'a> {
    /// The message; an array is a batch.
    pub at: At<'a>,
    /// The versions to judge it on.
    pub versions: VersionSet,
}

/// The tools that a server, or a description, offers together.
#[derive(Debug)]
pub struct Listing<'a> {
    /// The object that holds `tools`, or a bare array of tools.
    pub at: At<'a>,
    /// The versions to judge it on.
    pub versions: VersionSet,
    /// Whether it came inside a JSON-RPC envelope.
    pub full: bool,
    /// Its own tools as indexes into [`Subjects::tools`].
    pub tools: Vec<usize>,
    /// The tools of the pages before it.
    pub earlier: Vec<usize>,
}

/// Why a schema is among the tools of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It is a tool that the document defines.
    Tool,
    /// It is a contract that the document defines; its schema is the tool's input.
    Contract,
    /// Values are held against it; it is defined, and judged, elsewhere.
    Consulted,
}

/// A tool's definition.
#[derive(Debug)]
pub struct Tool<'a> {
    /// Why it is here.
    pub role: Role,
    /// The entry of `tools`.
    pub at: At<'a>,
    /// The versions to judge it on.
    pub versions: VersionSet,
    /// Its `inputSchema`, where a description keeps it.
    pub input: Option<At<'a>>,
    /// Its `outputSchema`, where a description keeps it.
    pub output: Option<At<'a>>,
}

impl<'a> Tool<'a> {
    /// A tool whose schemas are its own members.
    pub fn new(at: At<'a>, versions: VersionSet) -> Self {
        Self {
            role: Role::Tool,
            input: at.get("inputSchema"),
            output: at.get("outputSchema"),
            at,
            versions,
        }
    }

    /// A contract, which is all schema.
    pub(super) fn contract(at: At<'a>, versions: VersionSet) -> Self {
        Self {
            role: Role::Contract,
            input: Some(at.clone()),
            output: None,
            at,
            versions,
        }
    }

    /// A tool, or a contract, that values are held against whatever the version.
    pub(super) fn consulted(at: At<'a>, input: Option<At<'a>>, output: Option<At<'a>>) -> Self {
        Self {
            role: Role::Consulted,
            at,
            versions: VersionSet::ALL,
            input,
            output,
        }
    }

    /// Its name, if it has one.
    pub fn name(&self) -> Option<&'a str> {
        self.at.value.get("name")?.as_str()
    }
}

/// A `tools/call`.
#[derive(Debug)]
pub struct Call<'a> {
    /// The request's `params`, or the whole request where it has none; `None` in an exchange.
    pub params: Option<At<'a>>,
    /// The arguments, where there are some.
    pub arguments: Option<At<'a>>,
    /// The versions to judge it on.
    pub versions: VersionSet,
    /// The tool that it calls, as an index into [`Subjects::tools`].
    pub tool: Option<usize>,
    /// Whether a complete listing is at hand that lacks the tool.
    pub unknown: bool,
}

/// What a `tools/call` came to.
#[derive(Debug)]
pub struct CallResult<'a> {
    /// The result.
    pub at: At<'a>,
    /// The versions to judge it on.
    pub versions: VersionSet,
    /// Whether it came inside a JSON-RPC envelope.
    pub full: bool,
    /// The tool that was called, as an index into [`Subjects::tools`].
    pub tool: Option<usize>,
}

/// Everything in a document that rules look at.
#[derive(Debug, Default)]
pub struct Subjects<'a> {
    /// JSON-RPC messages.
    pub messages: Vec<Message<'a>>,
    /// Listings.
    pub listings: Vec<Listing<'a>>,
    /// Tools, those of listings and others.
    pub tools: Vec<Tool<'a>>,
    /// Calls.
    pub calls: Vec<Call<'a>>,
    /// Results.
    pub results: Vec<CallResult<'a>>,
    /// The description that the document is.
    pub description: Option<Description<'a>>,
    /// The conversation that the document is.
    pub conversation: Option<Conversation<'a>>,
    /// The file of a catalogue that the document is.
    pub schema_file: Option<SchemaFile<'a>>,
    /// The samples that the document is.
    pub samples: Option<Samples<'a>>,
    /// The handoff or checkpoint that the document is.
    pub recorded: Option<Recorded<'a>>,
    /// Every version in scope of some part of the document.
    pub versions: VersionSet,
}

impl<'a> Subjects<'a> {
    /// The subjects of `document`, judged on `forced` instead of its own scope if that is given.
    pub fn of(document: &'a Document, forced: Option<VersionSet>) -> Self {
        Self::within(document, forced, None)
    }

    /// As [`Subjects::of`], with the schemas of `around` at hand where the document brings none.
    pub fn within(
        document: &'a Document,
        forced: Option<VersionSet>,
        around: Option<&'a Catalogue>,
    ) -> Self {
        let mut subjects = Self::default();
        let root = At::new(&document.parsed.value, Pointer::root());
        let name = document.source.name.as_str();
        let at_hand = document.inside.as_ref().or(around);
        match document.kind {
            Kind::Description => {
                description::read(&mut subjects, root, document.source.format(), forced);
            }
            Kind::Exchange => exchange::read(&mut subjects, &root, forced, around),
            Kind::Listing | Kind::Message => stream::read(&mut subjects, [root], forced, around),
            Kind::Transcript => {
                let lines: Vec<_> = match root.value {
                    Value::Array(_) => root.elements().collect(),
                    _ => vec![root],
                };
                stream::read(&mut subjects, lines, forced, around);
            }
            Kind::Conversation => {
                conversation::read(&mut subjects, &root, &document.texts, forced, at_hand);
            }
            Kind::Tool | Kind::Contract => {
                let is_tool = document.kind == Kind::Tool;
                let among = around.and_then(|it| Some((it, it.position(name.as_ref())?)));
                catalogue_file::read_schema(&mut subjects, root, is_tool, forced, among);
            }
            Kind::Samples => {
                let document = (name, document.parsed.rounded.as_slice());
                catalogue_file::read_samples(&mut subjects, &root, document, forced, at_hand);
            }
            Kind::Recorded => {
                catalogue_file::read_recorded(&mut subjects, &root, forced, at_hand);
            }
            Kind::Payloads => subjects.versions = forced.unwrap_or(VersionSet::STRUCTURED),
        }
        subjects
    }

    /// Adds the tools of a `tools` array and returns their indexes.
    pub(super) fn add_tools(&mut self, tools: &At<'a>, versions: VersionSet) -> Vec<usize> {
        let first = self.tools.len();
        let added = tools.elements().map(|at| Tool::new(at, versions));
        self.tools.extend(added);
        (first..self.tools.len()).collect()
    }
}

/// The versions that an array of dates names, those that are known.
pub(super) fn scope(dates: &Value) -> VersionSet {
    dates
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|date| date.as_str()?.parse::<ProtocolVersion>().ok())
        .collect()
}
