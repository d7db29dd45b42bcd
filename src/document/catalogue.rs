//! Catalogues: folders in which a team keeps the schemas of its tools, handoffs and states.
//!
//! The folder `schemas/` holds `tools/`, `handoffs/` and `state/`, one schema a file. A tool file is
//! an MCP Tool object; the others are schemas. Each has an `$id` that stays and a `version` that
//! moves. `examples/` beside it holds payloads and what becomes of them.

use std::path::{Component, Path, PathBuf};

use serde_json::Value;

use super::catalogue_entry::{
    CatalogueFault, Entry, EntryKind, Unfound, files, holds_payloads, one, value,
};
use super::{Kind, Tool};
use crate::source::{Format, Limits, Parsed};

/// The folder that makes the one that holds it a catalogue.
const SCHEMAS: &str = "schemas";
/// The folder of payloads, and of the files that say what becomes of them.
const EXAMPLES: &str = "examples";
/// A catalogue of more files than this has not been written by people.
const MOST_FILES: usize = 10_000;
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
        if !Self::is_root(root) {
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

    /// Whether `folder` is that of a catalogue.
    pub fn is_root(folder: &Path) -> bool {
        let schemas = folder.join(SCHEMAS);
        let holds = |kind: EntryKind| schemas.join(kind.folder()).is_dir();
        EntryKind::ALL.into_iter().any(holds)
    }

    /// The folder of the catalogue that `file` is in: the nearest one upwards.
    pub fn find(file: &Path) -> Option<PathBuf> {
        let folders = file.ancestors().skip(1);
        let own = |folder: &Path| match folder.as_os_str().is_empty() {
            true => PathBuf::from("."),
            false => folder.to_path_buf(),
        };
        if let Some(root) = folders.map(own).find(|folder| Self::is_root(folder)) {
            return Some(root);
        }
        let absolute = std::path::absolute(file).ok()?;
        let mut folders = absolute.ancestors().skip(1);
        folders
            .find(|folder| Self::is_root(folder))
            .map(Path::to_path_buf)
    }

    /// What the place of the file at `path` in the catalogue in `root` says that it is: below
    /// `schemas/` the folder's schema, below `examples/handoffs/` and `examples/state/` what was
    /// recorded, and below `examples/` payloads, by the file's name.
    pub fn kind_of(root: &Path, path: &Path) -> Option<Kind> {
        let root = std::path::absolute(root).ok()?;
        let path = std::path::absolute(path).ok()?;
        if Format::of_path(&path)? == Format::JsonLines {
            return None;
        }
        let way = path.strip_prefix(root).ok()?;
        let mut parts = way.components().map(|part| part.as_os_str().to_str());
        let (first, second) = (parts.next()??, parts.next()??);
        // The last part is the file's name, and no folder.
        let is_below = parts.next().is_some();
        let kind = EntryKind::ALL
            .into_iter()
            .find(|kind| is_below && kind.folder() == second);
        match (first, kind) {
            (SCHEMAS, Some(EntryKind::Tool)) => Some(Kind::Tool),
            (SCHEMAS, Some(_)) => Some(Kind::Contract),
            (EXAMPLES, Some(EntryKind::Handoff | EntryKind::State)) => Some(Kind::Recorded),
            (EXAMPLES, _) if holds_payloads(&path) => Some(Kind::Payloads),
            _ => None,
        }
    }

    /// The way from the catalogue's folder to `path`, if it is in there.
    fn way(&self, path: &Path) -> Option<PathBuf> {
        let root = std::path::absolute(&self.root).ok()?;
        let mut plain = PathBuf::new();
        for part in std::path::absolute(path).ok()?.components() {
            match part {
                Component::ParentDir => {
                    plain.pop();
                }
                part => plain.push(part),
            }
        }
        plain.strip_prefix(root).ok().map(Path::to_path_buf)
    }

    /// The index among the entries of the file at `path`.
    pub(super) fn position(&self, path: &Path) -> Option<usize> {
        let way = self.way(path)?;
        let mut entries = self.entries.iter();
        entries.position(|entry| entry.path.strip_prefix(&self.root) == Ok(way.as_path()))
    }

    /// The file of payloads at `path`.
    pub(super) fn payloads_at(&self, path: &Path) -> Option<&Parsed> {
        let way = self.way(path)?;
        let mut held = self.payloads.iter();
        let (_, parsed) =
            held.find(|(path, _)| path.strip_prefix(&self.root) == Ok(way.as_path()))?;
        Some(parsed)
    }

    /// Its tools.
    pub fn tools(&self) -> impl Iterator<Item = &Entry> {
        let tools = self.entries.iter();
        tools.filter(|entry| entry.kind == EntryKind::Tool)
    }

    /// Its tools as a server would list them.
    pub fn listing(&self) -> Value {
        let tools: Vec<_> = self.tools().map(Entry::definition).collect();
        serde_json::json!({ "tools": tools })
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
        let fault = Catalogue::read(&example().join("examples")).expect_err("no schemas/ there");
        assert!(fault.message.starts_with("no catalogue"), "{fault}");
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
        let root = example();
        let kind = |path: &str| Catalogue::kind_of(&root, &root.join(path));
        assert_eq!(kind("schemas/tools/find_ticket.json"), Some(Kind::Tool));
        assert_eq!(kind("schemas/state/old/a@1.json"), Some(Kind::Contract));
        assert_eq!(
            kind("examples/state/refund-approved.json"),
            Some(Kind::Recorded)
        );
        assert_eq!(kind("examples/payloads.json"), Some(Kind::Payloads));
        assert_eq!(kind("examples/find_ticket.input.json"), None);
        assert_eq!(kind("schemas/readme.json"), None);
    }
}
