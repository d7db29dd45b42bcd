//! `mcp-conform certify`: put the suites to an implementation.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::config::versions;
use super::files::small_text;
use super::generated::GenerateArgs;
use super::live::LiveArgs;
use super::outputs::{OutputArgs, write_all};
use super::progress::{self, Progress, dry_run};
pub(super) use super::rerun::quoted;
use super::{Exit, Failure, adapters, compare};
use crate::certify::{
    Baseline, Bounds, Builtin, Certificate, Command, Judged, Launch, Launcher, NotStarted, Options,
    Plan, Selection, Witness, certify, live,
};
use crate::corpus::{Corpus, JsonSchemaSuite, Level};
use crate::report::{visible_whole, write_certificate};

/// The longest that one answer may take.
const MOST_PATIENT: Duration = Duration::from_secs(24 * 60 * 60);

/// What to certify and how.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Ask on this protocol version alone; may be given again.
    #[arg(long, value_name = "VERSION")]
    protocol: Vec<String>,
    /// Ask at this gate alone (definition, listing, arguments, result, audit, handoff, state, wire), or
    /// the suites of `hostile`; may be given again.
    #[arg(long, value_name = "GATE")]
    gate: Vec<String>,
    /// Ask what is about this rule alone; may be given again.
    #[arg(long, value_name = "ID")]
    rule: Vec<String>,
    /// Ask this case alone; may be given again.
    #[arg(long, value_name = "ID")]
    case: Vec<String>,
    /// Leave out what weighs less: must, should or informational.
    #[arg(long, value_name = "LEVEL")]
    level: Option<Level>,
    /// List what would be asked, and ask nothing.
    #[arg(long)]
    dry_run: bool,
    /// How long one answer may take, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 5.0)]
    timeout: f64,
    /// Ask so many processes of the implementation side by side.
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=super::MOST_SIDE_BY_SIDE))]
    jobs: u16,
    /// Known divergences, each with its reason: only others fail the run.
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Write a baseline of everything that this run finds.
    #[arg(long, value_name = "FILE")]
    write_baseline: Option<PathBuf>,
    #[command(flatten)]
    outputs: OutputArgs,
    /// Put certificates side by side, which --format json wrote earlier: who holds what, and who
    /// diverges where. Nothing is asked.
    #[arg(long, value_name = "CERTIFICATE", num_args = 1.., conflicts_with_all = [
        "protocol", "gate", "rule", "case", "level", "dry_run", "baseline", "write_baseline", "init",
        "json_schema_suite", "corpus", "generate", "tools", "save_cases", "command",
    ])]
    compare: Vec<PathBuf>,
    /// Write an adapter to start from, into a new folder: python, node or rust.
    #[arg(long, value_name = "LANG", conflicts_with_all = ["dry_run", "baseline", "write_baseline"])]
    init: Option<String>,
    /// Ask the JSON Schema Test Suite in this folder, too.
    #[arg(long, value_name = "DIR")]
    json_schema_suite: Option<PathBuf>,
    /// Read the suites from this folder instead of those inside the program.
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
    #[command(flatten)]
    generated: GenerateArgs,
    #[command(flatten)]
    live: LiveArgs,
    /// The command line of the adapter, or with --live of the driver, after `--`; without one the
    /// program asks its own gates.
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// Asks, and writes the certificate.
pub(super) fn run(args: &Args) -> Result<Exit, Failure> {
    if let Some(language) = &args.init {
        return adapters::init(language, args.outputs.single()?);
    }
    let outputs = args.outputs.pairs()?;
    if !args.compare.is_empty() {
        return compare::run(&args.compare, &outputs);
    }
    let mut corpus = corpus(args)?;
    let drawn = args.generated.draw(&args.gate, &args.case, &mut corpus)?;
    let selection = selection(args)?;
    if let Some(unknown) = selection.unknown(&corpus) {
        return Err(Failure::Usage(unknown));
    }
    let baseline = match &args.baseline {
        None => Baseline::default(),
        Some(path) => read_baseline(path, &corpus)?,
    };
    let live = args.live.client(&args.command)?;
    let plan = match &live {
        None => Plan::new(&corpus, &selection),
        Some(_) => Plan::live(&corpus, &selection),
    };
    if args.dry_run {
        return dry_run(&plan);
    }
    if plan.judged == 0 {
        note!("nothing was judged: no case is selected");
        return Ok(Exit::NothingJudged);
    }
    let deadline = Duration::try_from_secs_f64(args.timeout).ok();
    let Some(deadline) = deadline.filter(|d| !d.is_zero() && *d <= MOST_PATIENT) else {
        return Err(Failure::Usage(
            "--timeout is a number of seconds above 0, and no more than a day".to_owned(),
        ));
    };
    let interrupt = Arc::new(AtomicBool::new(false));
    progress::catch_signals(&interrupt)?;
    let launch = launcher(args, &corpus, interrupt.clone());
    let progress = Progress::new();
    let options = Options {
        jobs: args.jobs.into(),
        deadline,
        interrupt: &interrupt,
        observer: &progress,
    };
    let run = match &live {
        None => certify(&plan, launch.as_ref(), &options),
        Some(live) => live::certify(&plan, live, &interrupt, &options),
    };
    progress.end();
    let run = match run {
        Ok(run) => run,
        Err(broken) => return Ok(not_started(&broken)),
    };
    let mut certificate =
        Certificate::new(&run, &corpus.identity, &selection, &baseline, &rerun(args));
    let mut reduced = Vec::new();
    if let Some(drawn) = &drawn {
        let options = Options {
            observer: &(),
            ..options
        };
        let witness = || -> Result<Box<dyn Witness>, NotStarted> {
            Ok(match &live {
                None => Box::new(launch.launch()?),
                Some(live) => Box::new(live::Again::new(live, &interrupt, deadline)?),
            })
        };
        // The run has been judged already; without a second start there are no smaller payloads.
        let made_small = drawn.reduce(&run.judged, witness, &options);
        reduced = made_small.unwrap_or_default();
        certificate.note_reduced(&reduced);
    }
    // What cannot be written keeps nothing else from being written.
    let mut written = write_all(&outputs, |format, mut out| {
        write_certificate(&certificate, format, &mut out)
    });
    if let Some(path) = &args.write_baseline {
        let text = Baseline::of(&run.judged, &baseline).to_yaml();
        written = written.and(std::fs::write(path, text).map_err(|error| at(path, &error)));
    }
    if let (Some(drawn), Some(folder)) = (&drawn, &args.generated.save_cases) {
        written = written.and(drawn.save(folder, &run.judged, &reduced));
    }
    written?;
    Ok(exit(args, &certificate, &baseline, &run.judged))
}

