//! `mcp-conform corpus`: what the suites hold, for readers, for other programs, for contributors.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Subcommand, ValueEnum};

use super::{Exit, Failure, print};
use crate::corpus::{
    Case, Corpus, Coverage, Expected, GateName, Level, Strength, Tried, line, new_fixture,
    new_suite,
};
use crate::protocol::VersionSet;
use crate::source::cut;

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
    /// Read the suites from this folder instead of those inside the program.
    #[arg(long, value_name = "DIR", global = true)]
    corpus: Option<PathBuf>,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// List every case with what each version expects.
    List {
        /// List this gate alone, or `hostile`; may be given again.
        #[arg(long, value_name = "GATE")]
        gate: Vec<String>,
    },
    /// Print every case with its input and its expectations, for those who run them elsewhere.
    Export {
        /// The format: one JSON object a line.
        #[arg(long, value_enum, default_value_t = ExportFormat::Jsonl)]
        format: ExportFormat,
    },
    /// Write a suite, or a fixture, to start from.
    New {
        /// The suite's gate; of a fixture its verdict: valid, warning or invalid.
        kind: String,
        /// The name: words of small letters and digits, with hyphens between.
        name: String,
        /// Write a fixture.
        #[arg(long)]
        fixture: bool,
    },
    /// Say what the corpus tries, and what no case catches.
    Coverage,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ExportFormat {
    /// One JSON object a line.
    Jsonl,
}

pub(super) fn run(args: &Args) -> Result<Exit, Failure> {
    if let Command::New {
        kind,
        name,
        fixture,
    } = &args.command
    {
        return new(args.corpus.as_deref(), kind, name, *fixture);
    }
    let corpus = match &args.corpus {
        None => Corpus::embedded(),
        Some(folder) => Corpus::read(folder),
    };
    let corpus = corpus.map_err(|fault| Failure::Usage(fault.to_string()))?;
    let mut out = io::BufWriter::new(io::stdout().lock());
    match &args.command {
        Command::List { gate } => list(&corpus, gate, &mut out)?,
        Command::Export { .. } => {
            for suite in &corpus.suites {
                for case in &suite.cases {
                    writeln!(out, "{}", line(suite, case))?;
                }
            }
        }
        Command::Coverage => {
            coverage(&corpus, &mut out)?;
            let strength = match &args.corpus {
                None => Strength::embedded(),
                Some(folder) => Strength::read(folder),
            };
            let strength = strength.map_err(|fault| Failure::Usage(fault.to_string()))?;
            reliance(&strength, &corpus, &mut out)?;
        }
        Command::New { .. } => {}
    }
    out.flush()?;
    Ok(Exit::AsExpected)
}

fn list(corpus: &Corpus, gates: &[String], out: &mut impl Write) -> io::Result<()> {
    write!(out, "{:60}", "case")?;
    for version in VersionSet::STRUCTURED.iter() {
        write!(out, "  {version:11}")?;
    }
    writeln!(out, "  rules")?;
    for suite in &corpus.suites {
        let named = |case: &Case| {
            let names = [case.gate.as_str(), suite.folder()];
            gates.is_empty() || gates.iter().any(|gate| names.contains(&gate.as_str()))
        };
        for case in suite.cases.iter().filter(|case| named(case)) {
            write!(out, "{:60}", case.id)?;
            for version in VersionSet::STRUCTURED.iter() {
                let cell = case.on(version).map_or_else(
                    || "–".to_owned(),
                    |expected| {
                        format!(
                            "{}/{}",
                            expected.answer.as_str(),
                            cut(expected.level.as_str(), 6)
                        )
                    },
                );
                write!(out, "  {cell:11}")?;
            }
            writeln!(out, "  {}", case.rules().join(", "))?;
        }
    }
    Ok(())
}

