//! What is judged: documents, recognised by their content, and the subjects in them.
//!
//! A subject is what rules look at: a message, a listing, a tool, a call, a result, a description.
//! Every subject knows where it stands and on which protocol versions it is judged.

mod catalogue;
mod component;
mod description;
mod exchange;
mod recognise;
mod stream;

use serde_json::Value;

use crate::protocol::{ProtocolVersion, VersionSet};
use crate::source::{Fault, Format, Limits, Parsed, Pointer, Source};

pub use catalogue::{Catalogue, CatalogueFault, Entry as CatalogueEntry, EntryKind, Unfound};
pub(crate) use component::is_name;
pub use component::{BrokenReference, Namespace, ReferenceFault};
pub use description::{DescribedTool, Description, Edition, Entry, ToolExample};
pub use recognise::Unrecognised;

/// The kinds of document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// An MCP Description: tools with scopes, components and examples.
    Description,
    /// Tools: `{"tools": […]}`, a bare array, or the response that carries them.
    Listing,
    /// Some of a tool, its arguments and its result, with the versions to judge them on.
    Exchange,
    /// One JSON-RPC message.
    Message,
    /// Messages, one a line.
    Transcript,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 5] = [
        Self::Description,
        Self::Listing,
        Self::Exchange,
        Self::Message,
        Self::Transcript,
    ];

    /// The kind's name on the command line and in reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Description => "description",
            Self::Listing => "listing",
            Self::Exchange => "exchange",
            Self::Message => "message",
            Self::Transcript => "transcript",
        }
    }
}

/// A text that has been read, and its kind.
#[derive(Debug)]
pub struct Document {
    /// The text.
    pub source: Source,
    /// Its value.
    pub parsed: Parsed,
    /// What it is.
    pub kind: Kind,
}

/// Why a source is no document.
#[derive(Debug)]
pub enum Unread {
    /// Its text is damaged.
    Fault(Box<Source>, Fault),
    /// Its value is of no known kind.
    Unrecognised(Box<Source>, Unrecognised),
}

impl Document {
    /// Reads `source`, as `kind` if one is given, else as what its content shows it to be.
    pub fn read(source: Source, kind: Option<Kind>, limits: &Limits) -> Result<Self, Unread> {
        let source = match (kind, source.format()) {
            (Some(Kind::Transcript), Format::Json) if source.looks_like_lines(limits) => {
                source.with_format(Format::JsonLines)
            }
            _ => source,
        };
        let (source, parsed) = match source.parse(limits) {
            Ok(parsed) => (source, parsed),
            Err(fault) => match transcript(&source, limits) {
                Some(transcript) => transcript,
                None => return Err(Unread::Fault(Box::new(source), fault)),
            },
        };
        let kind = match kind {
            Some(kind) => match recognise::misfit(kind, &parsed.value) {
                None => kind,
                Some(why) => return Err(Unread::Unrecognised(Box::new(source), why)),
            },
            None => match recognise::kind(&parsed.value, source.format()) {
                Ok(kind) => kind,
                Err(why) => return Err(Unread::Unrecognised(Box::new(source), why)),
            },
        };
        Ok(Self {
            source,
            parsed,
            kind,
        })
    }
}

/// A text that is no JSON read as messages, one a line, where it is that: transcripts often come
/// without their extension, from a pipe or a log.
fn transcript(source: &Source, limits: &Limits) -> Option<(Source, Parsed)> {
    if source.format() != Format::Json || !source.looks_like_lines(limits) {
        return None;
    }
    let lines = source.clone().with_format(Format::JsonLines);
    let parsed = lines.parse(limits).ok()?;
    let kind = recognise::kind(&parsed.value, Format::JsonLines).ok()?;
    (kind == Kind::Transcript).then_some((lines, parsed))
}

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

/// A tool's definition.
#[derive(Debug)]
pub struct Tool<'a> {
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
            input: at.get("inputSchema"),
            output: at.get("outputSchema"),
            at,
            versions,
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
    /// Every version in scope of some part of the document.
    pub versions: VersionSet,
}

impl<'a> Subjects<'a> {
    /// The subjects of `document`, judged on `forced` instead of its own scope if that is given.
    pub fn of(document: &'a Document, forced: Option<VersionSet>) -> Self {
        let mut subjects = Self::default();
        let root = At::new(&document.parsed.value, Pointer::root());
        match document.kind {
            Kind::Description => {
                description::read(&mut subjects, root, document.source.format(), forced);
            }
            Kind::Exchange => exchange::read(&mut subjects, &root, forced),
            Kind::Listing | Kind::Message => stream::read(&mut subjects, [root], forced),
            Kind::Transcript => {
                let lines: Vec<_> = match root.value {
                    Value::Array(_) => root.elements().collect(),
                    _ => vec![root],
                };
                stream::read(&mut subjects, lines, forced);
            }
        }
        subjects
    }

    /// Adds the tools of a `tools` array and returns their indexes.
    fn add_tools(&mut self, tools: &At<'a>, versions: VersionSet) -> Vec<usize> {
        let first = self.tools.len();
        let added = tools.elements().map(|at| Tool::new(at, versions));
        self.tools.extend(added);
        (first..self.tools.len()).collect()
    }
}

/// The versions that an array of dates names, those that are known.
fn scope(dates: &Value) -> VersionSet {
    dates
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|date| date.as_str()?.parse::<ProtocolVersion>().ok())
        .collect()
}
