//! Generated cases as suites of the corpus's own format, to be reviewed and kept.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::corpus::{Case, Expectation, Expected, GateName, Input, Text};
use crate::protocol::VersionSet;

/// A suite's file: its path in a corpus, and its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedSuite {
    /// `<gate>/generated-<tool>.json`.
    pub path: String,
    /// The suite as JSON.
    pub text: String,
}

/// A case to keep, with its accepted neighbour and the keyword that it is about.
#[derive(Clone, Debug)]
pub struct Kept {
    /// The case.
    pub case: Case,
    /// The accepted case that it differs from; `None` for an accepted case.
    pub neighbour: Option<Case>,
    /// What names it: a keyword, mostly.
    pub about: String,
}

/// The suites that hold `kept`, one for each gate and tool.
pub fn save(kept: &[Kept]) -> Vec<SavedSuite> {
    let mut suites: BTreeMap<(GateName, String), Map<String, Value>> = BTreeMap::new();
    let mut tools: BTreeMap<(GateName, String), Map<String, Value>> = BTreeMap::new();
    for one in kept {
        let tool = words(tool_of(&one.case.id), '-');
        let place = (one.case.gate, tool);
        let cases = suites.entry(place.clone()).or_default();
        let tools = tools.entry(place).or_default();
        let number = words(one.case.name(), '_');
        let name = format!("{}_{number}", words(&one.about, '_'));
        let neighbour = one.neighbour.as_ref().map(|case| {
            let name = format!("fits_{}", words(case.name(), '_'));
            let written = written(case, None, tools);
            cases.entry(name.clone()).or_insert(written);
            name
        });
        let written = written(&one.case, neighbour, tools);
        cases.insert(name, written);
    }
    let files = suites.into_iter().map(|((gate, tool), cases)| {
        let suite = format!("{gate}/generated-{tool}");
        let tools = tools.remove(&(gate, tool)).unwrap_or_default();
        let value = json!({
            "$schema": "../suite.schema.json",
            "suite": suite,
            "description": "Payloads that were generated, and that an implementation judged otherwise.",
            "source": ["JSON Schema 2020-12 Validation"],
            "tools": tools,
            "cases": cases,
        });
        SavedSuite { path: format!("{suite}.json"), text: format!("{value:#}\n") }
    });
    files.collect()
}

fn written(case: &Case, neighbour: Option<String>, tools: &mut Map<String, Value>) -> Value {
    let mut written = Map::new();
    if let Some(description) = &case.description {
        written.insert("description".to_owned(), json!(description));
    }
    let mut put = |name: &str, raw: &str, text: &Text| match text.value() {
        Some(value) => written.insert(name.to_owned(), value.clone()),
        None => written.insert(raw.to_owned(), json!(text.to_string())),
    };
    let (tool, side) = match &case.input {
        Input::Definition { tool } => (Some(tool), ""),
        Input::Arguments { tool, arguments } => {
            put("arguments", "raw", arguments);
            (Some(tool), ".inputSchema")
        }
        Input::Result { tool, result } => {
            put("result", "raw", result);
            (Some(tool), ".outputSchema")
        }
        Input::Audit { tool, record, body } => {
            put("record", "raw_record", record);
            put("body", "raw_body", body);
            (Some(tool), ".outputSchema")
        }
        _ => (None, ""),
    };
    if let Some(tool) = tool.and_then(Text::value) {
        let key = key(tools, tool);
        written.insert("tool_ref".to_owned(), json!(format!("{key}{side}")));
    }
    expected(case, &mut written);
    if let Some(neighbour) = neighbour {
        written.insert("neighbour".to_owned(), json!(neighbour));
    }
    Value::Object(written)
}

fn expected(case: &Case, written: &mut Map<String, Value>) {
    let mut expect = Map::new();
    let mut said: Option<&Expectation> = None;
    for version in VersionSet::STRUCTURED.iter() {
        let word = case
            .on(version)
            .map_or("n/a", |expectation| expectation.answer.as_str());
        expect.insert(version.to_string(), json!(word));
        said = said.or(case.on(version));
    }
    written.insert("expect".to_owned(), Value::Object(expect));
    let Some(said) = said else { return };
    let mut put = |name: &str, value: Value| written.insert(name.to_owned(), value);
    if let Some(branch) = said.branch {
        put("branch", json!(branch.as_str()));
    }
    if said.answer == Expected::Reject {
        put("because", json!(said.because));
        said.keyword
            .as_ref()
            .map(|keyword| put("keyword", json!(keyword)));
        said.at.as_ref().map(|at| put("at", json!(at)));
    }
    put("level", json!(said.level.as_str()));
}

/// The key of a tool in the suite: the same for the same tool.
fn key(tools: &mut Map<String, Value>, tool: &Value) -> String {
    if let Some((key, _)) = tools.iter().find(|(_, known)| *known == tool) {
        return key.clone();
    }
    let name = tool
        .get("name")
        .and_then(Value::as_str)
        .unwrap_or("unnamed");
    let mut key = words(name, '_');
    if tools.contains_key(&key) {
        key = format!("{key}_{}", tools.len() + 1);
    }
    tools.insert(key.clone(), tool.clone());
    key
}

/// The tool that an id names.
fn tool_of(id: &str) -> &str {
    let suite = id.split('#').next().unwrap_or_default();
    suite.rsplit('/').next().unwrap_or_default()
}

/// Small letters and digits, with `separator` where something else stood or a word began.
fn words(text: &str, separator: char) -> String {
    let mut out = String::new();
    for char in text.chars() {
        let starts = !char.is_ascii_alphanumeric() || char.is_ascii_uppercase();
        if starts && !out.is_empty() && !out.ends_with(separator) {
            out.push(separator);
        }
        if char.is_ascii_alphanumeric() {
            out.push(char.to_ascii_lowercase());
        }
    }
    let out = out.trim_end_matches(separator);
    if out.is_empty() {
        "unnamed".to_owned()
    } else {
        out.to_owned()
    }
}
