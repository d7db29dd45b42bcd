//! What the server of a session sends, and the record of what its client sent.
//!
//! A script holds raw JSON text and never values: a number that a double would change, a member
//! named twice or half a surrogate pair must leave the server as its case has them.

use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::protocol::ProtocolVersion;

/// One session of one protocol version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Script {
    /// The version that the server speaks, and the only one.
    pub version: ProtocolVersion,
    /// The form of an answer over HTTP; stdio has but one.
    #[serde(default)]
    pub reply: ReplyForm,
    /// What the server offers, one after another. A server without a stage lists no tool.
    pub stages: Vec<Stage>,
}

/// How an answer travels over HTTP.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReplyForm {
    /// One JSON message as the body.
    #[default]
    Json,
    /// A stream of server-sent events that ends after the answer.
    Sse,
}

/// What the server offers until one of its tools has been called.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    /// The answers to `tools/list`: the first one without a cursor, number i (from 1) for the
    /// cursor `page-i`. The text of a result holds its own `nextCursor`.
    pub pages: Vec<Reply>,
    /// The answers to `tools/call`, by tool. A tool that is not named here is answered by a
    /// complete result with `isError` and one block of text, `reached`.
    #[serde(default)]
    pub calls: BTreeMap<String, Reply>,
    /// The tool after whose call the server says that its listing has changed and goes to the
    /// next stage. The last stage stays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
}

/// One answer, or what comes instead of one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reply {
    /// The raw JSON text of `result`.
    Result(String),
    /// The raw JSON text of `error`.
    Error(String),
    /// A whole message, sent as it is; `{{id}}` stands for the text of the request's id.
    Line(String),
    /// No answer.
    Silence,
    /// The end of the connection, and over stdio of the process.
    Close,
    /// A piece of a message, and then nothing.
    Half(String),
    /// A result with one block of text of so many bytes.
    Flood(u64),
}

/// One message that the client sent, or tried to send.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// When it came, in milliseconds of Unix time.
    pub at_ms: u64,
    /// The server's process: a client may start two.
    pub process: u32,
    /// The method; empty where the message names none.
    pub method: String,
    /// The text of the request's id, as it was sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The tool that is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The raw text of the call's arguments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arguments: Option<String>,
    /// The cursor of the listing that is asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// The `mcp-*` headers, by their names in lower case; HTTP only.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub headers: BTreeMap<String, String>,
    /// What is wrong with the message itself, as a clause.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

impl Event {
    /// The event as one that this process received now.
    #[must_use]
    pub fn now(mut self) -> Self {
        self.at_ms = unix_ms();
        self.process = std::process::id();
        self
    }
}

/// Milliseconds of Unix time.
pub(super) fn unix_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| {
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    })
}
