//! `mcp-conform check`: judge documents.

use std::collections::HashMap;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use clap::ValueEnum;
use rayon::prelude::*;

use super::around::Around;
use super::config::{Config, rule_override, versions};
use super::files::{Input, inputs};
use super::words::one_of;
use super::{Exit, Failure};
use crate::diagnostic::Verdict;
use crate::document::{Document, Kind, Unread};
use crate::report::{self, DocumentReport, Format, Report, Style};
use crate::rules::{Checked, Profile, Settings, check_fault, check_within};

/// What to check and how.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Files, directories (walked for .json, .jsonl, .yaml, .yml), or `-` for standard input.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Judge on this protocol version, whatever a document says; may be given again.
    #[arg(long, value_name = "VERSION")]
    protocol: Vec<String>,
    /// Read every document as this kind instead of by its content.
    #[arg(long, value_name = "KIND", value_parser = one_of(&Kind::ALL, Kind::as_str))]
    kind: Option<Kind>,
    /// The format of the report.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Let warnings fail the run.
    #[arg(long, value_enum, value_name = "WHAT")]
    deny: Option<Deny>,
    /// Switch a rule off or change its severity: `ID=off`, `ID=warn`, `ID=error`.
    #[arg(long, value_name = "ID=LEVEL")]
    rule: Vec<String>,
    /// Turn on the policies of a profile, which say more than the protocol does; may be given again.
    #[arg(long, value_name = "NAME", value_parser = one_of(Profile::ALL, Profile::as_str))]
    profile: Vec<Profile>,
    /// Judge calls, results and samples by these tools: a listing, or the folder of a catalogue.
    /// Without it, a file in a catalogue is judged by that one.
    #[arg(long, value_name = "PATH")]
    tools: Option<PathBuf>,
    /// Read this configuration instead of the mcp-conform.toml nearest to each file.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Name the documents in which nothing was found, too.
    #[arg(long, short)]
    verbose: bool,
    /// When to use colour.
    #[arg(long, value_enum, default_value_t = Color::Auto)]
    color: Color,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Deny {
    /// Exit with 1 where there are warnings.
    Warnings,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Color {
    fn is_on(self) -> bool {
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => {
                let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
                !refused && io::stdout().is_terminal()
            }
        }
    }
}

/// Judges what `args` name and writes the report.
pub(super) fn run(args: &Args) -> Result<Exit, Failure> {
    let start = Instant::now();
    let inputs = inputs(&args.paths)?;
    let plan = Plan::new(args, &inputs)?;
    let around = Around::new(args.tools.as_deref(), &inputs)?;
    let kind = args.kind;
    let judge = |input: &Input| judge(input, kind, &plan.settings(input), &around);
    // A pool of threads costs more than a file.
    let documents: Vec<_> = match inputs.as_slice() {
        [only] => vec![judge(only)],
        many => many.par_iter().map(judge).collect(),
    };
    let deny = args.deny == Some(Deny::Warnings);
    let exits = documents
        .iter()
        .zip(&inputs)
        .map(|(document, input)| match document.verdict() {
            Verdict::Unreadable => Exit::Usage,
            Verdict::Invalid => Exit::Findings,
            Verdict::Warning if deny || plan.denies_warnings(input) => Exit::Findings,
            Verdict::Warning | Verdict::Valid => Exit::AsExpected,
        });
    let exit = exits.max().unwrap_or(Exit::NothingJudged);
    let report = Report {
        documents,
        elapsed: start.elapsed(),
    };
    let style = Style {
        color: args.color.is_on(),
        verbose: args.verbose,
        ..Style::default()
    };
    let mut stdout = io::BufWriter::new(io::stdout().lock());
    let written = report::write(&report, args.format, &style, &mut stdout);
    match written.and_then(|()| stdout.flush()).map_err(Failure::from) {
        // Who has seen enough of the report still gets the verdict.
        Ok(()) | Err(Failure::Closed) => Ok(exit),
        Err(failure) => Err(failure),
    }
}

