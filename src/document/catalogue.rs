//! Catalogues: folders in which a team keeps the schemas of its tools, handoffs and states.
//!
//! The folder `schemas/` holds `tools/`, `handoffs/` and `state/`, one schema a file. A tool file is
//! an MCP Tool object; the others are schemas. Each has an `$id` that stays and a `version` that
//! moves. `examples/` beside it holds payloads and what becomes of them.

use std::fmt;
use std::path::{Component, Path, PathBuf};

use serde_json::Value;
use walkdir::WalkDir;

use super::{At, Tool};
use crate::source::{Format, Limits, Parsed, Source};

/// The folder that makes the one that holds it a catalogue.
const SCHEMAS: &str = "schemas";
/// The folder of payloads, and of the files that say what becomes of them.
const EXAMPLES: &str = "examples";
/// The members that a catalogue adds to what it holds.
const OWN: [&str; 2] = ["$id", "version"];
/// A catalogue of more files than this has not been written by people.
const MOST_FILES: usize = 10_000;
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
    fn new(kind: EntryKind, path: PathBuf, file_name: &str, value: Value) -> Self {
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

/// The schemas of a team.
#[derive(Clone, Debug, Default)]
pub struct Catalogue {
    /// Its folder as it was given.
    pub root: PathBuf,
    /// Its schemas: tools, handoffs, states, each by path.
    pub entries: Vec<Entry>,
    /// Its files of payloads, where they have been asked for, by path.
    pub(super) payloads: Vec<(PathBuf, Parsed)>,
}

impl Catalogue {
    /// Reads the catalogue in the folder `root`, which holds `schemas/`.
    ///
    /// # Errors
    /// The first file that cannot be read, or that the folder is no catalogue.
    pub fn read(root: &Path) -> Result<Self, CatalogueFault> {
        if !is_root(root) {
            let folders = EntryKind::ALL.map(EntryKind::folder).join(", ");
            return Err(CatalogueFault {
                path: root.to_path_buf(),
                message: format!("no catalogue: {SCHEMAS}/ with one of {folders} is not there"),
            });
        }
        let (catalogue, faults) = Self::gather(root, &Limits::default());
        faults.into_iter().next().map_or(Ok(catalogue), Err)
    }

    /// As [`Catalogue::read`], with what can be read and what cannot side by side.
    pub fn gather(root: &Path, limits: &Limits) -> (Self, Vec<CatalogueFault>) {
        let mut catalogue = Self {
            root: root.to_path_buf(),
            ..Self::default()
        };
        let mut faults = Vec::new();
        for kind in EntryKind::ALL {
            for path in files(&root.join(SCHEMAS).join(kind.folder())) {
                let stem = path.file_stem().unwrap_or_default().to_string_lossy();
                if catalogue.entries.len() >= MOST_FILES {
                    let message = format!("the catalogue has more than {MOST_FILES} schemas");
                    faults.push(CatalogueFault { path, message });
                    return (catalogue, faults);
                }
                match value(&path, limits) {
                    Ok(parsed) => {
                        let entry = Entry::new(kind, path.clone(), &stem, parsed.value);
                        catalogue.entries.push(entry);
                    }
                    Err(message) => faults.push(CatalogueFault {
                        path: path.clone(),
                        message,
                    }),
                }
            }
        }
        (catalogue, faults)
    }

    /// The same with its files of payloads. One that is damaged is left out; it is reported where
    /// it is checked itself.
    #[must_use]
    pub fn with_payloads(mut self, limits: &Limits) -> Self {
        let held = files(&self.root.join(EXAMPLES)).filter(|path| holds_payloads(path));
        self.payloads = held
            .take(MOST_FILES)
            .filter_map(|path| value(&path, limits).ok().map(|parsed| (path, parsed)))
            .collect();
        self
    }

    /// The tools of a document as a catalogue without versions, so that calls can be judged by
    /// what a server lists.
    pub fn of_tools(path: &Path, tools: &[Tool<'_>]) -> Self {
        let entry = |tool: &Tool<'_>| {
            let mut value = tool.at.value.clone();
            // A description may keep a schema elsewhere.
            for (name, at) in [("inputSchema", &tool.input), ("outputSchema", &tool.output)] {
                if let (Some(at), Some(members)) = (at, value.as_object_mut()) {
                    members.insert(name.to_owned(), at.value.clone());
                }
            }
            Entry::new(EntryKind::Tool, path.to_path_buf(), "", value)
        };
        Self {
            root: path.to_path_buf(),
            entries: tools.iter().map(entry).collect(),
            ..Self::default()
        }
    }

    /// The catalogue that a document carries inside, in its member `catalogue`: `tools`,
    /// `handoffs` and `state`, each an object of schemas by name.
    pub fn inside(document: &Value) -> Option<Self> {
        let held = document.get("catalogue")?.as_object()?;
        let entries = EntryKind::ALL.into_iter().flat_map(|kind| {
            let named = held.get(kind.folder()).and_then(Value::as_object);
            let named = named.into_iter().flatten();
            named.map(move |(name, value)| {
                let path = PathBuf::from(format!("#/catalogue/{}/{name}", kind.folder()));
                Entry::new(kind, path, name, value.clone())
            })
        });
        Some(Self {
            entries: entries.collect(),
            ..Self::default()
        })
    }

    /// The folder of the catalogue that `file` is in: the nearest one upwards.
    pub fn find(file: &Path) -> Option<PathBuf> {
        let folders = file.ancestors().skip(1);
        let own = |folder: &Path| match folder.as_os_str().is_empty() {
            true => PathBuf::from("."),
            false => folder.to_path_buf(),
        };
        if let Some(root) = folders.map(own).find(|folder| is_root(folder)) {
            return Some(root);
        }
        let absolute = std::path::absolute(file).ok()?;
        let mut folders = absolute.ancestors().skip(1);
        folders
            .find(|folder| is_root(folder))
            .map(Path::to_path_buf)
    }

    /// Its tools.
    pub fn tools(&self) -> impl Iterator<Item = &Entry> {
        let tools = self.entries.iter();
        tools.filter(|entry| entry.kind == EntryKind::Tool)
    }

    /// The tool of this name.
    ///
    /// # Errors
    /// Why there is not one.
    pub fn tool(&self, name: &str) -> Result<&Entry, Unfound> {
        one(self.tools().filter(|entry| entry.name == name), None)
    }

    /// The handoff or state of this name, in this version where one is given.
    ///
    /// # Errors
    /// Why there is not one.
    pub fn contract(&self, name: &str, version: Option<&str>) -> Result<&Entry, Unfound> {
        let contracts = self.entries.iter();
        let contracts = contracts.filter(|entry| entry.kind != EntryKind::Tool);
        one(contracts.filter(|entry| entry.name == name), version)
    }
}

/// The one of `entries` that has `version`, or that there is at all.
fn one<'e>(
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

/// Where a file stands in its catalogue, as far as that says what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Below `schemas/`, in the folder of its kind.
    Schema(EntryKind),
    /// A handoff or a checkpoint that was recorded: below `examples/handoffs/` or `examples/state/`.
    Recorded,
    /// A file of payloads below `examples/`.
    Payloads,
}

