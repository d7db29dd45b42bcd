//! Which cases share a session. A session costs a client's start, so that cases stand side by side
//! in one listing wherever none can spoil another's judgement.

use std::collections::{HashMap, HashSet};

use super::offer::{has_plain_name, identities};
use super::raw::Object;
use crate::certify::Request;
use crate::certify::plan::{Asked, Plan};
use crate::corpus::{Case, Expected, GateName, Input, SessionAnswer, Transport};
use crate::protocol::ProtocolVersion;

/// Cases in one listing, of which none should trouble the others.
const MOST_SHARED: usize = 40;
/// Definitions to be refused in one listing: a client may refuse the listing with them, and then
/// each is asked alone.
const MOST_SUSPECTS: usize = 8;

/// Sessions that one driver holds in order.
pub(super) struct Job<'c> {
    pub(super) version: ProtocolVersion,
    /// The sessions, each with its cases.
    pub(super) sessions: Vec<Vec<Asked<'c>>>,
    /// Whether the cases belong together: they are never asked apart.
    pub(super) sequence: bool,
    /// Whether the client is sent what is no JSON, and may wait for something else.
    pub(super) waits: bool,
}

/// The jobs of a plan, and what cannot be asked of a live client with the reason.
pub(super) struct Jobs<'c> {
    pub(super) jobs: Vec<Job<'c>>,
    pub(super) unasked: Vec<(Asked<'c>, String)>,
}

/// How a case may be asked.
#[derive(Clone)]
enum Manner {
    Shared(Vec<String>),
    Suspect(Vec<String>),
    Alone,
    Never(String),
}

/// What the specification leaves to a client that has no headers to send.
const NO_HEADERS: &str = "over stdio a client may ignore x-mcp-header";

/// What a client does with an answer that asks it for something.
const GOES_ON: &str =
    "a client goes on where it is asked for input: its call does not end with this answer";

/// A session that still takes cases.
struct Open<'c> {
    cases: Vec<Asked<'c>>,
    ids: HashSet<String>,
}

impl<'c> Jobs<'c> {
    /// The jobs of `plan` over `transport`.
    pub(super) fn of(plan: &Plan<'c>, transport: Transport) -> Self {
        let mut jobs = Self {
            jobs: Vec::new(),
            unasked: Vec::new(),
        };
        let mut manners: HashMap<&str, Texts> = HashMap::new();
        let mut open: HashMap<(ProtocolVersion, GateName, bool), Open<'c>> = HashMap::new();
        for unit in &plan.units {
            let [asked] = unit.as_slice() else {
                jobs.sequence(unit);
                continue;
            };
            let texts = manners.entry(asked.case.id.as_str());
            let texts = texts.or_insert_with(|| Texts::of(asked.case, transport));
            let (ids, suspect) = match texts.manner(asked) {
                Manner::Never(why) => {
                    jobs.unasked.push((*asked, why));
                    continue;
                }
                Manner::Alone => {
                    jobs.push(asked.version, vec![*asked], texts.broken);
                    continue;
                }
                Manner::Shared(ids) => (ids, false),
                Manner::Suspect(ids) => (ids, true),
            };
            let most = if suspect { MOST_SUSPECTS } else { MOST_SHARED };
            let session = open.entry((asked.version, asked.case.gate, suspect));
            let session = session.or_insert_with(|| Open {
                cases: Vec::new(),
                ids: HashSet::new(),
            });
            // One name for two schemas is a case of its own.
            if session.cases.len() >= most || ids.iter().any(|id| session.ids.contains(id)) {
                let full = std::mem::take(&mut session.cases);
                session.ids.clear();
                jobs.push(asked.version, full, false);
            }
            session.cases.push(*asked);
            session.ids.extend(ids);
        }
        let mut rest: Vec<_> = open.into_iter().collect();
        rest.sort_by_key(|((version, gate, suspect), _)| (*version, *gate, *suspect));
        for ((version, ..), session) in rest {
            jobs.push(version, session.cases, false);
        }
        // What may break a client comes last, so that the rest is known by then.
        jobs.jobs.sort_by_key(|job| {
            let first = job.sessions.first().and_then(|session| session.first());
            first.is_some_and(|asked| is_hostile(asked.case))
        });
        jobs
    }

