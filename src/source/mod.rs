//! Text within bounds: JSON, JSON lines and restricted YAML, read into values.
//!
//! A [`Source`] is a named text. [`Source::parse`] turns it into a [`Parsed`] value with what the
//! value alone cannot hold (members named twice, numbers that a double would change, positions),
//! or into [`Fault`]s that say where the text is wrong. Line and column are computed only when a
//! diagnostic asks for them.

mod build;
mod json;
mod number;
mod pointer;
mod yaml;

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::Read;
use std::ops::Range;
use std::path::Path;

use serde::de::IgnoredAny;
use serde_json::Value;

pub use build::{Duplicate, RoundedNumber};
pub(crate) use number::Decimal;
pub use number::is_integer;
pub(crate) use number::plain;
pub use pointer::Pointer;

/// A range of bytes of a source's text.
pub type Span = Range<usize>;

/// How a text is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One JSON value (RFC 8259).
    Json,
    /// One JSON value a line; the lines are read as the elements of an array.
    JsonLines,
    /// One YAML document in the restricted profile: what JSON can say, and nothing else.
    Yaml,
}

impl Format {
    /// The format that a file name's extension tells, if it is one of ours.
    pub fn of_path(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "json" => Some(Self::Json),
            "jsonl" | "ndjson" => Some(Self::JsonLines),
            "yaml" | "yml" => Some(Self::Yaml),
            _ => None,
        }
    }
}

/// How much text and how deep a value is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most bytes of text.
    pub bytes: usize,
    /// The most levels of arrays and objects.
    pub depth: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            bytes: 64 << 20,
            depth: 127,
        }
    }
}

/// What is wrong with a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// Not of the format's grammar.
    Syntax,
    /// Too long, too deep, or a number that no double can hold.
    Bounds,
}

/// A place where a text cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Which promise the text breaks.
    pub kind: FaultKind,
    /// Where, in bytes.
    pub span: Span,
    /// What is wrong, as a clause.
    pub message: String,
}

impl Fault {
    fn syntax(span: Span, message: impl Into<String>) -> Self {
        Self {
            kind: FaultKind::Syntax,
            span,
            message: message.into(),
        }
    }

    fn bounds(span: Span, message: impl Into<String>) -> Self {
        Self {
            kind: FaultKind::Bounds,
            span,
            message: message.into(),
        }
    }
}

/// A named text and how to read it.
#[derive(Clone, Debug)]
pub struct Source {
    /// The name that reports give it: a path as the user wrote it, or `-`.
    pub name: String,
    text: String,
    format: Format,
    /// Bytes that are no text: the fault, and the text up to it.
    unreadable: Option<Fault>,
}

/// A text's value and what stands beside it.
#[derive(Clone, Debug, Default)]
pub struct Parsed {
    /// The value; of equal members the last counts.
    pub value: Value,
    /// Members that an object names twice.
    pub duplicates: Vec<Duplicate>,
    /// Numbers that a double would change.
    pub rounded: Vec<RoundedNumber>,
    /// Damaged lines of [`Format::JsonLines`]; the other formats fail whole.
    pub faults: Vec<Fault>,
}

impl Source {
    /// A source from text that is already in memory.
    pub fn new(name: impl Into<String>, text: impl Into<String>, format: Format) -> Self {
        Self {
            name: name.into(),
            text: text.into(),
            format,
            unreadable: None,
        }
    }

    /// A source from bytes; what is no UTF-8, or longer than `limits.bytes`, becomes its fault.
    pub fn from_bytes(
        name: impl Into<String>,
        mut bytes: Vec<u8>,
        format: Format,
        limits: &Limits,
    ) -> Self {
        let mut unreadable = None;
        if bytes.len() > limits.bytes {
            bytes.truncate(0);
            unreadable = Some(Fault::bounds(
                0..0,
                format!("the text is longer than {} bytes", limits.bytes),
            ));
        }
        let text = String::from_utf8(bytes).unwrap_or_else(|error| {
            let at = error.utf8_error().valid_up_to();
            unreadable = Some(Fault::syntax(at..at + 1, "a byte that is not UTF-8"));
            String::from_utf8_lossy(error.as_bytes()).into_owned()
        });
        Self {
            name: name.into(),
            text,
            format,
            unreadable,
        }
    }

