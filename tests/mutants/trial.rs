//! Puts mutants to many cases. What a mutant does not change is not judged anew.

use std::time::Duration;

use mcp_conform::certify::{
    About, Asked, Builtin, Implementation, Outcome, Plan, Request, Selection, Verdict, judge,
};
use mcp_conform::corpus::{Corpus, Level};
use rayon::prelude::*;

use crate::mutant::Mutant;

/// The most bytes of a case: larger ones are about size alone, and no mutant is.
const MOST_BYTES: usize = 16 << 10;
/// A suite about the cost of judging: its cases take seconds, and no mutant is about that either.
const COSTLY: &str = "hostile/schema-cost#";
/// As much stack as a main thread has.
const STACK: usize = 8 << 20;
/// The time for one answer, which nothing here comes near.
const DEADLINE: Duration = Duration::from_secs(60);

/// Cases with the right answers to them.
pub struct Ground<'c> {
    known: Vec<Known<'c>>,
}

/// A case on a version, and how our own gates answer.
struct Known<'c> {
    asked: Asked<'c>,
    request: Request,
    right: Outcome,
}

/// A case on a version that a mutant got wrong.
#[derive(Clone, Debug)]
pub struct Catch<'c> {
    /// What was asked.
    pub asked: Asked<'c>,
    /// What the mutant answered.
    pub outcome: Outcome,
    /// What that is worth.
    pub verdict: Verdict,
}

impl<'c> Ground<'c> {
    /// All cases of `corpus`, in the order in which they are asked.
    pub fn new(corpus: &'c Corpus) -> Self {
        let plan = Plan::new(corpus, &Selection::default());
        let answer = |unit: &Vec<Asked<'c>>| {
            let mut inner = Builtin::default();
            let answers = unit.iter().filter_map(|asked| {
                let request = Request::new(asked.case, asked.version, 1, DEADLINE);
                let bytes: usize = request.fields.iter().map(|(_, text)| text.len()).sum();
                // What the specification leaves open tells against nobody.
                let is_open = asked.expected.level == Level::Informational;
                if bytes > MOST_BYTES || is_open || asked.case.id.starts_with(COSTLY) {
                    return None;
                }
                let right = inner.run(&request);
                let (verdict, why) = judge(&request, asked.expected, &right);
                assert!(
                    !verdict.is_failure(),
                    "{}: {verdict} {why:?}",
                    asked.case.id
                );
                Some(Known {
                    asked: *asked,
                    request,
                    right,
                })
            });
            answers.collect::<Vec<_>>()
        };
        let known = workers().install(|| plan.units.par_iter().flat_map_iter(answer).collect());
        Self { known }
    }

    /// How many answers are asked for.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// The first `most` wrong answers of each mutant.
    pub fn put(&self, mutants: &[Mutant], most: usize) -> Vec<Vec<Catch<'c>>> {
        let put = |mutant: &Mutant| self.wrong(mutant).take(most).collect();
        workers().install(|| mutants.par_iter().map(put).collect())
    }

    fn wrong(&self, mutant: &Mutant) -> impl Iterator<Item = Catch<'c>> {
        let mut behaviour = mutant.start();
        let mut inner = Builtin::default();
        self.known.iter().filter_map(move |known| {
            let mut inner = Remembering {
                known,
                inner: &mut inner,
            };
            let outcome = behaviour(&known.request, &mut inner);
            if outcome == known.right {
                return None;
            }
            let (verdict, _) = judge(&known.request, known.asked.expected, &outcome);
            verdict.is_failure().then_some(Catch {
                asked: known.asked,
                outcome,
                verdict,
            })
        })
    }
}

/// Our own gates, which know the answer to one request already.
struct Remembering<'k, 'c> {
    known: &'k Known<'c>,
    inner: &'k mut Builtin,
}

impl Implementation for Remembering<'_, '_> {
    fn about(&self) -> &About {
        self.inner.about()
    }

    fn run(&mut self, request: &Request) -> Outcome {
        if std::ptr::eq(request, &raw const self.known.request) {
            self.known.right.clone()
        } else {
            self.inner.run(request)
        }
    }
}

fn workers() -> rayon::ThreadPool {
    let pool = rayon::ThreadPoolBuilder::new().stack_size(STACK);
    pool.build().expect("threads")
}
