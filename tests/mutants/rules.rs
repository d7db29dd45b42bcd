//! Which rules a request breaks, asked of the library's gates, and mutants that do not know some.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex};

use mcp_conform::certify::{Answer, Implementation, Outcome, Request};
use mcp_conform::corpus::GateName;
use mcp_conform::gate::{Gate, Rejection, RejectionReason, Toolbox};
use mcp_conform::protocol::ProtocolVersion;
use serde_json::{Value, json};

use crate::change::accepted;

/// Accepts whatever breaks none but these rules, and keeps such tools in a listing.
pub fn forgiving(
    rules: &'static [&'static str],
) -> impl Fn(&Request, &mut dyn Implementation) -> Outcome + Clone {
    forgiving_where(rules, |_| true)
}

/// As [`forgiving`], of tools for which `holds`.
pub fn forgiving_where(
    rules: &'static [&'static str],
    holds: impl Fn(&Value) -> bool + Clone,
) -> impl Fn(&Request, &mut dyn Implementation) -> Outcome + Clone {
    move |request, inner| {
        let right = inner.run(request);
        let forgives = |rejection: &Rejection| {
            let mut broken = rejection.violations.iter();
            broken.all(|violated| rules.contains(&violated.rule))
        };
        match (right.answer, right.usable.as_ref()) {
            // The first rule of a rejection gives its reason.
            (Answer::Reject, _)
                if rules
                    .iter()
                    .all(|rule| right.reason != Some(RejectionReason::of_rule(rule)[0])) =>
            {
                right
            }
            (Answer::Reject, _) => {
                let of_tool = tool(request).is_none_or(|tool| holds(&tool));
                let rejection = of_tool.then(|| known(request)).flatten();
                match rejection.is_some_and(|rejection| forgives(&rejection)) {
                    true => accepted(right),
                    false => right,
                }
            }
            (Answer::Accept, Some(usable)) => match toolbox(request) {
                Some(toolbox) => {
                    let more = toolbox.tools().iter().filter(|tool| {
                        let broken = tool.usable().is_err_and(&forgives);
                        broken && holds(tool.definition())
                    });
                    let more = more.filter_map(|tool| tool.name().map(str::to_owned));
                    let usable = usable.iter().cloned().chain(more).collect();
                    Outcome {
                        usable: Some(usable),
                        ..right
                    }
                }
                None => right,
            },
            _ => right,
        }
    }
}

/// The tool of a request.
pub fn tool(request: &Request) -> Option<Value> {
    let gate = Gate::new(request.version);
    gate.parse(request.field("tool"))
        .ok()
        .map(|read| read.value)
}

/// The tools of a listing.
fn toolbox(request: &Request) -> Option<Toolbox> {
    let gate = Gate::new(request.version);
    let listing = gate.parse(request.field("tools")).ok()?;
    gate.discover(&listing.value).ok()
}

/// What a request puts to its gate.
type Put = (GateName, ProtocolVersion, Vec<(&'static str, String)>);

/// As [`rejection`], asked once for all mutants.
fn known(request: &Request) -> Option<Rejection> {
    static KNOWN: LazyLock<Mutex<HashMap<Put, Option<Rejection>>>> = LazyLock::new(Mutex::default);
    let put = (request.gate, request.version, request.fields.clone());
    let found = KNOWN.lock().expect("no holder panics").get(&put).cloned();
    found.unwrap_or_else(|| {
        let found = rejection(request);
        KNOWN
            .lock()
            .expect("no holder panics")
            .insert(put, found.clone());
        found
    })
}

/// Why the request is rejected, rule by rule, where the library says so.
fn rejection(request: &Request) -> Option<Rejection> {
    let gate = Gate::new(request.version);
    if request.gate == GateName::Listing {
        let listing = gate.parse(request.field("tools")).ok()?;
        return gate.discover(&listing.value).err();
    }
    let tool = tool(request)?;
    if request.gate == GateName::Definition {
        return gate.definition(&tool).usable().err().cloned();
    }
    let name = tool.get("name")?.as_str()?.to_owned();
    let toolbox = gate.discover(&json!({"tools": [tool]})).ok()?;
    match request.gate {
        GateName::Arguments => {
            let arguments = gate.parse(request.field("arguments")).ok()?;
            toolbox.arguments(&name, &arguments.value).err()
        }
        GateName::Result => {
            let result = gate.parse(request.field("result")).ok()?;
            toolbox.result(&name, &result).err()
        }
        _ => None,
    }
}