    fn push(&mut self, version: ProtocolVersion, cases: Vec<Asked<'c>>, waits: bool) {
        if !cases.is_empty() {
            self.jobs.push(Job {
                version,
                sessions: vec![cases],
                sequence: false,
                waits,
            });
        }
    }

    /// A sequence is one session, as long as no tool comes back with another definition under the
    /// same name: that is a listing anew, by a client object anew in the same process.
    fn sequence(&mut self, unit: &[Asked<'c>]) {
        let Some(first) = unit.first() else { return };
        let mut sessions: Vec<Vec<Asked<'c>>> = vec![Vec::new()];
        let mut listed: HashMap<String, String> = HashMap::new();
        for asked in unit {
            let tool = field(asked.case, "tool");
            let name = Object::read(&tool).and_then(|tool| tool.one("name").map(str::to_owned));
            let name = name.unwrap_or_default();
            if listed.get(&name).is_some_and(|known| *known != tool) {
                sessions.push(Vec::new());
                listed.clear();
            }
            listed.insert(name, tool);
            if let Some(session) = sessions.last_mut() {
                session.push(*asked);
            }
        }
        self.jobs.push(Job {
            version: first.version,
            sessions,
            sequence: true,
            waits: false,
        });
    }
}

/// What the texts of a case say about how it may be asked, on whatever version.
struct Texts {
    ids: Vec<String>,
    alone: bool,
    /// Whether one of them is no JSON, or none that every reader takes.
    broken: bool,
    /// Whether the result asks for input.
    asks: bool,
    /// Whether a tool asks for headers, and the transport has none.
    headless: bool,
    never: Option<String>,
}

impl Texts {
    fn of(case: &Case, transport: Transport) -> Self {
        let mut texts = Self {
            ids: Vec::new(),
            alone: is_hostile(case) || matches!(case.gate, GateName::Listing | GateName::Wire),
            broken: is_broken(case),
            asks: asks_for_input(case),
            headless: transport == Transport::Stdio && asks_for_headers(case),
            never: None,
        };
        texts.alone |= texts.broken;
        match &case.input {
            Input::Wire { session, .. } => {
                let other = session.transport.filter(|wanted| *wanted != transport);
                let why = |wanted: Transport| {
                    format!("only over {} is there anything to see", wanted.as_str())
                };
                texts.never = other.map(why);
            }
            Input::Arguments { arguments, .. } => {
                let arguments = arguments.to_string();
                texts.never = unsendable(&arguments);
            }
            _ => {}
        }
        if texts.alone || texts.never.is_some() {
            return texts;
        }
        let tool = field(case, "tool");
        if case.gate == GateName::Definition {
            let plain = Object::read(&tool).is_some_and(|tool| has_plain_name(&tool));
            texts.alone |= !plain;
        }
        texts.ids = identities(&tool).into_iter().map(|(id, _)| id).collect();
        texts
    }

