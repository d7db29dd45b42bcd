//! Our own judgement of a value of a shape, in each kind of document that can carry it.

use std::collections::BTreeSet;

use mcp_conform::diagnostic::{Diagnostic, Severity};
use mcp_conform::document::{Document, Kind};
use mcp_conform::protocol::ProtocolVersion::{self, V2026_07_28};
use mcp_conform::rules::{Settings, check};
use mcp_conform::source::{Format, Pointer, Source};
use serde_json::{Value, json};

use crate::wire::Shape;

/// The rules that judge shapes: what a wire schema could say too.
pub const SHAPE_RULES: &[&str] = &[
    "mcp.call.shape",
    "mcp.list.shape",
    "mcp.message.envelope",
    "mcp.result.input-required",
    "mcp.result.shape",
    "mcp.result.structured-content.object",
    "mcp.result.type",
    "mcp.tool.input-schema.object-root",
    "mcp.tool.input-schema.required",
    "mcp.tool.output-schema.object-root",
    "mcp.tool.schema.dialect",
    "mcp.tool.schema.native-shape",
    "mcp.tool.shape",
];

/// A document that carries a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `{"tool": …}` or `{"result": …}`.
    Exchange,
    /// `{"tools": […]}`, without an envelope.
    Excerpt,
    /// The message itself.
    Message,
    /// The answer to a request, in a transcript of the two.
    Answer,
}

/// The forms that can carry `shape` on `version`, as whole as its schema wants it.
pub fn forms(shape: Shape, version: ProtocolVersion) -> &'static [Form] {
    match shape {
        Shape::Tool => &[Form::Exchange, Form::Excerpt],
        Shape::Block => &[Form::Exchange],
        Shape::Result | Shape::InputRequired => &[Form::Exchange, Form::Answer],
        // An excerpt owes less than a whole answer on 2026-07-28.
        Shape::Listing if version < V2026_07_28 => &[Form::Excerpt, Form::Answer],
        Shape::Listing => &[Form::Answer],
        Shape::Request | Shape::Response => &[Form::Message],
    }
}

/// What the shape rules say.
#[derive(Debug, Default)]
pub struct Judgement {
    /// The rules that call the value invalid.
    pub errors: BTreeSet<&'static str>,
    /// The rules that warn.
    pub warnings: BTreeSet<&'static str>,
    /// The places of the errors, as pointers into the value.
    pub places: Vec<String>,
}

/// Judges `value` on `version` alone.
pub fn judge(shape: Shape, form: Form, version: ProtocolVersion, value: &Value) -> Judgement {
    let (kind, text, base) = document(shape, form, value);
    let settings = Settings {
        protocol: Some(version.into()),
        ..Settings::default()
    };
    let format = match kind {
        Kind::Transcript => Format::JsonLines,
        _ => Format::Json,
    };
    let source = Source::new("seed", text, format);
    let document = Document::read(source, Some(kind), &settings.limits).expect("a document");
    let checked = check(&document, &settings);
    let mut judgement = Judgement::default();
    let base = Pointer::from(base);
    let of_shape = |diagnostic: &&Diagnostic| SHAPE_RULES.contains(&diagnostic.rule);
    for diagnostic in checked.diagnostics.iter().filter(of_shape) {
        // What carries the value is not what is judged.
        let Some(place) = diagnostic.pointer.below(&base) else {
            continue;
        };
        if diagnostic.severity == Severity::Warning {
            judgement.warnings.insert(diagnostic.rule);
            continue;
        }
        judgement.errors.insert(diagnostic.rule);
        judgement.places.push(place.to_owned());
    }
    judgement
}

/// The kind of the document, its text, and where the value stands in it.
fn document(shape: Shape, form: Form, value: &Value) -> (Kind, String, &'static str) {
    let method = match shape {
        Shape::Listing => json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}),
        _ => json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "ping"}}),
    };
    match (shape, form) {
        (Shape::Tool, Form::Excerpt) => {
            (Kind::Listing, json!({"tools": [value]}).to_string(), "/tools/0")
        }
        (Shape::Tool, _) => (Kind::Exchange, json!({"tool": value}).to_string(), "/tool"),
        (Shape::Block, _) => {
            let exchange = json!({"result": {"content": [value]}});
            (Kind::Exchange, exchange.to_string(), "/result/content/0")
        }
        (_, Form::Exchange) => (Kind::Exchange, json!({"result": value}).to_string(), "/result"),
        (_, Form::Excerpt) => (Kind::Listing, value.to_string(), ""),
        (_, Form::Message) => (Kind::Message, value.to_string(), ""),
        (_, Form::Answer) => {
            let answer = json!({"jsonrpc": "2.0", "id": 1, "result": value});
            (Kind::Transcript, format!("{method}\n{answer}\n"), "/1/result")
        }
    }
}