    /// Reads a whole stream, but never more than one byte over `limits.bytes`.
    pub fn read(
        name: impl Into<String>,
        stream: impl Read,
        format: Format,
        limits: &Limits,
    ) -> std::io::Result<Self> {
        let mut bytes = Vec::new();
        stream
            .take(limits.bytes as u64 + 1)
            .read_to_end(&mut bytes)?;
        Ok(Self::from_bytes(name, bytes, format, limits))
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How the text is read.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The same text, read otherwise.
    #[must_use]
    pub fn with_format(mut self, format: Format) -> Self {
        self.format = format;
        self
    }

    /// Whether the first line is a whole JSON value and more follows: JSON lines under another name.
    pub fn looks_like_lines(&self, limits: &Limits) -> bool {
        let mut lines = self.text.lines().filter(|line| !line.trim().is_empty());
        let first = lines.next().map(|line| json::parse(line, limits));
        matches!(first, Some(Ok(_))) && lines.next().is_some()
    }

    /// Reads the value.
    ///
    /// # Errors
    /// The first fault. JSON lines never fail: their damaged lines are in [`Parsed::faults`].
    pub fn parse(&self, limits: &Limits) -> Result<Parsed, Fault> {
        if let Some(fault) = &self.unreadable {
            return Err(fault.clone());
        }
        match self.format {
            Format::Json => json::parse(&self.text, limits),
            Format::Yaml => yaml::parse(&self.text, limits),
            Format::JsonLines => Ok(json::parse_lines(&self.text, limits)),
        }
    }

    /// Where each of `pointers` stands in the text. What the text does not have is looked for at
    /// its nearest ancestor. One pass over the text serves them all.
    pub fn locate<'p>(
        &self,
        pointers: impl IntoIterator<Item = &'p Pointer>,
    ) -> HashMap<&'p Pointer, Span> {
        let wanted: Vec<_> = pointers.into_iter().collect();
        if wanted.is_empty() {
            return HashMap::new();
        }
        let mut index = build::Index::new(wanted.iter().copied());
        match self.format {
            Format::Json => json::index(&self.text, &mut index),
            Format::Yaml => yaml::index(&self.text, &mut index),
            Format::JsonLines => json::index_lines(&self.text, &mut index),
        }
        wanted
            .into_iter()
            .map(|pointer| (pointer, index.nearest(pointer)))
            .collect()
    }

    /// The text of each of the values that `pointers` name, as it stands; empty where there is
    /// none.
    pub fn slices(&self, pointers: &[Pointer]) -> Vec<&str> {
        let places = self.locate(pointers);
        let slices = pointers.iter().map(|pointer| {
            // The span of an object or array is that of its opening bracket: it is read from there.
            let start = places.get(pointer).map_or(0, |span| span.start);
            let text = &self.text[start..];
            let mut values = serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>();
            match values.next() {
                Some(Ok(_)) => &text[..values.byte_offset()],
                _ => "",
            }
        });
        slices.collect()
    }

    /// The line and column (both from 1, columns in characters) of a byte offset.
    pub fn position(&self, offset: usize) -> (usize, usize) {
        self.positions(&[offset])[0]
    }

    /// As [`Source::position`], for many offsets in one pass.
    pub fn positions(&self, offsets: &[usize]) -> Vec<(usize, usize)> {
        let mut order: Vec<usize> = (0..offsets.len()).collect();
        order.sort_by_key(|index| offsets[*index]);
        let mut found = vec![(1, 1); offsets.len()];
        let mut chars = self.text.char_indices().peekable();
        let (mut line, mut column) = (1, 1);
        for index in order {
            while let Some((_, char)) = chars.next_if(|(at, _)| *at < offsets[index]) {
                if char == '\n' {
                    (line, column) = (line + 1, 1);
                } else {
                    column += 1;
                }
            }
            found[index] = (line, column);
        }
        found
    }
}

/// Parses one JSON text that comes from elsewhere than a file: an argument, a message's inside.
///
/// # Errors
/// The first fault of the text.
pub fn parse_json(text: &str, limits: &Limits) -> Result<Parsed, Fault> {
    json::parse(text, limits)
}

/// A text cut to at most `chars` characters, with an ellipsis where something is left out.
pub fn cut(text: &str, chars: usize) -> Cow<'_, str> {
    match text.char_indices().nth(chars) {
        Some((at, _)) => Cow::Owned(format!("{}…", &text[..at])),
        None => Cow::Borrowed(text),
    }
}
