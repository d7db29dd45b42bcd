//! What judging a listing costs, next to the bare compile of its schemas by the engine.
//!
//! The listing is the audit workload's (600 tools) where `../shared/perf` or `MCP_CONFORM_SHARED`
//! leads to its generator; elsewhere it is made of the fixtures.

mod support;

use std::sync::OnceLock;

use mcp_conform::corpus::fixtures;
use mcp_conform::document::Document;
use mcp_conform::rules::{Settings, check};
use mcp_conform::source::{Format, Source};
use serde_json::{Value, json};

fn main() {
    divan::main();
}

/// The text of the listing.
fn listing() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| support::listing_of_600().unwrap_or_else(from_fixtures))
}

fn from_fixtures() -> String {
    let tools: Vec<Value> = fixtures()
        .filter(|fixture| fixture.path.starts_with("expected-valid/rich-"))
        .filter_map(|fixture| serde_json::from_slice::<Value>(fixture.bytes).ok())
        .filter_map(|listing| listing.get("tools")?.as_array().cloned())
        .flatten()
        .collect();
    let tools: Vec<&Value> = tools.iter().cycle().take(600).collect();
    json!({"tools": tools}).to_string()
}

/// Reading and judging the whole listing on three versions.
#[divan::bench]
fn check_600_tools() -> usize {
    let settings = Settings::default();
    let source = Source::new("listing", listing(), Format::Json);
    let document = Document::read(source, None, &settings.limits).expect("a listing");
    check(&document, &settings).diagnostics.len()
}

/// The engine alone: parse, and build a validator for each schema.
#[divan::bench]
fn compile_600_tools() -> usize {
    let listing: Value = serde_json::from_str(listing()).expect("JSON");
    let tools = listing["tools"].as_array().expect("tools");
    let schemas = tools
        .iter()
        .flat_map(|tool| [tool.get("inputSchema"), tool.get("outputSchema")])
        .flatten();
    schemas
        .filter(|schema| jsonschema::options().offline().build(schema).is_ok())
        .count()
}

/// One small exchange, as a gate meets it.
#[divan::bench]
fn check_one_exchange() -> usize {
    let settings = Settings::default();
    let text = r#"{"protocolVersions":["2025-11-25"],"tool":{"name":"t","inputSchema":{"type":"object"},"outputSchema":{"type":"object","required":["id"]}},"result":{"content":[],"structuredContent":{"id":1}}}"#;
    let source = Source::new("exchange", text, Format::Json);
    let document = Document::read(source, None, &settings.limits).expect("an exchange");
    check(&document, &settings).diagnostics.len()
}
