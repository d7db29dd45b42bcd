//! What `project` and `diff` read: the tools and contracts of a catalogue or of one file.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::Failure;
use super::files::Input;
use crate::document::{Catalogue, Document, EntryKind, Subjects, Unread};
use crate::project::{Item, ItemKind};
use crate::source::{Limits, Source};

/// A tool or a schema, and what to call it.
#[derive(Clone, Debug)]
pub(super) struct Loaded {
    /// `tool`, `handoff`, `state`; `contract` for a schema by itself.
    pub(super) kind: &'static str,
    pub(super) name: String,
    pub(super) value: Value,
}

impl Loaded {
    /// It as projections take it.
    pub(super) fn item(&self) -> Item<'_> {
        let kind = match self.kind {
            "tool" => ItemKind::Tool,
            _ => ItemKind::Contract,
        };
        Item::new(kind, self.name.clone(), &self.value)
    }

    /// The folder of its kind below a folder of projections.
    pub(super) fn folder(kind: &str) -> &'static str {
        match kind {
            "tool" => EntryKind::Tool.folder(),
            "handoff" => EntryKind::Handoff.folder(),
            "state" => EntryKind::State.folder(),
            _ => "contracts",
        }
    }
}

/// What was read, and whether it is one thing or a collection.
pub(super) struct Held {
    pub(super) items: Vec<Loaded>,
    /// Whether it is a tool or schema by itself.
    pub(super) single: bool,
}

/// Reads a catalogue's folder, a listing, a description, a tool or a schema.
pub(super) fn read(path: &Path) -> Result<Held, Failure> {
    let fault =
        |what: &dyn std::fmt::Display| Failure::Usage(format!("{}: {what}", path.display()));
    if path.is_dir() {
        let catalogue = Catalogue::read(path).map_err(|fault| Failure::Usage(fault.to_string()))?;
        return Ok(Held {
            items: of(&catalogue),
            single: false,
        });
    }
    let limits = Limits::default();
    let input = match path == Path::new("-") {
        true => Input::Stdin,
        false => Input::File(path.to_path_buf()),
    };
    let source = input
        .read(&limits)
        .map_err(|error| fault(&format!("cannot be read: {error}")))?;
    let parsed = source.parse(&limits).map_err(|at| {
        let (line, column) = source.position(at.span.start);
        fault(&format!("{line}:{column}: {}", at.message))
    })?;
    if let Some(item) = alone(&parsed.value, path) {
        return Ok(Held {
            items: vec![item],
            single: true,
        });
    }
    listed(source, path, &limits)
}

fn of(catalogue: &Catalogue) -> Vec<Loaded> {
    let entries = catalogue.entries.iter();
    let loaded = entries.map(|entry| Loaded {
        kind: entry.kind.as_str(),
        name: entry.name.clone(),
        value: entry.definition(),
    });
    loaded.collect()
}

/// A tool or a schema by itself.
fn alone(value: &Value, path: &Path) -> Option<Loaded> {
    let members = value.as_object()?;
    let has = |name: &str| members.contains_key(name);
    let is_text = |name: &str| members.get(name).is_some_and(Value::is_string);
    if is_text("name") && (has("inputSchema") || has("outputSchema")) {
        let mut value = value.clone();
        if let Some(members) = value.as_object_mut() {
            // A catalogue's file: these two are the catalogue's.
            members.retain(|name, _| !matches!(name.as_str(), "$id" | "version"));
        }
        let name = value
            .get("name")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned();
        return Some(Loaded {
            kind: "tool",
            name,
            value,
        });
    }
    let schema = [
        "$schema",
        "$id",
        "$ref",
        "type",
        "properties",
        "anyOf",
        "oneOf",
        "allOf",
        "enum",
    ];
    let other = ["tools", "tool", "jsonrpc", "mcpdesc", "result", "arguments"];
    if other.iter().any(|name| has(name)) || !schema.iter().any(|name| has(name)) {
        return None;
    }
    let stem = match path == Path::new("-") {
        true => "schema".to_owned(),
        false => path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned(),
    };
    let name = stem.split('@').next().unwrap_or_default();
    Some(Loaded {
        kind: "contract",
        name: name.to_owned(),
        value: value.clone(),
    })
}

/// The tools of a document.
fn listed(source: Source, path: &Path, limits: &Limits) -> Result<Held, Failure> {
    let fault =
        |what: &dyn std::fmt::Display| Failure::Usage(format!("{}: {what}", path.display()));
    let document = Document::read(source, None, limits).map_err(|unread| match unread {
        Unread::Fault(_, at) => fault(&at.message),
        Unread::Unrecognised(_, why) => fault(&format!("{why}; a tool or a schema will do, too")),
    })?;
    let subjects = Subjects::of(&document, None);
    let catalogue = Catalogue::of_tools(&PathBuf::from(path), &subjects.tools);
    if catalogue.entries.is_empty() {
        return Err(fault(&"there is no tool in it"));
    }
    Ok(Held {
        items: of(&catalogue),
        single: false,
    })
}
