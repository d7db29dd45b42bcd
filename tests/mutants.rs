//! The strength of the suite: implementations with one small fault each, and which cases catch
//! them. `UPDATE_STRENGTH=1` writes `docs/strength.md` and `corpus/strength.json` anew.

#[path = "mutants/change.rs"]
mod change;
#[path = "mutants/mutant.rs"]
mod mutant;
#[path = "mutants/page.rs"]
mod page;
#[path = "mutants/rules.rs"]
mod rules;
#[path = "mutants/smoke.rs"]
mod smoke;
mod support;
#[path = "mutants/table/mod.rs"]
mod table;
#[path = "mutants/trial.rs"]
mod trial;
#[path = "mutants/walk.rs"]
mod walk;

use std::collections::BTreeSet;
use std::sync::LazyLock;
use std::time::Duration;

use mcp_conform::certify::{Options, Plan, Selection, certify};
use mcp_conform::corpus::{Corpus, Strength};
use mcp_conform::generate::cases::{Cases, GATES, Pool};
use mutant::{Faulty, Mutant};
use table::Group;
use trial::{Catch, Ground};

/// How many cases are generated for each gate, and from which seed.
const COUNT: u64 = 2_000;
const SEED: u64 = 1;
/// The largest share of cases, in percent, that one small change may fail.
const MOST_FAILED: usize = 10;

static CORPUS: LazyLock<Corpus> = LazyLock::new(|| Corpus::embedded().expect("the corpus"));

/// All that is found out, once for every test.
static FOUND: LazyLock<Found> = LazyLock::new(Found::new);

/// What came of every mutant.
struct Found {
    groups: Vec<Group>,
    results: Vec<Vec<Caught>>,
    asked: usize,
}

/// What came of one.
struct Caught {
    /// The wrong answers.
    catches: Vec<Catch<'static>>,
    /// The ids of the cases that catch it, in the order of the corpus.
    ids: Vec<String>,
    /// The first generated case that does.
    generated: Option<String>,
}

impl Found {
    fn new() -> Self {
        let groups = table::groups();
        let ground = Ground::new(&CORPUS);
        let drawn = Ground::new(generated());
        let results = groups.iter().map(|group| {
            let catches = ground.put(&group.mutants, usize::MAX);
            let generated = drawn.put(&group.mutants, 1);
            let both = catches.into_iter().zip(generated);
            both.map(|(catches, generated)| {
                let mut seen = BTreeSet::new();
                let ids = catches.iter().map(|catch| catch.asked.case.id.clone());
                let ids = ids.filter(|id| seen.insert(id.clone())).collect();
                Caught {
                    catches,
                    ids,
                    generated: generated.first().map(|catch| catch.asked.case.id.clone()),
                }
            })
            .collect()
        });
        Self {
            results: results.collect(),
            asked: ground.len(),
            groups,
        }
    }

    fn all(&self) -> impl Iterator<Item = (&Mutant, &Caught)> {
        let mutants = self.groups.iter().flat_map(|group| &group.mutants);
        mutants.zip(self.results.iter().flatten())
    }
}

/// Generated cases in the place of the suites.
fn generated() -> &'static Corpus {
    static DRAWN: LazyLock<Corpus> = LazyLock::new(|| {
        let pool = Pool::of_corpus(&CORPUS);
        let (suites, _) = Cases::new(&pool, SEED).suites(&GATES, COUNT);
        Corpus {
            suites,
            identity: CORPUS.identity.clone(),
        }
    });
    &DRAWN
}

#[test]
fn every_mutant_is_caught_for_the_right_reason() {
    assert!(FOUND.all().count() >= 50);
    let unknown = FOUND.all().filter(|(mutant, caught)| {
        let mut catches = caught.catches.iter();
        !catches.any(|catch| {
            let asked = catch.asked;
            let (outcome, verdict) = (&catch.outcome, catch.verdict);
            mutant
                .sign
                .is_borne_by(asked.case, asked.expected, outcome, verdict)
        })
    });
    let unknown: Vec<_> = unknown
        .map(|(mutant, caught)| {
            format!(
                "{}: {:?}, caught by {:?}",
                mutant.name, mutant.sign, caught.ids
            )
        })
        .collect();
    assert!(unknown.is_empty(), "{unknown:#?}");
}

