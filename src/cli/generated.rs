//! `certify --generate`: cases drawn from tools instead of the suites.

use std::collections::HashMap;
use std::fmt::Display;
use std::path::{Path, PathBuf};

use super::Failure;
use super::files::tools;
use crate::certify::{Effort, Judged, NotStarted, Options, Reduced, Witness, reduce};
use crate::corpus::{Corpus, GateName};
use crate::document::Subjects;
use crate::generate::cases::{Cases, GATES, Generated, Kept, Pool, gather, save};
use crate::source::Limits;

/// The most divergences that are kept as cases.
const MOST_KEPT: usize = 200;
/// The most cases of a gate: all of them are held in memory.
const MOST: u64 = 1_000_000;
/// What every id of a generated case starts with.
const PREFIX: &str = "generated/";

/// What to generate.
#[derive(clap::Args, Debug)]
pub(super) struct GenerateArgs {
    /// Ask N generated cases instead of the suites, at each gate that has some (definition, arguments,
    /// result, audit), drawn from the suites' tools.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MOST))]
    pub(super) generate: Option<u64>,
    /// The seed of generated cases: the same seed gives the same cases.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub(super) seed: u64,
    /// Draw from the tools of this listing instead.
    #[arg(long, value_name = "FILE")]
    pub(super) tools: Option<PathBuf>,
    /// Write the divergences of generated cases into this folder, as suites to review and keep.
    #[arg(long, value_name = "DIR")]
    pub(super) save_cases: Option<PathBuf>,
}

/// What was generated.
pub(super) struct Drawn {
    pool: Pool,
    made: HashMap<String, Generated>,
    seed: u64,
}

impl GenerateArgs {
    /// Draws what is asked for into `corpus`: all of it where no case is named, else the named ones.
    pub(super) fn draw(
        &self,
        gates: &[String],
        ids: &[String],
        corpus: &mut Corpus,
    ) -> Result<Option<Drawn>, Failure> {
        let named: Vec<&String> = ids.iter().filter(|id| id.starts_with(PREFIX)).collect();
        if self.generate.is_none() && named.is_empty() {
            return match (&self.tools, &self.save_cases) {
                (Some(_), _) => Err(Failure::Usage("--tools is for --generate".to_owned())),
                (_, Some(_)) => Err(Failure::Usage("--save-cases is for --generate".to_owned())),
                (None, None) => Ok(None),
            };
        }
        let pool = match &self.tools {
            None => Pool::of_corpus(corpus),
            Some(path) => listing(path)?,
        };
        let mut cases = Cases::new(&pool, self.seed);
        let (suites, made) = if let Some(count) = self.generate.filter(|_| named.is_empty()) {
            let all = gates.is_empty();
            let chosen = |gate: &GateName| all || gates.iter().any(|name| name == gate.as_str());
            let gates: Vec<GateName> = GATES.into_iter().filter(chosen).collect();
            corpus.suites.clear();
            cases.suites(&gates, count)
        } else {
            let drawn: Vec<Generated> = named.iter().filter_map(|id| cases.of_id(id)).collect();
            let is_lost = |id: &&&String| drawn.iter().all(|one| one.case.id != ***id);
            if let Some(lost) = named.iter().find(is_lost) {
                let why = "is not drawn by this --seed from these --tools";
                return Err(Failure::Usage(format!("the case {lost} {why}")));
            }
            gather(drawn)
        };
        drop(cases);
        corpus.suites.extend(suites);
        Ok(Some(Drawn {
            pool,
            made,
            seed: self.seed,
        }))
    }

    /// What a command line needs so that it draws the same cases.
    pub(super) fn rerun(&self) -> String {
        let tools = self.tools.as_ref().map_or_else(String::new, |path| {
            format!(
                " --tools {}",
                super::certify::quoted(&path.to_string_lossy())
            )
        });
        format!(" --seed {}{tools}", self.seed)
    }
}

impl Drawn {
    /// Makes the payloads of divergences small.
    pub(super) fn reduce(
        &self,
        judged: &[Judged<'_>],
        start: impl FnOnce() -> Result<Box<dyn Witness>, NotStarted>,
        options: &Options<'_>,
    ) -> Result<Vec<Reduced>, NotStarted> {
        let made = |id: &str| self.made.get(id);
        reduce(judged, made, &self.pool, start, options, Effort::default())
    }

    /// Writes the divergences as suites: the small payload where there is one.
    pub(super) fn save(
        &self,
        folder: &Path,
        judged: &[Judged<'_>],
        reduced: &[Reduced],
    ) -> Result<(), Failure> {
        let at = |path: &Path, error: &dyn Display| {
            Failure::Usage(format!("{}: {error}", path.display()))
        };
        let mut cases = Cases::new(&self.pool, self.seed);
        let mut kept = Vec::new();
        let mut seen = std::collections::HashSet::new();
        for one in judged.iter().filter(|judged| judged.verdict.is_failure()) {
            let Some(generated) = self.made.get(&one.asked.case.id) else {
                continue;
            };
            let keyword = generated
                .payload
                .as_ref()
                .and_then(|payload| payload.keyword.clone());
            let rule = one.asked.expected.because.first().copied();
            let about =
                keyword.or(rule.map(|rule| rule.rsplit('.').next().unwrap_or(rule).to_owned()));
            let about = about.unwrap_or_else(|| "accepted".to_owned());
            let small = reduced
                .iter()
                .find(|small| small.case.id == one.asked.case.id);
            // One of each sort is enough, and the small one says most.
            let group = (generated.case.gate, generated.tool, about.clone());
            if kept.len() >= MOST_KEPT || !seen.insert(group) {
                continue;
            }
            let case = small.map_or_else(|| generated.case.clone(), |small| small.case.clone());
            let number = case
                .name()
                .split_once('-')
                .and_then(|(_, number)| number.parse::<u64>().ok());
            let neighbour = number.filter(|number| number % 2 == 1);
            let neighbour = neighbour.and_then(|number| cases.case(case.gate, number - 1));
            kept.push(Kept {
                case,
                neighbour: neighbour.map(|drawn| drawn.case),
                about,
            });
        }
        for suite in save(&kept) {
            let path = folder.join(&suite.path);
            if let Some(parent) = path.parent() {
                std::fs::create_dir_all(parent).map_err(|error| at(parent, &error))?;
            }
            std::fs::write(&path, suite.text).map_err(|error| at(&path, &error))?;
            note!("saved {}", path.display());
        }
        Ok(())
    }
}

/// The tools of the document at `path`: a listing, another that has tools, or a catalogue's folder.
fn listing(path: &Path) -> Result<Pool, Failure> {
    let fault = |what: &str| Failure::Usage(format!("{}: {what}", path.display()));
    let document = tools(path, &Limits::default()).map_err(|why| fault(&why))?;
    let subjects = Subjects::of(&document, None);
    // A description keeps schemas apart from the tools that have them.
    let whole = subjects.tools.iter().map(|tool| {
        let mut value = tool.at.value.clone();
        let sides = [("inputSchema", &tool.input), ("outputSchema", &tool.output)];
        for (side, schema) in sides {
            if let (Some(members), Some(schema)) = (value.as_object_mut(), schema) {
                members.insert(side.to_owned(), schema.value.clone());
            }
        }
        value
    });
    let pool = Pool::of_listing(&whole.collect());
    if pool.is_empty() {
        return Err(fault("it has no tools"));
    }
    Ok(pool)
}
