//! A corpus as JSON lines, for those who run it without this program. The format is described in
//! `docs/corpus-format.md`.

use serde_json::{Map, Value, json};

use super::suite::{Case, Expectation, Input, Suite};
use crate::gate::{Branch, RejectionReason};
use crate::protocol::VersionSet;

/// The line of one case: its input as JSON texts, and what each version expects.
pub fn line(suite: &Suite, case: &Case) -> Value {
    let mut line = Map::new();
    line.insert("id".into(), json!(case.id));
    line.insert("suite".into(), json!(suite.name));
    line.insert("gate".into(), json!(case.gate.as_str()));
    line.insert("sequence".into(), json!(suite.sequence));
    let fields = case.input.fields().into_iter();
    let mut input: Map<String, Value> = fields
        .map(|(name, text)| (name.to_owned(), json!(text.to_string())))
        .collect();
    if let Input::Wire { session, tools } = &case.input {
        let tools = tools.iter().map(|(key, tool)| (key, tool.to_string()));
        let tools: std::collections::BTreeMap<_, _> = tools.collect();
        input.insert("session".into(), json!(json!(session.as_ref()).to_string()));
        input.insert("tools".into(), json!(tools));
    }
    line.insert("input".into(), Value::Object(input));
    let mut expect = Map::new();
    for version in VersionSet::ALL.iter() {
        if let Some(expected) = case.on(version) {
            expect.insert(version.to_string(), expectation(expected));
        }
    }
    line.insert("expect".into(), Value::Object(expect));
    let neighbour = case
        .neighbour
        .as_ref()
        .map(|name| format!("{}#{name}", suite.name));
    for (name, value) in [
        ("neighbour", neighbour),
        ("description", case.description.clone()),
        ("note", case.note.clone()),
    ] {
        if let Some(value) = value {
            line.insert(name.into(), json!(value));
        }
    }
    line.insert("source".into(), json!(case.source));
    Value::Object(line)
}

fn expectation(expected: &Expectation) -> Value {
    let mut said = Map::new();
    said.insert("verdict".into(), json!(expected.answer.as_str()));
    said.insert("level".into(), json!(expected.level.as_str()));
    if !expected.because.is_empty() {
        said.insert("rules".into(), json!(expected.because));
        let reasons = expected.reasons().into_iter().map(RejectionReason::as_str);
        let reasons: Vec<_> = reasons.collect();
        said.insert("reasons".into(), json!(reasons));
    }
    for (name, value) in [("keyword", &expected.keyword), ("at", &expected.at)] {
        if let Some(value) = value {
            said.insert(name.into(), json!(value));
        }
    }
    if let Some(usable) = &expected.usable {
        said.insert("usable".into(), json!(usable));
    }
    if let Some(branch) = expected.branch.map(Branch::as_str) {
        said.insert("branch".into(), json!(branch));
    }
    Value::Object(said)
}
