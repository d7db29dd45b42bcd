//! Asks the cases of a plan, with as many workers as are wanted, and judges every answer once.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::outcome::{Answer, Outcome};
use super::plan::{Asked, Order, Plan};
use super::request::Request;
use super::verdict::{Verdict, judge};
use super::{About, Implementation, Launch};

/// The most characters of each text that is kept of a request that failed.
pub(super) const MOST_SENT: usize = 4_096;
/// As much stack as a main thread has, for implementations that run inside this program.
pub(super) const STACK: usize = 8 << 20;

/// How a plan is carried out.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// How many implementations work side by side.
    pub jobs: usize,
    /// How long one answer may take.
    pub deadline: Duration,
    /// Set by whoever wants the run to end: what has been judged is kept.
    pub interrupt: &'a AtomicBool,
    /// Who is told of what happens.
    pub observer: &'a dyn Observer,
}

impl fmt::Debug for Options<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("jobs", &self.jobs)
            .finish_non_exhaustive()
    }
}

/// Someone who watches a run.
pub trait Observer: Sync {
    /// The implementation has started, and so many cases will be judged.
    fn started(&self, _about: &About, _cases: usize) {}
    /// A case has been judged.
    fn judged(&self, _judged: &Judged<'_>) {}
    /// Both cases of the smoke pair, one to accept and one to reject, were answered alike.
    fn answered_alike(&self, _answer: Answer) {}
}

impl Observer for () {}

/// The implementation could not be started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotStarted {
    /// Why, as a clause.
    pub detail: String,
    /// What it wrote to its standard error.
    pub stderr: String,
}

impl fmt::Display for NotStarted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.detail)
    }
}

impl std::error::Error for NotStarted {}

/// A case on a version, and what it came to.
#[derive(Clone, Debug)]
pub struct Judged<'c> {
    /// What was asked.
    pub asked: Asked<'c>,
    /// What came back.
    pub outcome: Outcome,
    /// What that is worth.
    pub verdict: Verdict,
    /// Why it is not a pass, as a clause.
    pub why: Option<String>,
    /// What was sent, with long texts cut; kept where the verdict tells against somebody.
    pub sent: Option<Value>,
}

/// What came of a plan.
#[derive(Clone, Debug)]
pub struct Run<'c> {
    /// The implementation.
    pub about: About,
    /// What was judged, in the order of the corpus.
    pub judged: Vec<Judged<'c>>,
    /// Whether that is the whole plan.
    pub complete: bool,
    /// How often the implementation was started again.
    pub restarts: u32,
    /// The end of what it wrote to its standard error.
    pub stderr: String,
}

/// Carries out `plan`.
///
/// # Errors
/// Where the implementation cannot be started at all; whatever it does later is a verdict.
pub fn certify<'c>(
    plan: &Plan<'c>,
    launch: &dyn Launch,
    options: &Options<'_>,
) -> Result<Run<'c>, NotStarted> {
    let mut first = launch.launch()?;
    let about = first.about().clone();
    options.observer.started(&about, plan.judged);
    let shared = Shared {
        plan,
        order: plan.order(&about),
        options,
        next: AtomicUsize::new(0),
        done: Mutex::new(Done {
            judged: (0..plan.judged).map(|_| None).collect(),
            stderr: String::new(),
            alike: false,
        }),
    };
    thread::scope(|scope| {
        for _ in 1..options.jobs.min(plan.units.len()) {
            let worker = thread::Builder::new().stack_size(STACK);
            // Where there is no further thread or process, there are fewer workers.
            let _ = worker.spawn_scoped(scope, || {
                if let Ok(mut implementation) = launch.launch() {
                    shared.work(implementation.as_mut());
                }
            });
        }
        shared.work(first.as_mut());
    });
    let done = shared
        .done
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    let judged: Vec<_> = done.judged.into_iter().flatten().collect();
    Ok(Run {
        about,
        complete: judged.len() == plan.judged,
        judged,
        restarts: launch.restarts(),
        stderr: done.stderr,
    })
}

struct Shared<'p, 'c> {
    plan: &'p Plan<'c>,
    order: Order,
    options: &'p Options<'p>,
    next: AtomicUsize,
    done: Mutex<Done<'c>>,
}

struct Done<'c> {
    judged: Vec<Option<Judged<'c>>>,
    stderr: String,
    /// Whether the smoke pair has been spoken of.
    alike: bool,
}

impl<'c> Shared<'_, 'c> {
    /// Takes units until none is left, or somebody wants an end.
    fn work(&self, implementation: &mut dyn Implementation) {
        let about = implementation.about().clone();
        let mut seq = 0;
        let next = || {
            self.order
                .units
                .get(self.next.fetch_add(1, Ordering::Relaxed))
        };
        while let Some(unit) = next() {
            for asked in &self.plan.units[*unit] {
                if self.options.interrupt.load(Ordering::Relaxed) {
                    break;
                }
                seq += 1;
                self.ask(asked, seq, &about, implementation);
            }
        }
        let stderr = implementation.finish();
        self.done().stderr.push_str(&stderr);
    }

    fn ask(
        &self,
        asked: &Asked<'c>,
        seq: u64,
        about: &About,
        implementation: &mut dyn Implementation,
    ) {
        let request = Request::new(asked.case, asked.version, seq, self.options.deadline);
        let outcome = match about.skips(asked.case, asked.version) {
            Some(why) => Outcome::skip(why),
            None => timed(&request, implementation),
        };
        // An answer that an interrupt cut short says nothing.
        let cut_short = matches!(outcome.answer, Answer::Crash | Answer::Timeout);
        if cut_short && self.options.interrupt.load(Ordering::Relaxed) {
            return;
        }
        let Some(place) = asked.place else {
            return;
        };
        let (verdict, why) = judge(&request, asked.expected, &outcome);
        let judged = Judged {
            asked: *asked,
            sent: verdict.is_failure().then(|| request.shown(MOST_SENT)),
            outcome,
            verdict,
            why,
        };
        self.options.observer.judged(&judged);
        let mut done = self.done();
        done.judged[place] = Some(judged);
        if let Some(answer) = self.alike(&mut done) {
            self.options.observer.answered_alike(answer);
        }
    }

    /// The answer that both cases of the smoke pair got, the first time that it can be told.
    fn alike(&self, done: &mut Done<'c>) -> Option<Answer> {
        let (accept, reject) = self.order.smoke.filter(|_| !done.alike)?;
        let answer = |place: usize| Some(done.judged[place].as_ref()?.outcome.answer);
        let (accept, reject) = (answer(accept)?, answer(reject)?);
        done.alike = true;
        (accept == reject && matches!(accept, Answer::Accept | Answer::Reject)).then_some(accept)
    }

    fn done(&self) -> std::sync::MutexGuard<'_, Done<'c>> {
        self.done.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The answer and how long it took; one that panics has none.
fn timed(request: &Request, implementation: &mut dyn Implementation) -> Outcome {
    let start = Instant::now();
    let outcome = catch_unwind(AssertUnwindSafe(|| implementation.run(request)));
    let mut outcome = outcome.unwrap_or_else(|_| Outcome::error("the implementation panicked"));
    outcome.elapsed = start.elapsed();
    outcome
}
