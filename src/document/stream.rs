//! Listings and messages, alone or as the lines of a transcript.
//!
//! A response is joined with its request by id, a call with its tool by name, and the pages of a
//! listing with one another, so that a transcript is judged as its client saw it.

use std::collections::HashMap;

use serde_json::Value;

use super::{At, Call, CallResult, Catalogue, Listing, Message, Subjects, recognise};
use crate::protocol::{ProtocolVersion, VersionSet};

/// The member of `_meta` by which a 2026-07-28 request names its version.
const META_VERSION: &str = "io.modelcontextprotocol/protocolVersion";

/// A request that waits for its response.
#[derive(Clone, Copy)]
enum Pending<'a> {
    List {
        continues: bool,
    },
    Call {
        tool: Option<usize>,
        name: Option<&'a str>,
    },
    Other,
}

/// A request, and the versions on which its response is judged where they are settled.
struct Waiting<'a> {
    request: Pending<'a>,
    versions: Option<VersionSet>,
}

/// The listing that is being gathered, page by page.
#[derive(Default)]
struct Offer<'a> {
    by_name: HashMap<&'a str, usize>,
    pages: Vec<usize>,
    complete: bool,
    /// It was announced to have changed while it was being gathered.
    changed: bool,
}

struct Stream<'a, 's> {
    subjects: &'s mut Subjects<'a>,
    forced: Option<VersionSet>,
    versions: VersionSet,
    /// By id, the latest last: the two sides number their requests each for itself, and what one
    /// side asks while it works on a request is answered first.
    pending: HashMap<String, Vec<Waiting<'a>>>,
    offer: Offer<'a>,
    /// Calls and results whose tool was not listed yet, by name.
    calls: Vec<(usize, &'a str)>,
    results: Vec<(usize, &'a str)>,
    /// The tools that calls are judged by where nothing was listed.
    catalogue: Option<&'a Catalogue>,
}

/// Reads messages in the order in which they passed.
pub(super) fn read<'a>(
    subjects: &mut Subjects<'a>,
    lines: impl IntoIterator<Item = At<'a>>,
    forced: Option<VersionSet>,
    catalogue: Option<&'a Catalogue>,
) {
    let lines: Vec<_> = lines.into_iter().collect();
    let first = lines.iter().find_map(handshake).map(VersionSet::from);
    let mut stream = Stream {
        versions: forced.or(first).unwrap_or(VersionSet::STRUCTURED),
        subjects,
        forced,
        pending: HashMap::new(),
        offer: Offer::default(),
        calls: Vec::new(),
        results: Vec::new(),
        catalogue,
    };
    for line in lines {
        stream.line(line);
    }
    stream.join_late();
}

/// The version that a message settles, for itself and for what follows.
fn handshake(message: &At<'_>) -> Option<ProtocolVersion> {
    let value = message.value;
    let named = value
        .get("result")
        .and_then(|result| result.get("protocolVersion"))
        .or_else(|| value.get("params")?.get("_meta")?.get(META_VERSION))?;
    named.as_str()?.parse().ok()
}

/// A key for a request's id: `1` and `"1"` are two ids, `1` and `1.0` are one.
fn key(id: Option<&Value>) -> Option<String> {
    match id? {
        Value::Number(number) => Some(crate::source::plain(number)),
        id => id.is_string().then(|| id.to_string()),
    }
}

impl<'a> Stream<'a, '_> {
    fn line(&mut self, line: At<'a>) {
        if let (None, Some(version)) = (self.forced, handshake(&line)) {
            self.versions = version.into();
        }
        self.subjects.versions = self.subjects.versions.union(self.versions);
        match line.value {
            Value::Object(members) if members.contains_key("method") => self.request(line),
            Value::Object(members)
                if members.contains_key("jsonrpc")
                    || members.contains_key("id") && !members.contains_key("tools") =>
            {
                self.response(line);
            }
            Value::Array(items) if items.iter().any(recognise::is_message) => {
                let messages: Vec<_> = line.elements().collect();
                self.message(line);
                for message in messages {
                    if message.value.get("method").is_some() {
                        self.request(message);
                    } else if message.value.is_object() {
                        self.response(message);
                    }
                }
            }
            Value::Object(_) | Value::Array(_) => self.listing(line, false, false),
            // A damaged line stands as null; its fault is reported with the text.
            Value::Null => {}
            _ => self.message(line),
        }
    }

    fn message(&mut self, at: At<'a>) {
        let versions = self.versions;
        self.subjects.messages.push(Message { at, versions });
    }

