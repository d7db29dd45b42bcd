//! The protocol of one session: a message in, what is due out. No transport, no clock.
//!
//! Versions up to 2025-11-25 open with `initialize`, and the session is of one version whatever
//! the client asks for. 2026-07-28 has no session: each request names its version, and
//! `server/discover` says what there is. What the script wants sent is sent as it stands; what is
//! wrong with the client's own message is noted and answered as the specification says.

mod lifecycle;
mod tools;

use std::collections::BTreeMap;

use super::headers;
use super::mirror::Mirrored;
use super::reply::{self, Answer, UNSUPPORTED_VERSION, refusal, unknown_method};
use super::request::{INVALID_REQUEST, Kind, Message, Unreadable, read, string};
use super::script::{Event, Script, Stage};
use crate::protocol::ProtocolVersion;

/// The most bytes of one message of the client.
pub const MOST_MESSAGE: usize = 16 << 20;
/// The most bytes of a client's messages in one session.
const MOST_SESSION: usize = 64 << 20;
/// What a message counts at least: its record takes room, too.
const LEAST_MESSAGE: usize = 1 << 10;
/// The most subscriptions that are told of a change.
const MOST_SUBSCRIPTIONS: usize = 64;

/// The `mcp-*` headers of a message, by their names in lower case.
pub type Headers = BTreeMap<String, String>;

/// A session.
#[derive(Debug)]
pub struct Session {
    script: Script,
    stage: usize,
    initialized: bool,
    subscriptions: Vec<String>,
    mirrored: Option<Mirrored>,
    spent: usize,
}

/// What a message came to.
#[derive(Debug)]
pub struct Turn {
    /// The record of the message; when and by which process is for the transport to say.
    pub event: Event,
    /// What is due.
    pub answer: Answer,
    /// Whether the listing changes once that is sent.
    pub changed: bool,
}

/// Why a request is not served, and what the client is told.
pub(super) struct Refused {
    pub(super) code: i64,
    pub(super) message: String,
    pub(super) data: Option<serde_json::Value>,
}

impl Refused {
    pub(super) fn new(code: i64, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            data: None,
        }
    }
}

impl Session {
    /// A session that follows `script`.
    pub fn new(script: Script) -> Self {
        Self {
            script,
            stage: 0,
            initialized: false,
            subscriptions: Vec::new(),
            mirrored: None,
            spent: 0,
        }
    }

    /// The version that is spoken.
    pub fn version(&self) -> ProtocolVersion {
        self.script.version
    }

    /// Whether the listing changes in the course of the session, so that a client may want to be
    /// told.
    pub fn changes(&self) -> bool {
        self.script.stages.len() > 1
    }

    /// The notifications by which a change of the listing is announced where all messages share
    /// one channel.
    pub fn announcements(&self) -> Vec<String> {
        if self.is_stateless() {
            let ids = self.subscriptions.iter();
            ids.map(|id| reply::changed(Some(id))).collect()
        } else {
            vec![reply::changed(None)]
        }
    }

    /// A message that exceeds a bound, of which nothing was read.
    pub fn too_long(&mut self, bytes: usize) -> Turn {
        let fault = Unreadable {
            code: INVALID_REQUEST,
            problem: format!(
                "the message has {bytes} bytes or more, of which {MOST_MESSAGE} are read"
            ),
            id: None,
            method: String::new(),
        };
        let turn = self.unreadable(&fault);
        // Nothing of it was kept.
        self.bounded(turn, 0)
    }

    /// Takes a message: over HTTP with its headers.
    pub fn receive(&mut self, bytes: &[u8], headers: Option<&Headers>) -> Turn {
        let turn = match read(bytes) {
            Ok(message) => self.message(&message, headers),
            Err(fault) => self.unreadable(&fault),
        };
        self.bounded(turn, bytes.len())
    }

    /// The turn, unless its message was one too many.
    fn bounded(&mut self, mut turn: Turn, bytes: usize) -> Turn {
        self.spent = self.spent.saturating_add(bytes.max(LEAST_MESSAGE));
        if self.spent > MOST_SESSION {
            let problem = "more messages than a session may have: the connection ends";
            turn.event.problem = Some(problem.to_owned());
            turn.answer = Answer::Close;
        }
        turn
    }