impl Place {
    /// The place of the file at `path` in the catalogue that it is in.
    pub(super) fn of(path: &Path) -> Option<Self> {
        let root = std::path::absolute(Catalogue::find(path)?).ok()?;
        let path = std::path::absolute(path).ok()?;
        let way = path.strip_prefix(root).ok()?;
        let mut folders = way.components().filter_map(|part| match part {
            Component::Normal(name) => name.to_str(),
            _ => None,
        });
        let (first, second) = (folders.next()?, folders.next()?);
        let kind = EntryKind::ALL
            .into_iter()
            .find(|kind| kind.folder() == second);
        // A file of that name is no folder.
        let kind = kind.filter(|_| folders.next().is_some());
        match (first, kind) {
            (SCHEMAS, Some(kind)) => Some(Self::Schema(kind)),
            (EXAMPLES, Some(EntryKind::Handoff | EntryKind::State)) => Some(Self::Recorded),
            (EXAMPLES, _) if holds_payloads(&path) => Some(Self::Payloads),
            _ => None,
        }
    }
}

/// Whether a file's name says that it holds payloads: `payloads.json`, `refund-payloads.yaml`.
fn holds_payloads(path: &Path) -> bool {
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    stem.is_some_and(|stem| stem.ends_with("payloads"))
}

