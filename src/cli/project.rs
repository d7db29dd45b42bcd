//! `mcp-conform project`: schemas as other targets have them, with what that loses.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde_json::Value;

use super::items::{Held, Loaded, read};
use super::projections::{Folder, check};
use super::{Exit, Failure, print};
use crate::project::proof::prove;
use crate::project::report::{Entry, Proved, Report, Status};
use crate::project::{Item, Projection, ReadBack, Target};
use crate::report::{ChangeFormat, write_projections};

/// What to project and how.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// A catalogue's folder, a listing, a description, a tool, or a schema; `-` is standard input.
    #[arg(required_unless_present = "targets", value_name = "PATH")]
    path: Option<PathBuf>,
    /// The target; may be given again, and `all` is every one.
    #[arg(long, value_name = "TARGET", required_unless_present_any = ["check", "targets"])]
    to: Vec<String>,
    /// Write one file a projection below this folder, and the losses beside them.
    #[arg(long, value_name = "DIR", conflicts_with = "check")]
    out: Option<PathBuf>,
    /// Compare with what was written below this folder, and fail where it differs.
    #[arg(long, value_name = "DIR")]
    check: Option<PathBuf>,
    /// Values a side that a proof draws; with 0 nothing is proved.
    #[arg(long, value_name = "N", default_value_t = 48)]
    proof: usize,
    /// The seed of those values.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Write a report in this format to standard output; without it and without --out the
    /// projection itself goes there, and the losses to standard error.
    #[arg(long, value_enum)]
    format: Option<ChangeFormat>,
    /// List the targets, each with its source.
    #[arg(long)]
    targets: bool,
}

/// Projects and writes what `args` ask for.
pub(super) fn run(args: &Args) -> Result<Exit, Failure> {
    let Some(path) = args.path.as_deref().filter(|_| !args.targets) else {
        return list();
    };
    let held = read(path)?;
    let targets = targets(args)?;
    if let Some(folder) = &args.check {
        let report = check(&held.items, &targets, folder, (args.proof, args.seed))?;
        return finish(&report, args.format.unwrap_or_default());
    }
    let report = Report::new(project(&held.items, &targets, (args.proof, args.seed)));
    if let Some(out) = &args.out {
        for target in &targets {
            let entries: Vec<&Entry> = of(&report, target).collect();
            Folder::new(out, target).write(&entries)?;
        }
        return finish(&report, args.format.unwrap_or_default());
    }
    if let Some(format) = args.format {
        return finish(&report, format);
    }
    let mut text =
        serde_json::to_vec_pretty(&shown(&report, &held, &targets)).map_err(io::Error::from)?;
    text.push(b'\n');
    print(&text)?;
    // Beside the projections, where nobody need read it.
    let _ = write_projections(&report, ChangeFormat::Text, &mut io::stderr().lock());
    Ok(exit(&report))
}

/// The entries of one target.
pub(super) fn of<'r>(report: &'r Report, target: &Target) -> impl Iterator<Item = &'r Entry> {
    let name = target.name.clone();
    report
        .projections
        .iter()
        .filter(move |entry| entry.target == name)
}

fn targets(args: &Args) -> Result<Vec<&'static Target>, Failure> {
    let known = || {
        let names = Target::all().iter().map(|target| target.name.as_str());
        names.collect::<Vec<_>>().join(", ")
    };
    if args.to.is_empty() {
        let folder = args.check.as_deref().unwrap_or(Path::new("."));
        let written = Target::all()
            .iter()
            .filter(|target| Folder::new(folder, target).exists());
        let written: Vec<_> = written.collect();
        if written.is_empty() {
            let folder = folder.display();
            return Err(Failure::Usage(format!(
                "{folder}: no target's projections are there"
            )));
        }
        return Ok(written);
    }
    if args.to.iter().any(|name| name == "all") {
        return Ok(Target::all().iter().collect());
    }
    let each = args.to.iter().map(|name| {
        let unknown = || Failure::Usage(format!("unknown target {name:?}; known are {}", known()));
        Target::find(name).ok_or_else(unknown)
    });
    each.collect()
}

