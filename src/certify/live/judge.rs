//! What a session says about each of its cases: what the app received, and what the server saw.

use super::compose::{Part, is_control};
use super::driver::Heard;
use super::line::{Told, Word};
use super::raw::Object;
use super::script::Event;
use crate::certify::Asked;
use crate::certify::compare::delivery;
use crate::certify::outcome::{Answer, Outcome};
use crate::corpus::{Ask, Expected, GateName, Input, Level};
use crate::gate::RejectionReason;
use crate::source::cut;

/// The most characters that a detail repeats of what a client says.
const MOST_SAID: usize = 300;

/// One session as it was held.
pub(super) struct Held<'h> {
    /// What the driver said.
    pub(super) heard: &'h Heard,
    /// What the server saw.
    pub(super) events: &'h [Event],
    /// What was asked of the address that no definition may be fetched from.
    pub(super) fetched: &'h [String],
}

impl Held<'_> {
    /// Whether a call of this tool reached the server.
    pub(super) fn reached(&self, name: &str) -> bool {
        self.calls().any(|tool| tool == name)
    }

    fn calls(&self) -> impl Iterator<Item = &str> {
        let calls = self.events.iter();
        let calls = calls.filter(|event| event.method == "tools/call");
        calls.map(|event| event.tool.as_deref().unwrap_or_default())
    }

    /// Whether the client has taken the listing: its last tool was called.
    pub(super) fn is_listed(&self) -> bool {
        self.calls().any(is_control)
    }

    /// What the driver said of this tool.
    pub(super) fn told(&self, name: &str) -> Option<&Told> {
        self.heard.told.iter().find(|told| told.tool == name)
    }

    /// The tool whose call has reached the server and has not ended for the app.
    pub(super) fn in_flight(&self) -> Option<&str> {
        let last = self.calls().last()?;
        let ended = self.heard.told.iter().filter(|told| told.tool == last);
        (ended.count() < self.calls().filter(|tool| *tool == last).count()).then_some(last)
    }

    /// Why the listing was lost, as a clause.
    fn lost(&self) -> Option<String> {
        let end = self.heard.end.as_ref()?;
        match &end.error {
            Some(error) => Some(format!("the listing was lost: {}", in_line(error))),
            None if !self.is_listed() => {
                Some("the listing was lost: not even the control tool was called".to_owned())
            }
            None => None,
        }
    }

    /// What came of a case whose session came to its end.
    pub(super) fn outcome(&self, (asked, request): &Part<'_>, name: Option<&str>) -> Outcome {
        match (request.gate, &asked.case.input) {
            (GateName::Listing, _) => self.listing(),
            (GateName::Wire, Input::Wire { session, .. }) => {
                self.watched(&session.ask, asked.expected.answer, request.field("result"))
            }
            (GateName::Definition, _) => self.definition(name),
            (GateName::Arguments, _) => self.arguments(name, excuse(asked)),
            _ => {
                let is_error = is_error(request.field("result"));
                self.result(name, is_error, excuse(asked))
            }
        }
    }

    /// Why a tool was not called.
    fn not_called(&self, told: Option<&Told>) -> String {
        match (self.lost(), told) {
            (Some(lost), _) => lost,
            (None, Some(told)) => said(told, "its call did not reach the server"),
            (None, None) => "the tool was not listed".to_owned(),
        }
    }

    fn definition(&self, name: Option<&str>) -> Outcome {
        let reached = match name {
            Some(name) => self.reached(name),
            None => self.calls().any(|tool| !is_control(tool)),
        };
        if reached {
            return Outcome::accept();
        }
        let told = name.and_then(|name| self.told(name));
        rejected(self.not_called(told))
    }

    fn listing(&self) -> Outcome {
        if let Some(lost) = self.lost() {
            return rejected(lost);
        }
        let mut usable: Vec<String> = Vec::new();
        for tool in self.calls().filter(|tool| !is_control(tool)) {
            if !usable.iter().any(|known| known == tool) {
                usable.push(tool.to_owned());
            }
        }
        Outcome {
            usable: Some(usable),
            ..Outcome::accept()
        }
    }

    fn arguments(&self, name: Option<&str>, excuse: bool) -> Outcome {
        let name = name.unwrap_or_default();
        if self.reached(name) {
            return Outcome::accept();
        }
        match self.told(name).filter(|told| told.outcome != Word::Absent) {
            Some(told) => rejected(said(told, "the call was refused")),
            None if excuse => rejected(self.not_called(self.told(name))),
            None => Outcome::error(self.not_called(self.told(name))),
        }
    }

    fn result(&self, name: Option<&str>, is_error: bool, excuse: bool) -> Outcome {
        let name = name.unwrap_or_default();
        let told = self.told(name);
        let Some(told) = told.filter(|_| self.reached(name)) else {
            let why = self.not_called(told);
            return if excuse {
                rejected(why)
            } else {
                Outcome::error(why)
            };
        };
        match told.outcome {
            Word::Value => Outcome {
                delivered: told.delivered.clone(),
                ..Outcome::accept()
            },
            Word::ToolError if is_error => Outcome::accept(),
            Word::ToolError => rejected(said(told, "it came as the tool's own error")),
            Word::Error => rejected(said(told, "the client refused the result")),
            Word::Absent => Outcome::error("called, and said to be absent"),
        }
    }

    fn watched(&self, ask: &Ask, expected: Expected, sent: &str) -> Outcome {
        match ask {
            Ask::Called(tool) if self.reached(tool) => Outcome::accept(),
            Ask::Called(tool) => rejected(self.not_called(self.told(tool))),
            Ask::Delivered(tool) => {
                // What is not called is not delivered either, and is no judgement of the result.
                let outcome = self.result(Some(tool), false, false);
                let altered = outcome.delivered.as_deref();
                let altered = altered.and_then(|delivered| delivery(sent, delivered));
                match (outcome.answer, expected, altered) {
                    (Answer::Error, Expected::Accept, _) => {
                        rejected(outcome.detail.unwrap_or_default())
                    }
                    (Answer::Accept, _, Some(difference)) => Outcome {
                        delivered: outcome.delivered,
                        ..rejected(difference)
                    },
                    _ => outcome,
                }
            }
            Ask::ToolError(tool) => match self.told(tool) {
                Some(told) if told.outcome == Word::ToolError => Outcome::accept(),
                Some(told) => rejected(said(told, "the tool's own error did not come through")),
                None => rejected(self.not_called(None)),
            },
            Ask::Answered(tool) => match (self.told(tool), self.told(super::offer::CONTROL)) {
                (None, _) => rejected(self.not_called(None)),
                (_, Some(control)) if control.outcome == Word::Value => Outcome::accept(),
                (_, Some(control)) => rejected(said(control, "the next call failed")),
                (_, None) => rejected("the next call was not made"),
            },
            Ask::Ended(tool) => match self.told(tool) {
                Some(_) => Outcome::accept(),
                None if self.reached(tool) => rejected("the session ended, and the call had not"),
                None => rejected(self.not_called(None)),
            },
            Ask::Unfetched(_) => match self.fetched.first() {
                None => Outcome::accept(),
                Some(line) => rejected(format!("the client asked for {}", cut(line, MOST_SAID))),
            },
            Ask::Header { tool, name, value } => self.header(tool, name, value.as_deref()),
            Ask::Sound(_) => {
                let mut problems = self.events.iter();
                let problem = problems.find_map(|event| {
                    let problem = event.problem.as_ref()?;
                    Some(format!(
                        "{}: {}",
                        cut(&event.method, 60),
                        cut(problem, MOST_SAID)
                    ))
                });
                problem.map_or_else(Outcome::accept, rejected)
            }
        }
    }

    fn header(&self, tool: &str, name: &str, wanted: Option<&str>) -> Outcome {
        let mut calls = self.events.iter();
        let call =
            calls.find(|event| event.method == "tools/call" && event.tool.as_deref() == Some(tool));
        let Some(call) = call else {
            return Outcome::error(self.not_called(self.told(tool)));
        };
        match (call.headers.get(name), wanted) {
            (None, None) => Outcome::accept(),
            (Some(value), Some(wanted)) if value == wanted => Outcome::accept(),
            (None, Some(_)) => rejected(format!("the call has no header {name}")),
            (Some(value), _) => {
                rejected(format!("the call has {name}: {:?}", cut(value, MOST_SAID)))
            }
        }
    }
}

/// Whether a tool that is not offered is an answer: it hands nothing on. That is the rejection where
/// the case rejects for the sake of the definition, and worth writing down where all is open.
fn excuse(asked: &Asked<'_>) -> bool {
    let expected = asked.expected;
    let mut rules = expected.because.iter();
    let by_tool = rules.any(|rule| rule.starts_with("mcp.tool."));
    expected.level == Level::Informational || expected.answer == Expected::Reject && by_tool
}

/// A rejection whose reason is not told: a client seldom says it in a way that can be compared.
fn rejected(detail: impl Into<String>) -> Outcome {
    Outcome {
        reason: None,
        ..Outcome::reject(RejectionReason::Other)
    }
    .because(detail)
}

fn said(told: &Told, what: &str) -> String {
    match &told.message {
        Some(message) => format!("{what}: {}", in_line(message)),
        None => what.to_owned(),
    }
}

/// What a client says, short and on one line.
pub(super) fn in_line(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    cut(&words.join(" "), MOST_SAID).into_owned()
}

/// Whether a result says that it is the tool's own error.
fn is_error(result: &str) -> bool {
    let object = Object::read(result);
    object.is_some_and(|object| object.all("isError").last() == Some("true"))
}
