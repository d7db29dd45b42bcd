//! Holds one session: its server's side is set up, the driver goes through it, and what was heard
//! and seen is put together.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::canary::Canary;
use super::client::Live;
use super::compose::{Composed, Part, is_control};
use super::driver::{Broke, Driver, Heard, Task};
use super::host::Host;
use super::http::HttpServer;
use super::judge::Held;
use super::script::{Event, ReplyForm};
use crate::certify::NotStarted;
use crate::certify::outcome::{Answer, Outcome};
use crate::corpus::{GateName, Level, Transport};
use crate::protocol::ProtocolVersion;

/// How long a client may take over a message that cannot be read: there is nothing in it to work
/// on, and most clients wait for the answer that they have just thrown away.
const PATIENCE: Duration = Duration::from_secs(3);

/// What sessions are held on.
#[derive(Debug)]
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
    pub(super) composed: Composed,
}

impl Stage {
    /// The server's side of a run.
    ///
    /// # Errors
    /// Where it cannot be set up.
    pub(super) fn new(live: &Live) -> Result<Self, NotStarted> {
        let host = match live.transport {
            Transport::Stdio => Host::stdio(live.server.clone()),
            Transport::Http => HttpServer::start().map(Host::Http),
        };
        Ok(Self {
            host: host.map_err(|error| own_side(&error))?,
            canary: Canary::start().map_err(|error| own_side(&error))?,
            reply: live.reply,
            sessions: AtomicU64::new(0),
        })
    }

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

/// Nothing can be asked, and it is not the client's doing.
pub(super) fn own_side(error: &io::Error) -> NotStarted {
    NotStarted {
        detail: format!("this program's own side cannot be set up: {error}"),
        stderr: String::new(),
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

/// What came of a case in whose session the driver broke.
pub(super) fn broken((asked, _): &Part<'_>, broke: &Broke, blamed: Option<&str>) -> Outcome {
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
    let open = asked.case.gate == GateName::Wire && asked.expected.level == Level::Informational;
    if open && answer == Answer::Timeout {
        return Outcome::of(Answer::Reject).because(detail);
    }
    Outcome::of(answer).because(detail)
}
