//! Suites and fixtures to start from: small, complete and right, so that a contributor changes
//! what is there instead of asking what should be.

use serde_json::{Value, json};

use super::words::GateName;

/// The text of a new suite `gate/name`: one rejected case and its accepted neighbour.
pub fn suite(gate: GateName, name: &str) -> String {
    let tool = json!({
        "name": "get_order",
        "inputSchema": {
            "type": "object",
            "properties": {"order_id": {"type": "string", "pattern": "^A-[0-9]{4,}$"}},
            "required": ["order_id"],
        },
        "outputSchema": {
            "type": "object",
            "properties": {"status": {"enum": ["open", "shipped"]}},
            "required": ["status"],
        },
    });
    let broken = json!({"name": "get_order", "inputSchema": {"type": "array"}});
    let content = json!([{"type": "text", "text": "The order is open."}]);
    let result = |status: &str| json!({"resultType": "complete", "content": content, "structuredContent": {"status": status}});
    let record = json!({"tool": "get_order", "protocol": "2026-07-28", "metaIdTool": false});
    let (good, bad, because) = match gate {
        GateName::Definition => (
            json!({"tool_ref": "get_order"}),
            json!({"tool_ref": "broken"}),
            "mcp.tool.input-schema.object-root",
        ),
        GateName::Listing => (
            json!({"tool_refs": ["get_order", "broken"], "usable": ["get_order"]}),
            json!({"listing": {"tools": null}}),
            "mcp.list.shape",
        ),
        GateName::Arguments => (
            json!({"tool_ref": "get_order.inputSchema", "arguments": {"order_id": "A-1001"}}),
            json!({"tool_ref": "get_order.inputSchema", "arguments": {"order_id": "1001"}}),
            "mcp.call.arguments.schema",
        ),
        GateName::Audit => (
            json!({"tool_ref": "get_order.outputSchema", "record": record, "body": result("open"), "branch": "validate_root"}),
            json!({"tool_ref": "get_order.outputSchema", "record": record, "body": result("lost"), "branch": "validate_root"}),
            "mcp.result.structured-content.schema",
        ),
        GateName::Handoff | GateName::State => (
            json!({"schema_ref": "refund", "value": {"order_id": "A-1001"}}),
            json!({"schema_ref": "refund", "value": {}}),
            "mcp.result.structured-content.schema",
        ),
        GateName::Result | GateName::Wire => (
            json!({"tool_ref": "get_order.outputSchema", "result": result("open")}),
            json!({"tool_ref": "get_order.outputSchema", "result": result("lost")}),
            "mcp.result.structured-content.schema",
        ),
    };
    let mut suite = json!({
        "$schema": "../suite.schema.json",
        "suite": format!("{gate}/{name}"),
        "description": "What an implementation that passes this suite has understood, in one sentence.",
        "source": ["MCP 2026-07-28, Server Features / Tools"],
    });
    match gate {
        GateName::Handoff | GateName::State => {
            let schema = json!({
                "$id": "https://orders.example/contracts/refund",
                "version": "1",
                "type": "object",
                "properties": {"order_id": {"type": "string"}},
                "required": ["order_id"],
            });
            suite["schemas"] = json!({"refund": schema});
        }
        GateName::Definition | GateName::Listing => {
            suite["tools"] = json!({"get_order": tool, "broken": broken});
        }
        _ => suite["tools"] = json!({"get_order": tool}),
    }
    suite["cases"] = json!({
        "as_it_should_be": case(good, gate, None),
        "wrong_in_one_thing": case(bad, gate, Some(because)),
    });
    pretty(&suite)
}

fn case(mut case: Value, gate: GateName, because: Option<&str>) -> Value {
    let answer = if because.is_some() {
        "reject"
    } else {
        "accept"
    };
    case["expect"] = match gate {
        // An audited call belongs to the version of its record.
        GateName::Audit => json!({"2025-06-18": "n/a", "2025-11-25": "n/a", "2026-07-28": answer}),
        _ => json!(answer),
    };
    if let Some(rule) = because {
        case["because"] = json!([rule]);
        case["neighbour"] = json!("as_it_should_be");
    }
    case["level"] = json!("should");
    case
}

/// The text of a new fixture.
pub fn fixture() -> String {
    pretty(&json!({
        "protocolVersions": ["2026-07-28"],
        "tool": {
            "name": "get_order",
            "inputSchema": {"type": "object"},
            "outputSchema": {
                "type": "object",
                "properties": {"status": {"enum": ["open", "shipped"]}},
                "required": ["status"],
            },
        },
        "result": {
            "content": [{"type": "text", "text": "The order is open."}],
            "structuredContent": {"status": "open"},
        },
    }))
}

fn pretty(value: &Value) -> String {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}
