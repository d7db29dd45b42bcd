//! `mcp-conform diff`: what the changes between two versions do to callers.

use std::path::PathBuf;

use clap::ValueEnum;
use rayon::prelude::*;

use super::items::{Loaded, read};
use super::{Exit, Failure, print};
use crate::project::diff::{Change, Report, Verdict, came_or_went, diff};
use crate::report::{ChangeFormat, write_diff};

/// What to compare and how.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// The old version: a catalogue's folder, a listing, a tool, a schema.
    #[arg(value_name = "OLD")]
    old: PathBuf,
    /// The new version.
    #[arg(value_name = "NEW")]
    new: PathBuf,
    /// The format of the report.
    #[arg(long, value_enum, default_value_t)]
    format: ChangeFormat,
    /// Let what cannot be told fail the run, too.
    #[arg(long, value_enum, value_name = "WHAT")]
    deny: Option<Deny>,
    /// Values that are drawn of each version of a schema that has changed.
    #[arg(long, value_name = "N", default_value_t = 200)]
    samples: usize,
    /// The seed of those values.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Deny {
    /// Exit with 1 where the effect of a change is unknown.
    Unknown,
}

/// Compares and writes the report.
pub(super) fn run(args: &Args) -> Result<Exit, Failure> {
    let (old, new) = (read(&args.old)?.items, read(&args.new)?.items);
    // Two files of one schema each are compared whatever they are called.
    let alone = match (old.as_slice(), new.as_slice()) {
        ([one], [other]) => one.kind == "contract" && other.kind == "contract",
        _ => false,
    };
    let same =
        |one: &Loaded, other: &Loaded| alone || one.kind == other.kind && one.name == other.name;
    let mut changes: Vec<Change> = old
        .iter()
        .filter(|old| !new.iter().any(|new| same(old, new)))
        .map(|old| came_or_went(old.kind, &old.name, false))
        .collect();
    let compared: Vec<Vec<Change>> = new
        .par_iter()
        .map(
            |after| match old.iter().find(|before| same(before, after)) {
                None => vec![came_or_went(after.kind, &after.name, true)],
                Some(before) if before.value == after.value => Vec::new(),
                Some(before) => {
                    let (before, item) = (before.item(), after.item());
                    diff(after.kind, &before, &item, (args.samples, args.seed))
                }
            },
        )
        .collect();
    changes.extend(compared.into_iter().flatten());
    let report = Report::new(changes);
    let mut text = Vec::new();
    write_diff(&report, args.format, &mut text)?;
    print(&text)?;
    Ok(match report.verdict {
        Verdict::Breaking => Exit::Findings,
        Verdict::Unknown if args.deny == Some(Deny::Unknown) => Exit::Findings,
        Verdict::Unknown | Verdict::Compatible => Exit::AsExpected,
    })
}
