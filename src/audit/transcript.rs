//! Sessions in a log: a result is joined with its call by the request's id.
//!
//! Memory is bounded whatever the session does: calls that wait for an answer are kept in two
//! generations, and the older one is let go when the younger is full.

use std::collections::HashMap;
use std::mem;

use jsonschema::json::Node as _;

use super::line::{Body, Call, is_message};
use super::tape::Doc;
use super::value::Node;
use crate::gate::Recorded;
use crate::protocol::ProtocolVersion;

/// Requests that wait in one generation.
const MOST_WAITING: usize = 1 << 15;
/// The longest id or tool name, in bytes, that is kept.
const LONGEST: usize = 256;
/// The member of `_meta` by which a 2026-07-28 request names its version.
const META_VERSION: &str = "io.modelcontextprotocol/protocolVersion";

/// A session as far as it has been read.
pub(super) struct Transcript {
    version: ProtocolVersion,
    young: HashMap<String, Waiting>,
    old: HashMap<String, Waiting>,
}

/// A request without its response.
enum Waiting {
    /// Of a `tools/call`, with the tool that it names.
    Call(Option<String>),
    Other,
}

impl Transcript {
    /// A session that starts; calls are judged on `version` until a handshake says otherwise.
    pub(super) fn new(version: ProtocolVersion) -> Self {
        Self {
            version,
            young: HashMap::new(),
            old: HashMap::new(),
        }
    }

    /// Reads a line of messages and hands over each call that is answered on it.
    pub(super) fn read(&mut self, doc: &Doc<'_>, mut each: impl FnMut(&Call<'_>)) {
        let root = doc.root();
        match root.as_array() {
            None => self.message(root, None, &mut each),
            Some(items) => {
                for (index, item) in items.enumerate().filter(|(_, item)| is_message(item)) {
                    self.message(item, Some(index), &mut each);
                }
            }
        }
    }

    fn message(
        &mut self,
        message: Node<'_>,
        element: Option<usize>,
        each: &mut impl FnMut(&Call<'_>),
    ) {
        let settled = message
            .get("result")
            .and_then(|result| result.get("protocolVersion"))
            .or_else(|| message.get("params")?.get("_meta")?.get(META_VERSION));
        if let Some(version) = settled.and_then(|date| date.as_str()?.parse().ok()) {
            self.version = version;
        }
        let id = message.get("id").and_then(|id| key(&id));
        if let Some(method) = message.get("method") {
            let name = || message.get("params")?.get("name")?.as_str();
            let waiting = match method.as_str() {
                Some("tools/call") => Waiting::Call(
                    name()
                        .filter(|name| name.len() <= LONGEST)
                        .map(str::to_owned),
                ),
                _ => Waiting::Other,
            };
            if let Some(id) = id {
                self.wait(id, waiting);
            }
            return;
        }
        let asked = id.and_then(|id| self.young.remove(&id).or_else(|| self.old.remove(&id)));
        let Some(result) = message.get("result") else {
            return;
        };
        let tool = match &asked {
            Some(Waiting::Call(tool)) => tool.as_deref(),
            None if Body::of(result).is_of_a_call() => None,
            Some(Waiting::Other) | None => return,
        };
        each(&Call {
            tool,
            server: None,
            recorded: Some(Recorded::Protocol(self.version)),
            result,
            element,
        });
    }

    fn wait(&mut self, id: String, waiting: Waiting) {
        if self.young.len() >= MOST_WAITING {
            self.old = mem::take(&mut self.young);
        }
        self.young.insert(id, waiting);
    }
}

/// A key for a request's id: `1` and `"1"` are two ids.
fn key(id: &Node<'_>) -> Option<String> {
    match id.as_str() {
        Some(text) if text.len() <= LONGEST => Some(format!("\"{text}")),
        Some(_) => None,
        None => id.as_number().map(|_| id.to_value().to_string()),
    }
}
