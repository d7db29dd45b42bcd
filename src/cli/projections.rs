//! Projections as files: one a projection, and beside them what each loses.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde_json::Value;

use super::Failure;
use super::files::Input;
use super::items::Loaded;
use super::project::{one, proved};
use crate::project::drift::{Cause, Difference, differences};
use crate::project::report::{Drift, Entry, Record, Recorded, Report, Status};
use crate::project::{Charset, NameMap, Target};
use crate::source::Limits;

/// The file beside the projections that says what each loses.
const LOSSES: &str = "losses.json";

/// The folder of one target's projections.
pub(super) struct Folder<'t> {
    path: PathBuf,
    target: &'t Target,
}

impl<'t> Folder<'t> {
    pub(super) fn new(below: &Path, target: &'t Target) -> Self {
        Self {
            path: below.join(&target.name),
            target,
        }
    }

    pub(super) fn exists(&self) -> bool {
        self.path.is_dir()
    }

    /// The file of one projection.
    fn file(&self, kind: &str, name: &str) -> Result<PathBuf, Failure> {
        let charset = Charset {
            letters: "_.-".to_owned(),
            most: 100,
        };
        let clash = |_| Failure::Usage(format!("{name:?} gives no name of a file"));
        let names = NameMap::new([name], &charset).map_err(clash)?;
        let stem = names.forward(name);
        // A leading dot would hide the file, and two of them lead elsewhere.
        let stem = match stem.strip_prefix('.') {
            Some(rest) => format!("_x2E_{rest}"),
            None => stem.to_owned(),
        };
        Ok(self
            .path
            .join(Loaded::folder(kind))
            .join(format!("{stem}.json")))
    }

    /// Writes the projections, and removes those that a refused item had before.
    pub(super) fn write(&self, entries: &[&Entry]) -> Result<(), Failure> {
        let mut written = BTreeSet::new();
        for entry in entries {
            let path = self.file(entry.kind, &entry.name)?;
            if !written.insert(path.clone()) {
                let path = path.display();
                return Err(Failure::Usage(format!(
                    "{path}: two projections would be written there"
                )));
            }
            match &entry.projection {
                Some(value) => save(&path, value)?,
                None if path.exists() => {
                    std::fs::remove_file(&path).map_err(|e| fault(&path, &e))?;
                }
                None => {}
            }
        }
        let record = Record {
            target: self.target.name.clone(),
            table: self.target.sha256.clone(),
            items: entries.iter().map(|entry| Recorded::from(*entry)).collect(),
        };
        let record = serde_json::to_value(&record).map_err(std::io::Error::from)?;
        save(&self.path.join(LOSSES), &record)
    }

    fn record(&self) -> Result<Record, Failure> {
        let path = self.path.join(LOSSES);
        let value = load(&path)?;
        serde_json::from_value(value).map_err(|error| fault(&path, &error))
    }

    /// The files of projections that are there.
    fn files(&self) -> BTreeSet<PathBuf> {
        let below = walkdir::WalkDir::new(&self.path).min_depth(2).max_depth(2);
        let found = below.sort_by_file_name().into_iter().filter_map(Result::ok);
        found.map(walkdir::DirEntry::into_path).collect()
    }
}

fn fault(path: &Path, what: &dyn std::fmt::Display) -> Failure {
    Failure::Usage(format!("{}: {what}", path.display()))
}

fn save(path: &Path, value: &Value) -> Result<(), Failure> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|error| fault(folder, &error))?;
    }
    let mut text = serde_json::to_vec_pretty(value).map_err(std::io::Error::from)?;
    text.push(b'\n');
    std::fs::write(path, text).map_err(|error| fault(path, &error))
}

fn load(path: &Path) -> Result<Value, Failure> {
    let limits = Limits::default();
    let source = Input::File(path.to_path_buf()).read(&limits);
    let source = source.map_err(|error| fault(path, &format!("cannot be read: {error}")))?;
    let parsed = source.parse(&limits).map_err(|at| {
        let (line, column) = source.position(at.span.start);
        fault(path, &format!("{line}:{column}: {}", at.message))
    })?;
    Ok(parsed.value)
}

