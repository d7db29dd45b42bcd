//! Carries out a plan with a live client: sessions one after the other, each case judged once.
//!
//! A session in which the listing is lost, or in which something hangs, is held again in parts
//! until it is known which case is to blame.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::batch::{Job, Jobs, request};
use super::canary::Canary;
use super::compose::{Composed, Part, is_control, shown};
use super::driver::{Broke, Driver, Drivers, Heard, Task};
use super::hello::{Hello, greet};
use super::host::Host;
use super::http::HttpServer;
use super::judge::Held;
use super::script::{Event, ReplyForm};
use crate::certify::outcome::{Answer, Outcome};
use crate::certify::run::{Judged, MOST_SENT, NotStarted, Options, Run, STACK};
use crate::certify::verdict::judge;
use crate::certify::{Asked, Bounds, Command, Plan};
use crate::corpus::{Ask, Expected, GateName, Input, Level, Transport};
use crate::protocol::ProtocolVersion;

/// How long a client may take over a message that is no JSON: there is nothing in it to work on,
/// and most clients wait for the answer that they have just thrown away.
const PATIENCE: Duration = Duration::from_secs(2);
/// How many clients may wait for such answers side by side: waiting costs nothing.
const MOST_WAITING: usize = 8;

/// A client under test, and how it is put to the wire.
#[derive(Clone, Debug)]
pub struct Live {
    /// The driver's command line.
    pub driver: Command,
    /// Whether the driver reads its sessions from its standard input, instead of being started
    /// for each.
    pub sessions_on_stdin: bool,
    /// How client and server are connected.
    pub transport: Transport,
    /// The form of answers over HTTP.
    pub reply: ReplyForm,
    /// This program, which clients start as their server over stdio.
    pub server: PathBuf,
    /// How long a driver may take to start and to leave.
    pub bounds: Bounds,
}

impl Live {
    /// How the client is set up, as a certificate says it.
    pub fn config(&self) -> String {
        match (self.transport, self.reply) {
            (Transport::Http, ReplyForm::Sse) => "live http sse".to_owned(),
            (transport, _) => format!("live {}", transport.as_str()),
        }
    }
}

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
    let failed = |error: io::Error| NotStarted {
        detail: format!("this program's own side cannot be set up: {error}"),
        stderr: String::new(),
    };
    let (command, bounds) = (live.driver.clone(), live.bounds);
    let drivers = Drivers::new(command, live.sessions_on_stdin, bounds, interrupt.clone());
    let drivers = Arc::new(drivers);
    let stage = Stage {
        host: match live.transport {
            Transport::Stdio => Host::stdio(live.server.clone()),
            Transport::Http => HttpServer::start().map(Host::Http),
        }
        .map_err(failed)?,
        canary: Canary::start().map_err(failed)?,
        reply: live.reply,
        sessions: AtomicU64::new(0),
    };
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

/// What sessions are held on.
pub(super) struct Stage {
    host: Host,
    canary: Canary,
    reply: ReplyForm,
    sessions: AtomicU64,
}

/// A session as it was held.
pub(super) struct Past {
    pub(super) heard: Heard,
    pub(super) events: Vec<Event>,
    fetched: Vec<String>,
    composed: Composed,
}

