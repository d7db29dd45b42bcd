//! Sessions in a log: a result is joined with its call by the request's id.
//!
//! Memory is bounded whatever the session does: calls that wait for an answer are kept in two
//! generations, and the older one is let go when the younger is full.

use std::collections::HashMap;
use std::mem;

use jsonschema::json::Node as _;
use serde_json::Value;

use super::line::{Body, Call, is_message};
use super::tape::Doc;
use super::value::Node;
use crate::gate::Recorded;
use crate::protocol::ProtocolVersion;
use crate::source::plain;

/// Ids of requests that wait in one generation.
const MOST_WAITING: usize = 1 << 15;
/// Requests of one id that wait at once: one of each side, and some that are never answered.
const MOST_ALIKE: usize = 8;
/// The longest id or tool name, in bytes, that is kept.
const LONGEST: usize = 256;
/// The member of `_meta` by which a 2026-07-28 request names its version.
const META_VERSION: &str = "io.modelcontextprotocol/protocolVersion";

/// A session as far as it has been read.
pub(super) struct Transcript {
    version: ProtocolVersion,
    /// Whether a message has said so.
    settled: bool,
    young: Requests,
    old: Requests,
}

/// Requests without a response by their ids, the latest last: the two sides number theirs each for
/// itself, and what one side asks while it works on a request is answered first.
type Requests = HashMap<String, Vec<Waiting>>;

/// A request without its response.
struct Waiting {
    request: Request,
    /// The version on which the response is judged, where it was settled.
    version: Option<ProtocolVersion>,
}

enum Request {
    /// Of a `tools/call`, with the tool that it names.
    Call(Option<String>),
    Other,
}

impl Transcript {
    /// A session that starts; calls are judged on `version` until a handshake says otherwise.
    pub(super) fn new(version: ProtocolVersion) -> Self {
        Self {
            version,
            settled: false,
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
            self.settled = true;
        }
        let id = message.get("id").and_then(|id| key(&id));
        if let Some(method) = message.get("method") {
            let name = || message.get("params")?.get("name")?.as_str();
            let request = match method.as_str() {
                Some("tools/call") => Request::Call(
                    name()
                        .filter(|name| name.len() <= LONGEST)
                        .map(str::to_owned),
                ),
                _ => Request::Other,
            };
            if let Some(id) = id {
                let version = self.settled.then_some(self.version);
                self.wait(id, Waiting { request, version });
            }
            return;
        }
        let asked =
            id.and_then(|id| taken(&mut self.young, &id).or_else(|| taken(&mut self.old, &id)));
        let Some(result) = message.get("result") else {
            return;
        };
        let tool = match asked.as_ref().map(|waiting| &waiting.request) {
            Some(Request::Call(tool)) => tool.as_deref(),
            None if Body::of(result).is_of_a_call() => None,
            Some(Request::Other) | None => return,
        };
        let version = asked.as_ref().and_then(|waiting| waiting.version);
        each(&Call {
            tool,
            server: None,
            recorded: Some(Recorded::Protocol(version.unwrap_or(self.version))),
            result,
            element,
        });
    }

    fn wait(&mut self, id: String, waiting: Waiting) {
        if self.young.len() >= MOST_WAITING {
            self.old = mem::take(&mut self.young);
        }
        let same = self.young.entry(id).or_default();
        if same.len() >= MOST_ALIKE {
            same.remove(0);
        }
        same.push(waiting);
    }
}

/// The latest request of this id.
fn taken(requests: &mut Requests, id: &str) -> Option<Waiting> {
    let same = requests.get_mut(id)?;
    let waiting = same.pop();
    if same.is_empty() {
        requests.remove(id);
    }
    waiting
}

/// A key for a request's id: `1` and `"1"` are two ids, `1` and `1.0` are one.
fn key(id: &Node<'_>) -> Option<String> {
    match id.as_str() {
        Some(text) if text.len() <= LONGEST => Some(format!("\"{text}")),
        Some(_) => None,
        None => match id.to_value().as_ref() {
            Value::Number(number) => Some(plain(number)),
            _ => None,
        },
    }
}