/// Compares what was written below `folder` with what would be written now.
pub(super) fn check(
    items: &[Loaded],
    targets: &[&'static Target],
    folder: &Path,
    proof: (usize, u64),
) -> Result<Report, Failure> {
    let mut entries = Vec::new();
    for target in targets {
        let folder = Folder::new(folder, target);
        let record = folder.record()?;
        let mut left = folder.files();
        for item in items {
            left.remove(&folder.file(item.kind, &item.name)?);
        }
        let checked: Result<Vec<Entry>, Failure> = items
            .par_iter()
            .map(|item| against(item, &folder, &record, proof))
            .collect();
        entries.extend(checked?);
        entries.extend(left.into_iter().map(|path| orphan(&path, target)));
    }
    Ok(Report::new(entries))
}

/// One item against its committed projection.
fn against(
    loaded: &Loaded,
    folder: &Folder<'_>,
    record: &Record,
    proof: (usize, u64),
) -> Result<Entry, Failure> {
    let item = loaded.item();
    let source = item.sha256();
    let target = folder.target;
    let (mut entry, projection) = one(loaded, &item, target, (&source, proof));
    let known = record
        .items
        .iter()
        .find(|it| it.kind == loaded.kind && it.name == loaded.name);
    let path = folder.file(loaded.kind, &loaded.name)?;
    let mut found = Vec::new();
    let mut add = |pointer: &str, message: &str| {
        found.push(Difference {
            pointer: pointer.to_owned(),
            message: message.to_owned(),
        });
    };
    let mut counterexample = None;
    match (&projection, path.is_file()) {
        (Some(_), false) => add("", "no projection is there"),
        (None, true) => add("", "a projection is there, and would be refused"),
        (None, false) => {}
        (Some(fresh), true) => {
            let committed = load(&path)?;
            found = differences(&fresh.value, &committed);
            if !found.is_empty() {
                let proofs = proved(&item, target, fresh, &committed, proof);
                counterexample = proofs.into_iter().find_map(|proof| proof.counterexample);
            }
        }
    }
    let recorded = Recorded::from(&entry);
    if let Some(known) = known {
        if found.is_empty()
            && (known.losses != recorded.losses || known.refusal != recorded.refusal)
        {
            found.push(Difference {
                pointer: String::new(),
                message: format!(
                    "the projection is the same, and {LOSSES} says otherwise of what it loses"
                ),
            });
        }
    } else if found.is_empty() {
        found.push(Difference {
            pointer: String::new(),
            message: format!("{LOSSES} does not name it"),
        });
    }
    if found.is_empty() {
        // A refusal that is on record is what was expected.
        if matches!(entry.status, Status::Projected | Status::Refused) {
            entry.status = Status::Unchanged;
        }
        return Ok(entry);
    }
    let cause = match known {
        None => Cause::Missing,
        Some(known) if known.source != source => Cause::Source,
        Some(_) if record.table != target.sha256 => Cause::Table,
        Some(_) => Cause::Edited,
    };
    entry.status = entry.status.max(Status::Drifted);
    entry.drift = Some(Drift {
        cause,
        differences: found,
        counterexample,
    });
    Ok(entry)
}

/// A committed projection of nothing.
fn orphan(path: &Path, target: &Target) -> Entry {
    let name = path
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let folder = path.parent().and_then(Path::file_name).unwrap_or_default();
    let kinds = ["tool", "handoff", "state"];
    let kind = kinds
        .into_iter()
        .find(|kind| folder == Loaded::folder(kind));
    Entry {
        target: target.name.clone(),
        kind: kind.unwrap_or("contract"),
        name,
        status: Status::Drifted,
        source: String::new(),
        projection: None,
        losses: Vec::new(),
        refusal: None,
        mappings: Vec::new(),
        proof: Vec::new(),
        drift: Some(Drift {
            cause: Cause::Orphan,
            differences: vec![Difference {
                pointer: String::new(),
                message: format!("{} is there", path.display()),
            }],
            counterexample: None,
        }),
    }
}
