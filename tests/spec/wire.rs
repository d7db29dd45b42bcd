//! The wire schemas as each protocol version publishes them, and what they say of a value.

use std::path::Path;

use jsonschema::{Draft, Validator};
use mcp_conform::protocol::ProtocolVersion::{self, V2025_06_18, V2025_11_25};
use serde_json::{Value, json};

/// What a seed is a value of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Shape {
    Tool,
    /// A content block of a result.
    Block,
    /// A `CallToolResult`.
    Result,
    /// An `InputRequiredResult`, which only 2026-07-28 has.
    InputRequired,
    /// A `ListToolsResult`.
    Listing,
    /// A whole `tools/call` request.
    Request,
    /// A whole response whose result is of no type in particular.
    Response,
}

impl Shape {
    pub const ALL: [Self; 7] = [
        Self::Tool,
        Self::Block,
        Self::Result,
        Self::InputRequired,
        Self::Listing,
        Self::Request,
        Self::Response,
    ];

    /// The file of its seeds.
    pub const fn file(self) -> &'static str {
        match self {
            Self::Tool => "tool.json",
            Self::Block => "block.json",
            Self::Result => "result.json",
            Self::InputRequired => "input_required.json",
            Self::Listing => "listing.json",
            Self::Request => "request.json",
            Self::Response => "response.json",
        }
    }

    /// Whether the version has the shape at all.
    pub fn exists_on(self, version: ProtocolVersion) -> bool {
        self != Self::InputRequired || version > V2025_11_25
    }

    /// The definitions that describe it: one of them, or in the case of a request all.
    fn schema(self, version: ProtocolVersion) -> Value {
        let folder = match version {
            V2025_06_18 => "definitions",
            _ => "$defs",
        };
        let all = |names: &[&str]| {
            let refs = names
                .iter()
                .map(|name| json!({"$ref": format!("#/{folder}/{name}")}));
            refs.collect::<Vec<_>>()
        };
        match self {
            Self::Tool => json!({"allOf": all(&["Tool"])}),
            Self::Block => json!({"allOf": all(&["ContentBlock"])}),
            Self::Result => json!({"allOf": all(&["CallToolResult"])}),
            Self::InputRequired => json!({"allOf": all(&["InputRequiredResult"])}),
            Self::Listing => json!({"allOf": all(&["ListToolsResult"])}),
            // On 2025-06-18 the envelope is described apart from what is in it.
            Self::Request => json!({"allOf": all(&["CallToolRequest", "JSONRPCRequest"])}),
            Self::Response if version == V2025_06_18 => {
                json!({"anyOf": all(&["JSONRPCResponse", "JSONRPCError"])})
            }
            Self::Response => json!({"anyOf": all(&["JSONRPCResponse"])}),
        }
    }
}

/// A published schema.
pub struct Wire {
    version: ProtocolVersion,
    published: Value,
}

impl Wire {
    /// Reads the schema of `version` in the folder `spec`.
    pub fn read(spec: &Path, version: ProtocolVersion) -> Self {
        let path = spec.join(format!("{version}.schema.json"));
        let text = std::fs::read_to_string(&path).expect("the published schema");
        let published = serde_json::from_str(&text).expect("JSON");
        Self { version, published }
    }

    /// A validator of one shape. `format` stays the annotation that the schemas mean it to be.
    pub fn validator(&self, shape: Shape) -> Validator {
        let mut schema = shape.schema(self.version);
        for name in ["$schema", "$defs", "definitions"] {
            if let Some(member) = self.published.get(name) {
                schema[name] = member.clone();
            }
        }
        let draft = match self.version {
            V2025_06_18 => Draft::Draft7,
            _ => Draft::Draft202012,
        };
        let options = jsonschema::options().with_draft(draft).offline();
        let options = options.should_validate_formats(false);
        options.build(&schema).expect("the published schema builds")
    }
}
