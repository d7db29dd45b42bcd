//! Carries out a plan with a live client: sessions one after the other, each case judged once.
//!
//! A session in which the listing is lost, or in which something hangs, is held again in parts
//! until it is known which case is to blame.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use super::batch::{Job, Jobs, Kind};
use super::client::Live;
use super::compose::{Part, sent};
use super::driver::{Broke, Driver};
use super::drivers::Drivers;
use super::hello::{Hello, greet};
use super::manner::request;
use super::stage::{Stage, broken};
use crate::certify::outcome::{Answer, Outcome};
use crate::certify::run::{Judged, NotStarted, Options, Run, STACK};
use crate::certify::verdict::judge;
use crate::certify::{Asked, Plan};
use crate::corpus::Expected;
use crate::protocol::ProtocolVersion;

/// How many clients may wait side by side for answers that they have thrown away: waiting costs
/// nothing, but to start an interpreter does, and a client that starts beside many others is slow.
const MOST_WAITING: usize = 4;

/// Carries out `plan` with the client of `live`; `interrupt` ends every wait.
///
/// # Errors
/// Where the client gets through a session on no version; whatever it does later is a verdict.
pub fn certify<'c>(
    plan: &Plan<'c>,
    live: &Live,
    interrupt: &Arc<AtomicBool>,
    options: &Options<'_>,
) -> Result<Run<'c>, NotStarted> {
    let drivers = Arc::new(Drivers::new(live, interrupt));
    let stage = Stage::new(live)?;
    let mut first = Driver::new(drivers.clone());
    let Jobs { jobs, unasked } = Jobs::of(plan, live.transport);
    let (waiting, jobs): (Vec<_>, Vec<_>) = jobs.into_iter().partition(|job| job.waits);
    let hello = greet(plan, live, &stage, &mut first, options.deadline)?;
    options.observer.started(&hello.about, plan.judged);
    let shared = Shared {
        stage: &stage,
        options,
        hello: &hello,
        jobs: [&jobs, &waiting],
        next: [AtomicUsize::new(0), AtomicUsize::new(0)],
        done: Mutex::new((0..plan.judged).map(|_| None).collect()),
        stderr: Mutex::new(String::new()),
    };
    for (asked, why) in unasked {
        shared.judged(asked, Outcome::skip(why), None);
    }
    let mut workers = vec![0; options.jobs.clamp(1, jobs.len().max(1))];
    workers.extend(vec![1; waiting.len().min(MOST_WAITING)]);
    thread::scope(|scope| {
        let shared = &shared;
        let mut first = Some(first);
        for queue in workers {
            let driver = first.take().unwrap_or_else(|| Driver::new(drivers.clone()));
            let worker = thread::Builder::new().stack_size(STACK);
            if let Err(error) = worker.spawn_scoped(scope, move || shared.work(driver, queue)) {
                shared.stderr(&format!("no thread can be had: {error}\n"));
            }
        }
    });
    let done = shared
        .done
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    let judged: Vec<_> = done.into_iter().flatten().collect();
    Ok(Run {
        complete: judged.len() == plan.judged,
        judged,
        restarts: drivers.restarts(),
        stderr: shared
            .stderr
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner),
        about: hello.about,
    })
}

struct Shared<'r, 'c> {
    stage: &'r Stage,
    options: &'r Options<'r>,
    hello: &'r Hello,
    /// What there is to work on, and what may have to be waited for.
    jobs: [&'r [Job<'c>]; 2],
    next: [AtomicUsize; 2],
    done: Mutex<Vec<Option<Judged<'c>>>>,
    stderr: Mutex<String>,
}

/// What a session leaves behind.
#[derive(Default)]
struct Left<'c> {
    /// What is to be asked again, in smaller sessions.
    again: Vec<Asked<'c>>,
    /// Whether nothing more came in time.
    hung: bool,
}

impl fmt::Debug for Shared<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").finish_non_exhaustive()
    }
}

