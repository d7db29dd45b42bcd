//! An adapter for mcp-conform. Copy it, and call your own code where this one calls `client`.
//!
//! One JSON object a line comes in on stdin, one goes out on stdout; stderr is yours. What is under
//! test travels as JSON text inside strings, so that your parser is tested with the rest.

mod audit;
mod client;

use std::io::{self, Write};

use client::Rejected;
use serde_json::{Value, json};

/// The members of an answer beside its verdict, or a rejection.
type Answer = Result<Value, Rejected>;

fn about() -> Value {
    let drafts = ["draft/2020-12", "draft/2019-09", "draft-07", "draft-06", "draft-04"];
    json!({
        "protocol": 1,
        "implementation": {
            "name": "rust-boon",
            "version": "0.6.1",
            "language": "Rust",
            "homepage": "https://github.com/santhosh-tekuri/boon",
        },
        // Claim what your client does: the cases of other gates, versions and dialects are skipped.
        "gates": ["definition", "listing", "arguments", "result", "audit", "handoff", "state"],
        "versions": ["2025-06-18", "2025-11-25", "2026-07-28"],
        "dialects": drafts.map(|draft| format!("https://json-schema.org/{draft}/schema")),
    })
}

/// The value whose JSON text a message holds under `name`.
fn read(message: &Value, name: &str) -> Answer {
    let text = message[name].as_str().unwrap_or_default();
    serde_json::from_str(text).map_err(|_| Rejected(json!({"reason": "other"})))
}

/// What an accepting answer says beside its verdict, or a rejecting one.
fn run(message: &Value) -> Answer {
    let version = message["version"].as_str().unwrap_or_default();
    let given = |name| read(message, name);
    match message["gate"].as_str().unwrap_or_default() {
        "definition" => client::definition(version, &given("tool")?)?,
        "arguments" => client::arguments(version, &given("tool")?, &given("arguments")?)?,
        "handoff" | "state" => client::contract(&given("schema")?, &given("value")?)?,
        "listing" => return listing(version, &given("tools")?),
        "result" => return result(version, &given("tool")?, &given("result")?),
        _ => return audit::audit(version, &given("tool")?, &given("record")?, given("body")?),
    }
    Ok(json!({}))
}

fn listing(version: &str, listing: &Value) -> Answer {
    client::expect("listing", listing, "shape-invalid")?;
    let tools = listing["tools"].as_array().into_iter().flatten();
    let usable = tools.filter(|tool| client::definition(version, tool).is_ok());
    let names: Vec<_> = usable.map(|tool| &tool["name"]).collect();
    Ok(json!({"usable": names})) // one bad tool never costs the others
}

fn result(version: &str, tool: &Value, result: &Value) -> Answer {
    client::expect(&format!("result-{version}"), result, "shape-invalid")?;
    client::structured(version, tool, result)?;
    Ok(match result.get("structuredContent") {
        Some(value) if result["isError"] != true => json!({"delivered": value.to_string()}),
        _ => json!({}),
    })
}

fn answer(message: &Value) -> Value {
    // This client speaks stdio and has no headers to map. A skip says so, and is never a pass.
    let tool = message["tool"].as_str().unwrap_or_default();
    if message["version"] == "2026-07-28" && tool.contains("x-mcp-header") {
        let why = "x-mcp-header is for Streamable HTTP, and this client speaks stdio";
        return json!({"seq": message["seq"], "skip": why});
    }
    let (verdict, mut answer) = match run(message) {
        Ok(more) => ("accept", more),
        Err(Rejected(why)) => ("reject", why),
    };
    answer["verdict"] = json!(verdict);
    answer["seq"] = message["seq"].clone();
    answer
}

fn main() -> io::Result<()> {
    for line in io::stdin().lines() {
        let message: Value = serde_json::from_str(&line?)?;
        let answer = match message["op"].as_str() {
            Some("start") => about(),
            Some("run") => answer(&message),
            _ => break,
        };
        writeln!(io::stdout(), "{answer}")?;
    }
    Ok(())
}
