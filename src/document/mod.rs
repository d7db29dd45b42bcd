//! What is judged: documents, recognised by their content, and the subjects in them.
//!
//! A subject is what rules look at: a message, a listing, a tool, a call, a result, a description.
//! Every subject knows where it stands and on which protocol versions it is judged.

mod catalogue;
mod catalogue_entry;
mod catalogue_file;
mod component;
mod conversation;
mod conversation_parts;
mod description;
mod exchange;
mod recognise;
mod stream;
mod subject;

use crate::source::{Duplicate, Fault, Format, Limits, Parsed, Pointer, RoundedNumber, Source};
use conversation_parts::Texts;

pub use catalogue::Catalogue;
pub use catalogue_entry::{CatalogueFault, Entry as CatalogueEntry, EntryKind, Unfound};
pub use catalogue_file::{Payload, Recorded, Sample, Samples, SchemaFile, Unresolved};
pub(crate) use component::is_name;
pub use component::{BrokenReference, Namespace, ReferenceFault};
pub use conversation::{Conversation, Known, ModelCall, ModelResult, Said};
pub use conversation_parts::Form;
pub use description::{DescribedTool, Description, Edition, Entry, ToolExample};
pub use recognise::Unrecognised;
use subject::scope;
pub use subject::{At, Call, CallResult, Listing, Message, Role, Subjects, Tool};

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
    /// What passes between a model and its host, in a vendor's form.
    Conversation,
    /// A catalogue's file of a tool.
    Tool,
    /// A catalogue's file of a handoff or a state: a schema.
    Contract,
    /// Payloads held against a schema of the catalogue, with the verdicts that they should have.
    Samples,
    /// Named payloads, which samples refer to.
    Payloads,
    /// A handoff or a checkpoint that was recorded, and names its contract.
    Recorded,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 11] = [
        Self::Description,
        Self::Listing,
        Self::Exchange,
        Self::Message,
        Self::Transcript,
        Self::Conversation,
        Self::Tool,
        Self::Contract,
        Self::Samples,
        Self::Payloads,
        Self::Recorded,
    ];

    /// Whether it is a kind that only catalogues have.
    const fn is_of_catalogues(self) -> bool {
        matches!(
            self,
            Self::Tool | Self::Contract | Self::Samples | Self::Payloads | Self::Recorded
        )
    }

    /// The kind's name on the command line and in reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Description => "description",
            Self::Listing => "listing",
            Self::Exchange => "exchange",
            Self::Message => "message",
            Self::Transcript => "transcript",
            Self::Conversation => "conversation",
            Self::Tool => "tool",
            Self::Contract => "contract",
            Self::Samples => "samples",
            Self::Payloads => "payloads",
            Self::Recorded => "recorded",
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
    /// The texts in it that are JSON by themselves, as some forms of calls have them.
    texts: Texts,
    /// The catalogue that it carries inside.
    inside: Option<Catalogue>,
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
        Self::read_in_place(source, kind, None, limits)
    }

    /// As [`Document::read`]; `place` is what the file's place in a catalogue says that it is. A
    /// listing, or whatever else shows itself, may lie among the schemas all the same.
    pub fn read_in_place(
        source: Source,
        kind: Option<Kind>,
        place: Option<Kind>,
        limits: &Limits,
    ) -> Result<Self, Unread> {
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
        let found = recognise::kind(&parsed.value, source.format());
        let place = place.filter(|place| match (place, &found) {
            (Kind::Tool | Kind::Contract, Ok(found)) => found.is_of_catalogues(),
            _ => true,
        });
        let kind = match kind.or(place) {
            Some(kind) => match recognise::misfit(kind, &parsed.value) {
                None => kind,
                Some(why) => return Err(Unread::Unrecognised(Box::new(source), why)),
            },
            None => match found {
                Ok(kind) => kind,
                Err(why) => return Err(Unread::Unrecognised(Box::new(source), why)),
            },
        };
        Ok(Self::of(source, parsed, kind, limits))
    }

    /// A text that has been read into a value, which is taken for a document of `kind`.
    pub fn of(source: Source, mut parsed: Parsed, kind: Kind, limits: &Limits) -> Self {
        let texts = match kind {
            Kind::Conversation => conversation_parts::texts(&parsed.value, limits),
            _ => Texts::new(),
        };
        absorb(&mut parsed, &texts, &source);
        let inside = match kind {
            Kind::Conversation | Kind::Samples | Kind::Recorded => Catalogue::inside(&parsed.value),
            _ => None,
        };
        Self {
            source,
            parsed,
            kind,
            texts,
            inside,
        }
    }
}

/// Adds to what stands beside the value of a document what stands beside the values of the texts
/// inside it. A member that such a text names twice is shown at the text.
fn absorb(parsed: &mut Parsed, texts: &Texts, source: &Source) {
    let read = || {
        texts
            .iter()
            .filter_map(|(place, text)| Some((place, text.as_ref().ok()?)))
    };
    let within = |place: &Pointer, pointer: &Pointer| place.concat(pointer.as_str());
    for (place, text) in read() {
        let numbers = text.rounded.iter().map(|number| RoundedNumber {
            pointer: within(place, &number.pointer),
            ..number.clone()
        });
        parsed.rounded.extend(numbers);
    }
    let repeating: Vec<_> = read()
        .filter(|(_, text)| !text.duplicates.is_empty())
        .collect();
    let spans = source.locate(repeating.iter().map(|(place, _)| *place));
    for (place, text) in &repeating {
        let twice = text.duplicates.iter().map(|twice| Duplicate {
            pointer: within(place, &twice.pointer),
            span: spans.get(place).cloned().unwrap_or(0..0),
        });
        parsed.duplicates.extend(twice);
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