/// Each item for each target, target by target.
pub(super) fn project(
    items: &[Loaded],
    targets: &[&'static Target],
    proof: (usize, u64),
) -> Vec<Entry> {
    // An item's schemas are read once for all targets, and items are worked on side by side.
    let rows: Vec<Vec<Entry>> = items
        .par_iter()
        .map(|loaded| {
            let item = loaded.item();
            let source = item.sha256();
            let each = targets.iter().map(|target| {
                let (entry, _) = one(loaded, &item, target, (&source, proof));
                entry
            });
            each.collect()
        })
        .collect();
    let mut columns: Vec<Vec<Entry>> = targets.iter().map(|_| Vec::new()).collect();
    for row in rows {
        for (column, entry) in columns.iter_mut().zip(row) {
            column.push(entry);
        }
    }
    columns.into_iter().flatten().collect()
}

/// One item for one target.
pub(super) fn one(
    loaded: &Loaded,
    item: &Item<'_>,
    target: &Target,
    (source, proof): (&str, (usize, u64)),
) -> (Entry, Option<Projection>) {
    let mut entry = Entry {
        target: target.name.clone(),
        kind: loaded.kind,
        name: loaded.name.clone(),
        status: Status::Projected,
        source: source.to_owned(),
        projection: None,
        losses: Vec::new(),
        refusal: None,
        mappings: Vec::new(),
        proof: Vec::new(),
        drift: None,
    };
    match item.project(target) {
        Err(refusal) => {
            entry.status = Status::Refused;
            entry.refusal = Some(refusal);
            (entry, None)
        }
        Ok(projection) => {
            entry.proof = proved(item, target, &projection, &projection.value, proof);
            entry.status = entry
                .proof
                .iter()
                .map(status)
                .max()
                .unwrap_or(Status::Projected);
            entry.losses.clone_from(&projection.losses);
            entry.mappings = projection.parts.iter().filter_map(ReadBack::new).collect();
            entry.projection = Some(projection.value.clone());
            (entry, Some(projection))
        }
    }
}

fn status(proof: &Proved) -> Status {
    match proof.status {
        "broken" => Status::Unfaithful,
        "unasked" => Status::Unproved,
        _ => Status::Projected,
    }
}

/// Proves the schemas of `value`, which is a projection, or says that it is one.
pub(super) fn proved(
    item: &Item<'_>,
    target: &Target,
    projection: &Projection,
    value: &Value,
    (samples, seed): (usize, u64),
) -> Vec<Proved> {
    if samples == 0 {
        return Vec::new();
    }
    let parts = projection.parts.iter().filter_map(|part| {
        let schema = value.pointer(part.place.as_str())?;
        let proof = prove(item, target, part, schema, (samples, seed));
        Some(Proved::new(part.member, proof))
    });
    parts.collect()
}

/// The projections as they are sent to a target: one by itself, else all of them; of several
/// targets by name.
fn shown(report: &Report, held: &Held, targets: &[&'static Target]) -> Value {
    let sent = |target: &Target| {
        let mut values = of(report, target).filter_map(|entry| entry.projection.clone());
        if held.single {
            values.next().unwrap_or(Value::Null)
        } else {
            values.collect()
        }
    };
    match targets {
        [only] => sent(only),
        many => {
            let named = many
                .iter()
                .map(|target| (target.name.clone(), sent(target)));
            Value::Object(named.collect())
        }
    }
}

fn finish(report: &Report, format: ChangeFormat) -> Result<Exit, Failure> {
    let mut text = Vec::new();
    write_projections(report, format, &mut text)?;
    print(&text)?;
    Ok(exit(report))
}

fn exit(report: &Report) -> Exit {
    match report.verdict {
        _ if report.projections.is_empty() => Exit::NothingJudged,
        Status::Unchanged | Status::Projected | Status::Unproved => Exit::AsExpected,
        Status::Refused | Status::Drifted | Status::Unfaithful => Exit::Findings,
    }
}

fn list() -> Result<Exit, Failure> {
    let mut out = io::stdout().lock();
    for target in Target::all() {
        writeln!(
            out,
            "{:<18} {} ({})",
            target.name, target.title, target.date
        )?;
        writeln!(out, "{:<18} {}", "", target.source)?;
        for note in &target.notes {
            writeln!(out, "{:<18} - {note}", "")?;
        }
    }
    Ok(Exit::AsExpected)
}
