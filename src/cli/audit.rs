//! `mcp-conform audit`: judge recorded calls.

use std::io::{self, Read, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::available_parallelism;

use super::log::{Log, Progress, open};
use super::progress::catch_signals;
use super::{Exit, Failure, print};
use crate::audit::{Audit, Options, Report, Tools, stream};
use crate::document::Document;
use crate::protocol::ProtocolVersion;
use crate::report::{AuditFormat, write_audit};
use crate::source::Limits;

/// Bytes of all windows that are under way together.
const WINDOWS: usize = 24 << 20;
/// The most bytes of one: larger ones are judged no faster.
const LARGEST_WINDOW: usize = 4 << 20;
/// The most bytes of a report that is to be merged.
const LARGEST_REPORT: u64 = 1 << 30;

/// What to audit and how.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Logs: JSON lines of recorded calls or of messages, compressed where the name ends in .gz;
    /// `-` is standard input. Several are one audit.
    #[arg(required_unless_present = "merge", value_name = "LOG")]
    logs: Vec<PathBuf>,
    /// The tools: a listing, another document that has them, or the folder of a catalogue.
    #[arg(long, required_unless_present = "merge", value_name = "LISTING")]
    tools: Option<PathBuf>,
    /// The protocol version of records that name none.
    #[arg(long, value_name = "VERSION", default_value_t = ProtocolVersion::V2026_07_28)]
    protocol: ProtocolVersion,
    /// The format of the report; text, or with --records jsonl, unless it is given.
    #[arg(long, value_enum)]
    format: Option<AuditFormat>,
    /// Write one JSON object a record instead of a report: --format jsonl.
    #[arg(long, conflicts_with = "merge")]
    records: bool,
    /// Show the values at fault in examples. They are other people's data.
    #[arg(long)]
    show_values: bool,
    /// Examples of each kind.
    #[arg(long, value_name = "N", default_value_t = 3)]
    examples: usize,
    /// Threads that judge; as many as the machine has, unless it is given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=super::MOST_SIDE_BY_SIDE))]
    threads: Option<u16>,
    /// What to call standard input.
    #[arg(long, value_name = "NAME", default_value = "-")]
    stdin_name: String,
    /// Add up JSON reports, in the order of their logs, instead of reading logs.
    #[arg(long, num_args = 1.., value_name = "REPORT", conflicts_with_all = ["logs", "tools"])]
    merge: Vec<PathBuf>,
}

/// Audits and writes the report.
pub(super) fn run(args: &Args) -> Result<Exit, Failure> {
    let format = match (args.format, args.records) {
        (None, true) => AuditFormat::Jsonl,
        (None, false) => AuditFormat::Text,
        (Some(format), true) if format != AuditFormat::Jsonl => {
            return Err(Failure::Usage(
                "--records is written as --format jsonl".to_owned(),
            ));
        }
        (Some(format), _) => format,
    };
    if !args.merge.is_empty() {
        if format == AuditFormat::Jsonl {
            return Err(Failure::Usage(
                "reports hold no records to write as jsonl".to_owned(),
            ));
        }
        return write(&merge(args)?, format);
    }
    let mut logs = Vec::new();
    for path in &args.logs {
        let stdin = path == Path::new("-");
        if stdin && logs.iter().any(|log: &Log| log.path.is_none()) {
            return Err(Failure::Usage("standard input is named twice".to_owned()));
        }
        logs.push(Log::new(path, stdin, &args.stdin_name)?);
    }
    let interrupt = Arc::new(AtomicBool::new(false));
    catch_signals(&interrupt)?;
    let all = || available_parallelism().map_or(1, NonZeroUsize::get);
    let threads = args.threads.map_or_else(all, usize::from);
    // The pool compiles the schemas; the logs have threads of their own.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let document = tools(args)?;
    let tools = match pool {
        Ok(pool) => pool.install(|| Tools::of(&document)),
        Err(_) => Tools::of(&document),
    };
    drop(document);
    let options = Options {
        protocol: args.protocol,
        examples: args.examples,
        show_values: args.show_values,
        name_logs: logs.len() > 1,
        stream: stream::Options {
            threads,
            window: (WINDOWS / (threads + 1)).clamp(1 << 18, LARGEST_WINDOW),
            ..stream::Options::default()
        },
    };
    let mut audit = Audit::new(&tools, options, &interrupt);
    let progress = Progress::new(&logs.iter().map(|log| log.bytes).collect::<Vec<_>>());
    let mut out = io::BufWriter::with_capacity(1 << 16, io::stdout().lock());
    for log in &logs {
        if interrupt.load(Ordering::Relaxed) {
            break;
        }
        let input = open(log, &progress)?;
        read_log(&mut audit, log, input, format, &mut out)?;
    }
    progress.end();
    out.flush()?;
    drop(out);
    let mut report = audit.report();
    report.complete &= !interrupt.load(Ordering::Relaxed) || !audit.is_stopped();
    if format == AuditFormat::Jsonl {
        note!("{}", crate::report::audit_summary(&report));
        return Ok(exit(&report));
    }
    write(&report, format)
}

