//! The texts that the server sends: the script's own, and those of the protocol around them.

use serde_json::{Value, json};

use super::request::METHOD_NOT_FOUND;
use super::script::Reply;
use crate::protocol::ProtocolVersion;

/// JSON-RPC codes that 2026-07-28 defines.
pub(super) const HEADER_MISMATCH: i64 = -32020;
pub(super) const UNSUPPORTED_VERSION: i64 = -32022;

/// The most bytes of text of a flood.
const MOST_FLOOD: u64 = 1 << 30;
/// What stands for the id in a message that a script gives whole.
const ID: &str = "{{id}}";

/// What the transport has to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Nothing: the message was a notification or a response.
    None,
    /// A message, as it is to be sent.
    Message {
        /// Its text.
        text: String,
        /// The code of an error that the server raised itself: over HTTP it decides the status.
        refused: Option<i64>,
    },
    /// No answer, though one is due.
    Silence,
    /// The end of the connection, and over stdio of the process.
    Close,
    /// This piece, and then nothing.
    Half(String),
    /// A message of many bytes, to be sent piece by piece.
    Flood {
        /// What stands before the filling.
        head: String,
        /// How many bytes `x` fill it.
        bytes: u64,
        /// What stands behind it.
        tail: &'static str,
    },
    /// The first message of a stream that stays open for announcements.
    Listen {
        /// The text of the id of the request that opened it.
        id: String,
        /// The acknowledgement.
        text: String,
    },
}

/// The identity that every version sends.
pub(super) fn server_info() -> Value {
    json!({"name": env!("CARGO_PKG_NAME"), "version": env!("CARGO_PKG_VERSION")})
}

/// A response that holds `result`.
pub(super) fn result(id: &str, result: &str) -> Answer {
    Answer::Message {
        text: format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{result}}}"),
        refused: None,
    }
}

/// An error that the server raises itself. The id is unknown where the message could not be read:
/// null by JSON-RPC, left out since 2025-11-25, whose schema has no null there.
pub(super) fn refusal(
    version: ProtocolVersion,
    id: Option<&str>,
    code: i64,
    message: &str,
    data: Option<Value>,
) -> Answer {
    let mut error = json!({"code": code, "message": message});
    if let Some(data) = data {
        error["data"] = data;
    }
    let id = match id {
        Some(id) => format!("\"id\":{id},"),
        None if version < ProtocolVersion::V2025_11_25 => "\"id\":null,".to_owned(),
        None => String::new(),
    };
    Answer::Message {
        text: format!("{{\"jsonrpc\":\"2.0\",{id}\"error\":{error}}}"),
        refused: Some(code),
    }
}

/// The error for a method that the server does not have.
pub(super) fn unknown_method(version: ProtocolVersion, id: &str, method: &str) -> Answer {
    let message = format!("unknown method {}", crate::source::cut(method, 120));
    refusal(version, Some(id), METHOD_NOT_FOUND, &message, None)
}

/// What a call is answered for which the script has nothing: the tool's own error, which no output
/// schema has a say in.
pub(super) fn reached(id: &str, version: ProtocolVersion) -> Answer {
    let text = r#""content":[{"type":"text","text":"reached"}],"isError":true"#;
    result(id, &format!("{{{}{text}}}", complete(version)))
}

/// The member that a result of the version starts with, with its comma.
pub(super) fn complete(version: ProtocolVersion) -> &'static str {
    if version >= ProtocolVersion::V2026_07_28 {
        "\"resultType\":\"complete\","
    } else {
        ""
    }
}

/// A reply of the script to the request `id`.
pub(super) fn scripted(reply: &Reply, id: &str, version: ProtocolVersion, listing: bool) -> Answer {
    match reply {
        Reply::Result(text) => result(id, &one_line(text)),
        Reply::Error(text) => Answer::Message {
            text: format!(
                "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"error\":{}}}",
                one_line(text)
            ),
            refused: None,
        },
        Reply::Line(text) => Answer::Message {
            text: text.replace(ID, id),
            refused: None,
        },
        Reply::Silence => Answer::Silence,
        Reply::Close => Answer::Close,
        Reply::Half(text) => Answer::Half(text.replace(ID, id)),
        Reply::Flood(bytes) => flood(id, *bytes, version, listing),
    }
}

fn flood(id: &str, bytes: u64, version: ProtocolVersion, listing: bool) -> Answer {
    let (body, tail) = if listing {
        (
            r#""tools":[{"name":"flood","inputSchema":{"type":"object"},"description":""#,
            r#""}],"ttlMs":0,"cacheScope":"private"}}"#,
        )
    } else {
        (r#""content":[{"type":"text","text":""#, r#""}]}}"#)
    };
    Answer::Flood {
        head: format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{{{}{body}",
            complete(version)
        ),
        bytes: bytes.min(MOST_FLOOD),
        tail,
    }
}

/// The notification that the listing has changed, for a subscription or for everybody.
pub(super) fn changed(subscription: Option<&str>) -> String {
    const METHOD: &str = "\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"";
    match subscription {
        Some(id) => format!("{{{METHOD},\"params\":{{{}}}}}", subscription_meta(id)),
        None => format!("{{{METHOD}}}"),
    }
}

/// The member by which a notification names its subscription: the id of the request that opened it.
pub(super) fn subscription_meta(id: &str) -> String {
    format!("\"_meta\":{{\"io.modelcontextprotocol/subscriptionId\":{id}}}")
}

/// The text without line breaks, which would end a message over stdio. In JSON they are white
/// space and nothing else; where a text breaks lines inside a string, [`Reply::Line`] keeps them.
fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}
