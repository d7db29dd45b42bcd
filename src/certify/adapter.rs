//! An implementation in a process of its own, in whatever language, that speaks the adapter
//! protocol: one JSON object a line, one request in flight.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;

use super::answer::{self, Said};
use super::greeting;
use super::outcome::{Answer, Outcome};
use super::process::{Command, Process, Received};
use super::request::Request;
use super::{About, Implementation, Launch, NotStarted, PROTOCOL};
use crate::corpus::Identity;

/// Bytes that an answer may be longer than its request.
const SLACK: usize = 256 << 10;
/// How often an implementation is started again after a crash or a hang.
const MOST_RESTARTS: u32 = 20;

/// The last message; it has no answer.
pub const STOP_MESSAGE: &str = r#"{"op":"stop"}"#;

/// The first message, on one line without its end.
pub fn start_message(identity: &Identity) -> String {
    let suite = json!({"version": identity.version, "sha256": identity.sha256});
    json!({"op": "start", "protocol": PROTOCOL, "suite": suite}).to_string()
}

/// How long an adapter may take beside its answers.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// From its start to its answer to `start`.
    pub start: Duration,
    /// From `stop` to its end.
    pub stop: Duration,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            start: Duration::from_secs(20),
            stop: Duration::from_secs(2),
        }
    }
}

/// Starts adapters, and counts how often one had to be started again.
#[derive(Debug)]
pub struct Launcher {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    command: Command,
    start: String,
    bounds: Bounds,
    restarts: AtomicU32,
    interrupt: Arc<AtomicBool>,
}

impl Launcher {
    /// Starts `command` for the suite of this `identity`; `interrupt` ends every wait.
    pub fn new(
        command: Command,
        identity: &Identity,
        bounds: Bounds,
        interrupt: Arc<AtomicBool>,
    ) -> Self {
        Self {
            shared: Arc::new(Shared {
                command,
                start: start_message(identity) + "\n",
                bounds,
                restarts: AtomicU32::new(0),
                interrupt,
            }),
        }
    }
}

impl Launch for Launcher {
    fn launch(&self) -> Result<Box<dyn Implementation>, NotStarted> {
        let (process, about) = self.shared.begin()?;
        Ok(Box::new(Adapter {
            shared: self.shared.clone(),
            state: State::Running(process),
            about,
            unanswered: Vec::new(),
            stderr: String::new(),
        }))
    }

    fn restarts(&self) -> u32 {
        self.shared.restarts.load(Ordering::Relaxed)
    }
}

impl Shared {
    /// Starts a process and greets it.
    fn begin(&self) -> Result<(Process, About), NotStarted> {
        let mut process = Process::start(&self.command).map_err(|error| NotStarted {
            detail: format!(
                "{}: cannot be started: {error}",
                self.command.program.display()
            ),
            stderr: String::new(),
        })?;
        let deadline = Instant::now() + self.bounds.start;
        let received =
            process.exchange(&mut self.start.as_bytes(), SLACK, deadline, &self.interrupt);
        let about = match received {
            Received::Line(line) => greeting::start(&line),
            Received::TooLong => Err(format!("its first line is longer than {SLACK} bytes")),
            Received::Ended(how) => Err(format!("{how} before it answered `start`")),
            Received::Late => {
                let limit = self.bounds.start.as_secs_f64();
                Err(format!("it did not answer `start` within {limit} s"))
            }
            Received::Interrupted => Err("the run was interrupted".to_owned()),
        };
        match about {
            Ok(about) => Ok((process, about)),
            Err(detail) => {
                process.kill();
                Err(NotStarted {
                    detail: format!("{}: {detail}", self.command.program.display()),
                    stderr: process.stderr(),
                })
            }
        }
    }

    /// Takes one of the restarts that are left.
    fn may_restart(&self) -> bool {
        let take = |used: u32| (used < MOST_RESTARTS).then_some(used + 1);
        self.restarts
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, take)
            .is_ok()
    }
}

