//! What `project` says of projections, in each format.

use std::io::{self, Write};

use clap::ValueEnum;

use super::{plural, project_markdown, project_text};
use crate::project::report::{Report, Status};

/// How the report of projecting, or of comparing, is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ChangeFormat {
    /// For people at a terminal
    #[default]
    Text,
    /// One JSON object, with a published schema
    Json,
    /// A job summary
    Markdown,
}

/// Writes `report` as `format`.
pub fn write(report: &Report, format: ChangeFormat, out: &mut impl Write) -> io::Result<()> {
    match format {
        ChangeFormat::Text => project_text::write(report, out),
        ChangeFormat::Json => {
            serde_json::to_writer_pretty(&mut *out, report)?;
            writeln!(out)
        }
        ChangeFormat::Markdown => project_markdown::write(report, out),
    }
}

/// The counts in one clause.
pub fn summary(report: &Report) -> String {
    let statuses = [
        Status::Unchanged,
        Status::Projected,
        Status::Unproved,
        Status::Refused,
        Status::Drifted,
        Status::Unfaithful,
    ];
    let counts = statuses.into_iter().filter_map(|status| {
        let count = report.count(status);
        (count > 0).then(|| format!("{count} {}", status.as_str()))
    });
    let losses: usize = report
        .projections
        .iter()
        .map(|entry| entry.losses.len())
        .sum();
    let counts = counts.collect::<Vec<_>>().join(", ");
    format!("{counts}; {}", plural(losses, "change"))
}