#[test]
fn a_mutant_is_one_small_change() {
    let mut names = BTreeSet::new();
    let mut wide = Vec::new();
    for (mutant, caught) in FOUND.all() {
        assert!(names.insert(&mutant.name), "{} stands twice", mutant.name);
        let suite = CORPUS
            .suites
            .iter()
            .find(|suite| suite.name == mutant.spares);
        assert!(
            suite.is_some(),
            "{}: no suite {}",
            mutant.name,
            mutant.spares
        );
        let spared = format!("{}#", mutant.spares);
        let noticed = caught.ids.iter().find(|id| id.starts_with(&spared));
        assert_eq!(
            noticed, None,
            "{} is wrong about another matter, too",
            mutant.name
        );
        let failed = caught.catches.len() * 100 / FOUND.asked;
        if failed > MOST_FAILED && !mutant.broad {
            wide.push(format!("{} fails {failed} % of the cases", mutant.name));
        }
    }
    assert!(wide.is_empty(), "{wide:#?}");
}

#[test]
fn generation_finds_what_it_is_said_to_find() {
    for (mutant, caught) in FOUND.all() {
        let said = caught.generated.as_ref().zip(mutant.beyond_generation);
        assert_eq!(said, None, "{} is found and said not to be", mutant.name);
    }
    // Which of the rest is found hangs on the seed and the tools that there are; most are.
    let within = FOUND
        .all()
        .filter(|(mutant, _)| mutant.beyond_generation.is_none());
    let (found, lost): (Vec<_>, Vec<_>) =
        within.partition(|(_, caught)| caught.generated.is_some());
    let lost: Vec<_> = lost.iter().map(|(mutant, _)| &mutant.name).collect();
    assert!(found.len() > lost.len() * 3, "{lost:#?}");
}

#[test]
fn the_page_and_the_file_are_up_to_date() {
    for (path, text) in [
        ("docs/strength.md", page::page(&FOUND)),
        ("corpus/strength.json", page::strength_text(&FOUND)),
    ] {
        let path = support::root().join(path);
        if std::env::var_os("UPDATE_STRENGTH").is_some() {
            std::fs::write(&path, &text).expect("the file can be written");
        }
        let written = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            written == text,
            "{} is not up to date; run UPDATE_STRENGTH=1 cargo test --test mutants",
            path.display()
        );
    }
    let read = Strength::read(&support::root().join("corpus"));
    assert_eq!(read.as_ref(), Ok(&page::strength(&FOUND)));
}

/// What `coverage` says of single cases holds in a real run.
#[test]
fn without_the_one_case_that_catches_it_a_mutant_passes() {
    let alone = FOUND.all().filter(|(_, caught)| caught.ids.len() == 1);
    for (mutant, caught) in alone {
        let mut corpus = Corpus {
            suites: CORPUS.suites.clone(),
            identity: CORPUS.identity.clone(),
        };
        // That suite alone: of the others the first test tells.
        let of = |name: &str| {
            caught
                .ids
                .iter()
                .any(|id| id.starts_with(&format!("{name}#")))
        };
        corpus.suites.retain(|suite| of(&suite.name));
        assert_eq!(
            failures(mutant, &corpus),
            caught.ids.iter().cloned().collect(),
            "{}",
            mutant.name
        );
        for suite in &mut corpus.suites {
            suite.cases.retain(|case| !caught.ids.contains(&case.id));
        }
        assert_eq!(
            failures(mutant, &corpus),
            BTreeSet::new(),
            "{}",
            mutant.name
        );
        let strength = page::strength(&FOUND);
        let reliance = strength.reliance(&corpus);
        assert!(
            reliance
                .let_through
                .iter()
                .any(|weakness| weakness.mutant == mutant.name)
        );
    }
}

/// The ids of the cases that a mutant at work fails.
fn failures(mutant: &Mutant, corpus: &Corpus) -> BTreeSet<String> {
    let options = Options {
        jobs: 1,
        deadline: Duration::from_secs(60),
        interrupt: &std::sync::atomic::AtomicBool::new(false),
        observer: &(),
    };
    let plan = Plan::new(corpus, &Selection::default());
    let run = certify(&plan, &|| Faulty::new(mutant), &options).expect("it starts");
    let failed = run
        .judged
        .iter()
        .filter(|judged| judged.verdict.is_failure());
    failed.map(|judged| judged.asked.case.id.clone()).collect()
}

#[test]
fn coverage_names_the_cases_that_stand_alone() {
    let alone: BTreeSet<_> = FOUND
        .all()
        .filter(|(_, caught)| caught.ids.len() == 1)
        .map(|(mutant, caught)| (caught.ids[0].as_str(), mutant.name.as_str()))
        .collect();
    let strength = page::strength(&FOUND);
    let reliance = strength.reliance(&CORPUS);
    let said = reliance.alone.iter();
    let said = said.map(|(id, weakness)| (*id, weakness.mutant.as_str()));
    assert_eq!(said.collect::<BTreeSet<_>>(), alone);
    assert!(reliance.let_through.is_empty());
}
