//! The schemas that values are drawn from: those of the corpus and, where it is at hand, a
//! listing of 600 tools.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use mcp_conform::corpus::{Corpus, Input, Text};
use serde_json::Value;

use crate::support;

/// Every schema of the corpus by the name of the first suite and tool that hold it.
pub fn of_the_corpus() -> BTreeMap<String, Value> {
    let corpus = Corpus::embedded().expect("the corpus");
    let mut found: BTreeMap<String, Value> = BTreeMap::new();
    let mut add = |name: String, schema: &Value| {
        if schema.is_object() && !found.values().any(|known| known == schema) {
            found.insert(name, schema.clone());
        }
    };
    for case in corpus.cases() {
        let suite = case.id.split('#').next().unwrap_or_default();
        // Hostile schemas are made to exceed bounds.
        if suite.starts_with("hostile/") {
            continue;
        }
        match &case.input {
            Input::Definition { tool }
            | Input::Arguments { tool, .. }
            | Input::Result { tool, .. }
            | Input::Audit { tool, .. } => {
                let Some(tool) = value(tool) else { continue };
                let name = tool["name"].as_str().unwrap_or("?").to_owned();
                for side in ["inputSchema", "outputSchema"] {
                    add(
                        format!("{suite} {name}.{side} {}", case.name()),
                        &tool[side],
                    );
                }
            }
            Input::Contract { schema, .. } => {
                if let Some(schema) = value(schema) {
                    add(format!("{suite} {}", case.name()), &schema);
                }
            }
            Input::Listing { .. } | Input::Wire { .. } => {}
        }
    }
    found
}

fn value(text: &Text) -> Option<Value> {
    match text {
        Text::Raw(text) => serde_json::from_str(text).ok(),
        other => other.value().cloned(),
    }
}

/// The output schemas of the workload's listing, which its own script writes.
pub fn of_the_workload() -> BTreeMap<String, Value> {
    let Some(folder) = support::shared("perf") else {
        return BTreeMap::new();
    };
    let temp = tempfile::tempdir().expect("a folder");
    let script = folder.join("gen.py").canonicalize().expect("the script");
    // Its names come out of sets, whose order Python varies from run to run.
    let status = Command::new("python3")
        .env("PYTHONHASHSEED", "0")
        .arg(script)
        .args(["600", "1"])
        .current_dir(&temp)
        .status();
    match status {
        Ok(status) if status.success() => read(&temp.path().join("tools.json")),
        other => {
            eprintln!("SKIPPED: the workload's script did not run: {other:?}");
            BTreeMap::new()
        }
    }
}

fn read(path: &Path) -> BTreeMap<String, Value> {
    let text = std::fs::read_to_string(path).expect("a listing");
    let listing: Value = serde_json::from_str(&text).expect("JSON");
    let tools = listing["tools"].as_array().into_iter().flatten();
    tools
        .map(|tool| {
            let name = tool["name"].as_str().unwrap_or("?");
            (format!("perf {name}"), tool["outputSchema"].clone())
        })
        .collect()
}
