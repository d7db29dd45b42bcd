//! How a case may be asked of a live client: beside others, alone, or not at all.

use super::offer::{has_plain_name, identities};
use super::raw::Object;
use crate::certify::Request;
use crate::certify::plan::Asked;
use crate::corpus::{Case, Expected, GateName, Input, SessionAnswer, Text, Transport};
use crate::protocol::ProtocolVersion;
use crate::source::{Limits, parse_json};

/// How a case may be asked.
#[derive(Clone)]
pub(super) enum Manner {
    /// Beside others, as long as none has one of its names for a schema.
    Shared,
    /// The same, and the listing may be lost with it.
    Suspect,
    /// In a session of its own.
    Alone,
    /// Not at all, and why.
    Never(String),
}

/// What the specification leaves to a client that has no headers to send.
const NO_HEADERS: &str = "over stdio a client may ignore x-mcp-header";

/// What a client does with an answer that asks it for something.
const GOES_ON: &str =
    "a client goes on where it is asked for input: its call does not end with this answer";

/// What the texts of a case say about how it may be asked, on whatever version.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a property of its own"
)]
pub(super) struct Texts {
    /// The names of its schemas, each with what stands for the schema.
    pub(super) ids: Vec<(String, u64)>,
    alone: bool,
    /// Whether one of them is no JSON, or none that every reader takes.
    pub(super) broken: bool,
    /// Whether the result asks for input.
    asks: bool,
    /// Whether a tool asks for headers, and the transport has none.
    headless: bool,
    never: Option<String>,
}

impl Texts {
    pub(super) fn of(case: &Case, transport: Transport) -> Self {
        let mut texts = Self {
            ids: named(case),
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
        if !texts.alone && case.gate == GateName::Definition {
            let plain =
                Object::read(&field(case, "tool")).is_some_and(|tool| has_plain_name(&tool));
            texts.alone = !plain;
        }
        texts
    }

    pub(super) fn manner(&self, asked: &Asked<'_>) -> Manner {
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
            GateName::Definition if rejects("") => Manner::Suspect,
            _ if spoils => Manner::Alone,
            _ => Manner::Shared,
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

/// Whether a text that goes over the wire is no JSON, is more than many readers take (too deep, a
/// number beyond any double, half a surrogate pair), or is a listing or a result that is no object,
/// or does not come at all: clients throw such a message away, and many wait for another.
pub(super) fn is_broken(case: &Case) -> bool {
    let limits = Limits::default();
    let is_object = |text: &str| parse_json(text, &limits).is_ok_and(|read| read.value.is_object());
    match &case.input {
        Input::Wire { session, .. } => {
            let mut answers = session.stages.iter().flat_map(|stage| stage.calls.values());
            answers.any(|answer| match answer {
                SessionAnswer::Result(value) => !value.is_object(),
                SessionAnswer::Raw(text) => !is_object(text),
                SessionAnswer::Line(text) => !is_object(&text.replace("{{id}}", "1")),
                SessionAnswer::Half(_) | SessionAnswer::Silence | SessionAnswer::Close => true,
                SessionAnswer::Flood(_) => false,
            })
        }
        input => {
            let fields = input.fields();
            let mut texts = fields
                .iter()
                .filter(|(name, _)| ["tool", "tools", "result"].contains(name));
            texts.any(|(_, text)| match text.value() {
                Some(value) if !is_hostile(case) => !value.is_object(),
                _ => !is_object(&text.to_string()),
            })
        }
    }
}

/// The names of a case's schemas; a text that is made to break its reader is not read for them.
fn named(case: &Case) -> Vec<(String, u64)> {
    let of = |text: &Text| identities(&text.to_string());
    match &case.input {
        _ if is_hostile(case) => Vec::new(),
        Input::Wire { tools, .. } => tools.values().flat_map(of).collect(),
        input => {
            let fields = input.fields().into_iter();
            let tools = fields.filter(|(name, _)| name.starts_with("tool"));
            tools.flat_map(|(_, text)| of(text)).collect()
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

pub(super) fn field(case: &Case, name: &str) -> String {
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