/// Which settings hold for which file: the command line's over the configuration's.
struct Plan {
    by_folder: HashMap<PathBuf, Arc<Config>>,
    forced: Option<Arc<Config>>,
    protocol: Option<crate::protocol::VersionSet>,
    overrides: Vec<(String, crate::rules::Override)>,
    profiles: Vec<Profile>,
}

impl Plan {
    fn new(args: &Args, inputs: &[Input]) -> Result<Self, Failure> {
        let protocol = match args.protocol.as_slice() {
            [] => None,
            dates => Some(versions(dates).map_err(Failure::Usage)?),
        };
        let overrides = args.rule.iter().map(|rule| match rule.split_once('=') {
            Some((id, word)) => rule_override(id, word).map_err(Failure::Usage),
            None => Err(Failure::Usage(format!(
                "--rule {rule}: write ID=off, ID=warn or ID=error"
            ))),
        });
        let mut plan = Self {
            by_folder: HashMap::new(),
            forced: None,
            protocol,
            overrides: overrides.collect::<Result<_, _>>()?,
            profiles: args.profile.clone(),
        };
        if let Some(path) = &args.config {
            plan.forced = Some(Arc::new(Config::read(path)?));
            return Ok(plan);
        }
        let mut read: HashMap<PathBuf, Arc<Config>> = HashMap::new();
        for input in inputs {
            let folder = folder(input);
            if plan.by_folder.contains_key(&folder) {
                continue;
            }
            let config = match Config::find(&folder.join("document")) {
                None => Arc::new(Config::default()),
                Some(path) => match read.get(&path) {
                    Some(config) => config.clone(),
                    None => {
                        let config = Arc::new(Config::read(&path)?);
                        read.insert(path, config.clone());
                        config
                    }
                },
            };
            plan.by_folder.insert(folder, config);
        }
        Ok(plan)
    }

    fn config(&self, input: &Input) -> Option<&Arc<Config>> {
        self.forced
            .as_ref()
            .or_else(|| self.by_folder.get(&folder(input)))
    }

    fn settings(&self, input: &Input) -> Settings {
        let config = self.config(input);
        let file = match input {
            Input::Stdin => Path::new("-"),
            Input::File(path) => path,
        };
        let mut settings =
            config.map_or_else(Settings::default, |config| config.settings_for(file));
        if self.protocol.is_some() {
            settings.protocol = self.protocol;
        }
        settings.overrides.extend(self.overrides.iter().cloned());
        settings.profiles.extend(&self.profiles);
        settings
    }

    fn denies_warnings(&self, input: &Input) -> bool {
        self.config(input)
            .is_some_and(|config| config.deny_warnings)
    }
}

fn folder(input: &Input) -> PathBuf {
    match input {
        Input::Stdin => PathBuf::new(),
        Input::File(path) => path.parent().map_or_else(PathBuf::new, Path::to_path_buf),
    }
}

fn judge(
    input: &Input,
    kind: Option<Kind>,
    settings: &Settings,
    around: &Around,
) -> DocumentReport {
    let path = input.name();
    let source = match input.read(&settings.limits) {
        Ok(source) => source,
        Err(error) => {
            return DocumentReport {
                path,
                kind: None,
                source: None,
                checked: Checked::default(),
                unreadable: Some(format!("cannot be read: {error}")),
            };
        }
    };
    match Document::read_in_place(source, kind, around.kind(input), &settings.limits) {
        Ok(document) => {
            let checked = check_within(&document, settings, around.catalogue(input));
            DocumentReport {
                path,
                kind: Some(document.kind.as_str()),
                source: Some(document.source),
                checked,
                unreadable: None,
            }
        }
        Err(Unread::Fault(source, fault)) => DocumentReport {
            path,
            kind: None,
            checked: check_fault(&source, &fault, settings),
            source: Some(*source),
            unreadable: None,
        },
        Err(Unread::Unrecognised(source, why)) => DocumentReport {
            path,
            kind: None,
            source: Some(*source),
            checked: Checked::default(),
            unreadable: Some(why.to_string()),
        },
    }
}