/// A process that speaks the adapter protocol.
#[derive(Debug)]
pub struct Adapter {
    shared: Arc<Shared>,
    state: State,
    about: About,
    /// Requests that were judged without their answer, which may still come.
    unanswered: Vec<u64>,
    stderr: String,
}

#[derive(Debug)]
enum State {
    Running(Process),
    /// It ended; the next request starts it again.
    Ended,
    /// It is not started again, and this is why.
    GivenUp(String),
}

impl Implementation for Adapter {
    fn about(&self) -> &About {
        &self.about
    }

    fn run(&mut self, request: &Request) -> Outcome {
        if let Err(why) = self.running() {
            return Outcome::error(why);
        }
        let State::Running(process) = &mut self.state else {
            return Outcome::error("the implementation is not running");
        };
        let mut message = request.message();
        message.push('\n');
        let limit = message.len() + SLACK;
        let deadline = Instant::now() + request.deadline;
        let mut unsent = message.as_bytes();
        let outcome = loop {
            let received = process.exchange(&mut unsent, limit, deadline, &self.shared.interrupt);
            let line = match received {
                Received::Line(line) => line,
                Received::TooLong => {
                    break Err(Outcome::error(format!("a line of more than {limit} bytes")));
                }
                Received::Ended(how) => {
                    let detail = format!("{how} before it answered");
                    break Err(Outcome::of(Answer::Crash).because(detail));
                }
                Received::Late | Received::Interrupted => {
                    let seconds = request.deadline.as_secs_f64();
                    let detail = format!("no answer within {seconds} s");
                    break Err(Outcome::of(Answer::Timeout).because(detail));
                }
            };
            match answer::run(&line) {
                Said::Nothing(fault) => {
                    self.unanswered.push(request.seq);
                    break Ok(Outcome::error(fault));
                }
                Said::Answer(seq, outcome) if seq == request.seq => {
                    break Ok(if process.has_more() {
                        Outcome::error("more than one line came as the answer")
                    } else {
                        outcome
                    });
                }
                Said::Answer(seq, _) => {
                    let late = self
                        .unanswered
                        .iter()
                        .position(|unanswered| *unanswered == seq);
                    if let Some(late) = late {
                        // Its request has been judged: the answer comes too late to count.
                        self.unanswered.swap_remove(late);
                        continue;
                    }
                    self.unanswered.push(request.seq);
                    let what = if seq < request.seq {
                        "has been answered"
                    } else {
                        "was not asked"
                    };
                    let detail = format!("an answer to request {seq}, which {what}");
                    break Ok(Outcome::error(detail));
                }
            }
        };
        outcome.unwrap_or_else(|outcome| {
            self.end();
            outcome
        })
    }

    fn finish(&mut self) -> String {
        if let State::Running(process) = &mut self.state {
            let deadline = Instant::now() + self.shared.bounds.stop;
            let message = format!("{STOP_MESSAGE}\n");
            process.stop(message.as_bytes(), deadline, &self.shared.interrupt);
        }
        self.end();
        std::mem::take(&mut self.stderr)
    }
}

impl Adapter {
    /// Makes sure that there is a process to ask.
    fn running(&mut self) -> Result<(), String> {
        match &self.state {
            State::Running(_) => return Ok(()),
            State::GivenUp(why) => return Err(why.clone()),
            State::Ended => {}
        }
        let begun = if self.shared.may_restart() {
            self.shared
                .begin()
                .map_err(|failed| format!("not started again: {failed}"))
        } else {
            Err(format!(
                "not started again: it was {MOST_RESTARTS} times already"
            ))
        };
        match begun {
            Ok((process, about)) => {
                self.about = about;
                self.state = State::Running(process);
                Ok(())
            }
            Err(why) => {
                self.state = State::GivenUp(why.clone());
                Err(why)
            }
        }
    }

    /// Ends the process with its group, and keeps what it wrote to its standard error.
    fn end(&mut self) {
        if let State::Running(mut process) = std::mem::replace(&mut self.state, State::Ended) {
            process.kill();
            self.stderr.push_str(&process.stderr());
        }
        self.unanswered.clear();
    }
}