fn is_root(folder: &Path) -> bool {
    let schemas = folder.join(SCHEMAS);
    let holds = |kind: EntryKind| schemas.join(kind.folder()).is_dir();
    EntryKind::ALL.into_iter().any(holds)
}

/// The documents below `folder`, by path; none where it is not there.
fn files(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let is_wanted = |entry: &walkdir::DirEntry| {
        entry.depth() == 0 || !entry.file_name().to_string_lossy().starts_with('.')
    };
    WalkDir::new(folder)
        .max_depth(MOST_LEVELS)
        .sort_by_file_name()
        .into_iter()
        .filter_entry(is_wanted)
        .filter_map(Result::ok)
        .filter(|entry| !entry.file_type().is_dir())
        .map(walkdir::DirEntry::into_path)
        .filter(|path| matches!(Format::of_path(path), Some(Format::Json | Format::Yaml)))
}

fn value(path: &Path, limits: &Limits) -> Result<Parsed, String> {
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
    At::new(&entry.value, crate::source::Pointer::root())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/catalogue")
    }

    #[test]
    fn a_catalogue_is_read_by_folder_and_name() {
        let catalogue = Catalogue::read(&example()).expect("the example is a catalogue");
        let names: Vec<_> = catalogue
            .entries
            .iter()
            .map(|entry| (entry.kind.as_str(), entry.name.as_str()))
            .collect();
        let expected = [
            ("tool", "create_refund"),
            ("tool", "find_ticket"),
            ("tool", "search_tickets"),
            ("handoff", "triage_to_billing"),
            ("state", "refund_flow"),
        ];
        assert_eq!(names, expected);
        let refund = catalogue.tool("create_refund").expect("there is one");
        assert_eq!(refund.version.as_deref(), Some("1.0.0"));
        let offered = refund.definition();
        assert!(offered.get("version").is_none() && offered.get("name").is_some());
    }

    #[test]
    fn a_contract_is_found_by_name_and_version() {
        let catalogue = Catalogue::read(&example()).expect("the example is a catalogue");
        assert!(catalogue.contract("refund_flow", Some("1.0.0")).is_ok());
        let other = catalogue.contract("refund_flow", Some("2.0.0")).err();
        assert_eq!(other, Some(Unfound::Version(vec!["1.0.0".to_owned()])));
        let none = catalogue.contract("create_refund", None).err();
        assert_eq!(none, Some(Unfound::Name));
    }

    #[test]
    fn a_place_says_what_a_file_is() {
        let place = |path: &str| Place::of(&example().join(path));
        let schema = |kind| Some(Place::Schema(kind));
        assert_eq!(
            place("schemas/tools/find_ticket.json"),
            schema(EntryKind::Tool)
        );
        assert_eq!(
            place("schemas/state/old/a@1.json"),
            schema(EntryKind::State)
        );
        assert_eq!(
            place("examples/state/refund-approved.json"),
            Some(Place::Recorded)
        );
        assert_eq!(place("examples/payloads.json"), Some(Place::Payloads));
        assert_eq!(place("examples/find_ticket.input.json"), None);
        assert_eq!(place("schemas/readme.json"), None);
    }

    #[test]
    fn a_folder_without_schemas_is_no_catalogue() {
        let fault = Catalogue::read(&example().join("examples")).expect_err("no schemas/ there");
        assert!(fault.message.starts_with("no catalogue"), "{fault}");
    }
}