    fn request(&mut self, at: At<'a>) {
        let id = key(at.value.get("id"));
        let pending = match at.value.get("method").and_then(Value::as_str) {
            Some("tools/list") => {
                let cursor = at
                    .value
                    .get("params")
                    .and_then(|params| params.get("cursor"));
                Pending::List {
                    continues: cursor.is_some_and(|cursor| !cursor.is_null()),
                }
            }
            Some("tools/call") => self.call(&at),
            Some("notifications/tools/list_changed") => {
                self.offer.complete = false;
                self.offer.changed = true;
                Pending::Other
            }
            _ => Pending::Other,
        };
        self.message(at);
        if let Some(id) = id {
            let is_settled = self.versions.iter().count() == 1;
            self.pending.entry(id).or_default().push(Waiting {
                request: pending,
                versions: is_settled.then_some(self.versions),
            });
        }
    }

    fn call(&mut self, at: &At<'a>) -> Pending<'a> {
        let params = at.get("params").unwrap_or_else(|| at.clone());
        let name = params.value.get("name").and_then(Value::as_str);
        let name = name.filter(|_| at.value.get("params").is_some());
        let tool = name.and_then(|name| self.offer.by_name.get(name).copied());
        let call = self.subjects.calls.len();
        self.subjects.calls.push(Call {
            arguments: at.get("params").and_then(|params| params.get("arguments")),
            params: Some(params),
            versions: self.versions,
            tool,
            unknown: tool.is_none() && name.is_some() && self.offer.complete,
        });
        if let (None, Some(name)) = (tool, name) {
            self.calls.push((call, name));
        }
        Pending::Call { tool, name }
    }

    fn response(&mut self, at: At<'a>) {
        let waiting = key(at.value.get("id")).and_then(|id| self.pending.get_mut(&id)?.pop());
        let now = self.versions;
        let (asked, versions) = waiting.map_or((None, None), |waiting| {
            (Some(waiting.request), waiting.versions)
        });
        // A response that settles the version itself is of that version.
        if let (Some(versions), None) = (versions, handshake(&at)) {
            self.versions = versions;
        }
        self.answer(at, asked);
        self.versions = now;
    }

    fn answer(&mut self, at: At<'a>, asked: Option<Pending<'a>>) {
        let result = at.get("result");
        self.message(at);
        let Some(result) = result else {
            return;
        };
        let has = |name| result.value.get(name).is_some();
        match asked {
            Some(Pending::Other) => {}
            Some(Pending::Call { tool, name }) => self.result(result, tool, name),
            Some(Pending::List { continues }) => self.listing(result, true, continues),
            _ if has("tools") => self.listing(result, true, false),
            _ if has("content") || has("structuredContent") || has("isError") => {
                self.result(result, None, None);
            }
            _ => {}
        }
    }

    fn result(&mut self, at: At<'a>, tool: Option<usize>, name: Option<&'a str>) {
        let result = self.subjects.results.len();
        self.subjects.results.push(CallResult {
            at,
            versions: self.versions,
            full: true,
            tool,
        });
        if let (None, Some(name)) = (tool, name) {
            self.results.push((result, name));
        }
    }

    fn listing(&mut self, at: At<'a>, full: bool, continues: bool) {
        let tools = match at.value {
            Value::Array(_) => Some(at.clone()),
            _ => at.get("tools"),
        };
        let is_list = tools.as_ref().is_some_and(|tools| tools.value.is_array());
        let indexes = tools.map_or_else(Vec::new, |tools| {
            self.subjects.add_tools(&tools, self.versions)
        });
        if !continues {
            self.offer = Offer::default();
        }
        let earlier = self.offer.pages.clone();
        for index in &indexes {
            if let Some(name) = self.subjects.tools[*index].name() {
                self.offer.by_name.entry(name).or_insert(*index);
            }
        }
        self.offer.pages.extend(&indexes);
        let is_last = at.value.get("nextCursor").is_none_or(Value::is_null);
        self.offer.complete = is_last && is_list && !self.offer.changed;
        self.subjects.listings.push(Listing {
            at,
            versions: self.versions,
            full,
            tools: indexes,
            earlier,
        });
    }

    /// Calls without listing first are judged by the listing that came later; without any, by the
    /// catalogue at hand.
    fn join_late(self) {
        let catalogue = self.catalogue.filter(|_| self.subjects.listings.is_empty());
        let tool = |name: &str, subjects: &mut Subjects<'a>| {
            let listed = self.offer.by_name.get(name).copied();
            listed.or_else(|| Some(subjects.consult(catalogue?.tool(name).ok()?)))
        };
        for (call, name) in self.calls {
            self.subjects.calls[call].tool = tool(name, self.subjects);
        }
        for (result, name) in self.results {
            self.subjects.results[result].tool = tool(name, self.subjects);
        }
    }
}