    fn unreadable(&self, fault: &Unreadable<'_>) -> Turn {
        Turn {
            event: Event {
                method: fault.method.clone(),
                id: fault.id.map(str::to_owned),
                problem: Some(fault.problem.clone()),
                ..Event::default()
            },
            answer: refusal(self.version(), fault.id, fault.code, &fault.problem, None),
            changed: false,
        }
    }

    fn message(&mut self, message: &Message<'_>, headers: Option<&Headers>) -> Turn {
        let params = &message.params;
        let is_call = message.method == "tools/call";
        let mut event = Event {
            method: message.method.clone(),
            id: message.id.map(str::to_owned),
            tool: string(params.name).filter(|_| is_call),
            arguments: params
                .arguments
                .filter(|_| is_call)
                .map(|raw| raw.get().to_owned()),
            cursor: params
                .cursor
                .map(|raw| string(Some(raw)).unwrap_or_else(|| raw.get().to_owned())),
            headers: headers.cloned().unwrap_or_default(),
            ..Event::default()
        };
        let mut changed = false;
        let answer = match (message.kind, message.id) {
            (Kind::Request, Some(id)) => match self.request(message, id, headers, &mut event) {
                Ok(answer) => {
                    changed = self.advances(event.tool.as_deref().filter(|_| is_call));
                    answer
                }
                Err(refused) => {
                    // A client of another version has done nothing wrong.
                    if refused.code != UNSUPPORTED_VERSION {
                        event.problem = Some(refused.message.clone());
                    }
                    let Refused {
                        code,
                        message,
                        data,
                    } = refused;
                    refusal(self.version(), Some(id), code, &message, data)
                }
            },
            (Kind::Response, _) => {
                event.problem = Some("a response, though the server asked nothing".to_owned());
                Answer::None
            }
            _ => {
                self.notification(message);
                Answer::None
            }
        };
        Turn {
            event,
            answer,
            changed,
        }
    }

    fn notification(&mut self, message: &Message<'_>) {
        if message.method == "notifications/cancelled"
            && let Some(cancelled) = message.params.request_id
        {
            self.subscriptions.retain(|id| id != cancelled.get());
        }
    }

    fn request(
        &mut self,
        message: &Message<'_>,
        id: &str,
        headers: Option<&Headers>,
        event: &mut Event,
    ) -> Result<Answer, Refused> {
        if self.is_stateless() {
            self.check_stateless(message, headers)?;
        } else if let Some(headers) = headers
            && !matches!(&*message.method, "initialize" | "server/discover")
        {
            event.problem = headers::check_version(headers, self.version())?;
        }
        match (&*message.method, self.is_stateless()) {
            ("initialize", false) => Ok(self.initialize(message, id, event)),
            ("ping", false) => Ok(reply::result(id, "{}")),
            ("tools/list" | "tools/call", false) if !self.initialized => Err(Refused::new(
                INVALID_REQUEST,
                format!("{} before `initialize`", message.method),
            )),
            ("tools/list", _) => self.list(message, id),
            ("tools/call", _) => self.call(message, id, headers, event),
            ("server/discover", true) => Ok(self.discover(id)),
            ("subscriptions/listen", true) if self.changes() => Ok(self.listen(message, id)),
            (method, _) => Ok(unknown_method(self.version(), id, method)),
        }
    }

    /// Goes to the next stage if `tool` ends this one.
    fn advances(&mut self, tool: Option<&str>) -> bool {
        let until = self.stage().and_then(|stage| stage.until.as_deref());
        let advances = tool.is_some() && until == tool && self.stage + 1 < self.script.stages.len();
        if advances {
            self.stage += 1;
            self.mirrored = None;
        }
        advances
    }

    fn stage(&self) -> Option<&Stage> {
        self.script.stages.get(self.stage)
    }

    fn is_stateless(&self) -> bool {
        self.version() >= ProtocolVersion::V2026_07_28
    }
}
