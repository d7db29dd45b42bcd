//! The gates of this program as an implementation under test.

use std::collections::{HashMap, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

use serde_json::Value;

use super::Implementation;
use super::about::About;
use super::outcome::Outcome;
use super::request::Request;
use crate::corpus::GateName;
use crate::gate::{
    Audited, Branch, Gate, Recorded, Rejection, RejectionReason, ToolGate, Violated,
};
use crate::protocol::{ProtocolVersion, VersionSet};
use crate::source::{Format, Parsed, Pointer, Source};

/// Tools that are kept compiled: a suite asks about few tools many times.
const MOST_TOOLS: usize = 64;
/// Bytes of a tool that is not kept.
const LARGE_TOOL: usize = 64 << 10;
/// Texts that are kept read.
const MOST_TEXTS: usize = 4;
/// What a violation of structured content is reported relative to.
const STRUCTURED: &str = "/structuredContent";

/// Our own gates.
#[derive(Debug)]
pub struct Builtin {
    about: About,
    tools: HashMap<(ProtocolVersion, String), Result<Arc<ToolGate>, Rejection>>,
    read: Recent<Rc<Parsed>>,
    shared: Recent<Arc<Value>>,
}

/// What the last few texts came to: a case is put to one version after the other.
#[derive(Debug)]
struct Recent<T>(VecDeque<(String, Result<T, Rejection>)>);

impl<T: Clone> Recent<T> {
    fn get(
        &mut self,
        text: &str,
        read: impl FnOnce(&str) -> Result<T, Rejection>,
    ) -> Result<T, Rejection> {
        if let Some((_, known)) = self.0.iter().find(|(known, _)| known == text) {
            return known.clone();
        }
        let new = read(text);
        self.0.truncate(MOST_TEXTS - 1);
        self.0.push_front((text.to_owned(), new.clone()));
        new
    }
}

impl Default for Builtin {
    fn default() -> Self {
        let gates = GateName::ALL
            .into_iter()
            .filter(|gate| *gate != GateName::Wire);
        Self {
            about: About {
                name: env!("CARGO_PKG_NAME").to_owned(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
                language: "rust".to_owned(),
                homepage: None,
                config: Some("builtin".to_owned()),
                gates: gates.collect(),
                versions: VersionSet::STRUCTURED,
                dialects: None,
            },
            tools: HashMap::new(),
            read: Recent(VecDeque::new()),
            shared: Recent(VecDeque::new()),
        }
    }
}

impl Implementation for Builtin {
    fn about(&self) -> &About {
        &self.about
    }

    fn run(&mut self, request: &Request) -> Outcome {
        let gate = Gate::new(request.version);
        let answer = match request.gate {
            GateName::Definition => self.tool(&gate, request).and_then(|tool| {
                tool.usable().map_err(Clone::clone)?;
                Ok(Outcome::accept())
            }),
            GateName::Listing => {
                let tools = self.share(&gate, request.field("tools"));
                tools.and_then(|tools| listing(&gate, &tools))
            }
            GateName::Arguments => self.tool(&gate, request).and_then(|tool| {
                let arguments = self.read(&gate, request, "arguments")?;
                gate.arguments(&tool, &arguments)?;
                Ok(Outcome::accept())
            }),
            GateName::Result => self.tool(&gate, request).and_then(|tool| {
                let text = request.field("result");
                let result = self.read(&gate, request, "result")?;
                let delivery = gate.result(&tool, &result)?;
                let mut outcome = Outcome::accept();
                if delivery.structured.is_some() && !delivery.is_error {
                    outcome.delivered = Some(delivered(text, &result));
                }
                Ok(outcome)
            }),
            GateName::Audit => self
                .tool(&gate, request)
                .map(|tool| audit(&gate, &tool, request)),
            GateName::Handoff | GateName::State => contract(&gate, request),
            GateName::Wire => Ok(Outcome::skip("a session needs a client")),
        };
        answer.unwrap_or_else(|rejection| rejected(&rejection))
    }
}

impl Builtin {
    fn tool(&mut self, gate: &Gate, request: &Request) -> Result<Arc<ToolGate>, Rejection> {
        let text = request.field("tool");
        // Large tools are rare and soon done with: they are not worth their place.
        if text.len() > LARGE_TOOL {
            let tool = self.share(gate, text)?;
            return Ok(Arc::new(gate.definition_of(&tool)));
        }
        let key = (request.version, text.to_owned());
        if let Some(tool) = self.tools.get(&key) {
            return tool.clone();
        }
        let tool = self.share(gate, text);
        let tool = tool.map(|tool| Arc::new(gate.definition_of(&tool)));
        if self.tools.len() >= MOST_TOOLS {
            self.tools.clear();
        }
        self.tools.insert(key, tool.clone());
        tool
    }

    fn share(&mut self, gate: &Gate, text: &str) -> Result<Arc<Value>, Rejection> {
        let read = |text: &str| gate.parse(text).map(|parsed| Arc::new(parsed.value));
        self.shared.get(text, read)
    }

    fn read(
        &mut self,
        gate: &Gate,
        request: &Request,
        name: &str,
    ) -> Result<Rc<Parsed>, Rejection> {
        self.read
            .get(request.field(name), |text| gate.parse(text).map(Rc::new))
    }
}

fn listing(gate: &Gate, listing: &Arc<Value>) -> Result<Outcome, Rejection> {
    let toolbox = gate.discover_in(listing)?;
    let mut usable: Vec<String> = Vec::new();
    for name in toolbox.usable().filter_map(ToolGate::name) {
        if !usable.iter().any(|known| known == name) {
            usable.push(name.to_owned());
        }
    }
    Ok(Outcome {
        usable: Some(usable),
        ..Outcome::accept()
    })
}

fn audit(gate: &Gate, tool: &ToolGate, request: &Request) -> Outcome {
    // A record that is no JSON is as broken as one without its members.
    let record = gate.parse(request.field("record")).unwrap_or_default();
    let (branch, mut outcome) = match gate.parse(request.field("body")) {
        Err(rejection) => (Branch::Missing, rejected(&rejection)),
        Ok(body) => {
            let audited = Audited::new(tool, Recorded::Record(&record.value), &body);
            let outcome = match &audited.rejection {
                _ if audited.fits() => Outcome::accept(),
                Some(rejection) => rejected(rejection),
                None => Outcome::reject(RejectionReason::Other),
            };
            (audited.branch, outcome)
        }
    };
    outcome.branch = Some(branch);
    outcome
}

fn contract(gate: &Gate, request: &Request) -> Result<Outcome, Rejection> {
    let schema = gate.parse(request.field("schema"))?;
    let contract = gate.contract("", "", &schema.value)?;
    contract.judge_parsed(&gate.parse(request.field("value"))?)?;
    Ok(Outcome::accept())
}

/// The outcome that a rejection shows: that of its first violation.
fn rejected(rejection: &Rejection) -> Outcome {
    let mut outcome = Outcome::reject(rejection.reason);
    if let Some(Violated { at, keyword, .. }) = rejection.violations.first() {
        let below = at.below(&Pointer::from(STRUCTURED)).unwrap_or(at.as_str());
        outcome.at = Some(below.to_owned());
        outcome.keyword = keyword.clone().filter(|keyword| !keyword.is_empty());
    }
    outcome
}

/// The structured content as the result has it: where a number would be rounded, its own text.
fn delivered(text: &str, result: &Parsed) -> String {
    if result.rounded.is_empty() {
        return result
            .value
            .get("structuredContent")
            .map_or_else(String::new, ToString::to_string);
    }
    let source = Source::new("", text, Format::Json);
    source.slices(&[Pointer::from(STRUCTURED)]).concat()
}