impl<'c> Shared<'_, 'c> {
    /// Takes jobs until none is left, or somebody wants an end.
    fn work(&self, mut driver: Driver, queue: usize) {
        let (jobs, next) = (self.jobs[queue], &self.next[queue]);
        while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            if self.is_over() {
                break;
            }
            let mut hung = None;
            for session in &job.sessions {
                let Some(version) = session.first().map(|asked| asked.version) else {
                    continue;
                };
                if let Some(outcome) = self.hello.instead(version) {
                    self.all(session, outcome);
                    continue;
                }
                match (job.kind, hung) {
                    (Kind::Shared, _) => self.divisible(version, session, &mut driver),
                    // It would hang for another deadline, and may have to be killed for it.
                    (Kind::Alone, Some(elsewhere)) => {
                        let why = format!("not asked again: the client hung on {elsewhere}");
                        self.all(session, &Outcome::skip(why));
                    }
                    (Kind::Alone | Kind::Sequence, _) => {
                        let left = self.once(version, session, &mut driver, true);
                        hung = left.hung.then_some(version);
                    }
                }
            }
        }
        self.stderr(&driver.finish());
    }

    fn is_over(&self) -> bool {
        self.options.interrupt.load(Ordering::Relaxed)
    }

    fn parts(&self, cases: &[Asked<'c>]) -> Vec<Part<'c>> {
        let numbered = cases.iter().zip(1..);
        numbered
            .map(|(asked, seq)| (*asked, request(asked, seq, self.options.deadline)))
            .collect()
    }

    /// A session whose cases may be asked apart.
    fn divisible(&self, version: ProtocolVersion, cases: &[Asked<'c>], driver: &mut Driver) {
        let mut left = vec![cases.to_vec()];
        while let Some(cases) = left.pop() {
            if self.is_over() {
                return;
            }
            let Left { again, .. } = self.once(version, &cases, driver, cases.len() == 1);
            // Definitions that a client may refuse listings for are all alike: one by one.
            let suspects = again
                .iter()
                .all(|asked| asked.expected.answer == Expected::Reject);
            let pieces = if suspects || again.len() < cases.len() {
                again.len()
            } else {
                2
            };
            let size = again.len().div_ceil(pieces.max(1)).max(1);
            left.extend(again.chunks(size).rev().map(<[Asked<'c>]>::to_vec));
        }
    }

    /// Holds one session and judges what can be judged; all of it where this is the `last` word.
    fn once(
        &self,
        version: ProtocolVersion,
        cases: &[Asked<'c>],
        driver: &mut Driver,
        last: bool,
    ) -> Left<'c> {
        let start = Instant::now();
        let parts = self.parts(cases);
        let past = match self
            .stage
            .hold(version, &parts, driver, self.options.deadline)
        {
            Ok(past) => past,
            Err(error) => {
                let outcome = Outcome::error(format!("this program's own side failed: {error}"));
                self.all(cases, &outcome);
                return Left::default();
            }
        };
        let held = past.held();
        let broke = past.heard.broke.as_ref();
        if let Some(Broke::NotStarted(why)) = broke {
            self.all(cases, &Outcome::error(why));
            return Left::default();
        }
        if broke == Some(&Broke::Interrupted) || (broke.is_some() && self.is_over()) {
            return Left::default();
        }
        let share = u32::try_from(parts.len()).unwrap_or(1).max(1);
        let lost = broke.is_none() && !held.is_listed();
        let blamed = broke.and_then(|_| held.in_flight());
        let mut again = Vec::new();
        for (part, name) in parts.iter().zip(&past.composed.names) {
            let name = name.as_deref();
            let is_told = name.is_some_and(|name| held.told(name).is_some());
            let is_blamed = name.is_some() && name == blamed;
            let mut outcome = match broke {
                Some(broke) if is_blamed || last && !is_told => broken(part, broke, blamed),
                Some(_) if !is_told => {
                    again.push(part.0);
                    continue;
                }
                None if lost && !last => {
                    again.push(part.0);
                    continue;
                }
                _ => held.outcome(part, name),
            };
            outcome.elapsed = start.elapsed() / share;
            let shown = || sent(part, &past.composed);
            self.judged_with(part, outcome, shown);
        }
        let hung = matches!(broke, Some(Broke::Late(_)));
        Left { again, hung }
    }

    fn all(&self, cases: &[Asked<'c>], outcome: &Outcome) {
        for asked in cases {
            self.judged(*asked, outcome.clone(), None);
        }
    }

    fn judged(&self, asked: Asked<'c>, outcome: Outcome, sent: Option<serde_json::Value>) {
        let part = (asked, request(&asked, 0, self.options.deadline));
        self.judged_with(&part, outcome, || sent.unwrap_or_default());
    }

    fn judged_with(
        &self,
        (asked, request): &Part<'c>,
        outcome: Outcome,
        sent: impl FnOnce() -> serde_json::Value,
    ) {
        // Asked for the next one's sake alone.
        let Some(place) = asked.place else { return };
        let (verdict, why) = judge(request, asked.expected, &outcome);
        let judged = Judged {
            asked: *asked,
            sent: verdict.is_failure().then(sent),
            why: why.map(|why| match (&outcome.detail, outcome.answer) {
                (Some(detail), Answer::Accept | Answer::Reject) => format!("{why}: {detail}"),
                _ => why,
            }),
            outcome,
            verdict,
        };
        self.options.observer.judged(&judged);
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(slot) = done.get_mut(place) {
            *slot = Some(judged);
        }
    }

    fn stderr(&self, text: &str) {
        let mut stderr = self.stderr.lock().unwrap_or_else(PoisonError::into_inner);
        stderr.push_str(text);
    }
}
