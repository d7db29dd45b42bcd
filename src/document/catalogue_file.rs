//! The files of a catalogue as documents: its schemas, its samples, and what was recorded.

use std::path::Path;

use serde_json::Value;

use super::catalogue::Catalogue;
use super::catalogue_entry::{self, Entry, EntryKind, Unfound};
use super::{At, Subjects, Tool};
use crate::protocol::VersionSet;
use crate::source::{Pointer, RoundedNumber};

/// A schema file of a catalogue.
#[derive(Debug)]
pub struct SchemaFile<'a> {
    /// The file.
    pub at: At<'a>,
    /// The catalogue that it is in, and its index there; none for a file by itself.
    pub among: Option<(&'a Catalogue, usize)>,
}

/// Payloads held against a schema, with the verdicts that they should have.
#[derive(Debug)]
pub struct Samples<'a> {
    /// The file.
    pub at: At<'a>,
    /// The reference, `tool_ref` or `schema_ref`.
    pub reference: Option<At<'a>>,
    /// Where it leads: a tool or contract among [`Subjects::tools`], and whether to its output.
    pub target: Result<(usize, bool), Unresolved>,
    /// The payloads, each by the entry of `validate_these` that names it.
    pub payloads: Vec<Sample<'a>>,
}

/// A payload and what should become of it.
#[derive(Debug)]
pub struct Sample<'a> {
    /// The entry of `validate_these`.
    pub at: At<'a>,
    /// The payload's name.
    pub name: &'a str,
    /// The payload; none where no payload has the name.
    pub payload: Option<Payload<'a>>,
}

/// A named payload.
#[derive(Clone, Debug)]
pub struct Payload<'a> {
    /// The value, at its place in the file that holds it.
    pub at: At<'a>,
    /// Numbers of that file that a double would change.
    pub rounded: &'a [RoundedNumber],
}

/// Why a reference leads to no schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unresolved {
    /// There is none, or it is no text of the right form.
    Malformed,
    /// There is no catalogue to look in.
    NoCatalogue,
    /// The catalogue has not one of that name.
    Unfound(Unfound),
    /// The tool has no schema of that name.
    NoSchema,
}

/// A value that names its contract: a handoff or a checkpoint as it was recorded.
#[derive(Debug)]
pub struct Recorded<'a> {
    /// The file.
    pub at: At<'a>,
    /// The contract's name and version, as far as they are given.
    pub name: Option<&'a str>,
    /// Its version.
    pub version: Option<&'a str>,
    /// The contract among [`Subjects::tools`].
    pub contract: Result<usize, Unresolved>,
    /// What the contract judges: the whole file, or its member `value`.
    pub value: At<'a>,
}

/// Whether a member `schema` names a contract, rather than being a schema.
pub(super) fn names_a_contract(schema: &Value) -> bool {
    schema.is_string()
        || schema
            .get("name")
            .or_else(|| schema.get("version"))
            .is_some()
}

/// Reads a schema file.
pub(super) fn read_schema<'a>(
    subjects: &mut Subjects<'a>,
    root: At<'a>,
    is_tool: bool,
    forced: Option<VersionSet>,
    among: Option<(&'a Catalogue, usize)>,
) {
    let versions = forced.unwrap_or(VersionSet::STRUCTURED);
    subjects.versions = versions;
    subjects.tools.push(match is_tool {
        true => Tool::new(root.clone(), versions),
        false => Tool::contract(root.clone(), versions),
    });
    subjects.schema_file = Some(SchemaFile { at: root, among });
}

/// Reads samples.
pub(super) fn read_samples<'a>(
    subjects: &mut Subjects<'a>,
    root: &At<'a>,
    document: (&str, &'a [RoundedNumber]),
    forced: Option<VersionSet>,
    catalogue: Option<&'a Catalogue>,
) {
    subjects.versions = forced.unwrap_or(VersionSet::STRUCTURED);
    let (name, rounded) = document;
    let tool = root.get("tool_ref");
    let reference = tool.clone().or_else(|| root.get("schema_ref"));
    let text = reference.as_ref().and_then(|at| at.value.as_str());
    let target = match (text, catalogue) {
        (None, _) => Err(Unresolved::Malformed),
        (Some(_), None) => Err(Unresolved::NoCatalogue),
        (Some(text), Some(catalogue)) if tool.is_some() => tool_ref(subjects, catalogue, text),
        (Some(text), Some(catalogue)) => {
            let (name, version) = split(text);
            contract(subjects, catalogue, name, version).map(|tool| (tool, false))
        }
    };
    let held = match root.get("payloads") {
        Some(own) if own.value.is_object() => Some((own, rounded)),
        Some(file) => catalogue.and_then(|it| payloads(it, name, file.value.as_str()?)),
        None => ["payloads.json", "payloads.yaml", "payloads.yml"]
            .iter()
            .find_map(|file| payloads(catalogue?, name, file)),
    };
    let find = |payload: &str| {
        let (held, rounded) = held.as_ref()?;
        let at = held.get(payload)?;
        Some(Payload { at, rounded })
    };
    let entries = root.get("validate_these");
    let payloads = entries
        .iter()
        .flat_map(At::members)
        .map(|(name, at)| Sample {
            payload: find(name),
            at,
            name,
        });
    let payloads = payloads.collect();
    subjects.samples = Some(Samples {
        at: root.clone(),
        reference,
        target,
        payloads,
    });
}

