//! The schemas of a catalogue, each by itself, and the files that they are read from.

use std::fmt;
use std::path::{Path, PathBuf};

use serde_json::Value;
use walkdir::WalkDir;

use super::At;
use crate::source::{Format, Limits, Parsed, Pointer, Source};

/// The members that a catalogue adds to what it holds.
const OWN: [&str; 2] = ["$id", "version"];
/// How deep folders are followed.
const MOST_LEVELS: usize = 8;

/// What a schema of a catalogue is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EntryKind {
    /// A tool.
    Tool,
    /// What one agent hands to another.
    Handoff,
    /// The checkpoint of a flow.
    State,
}

impl EntryKind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Tool, Self::Handoff, Self::State];

    /// The folder below `schemas/`.
    pub const fn folder(self) -> &'static str {
        match self {
            Self::Tool => "tools",
            Self::Handoff => "handoffs",
            Self::State => "state",
        }
    }

    /// The kind's name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Tool => "tool",
            Self::Handoff => "handoff",
            Self::State => "state",
        }
    }
}

impl fmt::Display for EntryKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A schema of a catalogue.
#[derive(Clone, Debug)]
pub struct Entry {
    /// What it is for.
    pub kind: EntryKind,
    /// Its file: the catalogue's folder as it was given, joined with the way from there.
    pub path: PathBuf,
    /// A tool's own name; else the file's, up to an `@`, so that versions can stand side by side.
    pub name: String,
    /// Its `$id`, where that is a string.
    pub id: Option<String>,
    /// Its `version`, where that is a string.
    pub version: Option<String>,
    /// The whole file.
    pub value: Value,
}

impl Entry {
    pub(super) fn new(kind: EntryKind, path: PathBuf, file_name: &str, value: Value) -> Self {
        let text = |name| value.get(name).and_then(Value::as_str).map(str::to_owned);
        let (file_name, _) = file_name.split_once('@').unwrap_or((file_name, ""));
        let own = text("name").filter(|_| kind == EntryKind::Tool);
        Self {
            kind,
            path,
            name: own.unwrap_or_else(|| file_name.to_owned()),
            id: text("$id"),
            version: text("version"),
            value,
        }
    }

    /// What is offered to others: a tool without the members that the catalogue adds to it, a
    /// schema as it stands.
    pub fn definition(&self) -> Value {
        let mut value = self.value.clone();
        if let (EntryKind::Tool, Value::Object(members)) = (self.kind, &mut value) {
            members.retain(|name, _| !OWN.contains(&name.as_str()));
        }
        value
    }
}

/// A file of a catalogue that cannot be read, or a folder that is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogueFault {
    /// The file or folder.
    pub path: PathBuf,
    /// What is wrong, as a clause.
    pub message: String,
}

impl fmt::Display for CatalogueFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.message)
    }
}

impl std::error::Error for CatalogueFault {}

/// Why a name leads to no one schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unfound {
    /// Nothing has that name.
    Name,
    /// Something has, in other versions: these.
    Version(Vec<String>),
    /// Several files have; which one is meant cannot be told.
    Ambiguous(Vec<PathBuf>),
}

/// The one of `entries` that has `version`, or that there is at all.
pub(super) fn one<'e>(
    entries: impl Iterator<Item = &'e Entry>,
    version: Option<&str>,
) -> Result<&'e Entry, Unfound> {
    let named: Vec<_> = entries.collect();
    let meant = named.iter().copied();
    let meant = meant.filter(|entry| version.is_none() || entry.version.as_deref() == version);
    match meant.collect::<Vec<_>>()[..] {
        [entry] => Ok(entry),
        [] if named.is_empty() => Err(Unfound::Name),
        [] => {
            let versions = named.iter().filter_map(|entry| entry.version.clone());
            Err(Unfound::Version(versions.collect()))
        }
        ref several => {
            let paths = several.iter().map(|entry| entry.path.clone());
            Err(Unfound::Ambiguous(paths.collect()))
        }
    }
}

/// Whether a file's name says that it holds payloads: `payloads.json`, `refund-payloads.yaml`.
pub(super) fn holds_payloads(path: &Path) -> bool {
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    stem.is_some_and(|stem| stem.ends_with("payloads"))
}

/// The documents below `folder`, by path; none where it is not there.
pub(super) fn files(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let is_wanted = |entry: &walkdir::DirEntry| {
        entry.depth() == 0 || !entry.file_name().to_string_lossy().starts_with('.')
    };
    WalkDir::new(folder)
        .max_depth(MOST_LEVELS)
        .sort_by_file_name()
        .into_iter()
        .filter_entry(is_wanted)
        .filter_map(Result::ok)
        .map(walkdir::DirEntry::into_path)
        .filter(|path| matches!(Format::of_path(path), Some(Format::Json | Format::Yaml)))
        // A pipe of that name would be waited for.
        .filter(|path| path.is_file())
}

pub(super) fn value(path: &Path, limits: &Limits) -> Result<Parsed, String> {
    let format = Format::of_path(path).unwrap_or(Format::Json);
    let unread = |error: std::io::Error| format!("cannot be read: {error}");
    let file = std::fs::File::open(path).map_err(unread)?;
    let source = Source::read(path.display().to_string(), file, format, limits).map_err(unread)?;
    source.parse(limits).map_err(|fault| {
        let (line, column) = source.position(fault.span.start);
        format!("line {line}, column {column}: {}", fault.message)
    })
}

/// A schema of a catalogue as a value with a place, to be looked at beside a document.
pub(super) fn at(entry: &Entry) -> At<'_> {
    At::new(&entry.value, Pointer::root())
}
