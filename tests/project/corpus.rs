//! Every schema of the corpus, projected to every target that builds schemas anew: the proof holds,
//! and no keyword goes without a word.

use std::collections::BTreeSet;

use mcp_conform::project::proof::prove;
use mcp_conform::project::{Change, Item, ItemKind, Loss, Making, Target};
use mcp_conform::schema::{Dialect, Tree};
use rayon::prelude::*;
use serde_json::{Value, json};

use crate::support::root;

/// The schemas of all suites, each once; those that are hostile by design have tests of their own.
fn schemas() -> Vec<Value> {
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    let mut add = |schema: Option<&Value>| {
        if let Some(schema @ Value::Object(_)) = schema
            && seen.insert(schema.to_string())
        {
            found.push(schema.clone());
        }
    };
    for entry in walkdir::WalkDir::new(root().join("corpus")).sort_by_file_name() {
        let path = entry.expect("the corpus can be walked").into_path();
        let hostile = path.components().any(|part| part.as_os_str() == "hostile");
        if hostile || path.extension().is_none_or(|it| it != "json") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("it can be read");
        let suite: Value = serde_json::from_str(&text).expect("JSON");
        let each = |name: &str| suite[name].as_object().into_iter().flatten();
        let cases = each("cases").map(|(_, case)| &case["tool"]);
        for tool in each("tools").map(|(_, tool)| tool).chain(cases) {
            add(tool.get("inputSchema"));
            add(tool.get("outputSchema"));
        }
        each("schemas").for_each(|(_, schema)| add(Some(schema)));
    }
    found
}

/// A tool that takes the schema: as it is where it names places of its own, else at two places.
fn tool(schema: &Value) -> Value {
    let text = schema.to_string();
    let input = if text.contains("$ref") || text.contains("\"$schema\"") {
        schema.clone()
    } else {
        json!({
            "type": "object",
            "properties": {"one": schema, "many": {"type": "array", "items": schema}},
            "required": ["one"]
        })
    };
    json!({"name": "t", "inputSchema": input})
}

#[test]
fn every_projection_of_the_corpus_is_proved() {
    let schemas = schemas();
    let built = || {
        Target::all()
            .iter()
            .filter(|target| target.schema == Making::Rebuilt)
    };
    let results: Vec<(usize, Vec<String>)> = schemas
        .par_iter()
        .map(|schema| {
            let tool = tool(schema);
            let item = Item::new(ItemKind::Tool, "t", &tool);
            let mut projected = 0;
            let mut faults = Vec::new();
            for target in built() {
                let Ok(projection) = item.project(target) else {
                    continue;
                };
                projected += 1;
                let part = &projection.parts[0];
                let shown = projection
                    .value
                    .pointer(part.place.as_str())
                    .expect("it is there");
                let proof = prove(&item, target, part, shown, (5, 3));
                if let Some(found) = proof.counterexample {
                    let losses = &projection.losses;
                    faults.push(format!(
                        "{}: {tool}\n{shown}\n{losses:#?}\n{found:#?}",
                        target.name
                    ));
                }
                let silent = silent(&tool["inputSchema"], target, &projection.losses);
                if !silent.is_empty() {
                    faults.push(format!(
                        "{}: {tool}\nnot a word about {silent:?}",
                        target.name
                    ));
                }
            }
            (projected, faults)
        })
        .collect();
    let projected: usize = results.iter().map(|(count, _)| count).sum();
    let faults: Vec<&String> = results.iter().flat_map(|(_, faults)| faults).collect();
    let shown: Vec<&str> = faults.iter().take(5).map(|it| it.as_str()).collect();
    assert!(
        faults.is_empty(),
        "{} faults, the first:\n{}",
        faults.len(),
        shown.join("\n")
    );
    assert!(projected > 1000, "only {projected} projections were made");
}

/// Keywords that the target does not know and that the report does not mention, neither themselves
/// nor with something around them.
fn silent(input: &Value, target: &Target, losses: &[Loss]) -> Vec<String> {
    let declared = input
        .get("$schema")
        .and_then(Value::as_str)
        .and_then(Dialect::from_uri);
    let tree = Tree::new(input, declared.unwrap_or(Dialect::Draft202012), 10_000);
    let gone = |loss: &&Loss| {
        // A map that is left empty takes its members' schema along.
        matches!(
            loss.change,
            Change::Dropped | Change::Weakened | Change::Narrowed
        )
    };
    let mut silent = Vec::new();
    for node in &tree.nodes {
        // A definition that nothing refers to any more goes with its name.
        let kept = ["/$defs/", "/definitions/"];
        let Value::Object(members) = node.value else {
            continue;
        };
        if kept.iter().any(|part| node.pointer.as_str().contains(part)) {
            continue;
        }
        for keyword in members.keys() {
            let structural = matches!(
                keyword.as_str(),
                "$defs" | "definitions" | "oneOf" | "anyOf"
            );
            if target.knows(keyword) || structural {
                continue;
            }
            let place = format!("/inputSchema{}", node.pointer.join(keyword));
            let named = losses.iter().any(|loss| loss.pointer == place);
            let inside = losses.iter().filter(gone).any(|loss| {
                place
                    .strip_prefix(&loss.pointer)
                    .is_some_and(|tail| tail.starts_with('/'))
            });
            if !named && !inside {
                silent.push(place);
            }
        }
    }
    silent
}
