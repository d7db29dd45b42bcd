//! The driver of a client: a process that goes through one session after the other, or one process
//! for each. Nothing that it does, or leaves undone, costs more than its deadline.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;

use super::drivers::{Drivers, MOST_RESTARTS};
use super::line::{End, Line, Told, read};
use crate::certify::process::{Process, Received, Tail};

/// Bytes that a line may have beside the largest answer of its session.
const SLACK: usize = 256 << 10;
/// How often the server's record is looked at while the driver says nothing.
const GLANCE: Duration = Duration::from_millis(200);
/// How long a driver is waited for before another is started that may have to take its place: by then
/// an interpreter has started, too.
const SPARE: Duration = Duration::from_millis(800);
/// How long a driver may take to say that it has given a session up.
const GRACE: Duration = Duration::from_millis(300);
/// How long a driver that has said its last word may take to be gone.
const LEAVING: Duration = Duration::from_millis(500);

/// What one session needs.
pub(super) struct Task<'t> {
    /// The words that name the server.
    pub(super) target: &'t [String],
    /// How many tools it lists at most.
    pub(super) tools: usize,
    /// The bytes of its largest answer.
    pub(super) largest: usize,
    /// How long the client may give no sign of life.
    pub(super) deadline: Duration,
    /// Whether it is sent what is no JSON: most clients then wait for ever, which is a finding and
    /// no reason to give the rest of the run up.
    pub(super) may_hang: bool,
    /// Names under which a client may keep schemas, each with what stands for its content.
    pub(super) ids: &'t [(String, u64)],
    /// A number that grows with whatever the server sees of the client: a sign of life, too.
    pub(super) signs: &'t dyn Fn() -> u64,
}

impl Task<'_> {
    fn late(&self) -> Broke {
        let seconds = self.deadline.as_secs_f64();
        Broke::Late(format!("the driver said nothing for {seconds} s"))
    }
}

/// What was heard of a session.
#[derive(Debug, Default)]
pub(super) struct Heard {
    /// The lines about tools, as they came.
    pub(super) told: Vec<Told>,
    /// The last line; where there is none, the driver broke.
    pub(super) end: Option<End>,
    /// How the session broke.
    pub(super) broke: Option<Broke>,
}

/// Why a session has no last line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Broke {
    /// Nothing more came in time.
    Late(String),
    /// The process ended.
    Ended(String),
    /// It said what no driver says.
    Garbage(String),
    /// It cannot be started, or not again.
    NotStarted(String),
    /// Somebody wants the run to end.
    Interrupted,
}

/// One driver at work.
#[derive(Debug)]
pub(super) struct Driver {
    shared: Arc<Drivers>,
    process: Option<Process>,
    /// Its successor, where it was waited for.
    spare: Option<Process>,
    /// What the process has seen under the names that schemas carry.
    ids: HashMap<String, u64>,
    /// Why it is not started any more.
    given_up: Option<String>,
    stderr: Tail,
}

impl Driver {
    pub(super) fn new(shared: Arc<Drivers>) -> Self {
        Self {
            shared,
            process: None,
            spare: None,
            ids: HashMap::new(),
            given_up: None,
            stderr: Tail::default(),
        }
    }

    /// Goes through one session.
    pub(super) fn session(&mut self, task: &Task<'_>) -> Heard {
        if let Some(why) = &self.given_up {
            return Heard::broken(Broke::NotStarted(why.clone()));
        }
        // A client that keeps schemas by their names must not judge one case by another's.
        if task.ids.iter().any(|(id, content)| {
            let known = self.ids.get(id);
            known.is_some_and(|known| known != content)
        }) {
            self.leave();
        }
        let is_new = self.process.is_none();
        if is_new {
            let spare = self.spare.take().map(Ok);
            match spare.unwrap_or_else(|| self.shared.start(task.target)) {
                Ok(process) => self.process = Some(process),
                Err(broken) => {
                    self.given_up = Some(broken.detail.clone());
                    return Heard::broken(Broke::NotStarted(broken.detail));
                }
            }
        }
        self.ids.extend(task.ids.iter().cloned());
        let heard = self.listen(task, is_new);
        if heard.end.is_none() {
            self.end();
            let interrupted = heard.broke == Some(Broke::Interrupted);
            if !interrupted && !task.may_hang && !self.shared.may_restart() {
                let why = format!("not started again: it broke {MOST_RESTARTS} times already");
                self.given_up = Some(why);
            }
        } else if !self.shared.on_stdin {
            self.leave();
        }
        heard
    }