fn read_log(
    audit: &mut Audit<'_>,
    log: &Log,
    input: Box<dyn Read>,
    format: AuditFormat,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let mut written = Ok(());
    let read = audit.log(&log.name, input, |record| {
        if format != AuditFormat::Jsonl {
            return Ok(());
        }
        let line = serde_json::to_writer(&mut *out, record).map_err(io::Error::from);
        written = line.and_then(|()| writeln!(out));
        match &written {
            Ok(()) => Ok(()),
            Err(_) => Err(io::ErrorKind::BrokenPipe.into()),
        }
    });
    written?;
    read.map_err(|error| Failure::Usage(format!("{}: cannot be read: {error}", log.name)))
}

/// The document that has the tools.
fn tools(args: &Args) -> Result<Document, Failure> {
    let Some(path) = &args.tools else {
        return Err(Failure::Usage("--tools names the listing".to_owned()));
    };
    super::files::tools(path, &Limits::default())
        .map_err(|why| Failure::Usage(format!("{}: {why}", path.display())))
}

/// The report of several reports.
fn merge(args: &Args) -> Result<Report, Failure> {
    let mut reports = Vec::with_capacity(args.merge.len());
    for path in &args.merge {
        let fault =
            |what: &dyn std::fmt::Display| Failure::Usage(format!("{}: {what}", path.display()));
        let file = std::fs::File::open(path).map_err(|error| fault(&error))?;
        let mut text = Vec::new();
        let mut bounded = file.take(LARGEST_REPORT);
        bounded
            .read_to_end(&mut text)
            .map_err(|error| fault(&error))?;
        let report: Report = serde_json::from_slice(&text)
            .map_err(|error| fault(&format!("no whole report of an audit: {error}")))?;
        reports.push(report);
    }
    Report::merge(&reports, args.examples).map_err(Failure::Usage)
}

/// Writes a report whole: it is made in memory first, so that a half of it never passes for one.
fn write(report: &Report, format: AuditFormat) -> Result<Exit, Failure> {
    let mut text = Vec::new();
    write_audit(report, format, &mut text)?;
    print(&text)?;
    Ok(exit(report))
}

fn exit(report: &Report) -> Exit {
    if !report.complete {
        note!("interrupted: the report is of the first part alone");
        return Exit::Findings;
    }
    if report.does_not_fit + report.damaged > 0 {
        return Exit::Findings;
    }
    if report.not_judged > 0 {
        note!(
            "{} of {} records were not judged",
            report.not_judged,
            report.records
        );
    }
    match report.fits {
        0 => Exit::NothingJudged,
        _ => Exit::AsExpected,
    }
}