fn coverage(corpus: &Corpus, out: &mut impl Write) -> io::Result<()> {
    let coverage = Coverage::of(corpus);
    writeln!(out, "{:14}  must  should  informational", "expected")?;
    for answer in [Expected::Accept, Expected::Reject] {
        let [must, should, silent] = Level::ALL.map(|level| coverage.expected(answer, level));
        writeln!(
            out,
            "{:14}  {must:4}  {should:6}  {silent:13}",
            answer.as_str()
        )?;
    }
    let cell = |tried: &Tried| match tried {
        Tried {
            reject: 0,
            accept: 0,
        } => "–".to_owned(),
        Tried { reject, accept } => format!("{reject}/{accept}"),
    };
    writeln!(
        out,
        "\nrejected by a rule / accepted beside that, by version\n"
    )?;
    let width = coverage
        .rules
        .keys()
        .map(|rule| rule.len())
        .max()
        .unwrap_or(0);
    write!(out, "{:width$}", "rule")?;
    for version in VersionSet::STRUCTURED.iter() {
        write!(out, "  {version}")?;
    }
    writeln!(out)?;
    for (rule, tried) in &coverage.rules {
        write!(out, "{rule:width$}")?;
        for version in VersionSet::STRUCTURED.iter() {
            write!(out, "  {:10}", cell(&tried[version.index()]))?;
        }
        writeln!(out)?;
    }
    writeln!(
        out,
        "\nrejected by a keyword / with an accepted neighbour\n"
    )?;
    for (keyword, tried) in &coverage.keywords {
        writeln!(out, "{keyword:24}  {}", cell(tried))?;
    }
    writeln!(out, "\nwhat no case catches\n")?;
    for (rule, versions) in &coverage.unrejected {
        writeln!(out, "rule {rule} on {}", versions.names().join(", "))?;
    }
    for keyword in &coverage.untried {
        writeln!(out, "keyword {keyword}")?;
    }
    for id in &coverage.alone {
        writeln!(out, "{id} has no accepted neighbour")?;
    }
    if coverage.unrejected.is_empty() && coverage.untried.is_empty() && coverage.alone.is_empty() {
        writeln!(out, "nothing")?;
    }
    Ok(())
}

/// What the corpus would let through without a case, and what it lets through as it is.
fn reliance(strength: &Strength, corpus: &Corpus, out: &mut impl Write) -> io::Result<()> {
    let reliance = strength.reliance(corpus);
    writeln!(
        out,
        "\nwhat a single case catches: without it a faulty implementation passes\n"
    )?;
    for (id, weakness) in &reliance.alone {
        writeln!(out, "{id}  {}: {}", weakness.mutant, weakness.fault)?;
    }
    if reliance.alone.is_empty() {
        writeln!(out, "nothing")?;
    }
    for weakness in &reliance.let_through {
        writeln!(
            out,
            "{} passes, since none of its cases is left: {}",
            weakness.mutant, weakness.fault
        )?;
    }
    Ok(())
}

fn new(folder: Option<&Path>, kind: &str, name: &str, fixture: bool) -> Result<Exit, Failure> {
    let usage = |what: String| Err(Failure::Usage(what));
    let word = |word: &str| {
        let plain = |char: char| char.is_ascii_lowercase() || char.is_ascii_digit();
        !word.is_empty() && word.chars().all(plain)
    };
    if !name.split('-').all(word) {
        return usage(format!(
            "{name:?} is no name: words of small letters and digits, with hyphens between"
        ));
    }
    let (path, text) = if fixture {
        if !["valid", "warning", "invalid"].contains(&kind) {
            return usage(format!(
                "no verdict is named {kind:?}: valid, warning or invalid"
            ));
        }
        (
            PathBuf::from(format!("expected-{kind}/{name}.json")),
            new_fixture(),
        )
    } else {
        let gate: GateName = kind.parse().map_err(Failure::Usage)?;
        if gate == GateName::Wire {
            return usage("sessions are written by hand: see docs/live.md, Gate `wire`".to_owned());
        }
        let folder = folder.unwrap_or(Path::new("corpus"));
        (
            folder.join(format!("{gate}/{name}.json")),
            new_suite(gate, name),
        )
    };
    if path.exists() {
        return usage(format!("{} is there already", path.display()));
    }
    let written = path
        .parent()
        .map_or(Ok(()), std::fs::create_dir_all)
        .and_then(|()| std::fs::write(&path, text));
    if let Err(error) = written {
        return usage(format!("{}: {error}", path.display()));
    }
    print(format!("{}\n", path.display()).as_bytes())?;
    Ok(Exit::AsExpected)
}
