//! Generated tools against a slow and plain reading of each clause.

use std::collections::BTreeSet;

use mcp_conform::gate::Gate;
use mcp_conform::generate::{Generator, Rng, Tally, definition};
use mcp_conform::protocol::ProtocolVersion::{self, V2025_06_18, V2025_11_25, V2026_07_28};
use mcp_conform::protocol::VersionSet;
use mcp_conform::rules::Settings;
use serde_json::{Value, json};

use crate::cases;
use crate::documents::judged;

/// The rules that the plain reading covers.
const READ: &[&str] = &[
    "mcp.tool.shape",
    "mcp.tool.name.format",
    "mcp.tool.input-schema.required",
    "mcp.tool.input-schema.object-root",
    "mcp.tool.output-schema.object-root",
    "mcp.tool.schema.native-shape",
    "mcp.tool.schema.dialect",
    "mcp.tool.schema.ref-unresolved",
    "mcp.tool.schema.ref-external",
    "mcp.tool.annotations.contradiction",
];

/// The clauses, one after the other, as rules.md words them.
#[allow(clippy::too_many_lines)] // A list of clauses.
fn read(tool: &Value, version: ProtocolVersion) -> BTreeSet<&'static str> {
    let mut broken = BTreeSet::new();
    let mut say = |rule: &'static str, is_broken: bool| {
        if is_broken {
            broken.insert(rule);
        }
    };
    let not_a = |name: &str, is: fn(&Value) -> bool| tool.get(name).is_some_and(|value| !is(value));
    let hint = |name: &str| tool["annotations"].get(name);
    // Each member has the type that the version gives it.
    say("mcp.tool.shape", !tool["name"].is_string());
    say("mcp.tool.shape", not_a("title", Value::is_string));
    say("mcp.tool.shape", not_a("description", Value::is_string));
    say("mcp.tool.shape", not_a("_meta", Value::is_object));
    say("mcp.tool.shape", not_a("annotations", Value::is_object));
    say("mcp.tool.shape", not_a("outputSchema", Value::is_object));
    for name in [
        "readOnlyHint",
        "destructiveHint",
        "idempotentHint",
        "openWorldHint",
    ] {
        say(
            "mcp.tool.shape",
            hint(name).is_some_and(|hint| !hint.is_boolean()),
        );
    }
    if let Some(name) = tool["name"].as_str().filter(|_| version >= V2025_11_25) {
        let allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
        let wrong =
            name.is_empty() || name.len() > 128 || name.chars().any(|c| !allowed.contains(c));
        say("mcp.tool.name.format", wrong);
    }
    let has_both =
        hint("readOnlyHint") == Some(&json!(true)) && hint("destructiveHint") == Some(&json!(true));
    say("mcp.tool.annotations.contradiction", has_both);
    match tool.get("inputSchema").filter(|input| input.is_object()) {
        None => say("mcp.tool.input-schema.required", true),
        Some(input) => {
            say(
                "mcp.tool.input-schema.object-root",
                input.get("type") != Some(&json!("object")),
            );
        }
    }
    for side in ["inputSchema", "outputSchema"] {
        let Some(schema) = tool.get(side).filter(|schema| schema.is_object()) else {
            continue;
        };
        let kind = schema.get("type");
        let lists_object = kind
            .and_then(Value::as_array)
            .is_some_and(|list| list.contains(&json!("object")));
        if side == "outputSchema" && version == V2025_06_18 {
            say(
                "mcp.tool.output-schema.object-root",
                kind != Some(&json!("object")),
            );
        }
        if side == "outputSchema" && version == V2025_11_25 {
            let declared = kind.is_some() && kind != Some(&json!("object"));
            say(
                "mcp.tool.output-schema.object-root",
                declared && !lists_object,
            );
            say(
                "mcp.tool.schema.native-shape",
                kind.is_none() || lists_object,
            );
        }
        if version < V2026_07_28 {
            let not_objects = |members: &Value| {
                members
                    .as_object()
                    .is_none_or(|members| members.values().any(|m| !m.is_object()))
            };
            say(
                "mcp.tool.schema.native-shape",
                schema.get("properties").is_some_and(not_objects),
            );
            let names = schema.get("required");
            let not_names = |names: &Value| {
                names
                    .as_array()
                    .is_none_or(|names| names.iter().any(|name| !name.is_string()))
            };
            say("mcp.tool.schema.native-shape", names.is_some_and(not_names));
        }
        let dialect = schema.get("$schema");
        say("mcp.tool.schema.dialect", dialect.is_some());
        // Nothing is said of the keywords of a dialect that nobody knows.
        if dialect.is_none() {
            let text = schema.to_string();
            say(
                "mcp.tool.schema.ref-unresolved",
                text.contains("\"$ref\":\"#/$defs/missing\""),
            );
            say(
                "mcp.tool.schema.ref-external",
                text.contains("\"$ref\":\"https://"),
            );
        }
    }
    broken
}

