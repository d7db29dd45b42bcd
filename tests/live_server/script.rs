//! The scripts and messages of these tests.

use mcp_conform::certify::live::{Reply, ReplyForm, Script, Stage};
use mcp_conform::protocol::ProtocolVersion::{self, V2026_07_28};

/// A value that no double holds, a member named twice, a number that says how it was written.
pub const EXACT: &str = r#"{"order":9007199254740993,"total":1.0,"total":12.50}"#;

pub fn result(version: ProtocolVersion, members: &str) -> Reply {
    let kind = if version == V2026_07_28 {
        r#""resultType":"complete","#
    } else {
        ""
    };
    Reply::Result(format!("{{{kind}{members}}}"))
}

pub fn page(version: ProtocolVersion, tools: &str, next: Option<&str>) -> Reply {
    let caching = if version == V2026_07_28 {
        r#","ttlMs":0,"cacheScope":"private""#
    } else {
        ""
    };
    let next = next.map_or(String::new(), |next| format!(r#","nextCursor":"{next}""#));
    result(version, &format!(r#""tools":[{tools}]{caching}{next}"#))
}

pub fn tool(name: &str) -> String {
    format!(
        r#"{{"name":"{name}","inputSchema":{{"type":"object"}},"outputSchema":{{"type":"object"}}}}"#
    )
}

/// A tool with an argument that goes into a header, where a client sends it over HTTP.
pub fn mirroring_tool(name: &str) -> String {
    let input =
        r#"{"type":"object","properties":{"note":{"type":"string","x-mcp-header":"Note"}}}"#;
    format!(r#"{{"name":"{name}","inputSchema":{input}}}"#)
}

/// What a call of `place_order` returns.
pub fn order(version: ProtocolVersion) -> Reply {
    let structured = r#"{"order":17,"total":12.5}"#;
    let content = r#"[{"type":"text","text":"order 17"}]"#;
    result(
        version,
        &format!(r#""content":{content},"structuredContent":{structured}"#),
    )
}

/// Two pages of one tool each; `place_order` has a result, `list_orders` none.
pub fn pages(version: ProtocolVersion) -> Script {
    Script {
        version,
        reply: ReplyForm::Json,
        stages: vec![Stage {
            pages: vec![
                page(version, &tool("place_order"), Some("page-1")),
                page(version, &tool("list_orders"), None),
            ],
            calls: [("place_order".to_owned(), order(version))].into(),
            until: None,
        }],
    }
}

/// One tool whose call is answered by `reply`, and one whose call is not scripted.
pub fn answering(version: ProtocolVersion, reply: Reply) -> Script {
    let mut script = pages(version);
    script.stages[0].pages.truncate(1);
    script.stages[0].pages[0] = page(
        version,
        &format!("{},{}", tool("place_order"), tool("list_orders")),
        None,
    );
    script.stages[0].calls = [("place_order".to_owned(), reply)].into();
    script
}

/// A listing that changes after a call of `place_order`.
pub fn changing(version: ProtocolVersion) -> Script {
    let mut script = answering(version, order(version));
    script.stages[0].until = Some("place_order".to_owned());
    script.stages.push(Stage {
        pages: vec![page(version, &tool("cancel_order"), None)],
        ..Stage::default()
    });
    script
}

/// A request as a client of the version writes it; `params` are members.
pub fn request(version: ProtocolVersion, id: u32, method: &str, params: &str) -> String {
    let meta = if version == V2026_07_28 {
        r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#
    } else {
        ""
    };
    let comma = if meta.is_empty() || params.is_empty() {
        ""
    } else {
        ","
    };
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{{meta}{comma}{params}}}}}"#
    )
}

pub fn initialize(asked: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":0,"method":"initialize","params":{{"protocolVersion":"{asked}","capabilities":{{}},"clientInfo":{{"name":"test","version":"1"}}}}}}"#
    )
}

pub fn call(version: ProtocolVersion, id: u32, name: &str, arguments: &str) -> String {
    let params = format!(r#""name":"{name}","arguments":{arguments}"#);
    request(version, id, "tools/call", &params)
}
