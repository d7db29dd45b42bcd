//! A live session as a case of gate `wire` writes it: what the server lists and answers, and what
//! is asked of the client.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What the server does, and what is watched.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Session {
    /// Where the session only makes sense over one of the transports.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transport: Option<Transport>,
    /// What the server offers, one after another.
    pub stages: Vec<SessionStage>,
    /// What the client is asked: the case's answer is accept where this holds.
    pub ask: Ask,
}

/// How client and server are connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Transport {
    /// The server is a child process of the client.
    Stdio,
    /// Streamable HTTP.
    Http,
}

impl Transport {
    /// The transport's name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Stdio => "stdio",
            Self::Http => "http",
        }
    }
}

/// What the server offers until one of its tools has been called.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SessionStage {
    /// The pages of the listing: keys of the suite's tools, in order.
    pub pages: Vec<Vec<String>>,
    /// The answers to calls, by the tool's name on the wire.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub calls: BTreeMap<String, SessionAnswer>,
    /// The tool after whose call the server says that its listing has changed, and goes on to the
    /// next stage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
}

/// What a call is answered with.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SessionAnswer {
    /// The result.
    Result(Value),
    /// The text of the result.
    Raw(String),
    /// A whole message; `{{id}}` stands for the request's id.
    Line(String),
    /// The beginning of a message, and then nothing.
    Half(String),
    /// A result with one block of text of so many bytes.
    Flood(u64),
    /// No answer.
    Silence,
    /// The end of the connection, and over stdio of the server.
    Close,
}

/// What is watched in a session.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ask {
    /// A call of this tool reaches the server.
    Called(String),
    /// The app receives this tool's structured content, each number as it was sent.
    Delivered(String),
    /// The app receives this tool's own error as such.
    ToolError(String),
    /// The call of this tool comes to an end, and the client can still be used.
    Answered(String),
    /// The call of this tool comes to an end for the app, whatever can be done after it.
    Ended(String),
    /// Nothing is fetched from the address that stands in the definitions.
    Unfetched(bool),
    /// The call of a tool carries a header.
    Header {
        /// The tool.
        tool: String,
        /// The header's name, in lower case.
        name: String,
        /// Its value; none where the header must not be there.
        value: Option<String>,
    },
    /// Every message of the client is as the version of the session asks for.
    Sound(bool),
}

impl Session {
    /// Reads a session; `is_tool` says whether a key names a tool of the suite.
    ///
    /// # Errors
    /// What is wrong with it, as a clause.
    pub fn read(session: &Value, is_tool: impl Fn(&str) -> bool) -> Result<Self, String> {
        let read = Self::deserialize(session).map_err(|error| format!("`session`: {error}"))?;
        let keys = read.stages.iter().flat_map(|stage| &stage.pages).flatten();
        match keys.into_iter().find(|key| !is_tool(key)) {
            Some(key) => Err(format!("no tool has the key {key}")),
            None if read.stages.is_empty() => Err("`session` has no stage".to_owned()),
            None => Ok(read),
        }
    }
}