#[test]
fn the_rules_agree_with_a_plain_reading() {
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    for number in 0..cases(600) as u64 {
        let mut rng = Rng::of(9, "definitions", number);
        let mut tool = definition::tool(&mut rng);
        let mut stated = Vec::new();
        for _ in 0..rng.below(3) {
            if tool["inputSchema"].is_object() {
                stated.push(definition::damage(&mut tool, &mut rng));
            }
        }
        for version in [V2025_06_18, V2025_11_25, V2026_07_28] {
            let settings = Settings {
                protocol: Some(version.into()),
                ..Settings::default()
            };
            let checked = judged(&json!({"tools": [tool]}), &settings);
            let found = checked.diagnostics.iter().map(|found| found.rule);
            let found: BTreeSet<_> = found.filter(|rule| READ.contains(rule)).collect();
            let plain = read(&tool, version);
            assert_eq!(found, plain, "{version} {tool}");
            seen.extend(plain);
        }
        if let [rule] = stated[..] {
            let settings = Settings {
                protocol: Some(VersionSet::STRUCTURED),
                ..Settings::default()
            };
            let checked = judged(&json!({"tools": [tool]}), &settings);
            assert!(
                checked.diagnostics.iter().any(|found| found.rule == rule),
                "{rule} {tool}"
            );
        }
    }
    assert_eq!(
        seen,
        READ.iter().copied().collect(),
        "each clause is broken by some tool"
    );
}

#[test]
fn a_tool_in_order_passes_every_gate() {
    for number in 0..cases(200) as u64 {
        let mut rng = Rng::of(10, "valid", number);
        let tool = definition::tool(&mut rng);
        for version in VersionSet::STRUCTURED.iter() {
            let gate = Gate::new(version).definition(&tool);
            assert_eq!(gate.usable(), Ok(()), "{version} {tool}");
        }
    }
}

/// Schemas that nobody wrote, and values that fit them or do not.
#[test]
fn generated_schemas_have_values() {
    let mut tally = Tally::default();
    for number in 0..cases(400) as u64 {
        let mut rng = Rng::of(11, "schemas", number);
        let schema = definition::schema(&mut rng, 4);
        let generator = Generator::new(&schema).unwrap_or_else(|why| panic!("{why:?} {schema}"));
        let sample = generator.sample(&mut rng, &mut tally);
        let sample = sample.unwrap_or_else(|| panic!("nothing fits {schema}"));
        assert_eq!(generator.fits(sample.value()), Some(true));
        if let Some(mutant) = generator.mutant(&sample, &mut rng, &mut tally) {
            assert_eq!(
                generator.fits(&mutant.value),
                Some(false),
                "{mutant:?} {schema}"
            );
        }
    }
    eprintln!("{tally:?}");
    assert!(tally.elsewhere * 20 < tally.mutants, "{tally:?}");
}