    fn manner(&self, asked: &Asked<'_>) -> Manner {
        if let Some(why) = &self.never {
            return Manner::Never(why.clone());
        }
        let expected = asked.expected;
        let rejects = |prefix: &str| {
            let mut rules = expected.because.iter();
            expected.answer == Expected::Reject && rules.any(|rule| rule.starts_with(prefix))
        };
        let of_headers = !expected.because.is_empty()
            && (expected.because.iter()).all(|rule| rule.starts_with("mcp.tool.x-mcp-header."));
        let is_listing = asked.case.gate == GateName::Listing;
        if asked.version == ProtocolVersion::V2026_07_28 {
            if self.headless && (of_headers || is_listing) {
                return Manner::Never(NO_HEADERS.to_owned());
            }
            if self.asks {
                return Manner::Never(GOES_ON.to_owned());
            }
        }
        // A definition may cost the listing, a broken text the connection.
        let spoils = rejects("mcp.tool.") || rejects("json.");
        match asked.case.gate {
            _ if self.alone => Manner::Alone,
            GateName::Definition if rejects("") => Manner::Suspect(self.ids.clone()),
            _ if spoils => Manner::Alone,
            _ => Manner::Shared(self.ids.clone()),
        }
    }
}

/// Why these arguments cannot be handed to a client's call.
fn unsendable(arguments: &str) -> Option<String> {
    let Some(object) = Object::read(arguments) else {
        return Some("a client's call takes an object, and the arguments are none".to_owned());
    };
    let value: Result<serde_json::Value, _> = serde_json::from_str(arguments);
    match value {
        Ok(value)
            if value
                .as_object()
                .is_some_and(|members| members.len() == object.len()) =>
        {
            None
        }
        Ok(_) => Some("the driver's own reader would take away a member".to_owned()),
        Err(_) => {
            Some("the driver's own reader cannot be relied upon to read the arguments".to_owned())
        }
    }
}

/// Whether a text that goes over the wire is no JSON for every reader, or a listing or a result that
/// is no object: many clients take that for no message at all.
pub(super) fn is_broken(case: &Case) -> bool {
    let is_object = |text: &str| Object::read(text).is_some();
    let sent = ["tool", "tools", "result"];
    match &case.input {
        Input::Wire { session, .. } => session.stages.iter().any(|stage| {
            let mut answers = stage.calls.values();
            answers.any(|answer| match answer {
                SessionAnswer::Result(_) => false,
                SessionAnswer::Raw(text) => !is_object(text),
                SessionAnswer::Line(text) => !is_object(&text.replace("{{id}}", "1")),
            })
        }),
        input => {
            let fields = input.fields();
            let mut texts = fields.iter().filter(|(name, _)| sent.contains(name));
            texts.any(|(_, text)| match text.value() {
                Some(value) if !is_hostile(case) => !value.is_object(),
                _ => !is_object(&text.to_string()),
            })
        }
    }
}

/// Whether a tool of a case wants arguments repeated in headers.
fn asks_for_headers(case: &Case) -> bool {
    let fields = case.input.fields();
    let mut texts = fields.iter().filter(|(name, _)| name.starts_with("tool"));
    texts.any(|(_, text)| text.to_string().contains("x-mcp-header"))
}

/// Whether the result of a case asks the client for input, soundly or not.
fn asks_for_input(case: &Case) -> bool {
    let text = field(case, "result");
    let result = Object::read(&text);
    result.is_some_and(|result| result.one("resultType") == Some("\"input_required\""))
}

/// Whether a case is made to break its reader.
pub(super) fn is_hostile(case: &Case) -> bool {
    case.id.starts_with("hostile/")
}

fn field(case: &Case, name: &str) -> String {
    let fields = case.input.fields();
    let text = fields.iter().find(|(field, _)| *field == name);
    text.map_or_else(String::new, |(_, text)| text.to_string())
}

/// The question of a case.
pub(super) fn request(asked: &Asked<'_>, seq: u64, deadline: std::time::Duration) -> Request {
    let mut request = Request::new(asked.case, asked.version, seq, deadline);
    if let Input::Wire { session, .. } = &asked.case.input
        && let crate::corpus::Ask::Delivered(tool) = &session.ask
    {
        let stages = session.stages.iter().rev();
        let mut answers = stages.filter_map(|stage| stage.calls.get(tool));
        if let Some(super::script::Reply::Result(text)) =
            answers.next().map(super::compose::reply_of)
        {
            request.fields.push(("result", text));
        }
    }
    request
}
