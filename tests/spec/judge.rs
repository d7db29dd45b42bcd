//! Our own judgement of a value of a shape, in each kind of document that can carry it.

use std::collections::BTreeSet;

use mcp_conform::diagnostic::Severity;
use mcp_conform::document::{Document, Kind};
use mcp_conform::protocol::ProtocolVersion::{self, V2026_07_28};
use mcp_conform::rules::{Override, RULES, Settings, check};
use mcp_conform::source::{Format, Limits, Parsed, Pointer, Source};
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
    pub places: Vec<Pointer>,
    /// Whether the value does not even make a document.
    pub is_unreadable: bool,
}

impl Judgement {
    /// Whether the value may not stand.
    pub fn refuses(&self) -> bool {
        self.is_unreadable || !self.errors.is_empty()
    }

    /// Whether an error stands at `pointer`, or above or below it.
    pub fn is_near(&self, pointer: &str) -> bool {
        let pointer = Pointer::from(pointer);
        let near = |place: &Pointer| place.below(&pointer).or(pointer.below(place)).is_some();
        self.is_unreadable || self.places.iter().any(near)
    }
}

/// The settings under which only the shape rules look, on `version` alone.
pub fn settings(version: ProtocolVersion) -> Settings {
    let others = RULES
        .iter()
        .map(|rule| rule.id)
        .filter(|id| !SHAPE_RULES.contains(id));
    Settings {
        protocol: Some(version.into()),
        overrides: others.map(|id| (id.to_owned(), Override::Off)).collect(),
        ..Settings::default()
    }
}

/// Judges `value` under `settings`.
pub fn judge(shape: Shape, form: Form, settings: &Settings, value: &Value) -> Judgement {
    let (kind, whole, base) = carry(shape, form, value);
    let mut judgement = Judgement::default();
    let Some(document) = document(kind, whole) else {
        judgement.is_unreadable = true;
        return judgement;
    };
    let checked = check(&document, settings);
    let base = Pointer::from(base);
    for diagnostic in &checked.diagnostics {
        // What carries the value is not what is judged.
        let Some(place) = diagnostic.pointer.below(&base) else {
            continue;
        };
        if diagnostic.severity == Severity::Warning {
            judgement.warnings.insert(diagnostic.rule);
            continue;
        }
        judgement.errors.insert(diagnostic.rule);
        judgement.places.push(place.into());
    }
    judgement
}

/// The document with this value. Its text, of which nothing is asked here, is written only where
/// reading it could fail.
fn document(kind: Kind, value: Value) -> Option<Document> {
    let text = if value.is_object() || kind == Kind::Transcript {
        String::new()
    } else {
        value.to_string()
    };
    let source = Source::new("seed", text.as_str(), Format::Json);
    if !text.is_empty() {
        return Document::read(source, Some(kind), &Limits::default()).ok();
    }
    let parsed = Parsed {
        value,
        ..Parsed::default()
    };
    Some(Document::of(source, parsed, kind, &Limits::default()))
}

/// The kind of the document that carries `value`, the document, and where the value stands in it.
fn carry(shape: Shape, form: Form, value: &Value) -> (Kind, Value, &'static str) {
    let method = match shape {
        Shape::Listing => "tools/list",
        _ => "tools/call",
    };
    match (shape, form) {
        (Shape::Tool, Form::Excerpt) => (Kind::Listing, json!({"tools": [value]}), "/tools/0"),
        (Shape::Tool, _) => (Kind::Exchange, json!({"tool": value}), "/tool"),
        (Shape::Block, _) => {
            let exchange = json!({"result": {"content": [value]}});
            (Kind::Exchange, exchange, "/result/content/0")
        }
        (_, Form::Exchange) => (Kind::Exchange, json!({"result": value}), "/result"),
        (_, Form::Excerpt) => (Kind::Listing, value.clone(), ""),
        (_, Form::Message) => (Kind::Message, value.clone(), ""),
        (_, Form::Answer) => {
            let transcript = json!([
                {"jsonrpc": "2.0", "id": 1, "method": method, "params": {"name": "ping"}},
                {"jsonrpc": "2.0", "id": 1, "result": value}
            ]);
            (Kind::Transcript, transcript, "/1/result")
        }
    }
}