/// The schema that `search_tickets.outputSchema` names.
fn tool_ref<'a>(
    subjects: &mut Subjects<'a>,
    catalogue: &'a Catalogue,
    text: &str,
) -> Result<(usize, bool), Unresolved> {
    let (name, member) = text.rsplit_once('.').ok_or(Unresolved::Malformed)?;
    let is_output = match member {
        "inputSchema" => false,
        "outputSchema" => true,
        _ => return Err(Unresolved::Malformed),
    };
    let entry = catalogue.tool(name).map_err(Unresolved::Unfound)?;
    match entry.value.get(member) {
        None => Err(Unresolved::NoSchema),
        Some(_) => Ok((subjects.consult(entry), is_output)),
    }
}

fn contract<'a>(
    subjects: &mut Subjects<'a>,
    catalogue: &'a Catalogue,
    name: &str,
    version: Option<&str>,
) -> Result<usize, Unresolved> {
    let entry = catalogue
        .contract(name, version)
        .map_err(Unresolved::Unfound)?;
    Ok(subjects.consult(entry))
}

/// A contract's name and version in `refund_flow@1.0.0`.
fn split(text: &str) -> (&str, Option<&str>) {
    match text.split_once('@') {
        Some((name, version)) => (name, Some(version)),
        None => (text, None),
    }
}

/// Reads a recorded handoff or checkpoint.
pub(super) fn read_recorded<'a>(
    subjects: &mut Subjects<'a>,
    root: &At<'a>,
    forced: Option<VersionSet>,
    catalogue: Option<&'a Catalogue>,
) {
    subjects.versions = forced.unwrap_or(VersionSet::STRUCTURED);
    let named = root.value.get("schema");
    let (name, version) = match named {
        Some(Value::String(text)) => {
            let (name, version) = split(text);
            (Some(name), version)
        }
        Some(named) => {
            let text = |member| named.get(member).and_then(Value::as_str);
            (text("name"), text("version"))
        }
        None => (None, None),
    };
    let contract = match (name, version, catalogue) {
        (Some(name), Some(version), Some(catalogue)) => {
            contract(subjects, catalogue, name, Some(version))
        }
        (Some(_), Some(_), None) => Err(Unresolved::NoCatalogue),
        _ => Err(Unresolved::Malformed),
    };
    let mut members = root.members();
    let is_envelope = members.all(|(name, _)| matches!(name, "schema" | "value" | "catalogue"));
    let value = root.get("value").filter(|_| is_envelope);
    subjects.recorded = Some(Recorded {
        value: value.unwrap_or_else(|| root.clone()),
        at: root.clone(),
        name,
        version,
        contract,
    });
}

/// The payloads of the file that `file` names, read from the folder of the samples: an object of
/// payloads by name, alone or as its member `payloads`.
fn payloads<'a>(
    catalogue: &'a Catalogue,
    samples: &str,
    file: &str,
) -> Option<(At<'a>, &'a [RoundedNumber])> {
    let folder = Path::new(samples).parent()?;
    let parsed = catalogue.payloads_at(&folder.join(file))?;
    let root = At::new(&parsed.value, Pointer::root());
    let held = root.get("payloads").filter(|held| held.value.is_object());
    Some((held.unwrap_or(root), &parsed.rounded))
}

impl<'a> Subjects<'a> {
    /// The index of a schema of a catalogue among the tools, where it is looked at and not judged.
    pub(super) fn consult(&mut self, entry: &'a Entry) -> usize {
        let at = catalogue_entry::at(entry);
        let held = self.tools.iter();
        let mut held = held.map(|tool| std::ptr::eq(tool.at.value, at.value));
        if let Some(index) = held.position(|is_it| is_it) {
            return index;
        }
        self.tools.push(match entry.kind {
            EntryKind::Tool => {
                let (input, output) = (at.get("inputSchema"), at.get("outputSchema"));
                Tool::consulted(at, input, output)
            }
            EntryKind::Handoff | EntryKind::State => Tool::consulted(at.clone(), Some(at), None),
        });
        self.tools.len() - 1
    }
}