fn exit(
    args: &Args,
    certificate: &Certificate,
    baseline: &Baseline,
    judged: &[Judged<'_>],
) -> Exit {
    if certificate.is_empty() {
        note!("nothing was judged: the implementation does none of what is asked");
        return Exit::NothingJudged;
    }
    let stale = baseline.stale(judged);
    for (entry, verdict) in &stale {
        note!(
            "baseline: {} is no longer {}, it is {verdict}",
            entry.id,
            entry.verdict
        );
    }
    if !certificate.complete {
        note!("interrupted: the certificate is partial");
    }
    // A baseline that was just written excuses what it was written from.
    let excused = args.write_baseline.is_some();
    let failed = !excused && (certificate.failures().next().is_some() || !stale.is_empty());
    if failed || !certificate.complete {
        Exit::Findings
    } else {
        Exit::AsExpected
    }
}

fn not_started(broken: &NotStarted) -> Exit {
    let said = visible_whole(&broken.to_string());
    note!("error: the implementation under test broke: {said}");
    for line in broken.stderr.lines() {
        note!("  {}", visible_whole(line));
    }
    Exit::ImplementationBroke
}

fn corpus(args: &Args) -> Result<Corpus, Failure> {
    let damaged = |fault: crate::corpus::Damaged| Failure::Usage(fault.to_string());
    let mut corpus = match &args.corpus {
        None => Corpus::embedded(),
        Some(folder) => Corpus::read(folder),
    }
    .map_err(damaged)?;
    if let Some(folder) = &args.json_schema_suite {
        let suite = JsonSchemaSuite::read(folder).map_err(damaged)?;
        note!(
            "JSON Schema Test Suite: {} groups with {} values; {} groups left out, since they need other documents",
            suite.groups,
            suite.values,
            suite.left_out.len()
        );
        corpus.suites.extend(suite.suites);
    }
    Ok(corpus)
}

fn selection(args: &Args) -> Result<Selection, Failure> {
    let dates = (!args.protocol.is_empty()).then(|| versions(&args.protocol));
    Ok(Selection {
        versions: dates.transpose().map_err(Failure::Usage)?,
        gates: args.gate.clone(),
        rules: args.rule.clone(),
        cases: args.case.clone(),
        level: args.level,
        generated: args
            .generated
            .generate
            .map(|count| (count, args.generated.seed)),
    })
}

fn read_baseline(path: &Path, corpus: &Corpus) -> Result<Baseline, Failure> {
    let text = small_text(path).map_err(|error| at(path, &error))?;
    Baseline::read(&text, &|id| corpus.case(id).is_some()).map_err(|fault| at(path, &fault))
}

fn at(path: &Path, fault: &dyn std::fmt::Display) -> Failure {
    Failure::Usage(format!("{}: {fault}", path.display()))
}

fn launcher(args: &Args, corpus: &Corpus, interrupt: Arc<AtomicBool>) -> Box<dyn Launch> {
    match args.command.split_first() {
        None => Box::new(Builtin::default),
        Some((program, arguments)) => {
            let command = Command {
                program: program.clone(),
                arguments: arguments.to_vec(),
            };
            Box::new(Launcher::new(
                command,
                &corpus.identity,
                Bounds::default(),
                interrupt,
            ))
        }
    }
}

/// What a command line ends with that asks the same implementation again.
fn rerun(args: &Args) -> String {
    let is_drawn = args.generated.generate.is_some()
        || args.case.iter().any(|id| id.starts_with("generated/"));
    let drawn = if is_drawn {
        args.generated.rerun()
    } else {
        String::new()
    };
    let folders = [
        ("json-schema-suite", &args.json_schema_suite),
        ("corpus", &args.corpus),
    ];
    drawn
        + &args.live.rerun()
        + &super::rerun::options(&folders)
        + &super::rerun::command(&args.command)
}
