//! The values that are damaged: seeds of ours, one file a shape, and the protocol's own examples.

use std::path::Path;

use mcp_conform::protocol::ProtocolVersion::{self, V2025_06_18, V2025_11_25, V2026_07_28};
use serde_json::{Value, json};

use crate::support::root;
use crate::wire::Shape;

pub const VERSIONS: [ProtocolVersion; 3] = [V2025_06_18, V2025_11_25, V2026_07_28];

/// A value that its version accepts.
#[derive(Clone, Debug)]
pub struct Seed {
    /// Where it comes from, for a reader of a failure.
    pub name: String,
    pub shape: Shape,
    pub version: ProtocolVersion,
    pub value: Value,
}

fn read(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap();
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn request(params: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": "call-1", "method": "tools/call", "params": params})
}

/// The seeds of `tests/spec/*.json`, each on the versions that it names, else on every version that
/// has its shape.
pub fn ours() -> Vec<Seed> {
    let mut seeds = Vec::new();
    for shape in Shape::ALL {
        let name = shape.file();
        let entries = read(&root().join("tests/spec").join(name));
        for (index, entry) in entries.as_array().unwrap().iter().enumerate() {
            let dates = entry.get("versions").and_then(Value::as_array);
            let in_scope = |version: &ProtocolVersion| match dates {
                Some(dates) => dates.iter().any(|date| date == version.as_str()),
                None => shape.exists_on(*version),
            };
            let value = match shape {
                Shape::Request => request(&entry["value"]),
                _ => entry["value"].clone(),
            };
            seeds.extend(VERSIONS.into_iter().filter(in_scope).map(|version| Seed {
                name: format!("{name} {index}"),
                shape,
                version,
                value: value.clone(),
            }));
        }
    }
    seeds
}

/// The examples that the protocol publishes with 2026-07-28. A type of no shape of its own is put
/// into one that holds it.
pub fn published(spec: &Path) -> Vec<Seed> {
    let mut seeds = Vec::new();
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {}
    });
    for folder in std::fs::read_dir(spec.join("examples")).unwrap() {
        let folder = folder.unwrap().path();
        let kind = folder.file_name().unwrap().to_string_lossy().into_owned();
        for file in std::fs::read_dir(&folder).unwrap() {
            let path = file.unwrap().path();
            let value = read(&path);
            let (shape, value) = match kind.as_str() {
                "Tool" => (Shape::Tool, value),
                "TextContent" | "ImageContent" | "AudioContent" | "ResourceLink"
                | "EmbeddedResource" => (Shape::Block, value),
                "CallToolResult" => (Shape::Result, value),
                "CallToolResultResponse" => (Shape::Result, value["result"].clone()),
                "InputRequiredResult" => (Shape::InputRequired, value),
                "ListToolsResult" => (Shape::Listing, value),
                "ListToolsResultResponse" => (Shape::Listing, value["result"].clone()),
                "CallToolRequest" => (Shape::Request, value),
                "CallToolRequestParams" => (Shape::Request, request(&value)),
                "InvalidParamsError" => {
                    let error = json!({"jsonrpc": "2.0", "id": 1, "error": value});
                    (Shape::Response, error)
                }
                "ToolUseContent" | "ToolResultContent" => {
                    let answer = json!({"role": "assistant", "model": "m", "content": value});
                    let params =
                        json!({"name": "ping", "_meta": meta, "inputResponses": {"a": answer}});
                    (Shape::Request, request(&params))
                }
                other => panic!("no shape holds the example's type {other}"),
            };
            seeds.push(Seed {
                name: path.display().to_string(),
                shape,
                version: V2026_07_28,
                value,
            });
        }
    }
    seeds
}