    /// Ends the driver, and returns the end of what it wrote to its standard error.
    pub(super) fn finish(&mut self) -> String {
        self.leave();
        self.process = self.spare.take();
        self.leave();
        self.stderr.text()
    }

    fn listen(&mut self, task: &Task<'_>, is_new: bool) -> Heard {
        let mut heard = Heard::default();
        let Some(process) = &mut self.process else {
            return heard;
        };
        let shared = &self.shared;
        let message = if shared.on_stdin {
            let patience = u64::try_from(task.deadline.as_millis()).unwrap_or(u64::MAX);
            json!({"target": task.target, "patience_ms": patience}).to_string() + "\n"
        } else {
            String::new()
        };
        let mut unsent = message.as_bytes();
        // A value may be written as text inside text.
        let limit = 4 * task.largest + SLACK;
        let begun = Instant::now();
        // Until the server has seen something of it, a new process is only starting, and on a busy
        // machine, with others beside it, that takes its time.
        let first = if is_new {
            shared.bounds.start
        } else {
            Duration::ZERO
        };
        let allowed = task.deadline
            + if shared.on_stdin {
                GRACE
            } else {
                Duration::ZERO
            };
        let mut deadline = begun + first + allowed;
        let mut signs = 0;
        loop {
            let soon = deadline.min(Instant::now() + GLANCE);
            let received = process.exchange(&mut unsent, limit, soon, &shared.interrupt);
            let line = match received {
                Received::Line(line) => line,
                Received::TooLong => {
                    let what = format!("a line of more than {limit} bytes");
                    heard.broke = Some(Broke::Garbage(what));
                    return heard;
                }
                Received::Ended(how) => {
                    heard.broke = Some(Broke::Ended(format!("{how} within a session")));
                    return heard;
                }
                Received::Late if Instant::now() < deadline => {
                    let waited = allowed.saturating_sub(deadline - Instant::now());
                    if shared.on_stdin && !task.may_hang && waited > SPARE && self.spare.is_none() {
                        self.spare = shared.start(task.target).ok();
                    }
                    let new = (task.signs)();
                    if new != signs {
                        signs = new;
                        deadline = Instant::now() + allowed;
                    }
                    continue;
                }
                Received::Late => {
                    heard.broke = Some(task.late());
                    return heard;
                }
                Received::Interrupted => {
                    heard.broke = Some(Broke::Interrupted);
                    return heard;
                }
            };
            deadline = Instant::now() + allowed;
            match read(&line) {
                Ok(Line::Tool(told)) => heard.told.push(told),
                Ok(Line::End(_)) if process.has_more() => {
                    heard.broke = Some(Broke::Garbage("a line after the end of a session".into()));
                    return heard;
                }
                Ok(Line::End(end)) => {
                    heard.broke = end.late.then(|| task.late());
                    heard.end = Some(end);
                    return heard;
                }
                Err(fault) => {
                    heard.broke = Some(Broke::Garbage(fault));
                    return heard;
                }
            }
            // Twice, since a listing may name a tool twice, and some more.
            if heard.told.len() > 2 * task.tools + 16 {
                let what = "the driver tells of more tools than there are".to_owned();
                heard.broke = Some(Broke::Garbage(what));
                return heard;
            }
        }
    }

    /// Lets the process go in peace: with its input closed it has a moment to leave.
    fn leave(&mut self) {
        if let Some(process) = &mut self.process {
            let deadline = Instant::now() + LEAVING.min(self.shared.bounds.stop);
            process.stop(b"", deadline, &self.shared.interrupt);
        }
        self.end();
    }

    fn end(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.kill();
            self.stderr.push(process.stderr().as_bytes());
        }
        self.ids.clear();
    }
}

impl Heard {
    fn broken(broke: Broke) -> Self {
        Self {
            broke: Some(broke),
            ..Self::default()
        }
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        self.end();
    }
}
