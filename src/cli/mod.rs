//! The command line: one file a command.
//!
//! stdout carries the report and nothing else; everything that is not the report goes to stderr.

/// Says something beside the report. That nobody can hear it is no reason to end.
macro_rules! note {
    ($($words:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($words)*);
    }};
}

mod adapters;
mod around;
mod audit;
mod certify;
mod check;
mod compare;
mod config;
mod corpus;
mod diff;
mod files;
mod generated;
mod items;
mod live;
mod log;
mod outputs;
mod progress;
mod project;
mod projections;
mod rerun;
mod rules;
mod serve;
mod words;

use std::io::Write;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;

/// The most threads or processes that are let loose at once.
const MOST_SIDE_BY_SIDE: i64 = 256;

/// How a run ended, as its exit code says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// As expected; warnings too, unless they are denied.
    AsExpected,
    /// Findings or failures, damaged text included.
    Findings,
    /// A wrong command line, a missing file, a document of no known kind.
    Usage,
    /// The implementation under test broke.
    ImplementationBroke,
    /// Nothing was judged.
    NothingJudged,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::AsExpected => 0,
            Exit::Findings => 1,
            Exit::Usage => 2,
            Exit::ImplementationBroke => 3,
            Exit::NothingJudged => 4,
        })
    }
}

/// Conformance of MCP tool schemas and structured results.
#[derive(Parser, Debug)]
#[command(name = "mcp-conform", version, about, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Judge documents: descriptions, listings, exchanges, messages, transcripts, conversations with
    /// models, and catalogues of schemas.
    Check(check::Args),
    /// Judge logs of recorded calls: which results fit what their tools declare.
    Audit(Box<audit::Args>),
    /// Put the suites to an implementation: our own gates, or an adapter's after `--`.
    Certify(Box<certify::Args>),
    /// List, export and extend the suites, and say what they cover.
    Corpus(corpus::Args),
    /// Say schemas to other targets, prove it, and compare with what was committed.
    Project(project::Args),
    /// Say what the changes between two versions do to callers.
    Diff(diff::Args),
    /// List the rules, or explain one.
    Rules(rules::Args),
    /// Serve one live session over standard input and output; `certify --live` has clients start it.
    #[command(hide = true)]
    Serve(serve::Args),
    /// Print a completion script for a shell.
    Completions {
        /// The shell.
        shell: Shell,
    },
}

/// Runs the program on the arguments that it was started with.
pub fn run() -> ExitCode {
    let cli = Cli::parse();
    let outcome = match cli.command {
        Command::Check(args) => check::run(&args),
        Command::Audit(args) => audit::run(&args),
        Command::Certify(args) => certify::run(&args),
        Command::Corpus(args) => corpus::run(&args),
        Command::Project(args) => project::run(&args),
        Command::Diff(args) => diff::run(&args),
        Command::Rules(args) => rules::run(&args),
        Command::Serve(args) => serve::run(&args),
        Command::Completions { shell } => {
            // The generator panics where it cannot write; memory always takes it.
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "mcp-conform", &mut script);
            let written = std::io::stdout().write_all(&script);
            written.map(|()| Exit::AsExpected).map_err(Failure::from)
        }
    };
    match outcome {
        Ok(exit) => exit.into(),
        Err(Failure::Closed) => Exit::AsExpected.into(),
        Err(failure) => {
            note!("error: {failure}");
            Exit::Usage.into()
        }
    }
}

/// Why a command could not run.
#[derive(Debug)]
enum Failure {
    /// Something about the command line or a file that it names.
    Usage(String),
    /// stdout was closed: the reader has seen enough.
    Closed,
}

/// What came of writing to stdout: a reader who has seen enough changes no verdict.
fn printed(written: std::io::Result<()>) -> Result<(), Failure> {
    match written {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        written => Ok(written?),
    }
}

/// Prints a text whole.
fn print(text: &[u8]) -> Result<(), Failure> {
    let mut stdout = std::io::stdout().lock();
    printed(stdout.write_all(text).and_then(|()| stdout.flush()))
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Usage(message) => f.write_str(message),
            Self::Closed => f.write_str("the output was closed"),
        }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        if error.kind() == std::io::ErrorKind::BrokenPipe {
            Self::Closed
        } else {
            Self::Usage(format!("cannot write the report: {error}"))
        }
    }
}