impl Stage {
    /// Holds the session of `parts`.
    ///
    /// # Errors
    /// Where the server's side cannot be set up.
    pub(super) fn hold(
        &self,
        version: ProtocolVersion,
        parts: &[Part<'_>],
        driver: &mut Driver,
        deadline: Duration,
    ) -> io::Result<Past> {
        let number = self.sessions.fetch_add(1, Ordering::Relaxed);
        let token = format!("session-{number}");
        let composed = Composed::new(version, parts, self.reply, &self.canary.url(&token));
        let opened = self.host.open(&composed.script)?;
        let heard = driver.session(&Task {
            target: opened.target(),
            tools: composed.tools,
            largest: composed.largest(),
            deadline: if composed.is_broken {
                deadline.min(PATIENCE)
            } else {
                deadline
            },
            may_hang: composed.is_broken,
            ids: &composed.ids,
            signs: &|| opened.signs(),
        });
        let visits = self.canary.visits().into_iter();
        let fetched = visits.filter(|visit| visit.is_of(&token));
        Ok(Past {
            events: opened.events(),
            fetched: fetched.map(|visit| visit.line).collect(),
            heard,
            composed,
        })
    }
}

impl Past {
    pub(super) fn held(&self) -> Held<'_> {
        Held {
            heard: &self.heard,
            events: &self.events,
            fetched: &self.fetched,
        }
    }
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
            if let Some(outcome) = self.hello.instead(job.version) {
                for asked in job.sessions.iter().flatten() {
                    self.judged(*asked, outcome.clone(), None);
                }
            } else if job.sequence {
                for session in &job.sessions {
                    self.whole(job.version, session, &mut driver);
                }
            } else {
                for session in &job.sessions {
                    self.divisible(job.version, session, &mut driver);
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
            let again = self.once(version, &cases, driver, cases.len() == 1);
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

    /// A session whose cases belong together.
    fn whole(&self, version: ProtocolVersion, cases: &[Asked<'c>], driver: &mut Driver) {
        self.once(version, cases, driver, true);
    }

    /// Holds one session and judges what can be judged. What comes back is to be asked again, in
    /// smaller sessions; nothing does where this is the `last` word.
    fn once(
        &self,
        version: ProtocolVersion,
        cases: &[Asked<'c>],
        driver: &mut Driver,
        last: bool,
    ) -> Vec<Asked<'c>> {
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
                return Vec::new();
            }
        };
        let held = past.held();
        let broke = past.heard.broke.as_ref();
        if let Some(Broke::NotStarted(why)) = broke {
            self.all(cases, &Outcome::error(why));
            return Vec::new();
        }
        if broke == Some(&Broke::Interrupted) || (broke.is_some() && self.is_over()) {
            return Vec::new();
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
            let sent = || self.sent(part, &past.composed);
            self.judged_with(part, outcome, sent);
        }
        again
    }

    /// What a report shows of the session of a case: the texts of the case, and for a session of
    /// its own what the server was told.
    fn sent(&self, (asked, request): &Part<'_>, composed: &Composed) -> serde_json::Value {
        let mut shown_request = request.shown(MOST_SENT);
        if let Some(members) = shown_request.as_object_mut() {
            members.insert("op".into(), "session".into());
            members.remove("seq");
            if asked.case.gate == GateName::Wire {
                members.insert("script".into(), shown(&composed.script, MOST_SENT));
            }
        }
        shown_request
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

/// What came of a case in whose session the driver broke.
fn broken((asked, _): &Part<'_>, broke: &Broke, blamed: Option<&str>) -> Outcome {
    let answer = match broke {
        Broke::Late(_) => Answer::Timeout,
        Broke::Ended(_) => Answer::Crash,
        Broke::Garbage(_) | Broke::NotStarted(_) | Broke::Interrupted => Answer::Error,
    };
    let detail = match broke {
        Broke::Late(what) | Broke::Ended(what) | Broke::Garbage(what) | Broke::NotStarted(what) => {
            what.clone()
        }
        Broke::Interrupted => "the run was interrupted".to_owned(),
    };
    let after = match blamed {
        Some(tool) if is_control(tool) => " after the call of the control tool",
        Some(_) => " after the call",
        None => "",
    };
    let detail = format!("{detail}{after}");
    // How long a client waits for an answer that never comes is its own affair.
    let open = matches!(&asked.case.input, Input::Wire { session, .. }
        if matches!(session.ask, Ask::Answered(_)));
    if open && answer == Answer::Timeout && asked.expected.level == Level::Informational {
        return Outcome::of(Answer::Reject).because(detail);
    }
    Outcome::of(answer).because(detail)
}
