//! A report made by hand, so that no rule decides what is tested with it: a listing with different
//! verdicts by version, an exchange with a warning, a valid listing, a damaged text and a file that
//! is no document.

use std::time::Duration;

use mcp_conform::diagnostic::{Diagnostic, Severity};
use mcp_conform::protocol::ProtocolVersion::{V2025_06_18, V2025_11_25};
use mcp_conform::protocol::VersionSet;
use mcp_conform::report::{DocumentReport, Report};
use mcp_conform::rules::Checked;
use mcp_conform::source::{Format, Pointer, Source, Span};

const TICKETS: &str = r#"{
  "tools": [
    {
      "name": "search_tickets",
      "inputSchema": {
        "type": "object",
        "properties": {
          "limit": { "type": "integer", "default": "20" }
        }
      },
      "outputSchema": {
        "type": "array",
        "items": { "type": "string" }
      }
    },
    {
      "name": "close_ticket",
      "inputSchema": { "type": "object" }
    }
  ]
}
"#;

const REFUND: &str = r#"{
  "tool": {
    "name": "refund_order",
    "inputSchema": { "type": "object" },
    "outputSchema": { "type": "object", "properties": { "created": { "type": "string", "format": "date-time" } } }
  },
  "result": {
    "content": [{ "type": "text", "text": "refunded" }],
    "structuredContent": { "created": "2026-03-01 12:00" }
  }
}
"#;

const ORDERS: &str = "{\n  \"tools\": [],\n}\n";

pub fn source(path: &str, text: &str) -> Source {
    Source::new(path, text, Format::Json)
}

/// A diagnostic at `span` of `source`.
pub fn diagnostic(
    source: &Source,
    rule: &'static str,
    severity: Severity,
    span: Span,
) -> Diagnostic {
    let (line, column) = source.position(span.start);
    Diagnostic {
        rule,
        severity,
        versions: VersionSet::STRUCTURED,
        pointer: Pointer::root(),
        keyword: None,
        schema_pointer: None,
        span,
        line,
        column,
        message: String::new(),
        help: "Mend it.",
    }
}

/// A diagnostic about the value at `pointer`.
fn about(
    source: &Source,
    rule: &'static str,
    severity: Severity,
    pointer: &str,
    message: &str,
) -> Diagnostic {
    let pointer = Pointer::from(pointer);
    let span = source.locate([&pointer])[&pointer].clone();
    Diagnostic {
        message: message.to_owned(),
        pointer: pointer.clone(),
        ..diagnostic(source, rule, severity, span)
    }
}

pub fn checked(diagnostics: Vec<Diagnostic>, tools: usize, typed_output: usize) -> Checked {
    Checked {
        diagnostics,
        versions: VersionSet::STRUCTURED,
        tools,
        typed_output,
        ..Checked::default()
    }
}

fn tickets() -> DocumentReport {
    let source = source("listings/tickets.json", TICKETS);
    let default = Diagnostic {
        keyword: Some("type".to_owned()),
        schema_pointer: Some(Pointer::from("/properties/limit/type")),
        help: "Change the default, or let the schema accept it.",
        ..about(
            &source,
            "mcp.tool.schema.default",
            Severity::Warning,
            "/tools/0/inputSchema/properties/limit/default",
            "the default is of type string, not integer",
        )
    };
    let root = Diagnostic {
        versions: [V2025_06_18, V2025_11_25].into_iter().collect(),
        keyword: Some("type".to_owned()),
        help: "Wrap the value in an object, or offer the tool on 2026-07-28 only.",
        ..about(
            &source,
            "mcp.tool.output-schema.object-root",
            Severity::Error,
            "/tools/0/outputSchema",
            "the root's `type` is \"array\", not \"object\"",
        )
    };
    DocumentReport {
        path: source.name.clone(),
        kind: Some("listing"),
        checked: checked(vec![default, root], 2, 1),
        source: Some(source),
        unreadable: None,
    }
}

fn refund() -> DocumentReport {
    let source = source("calls/refund.json", REFUND);
    let format = Diagnostic {
        keyword: Some("format".to_owned()),
        schema_pointer: Some(Pointer::from("/properties/created/format")),
        help: "Write the offset from UTC: 2026-03-01T12:00:00Z.",
        ..about(
            &source,
            "mcp.result.structured-content.format",
            Severity::Warning,
            "/result/structuredContent/created",
            "the value is not of the format date-time",
        )
    };
    DocumentReport {
        path: source.name.clone(),
        kind: Some("exchange"),
        checked: Checked {
            omitted: 3,
            ..checked(vec![format], 1, 1)
        },
        source: Some(source),
        unreadable: None,
    }
}

pub fn report() -> Report {
    let orders = source("orders.json", ORDERS);
    let comma = ORDERS.rfind('}').unwrap();
    let syntax = Diagnostic {
        message: "a member's name is missing after the comma".to_owned(),
        ..diagnostic(&orders, "json.syntax", Severity::Error, comma..comma + 1)
    };
    Report {
        documents: vec![
            tickets(),
            refund(),
            DocumentReport {
                path: "listings/forecast.json".to_owned(),
                kind: Some("listing"),
                checked: checked(Vec::new(), 3, 3),
                ..DocumentReport::default()
            },
            DocumentReport {
                path: orders.name.clone(),
                checked: checked(vec![syntax], 0, 0),
                source: Some(orders),
                ..DocumentReport::default()
            },
            DocumentReport {
                path: "notes, 2026.json".to_owned(),
                unreadable: Some("the document is a single tool".to_owned()),
                ..DocumentReport::default()
            },
        ],
        elapsed: Duration::from_millis(12),
    }
}
