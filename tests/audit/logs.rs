//! A listing, lines to go with it, and the audit of both in memory.

use std::sync::atomic::AtomicBool;

use mcp_conform::audit::{Audit, Options, Report, Tools};
use mcp_conform::document::Document;
use mcp_conform::protocol::ProtocolVersion;
use mcp_conform::source::{Format, Limits, Source};
use serde_json::{Value, json};

/// Tools of a ticket desk: one with a strict output, one without any, some whose output schema
/// cannot judge, one that exists to be hard on the engine.
pub fn tools() -> Tools {
    let listing = json!({"tools": [
        tool("search_tickets", Some(json!({
            "type": "object",
            "properties": {
                "status": {"enum": ["open", "closed"]},
                "total": {"type": "integer", "minimum": 0, "maximum": 9_007_199_254_740_992_u64},
            },
            "required": ["status"],
            "additionalProperties": false,
        }))),
        tool("list_queues", Some(json!({"type": "array", "items": {"type": "string"}}))),
        tool("close_ticket", None),
        tool("read_page", Some(json!({"$ref": "https://schemas.example/page.json"}))),
        tool("read_note", Some(json!({"$ref": "#/$defs/note"}))),
        tool("read_log", Some(json!({"$schema": "https://json-schema.org/draft/next/schema"}))),
        tool("read_id", Some(json!({"$id": "read_id:output"}))),
        tool("read_loop", Some(json!({"$defs": {"a": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"}))),
        tool("read_type", Some(json!({"type": "objekt"}))),
        tool("read_shape", Some(json!(null))),
        tool("read_any", Some(json!(true))),
        tool("read_pattern", Some(json!({"pattern": "\\k<year>"}))),
        tool("read_levels", Some(doubling(20))),
        tool("match_code", Some(json!({"properties": {"code": {"pattern": "^((?=a)a+)+$"}}}))),
    ]});
    of(&listing)
}

fn tool(name: &str, output: Option<Value>) -> Value {
    let mut tool = json!({"name": name, "inputSchema": {"type": "object"}});
    if let Some(output) = output {
        tool["outputSchema"] = output;
    }
    tool
}

/// Definitions of which each refers twice to the next.
fn doubling(levels: usize) -> Value {
    let mut defs = json!({});
    for level in 0..levels {
        let next = json!({"$ref": format!("#/$defs/d{}", level + 1)});
        defs[format!("d{level}")] = json!({"allOf": [next, next]});
    }
    defs[format!("d{levels}")] = json!(true);
    json!({"$defs": defs, "$ref": "#/$defs/d0"})
}

pub fn of(listing: &Value) -> Tools {
    let source = Source::new("listing", listing.to_string(), Format::Json);
    Tools::of(&Document::read(source, None, &Limits::default()).expect("a listing"))
}

/// What became of one record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    pub line: u64,
    pub branch: Option<&'static str>,
    pub verdict: &'static str,
    pub rules: Vec<&'static str>,
}

/// The report of a log, and what was found of each record.
pub fn audit_as(log: impl AsRef<[u8]>, options: Options) -> (Report, Vec<Found>) {
    let (tools, interrupt) = (tools(), AtomicBool::new(false));
    let mut audit = Audit::new(&tools, options, &interrupt);
    let mut found = Vec::new();
    audit
        .log("calls.jsonl", log.as_ref(), |record| {
            found.push(Found {
                line: record.line,
                branch: record.branch,
                verdict: record.verdict.as_str(),
                rules: record.rules.clone(),
            });
            Ok(())
        })
        .expect("a slice can be read");
    (audit.report(), found)
}

pub fn audit(log: impl AsRef<[u8]>) -> (Report, Vec<Found>) {
    audit_as(log, Options::default())
}

/// The one record of a log, as branch, verdict and rules.
pub fn one(line: &str) -> (&'static str, &'static str, Vec<&'static str>) {
    let (_, mut found) = audit(line);
    assert_eq!(found.len(), 1, "{line}");
    let found = found.remove(0);
    (found.branch.unwrap_or(""), found.verdict, found.rules)
}

/// A record of `search_tickets` on a version, as the guard is told of it.
pub fn recorded(version: ProtocolVersion, wraps: bool, result: &Value) -> String {
    let record =
        json!({"tool": "search_tickets", "protocol": version.as_str(), "metaIdTool": wraps});
    json!({"tool": "search_tickets", "record": record, "result": result}).to_string()
}
