//! A message of the client as its bytes came, read no further than an answer needs.
//!
//! Identifiers and arguments stay raw text: what matters here is what was sent, not what this
//! program would make of it. The reader is neither recursive nor bounded in depth, so that deeply
//! nested arguments reach the record too.

use serde::{Deserialize, Deserializer};
use serde_json::error::Category;
use serde_json::value::RawValue;

use crate::source::cut;

/// JSON-RPC 2.0, section 5.1.
pub(super) const PARSE_ERROR: i64 = -32700;
pub(super) const INVALID_REQUEST: i64 = -32600;
pub(super) const METHOD_NOT_FOUND: i64 = -32601;
pub(super) const INVALID_PARAMS: i64 = -32602;

/// What kind of message it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Request,
    Notification,
    Response,
}

/// A message.
#[derive(Debug)]
pub(super) struct Message<'a> {
    pub(super) kind: Kind,
    /// The text of its id; a request has one.
    pub(super) id: Option<&'a str>,
    pub(super) method: String,
    pub(super) params: Params<'a>,
}

/// A text that is no message: what a server has to say to that, and what can still be read of it.
#[derive(Debug)]
pub(super) struct Unreadable<'a> {
    pub(super) code: i64,
    pub(super) problem: String,
    pub(super) id: Option<&'a str>,
    pub(super) method: String,
}

/// The members of `params` that any of the methods reads.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Params<'a> {
    #[serde(borrow, default, deserialize_with = "raw")]
    pub(super) name: Raw<'a>,
    #[serde(borrow, default, deserialize_with = "raw")]
    pub(super) arguments: Raw<'a>,
    #[serde(borrow, default, deserialize_with = "raw")]
    pub(super) cursor: Raw<'a>,
    #[serde(borrow, default, deserialize_with = "raw")]
    pub(super) protocol_version: Raw<'a>,
    #[serde(borrow, default, deserialize_with = "raw")]
    pub(super) notifications: Raw<'a>,
    #[serde(borrow, default, deserialize_with = "raw")]
    pub(super) request_id: Raw<'a>,
    #[serde(borrow, default, rename = "_meta", deserialize_with = "raw")]
    meta: Raw<'a>,
}

/// What a request of 2026-07-28 says of itself.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Meta<'a> {
    #[serde(
        borrow,
        default,
        rename = "io.modelcontextprotocol/protocolVersion",
        deserialize_with = "raw"
    )]
    pub(super) version: Raw<'a>,
    #[serde(
        borrow,
        default,
        rename = "io.modelcontextprotocol/clientCapabilities",
        deserialize_with = "raw"
    )]
    pub(super) capabilities: Raw<'a>,
}

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow, default, deserialize_with = "raw")]
    jsonrpc: Raw<'a>,
    #[serde(borrow, default, deserialize_with = "raw")]
    id: Raw<'a>,
    #[serde(borrow, default, deserialize_with = "raw")]
    method: Raw<'a>,
    #[serde(borrow, default, deserialize_with = "raw")]
    params: Raw<'a>,
    #[serde(borrow, default, deserialize_with = "raw")]
    result: Raw<'a>,
    #[serde(borrow, default, deserialize_with = "raw")]
    error: Raw<'a>,
}

/// The text of a member; `None` where there is no such member, `null` where it is null.
type Raw<'a> = Option<&'a RawValue>;

/// Unlike an option's own reader, tells null from nothing.
fn raw<'de: 'a, 'a, D: Deserializer<'de>>(deserializer: D) -> Result<Raw<'a>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

/// The string that `raw` holds, if it holds one.
pub(super) fn string(raw: Raw<'_>) -> Option<String> {
    serde_json::from_str(raw?.get()).ok()
}

pub(super) fn is_object(raw: &RawValue) -> bool {
    raw.get().starts_with('{')
}

impl<'a> Params<'a> {
    /// `_meta`, read; `None` where it is missing or no object.
    pub(super) fn meta(&self) -> Option<Meta<'a>> {
        serde_json::from_str(self.meta?.get()).ok()
    }
}

/// Reads one message.
pub(super) fn read(bytes: &[u8]) -> Result<Message<'_>, Unreadable<'_>> {
    let fault = |code, problem: String| Unreadable {
        code,
        problem,
        id: None,
        method: String::new(),
    };
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        fault(
            PARSE_ERROR,
            format!("the message is not UTF-8 from byte {at} on"),
        )
    })?;
    if text.trim_start().starts_with('[') {
        let problem = "the message is an array: batches belong to 2025-03-26 alone";
        return Err(fault(INVALID_REQUEST, problem.to_owned()));
    }
    let envelope: Envelope<'_> =
        serde_json::from_str(text).map_err(|error| match error.classify() {
            Category::Data => fault(
                INVALID_REQUEST,
                format!(
                    "the message is no JSON-RPC object: {}",
                    plain(&error.to_string())
                ),
            ),
            _ => fault(
                PARSE_ERROR,
                format!("the message is not JSON: {}", plain(&error.to_string())),
            ),
        })?;
    understand(&envelope)
}

fn understand<'a>(envelope: &Envelope<'a>) -> Result<Message<'a>, Unreadable<'a>> {
    let id = envelope.id.map(RawValue::get);
    // Half a surrogate pair is no character: an answer with such an id could not be read either.
    let usable_id = id.filter(|id| match id.as_bytes().first() {
        Some(b'"') => string(envelope.id).is_some(),
        first => first.is_some_and(|byte| *byte == b'-' || byte.is_ascii_digit()),
    });
    let method = string(envelope.method);
    let fault = |code, problem: &str| {
        Err(Unreadable {
            code,
            problem: problem.to_owned(),
            id: usable_id,
            method: method.clone().unwrap_or_default(),
        })
    };
    if string(envelope.jsonrpc).as_deref() != Some("2.0") {
        return fault(INVALID_REQUEST, "`jsonrpc` is not \"2.0\"");
    }
    if id.is_some() && usable_id.is_none() {
        return fault(
            INVALID_REQUEST,
            "`id` is neither a number nor a string that can be read",
        );
    }
    let Some(method) = &method else {
        if envelope.method.is_none() && (envelope.result.is_some() || envelope.error.is_some()) {
            return Ok(Message {
                kind: Kind::Response,
                id: usable_id,
                method: String::new(),
                params: Params::default(),
            });
        }
        return fault(INVALID_REQUEST, "`method` is missing or no string");
    };
    let params = match envelope.params {
        None => Params::default(),
        Some(params) if is_object(params) => match serde_json::from_str(params.get()) {
            Ok(params) => params,
            Err(error) => {
                let why = plain(&error.to_string());
                return fault(INVALID_PARAMS, &format!("`params` cannot be read: {why}"));
            }
        },
        Some(_) => return fault(INVALID_PARAMS, "`params` is not an object"),
    };
    Ok(Message {
        kind: if id.is_some() {
            Kind::Request
        } else {
            Kind::Notification
        },
        id: usable_id,
        method: method.clone(),
        params,
    })
}

/// The parser's message without the place, which is on a line of no document; it may quote input.
fn plain(message: &str) -> String {
    let message = message.split(" at line ").next().unwrap_or_default();
    cut(message, 120).into_owned()
}
