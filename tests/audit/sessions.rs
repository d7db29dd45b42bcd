//! Transcripts: results are joined with their calls by the request's id.

use serde_json::{Value, json};

use crate::logs::audit;

fn call(id: &Value, tool: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool, "arguments": {}}})
}

fn answer(id: &Value, structured: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "result": {"content": [], "structuredContent": structured}})
}

fn log(messages: &[Value]) -> String {
    let lines: Vec<_> = messages.iter().map(Value::to_string).collect();
    lines.join("\n")
}

#[test]
fn results_are_judged_by_the_tool_that_was_called() {
    let open = json!({"status": "open"});
    let messages = [
        json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "2026-07-28"}}),
        json!({"jsonrpc": "2.0", "id": 0, "result": {"protocolVersion": "2025-11-25"}}),
        call(&json!(1), "search_tickets"),
        call(&json!("1"), "list_queues"),
        answer(&json!("1"), &json!(["mail"])),
        answer(&json!(1), &open),
        call(&json!(2), "lost_tool"),
        answer(&json!(2), &open),
        call(&json!(3), "search_tickets"),
        json!({"jsonrpc": "2.0", "id": 3, "error": {"code": -32602, "message": "no"}}),
        answer(&json!(3), &open),
        json!({"jsonrpc": "2.0", "id": 4, "method": "resources/read", "params": {}}),
        json!({"jsonrpc": "2.0", "id": 4, "result": {"contents": []}}),
    ];
    let (report, found) = audit(log(&messages));
    let found: Vec<_> = found
        .iter()
        .map(|found| (found.line, found.branch.unwrap_or(""), found.verdict))
        .collect();
    assert_eq!(
        found,
        [
            // An array is no structured content on the version of the handshake.
            (5, "missing", "does-not-fit"),
            (6, "validate_root", "fits"),
            (8, "validate_root", "not-judged"),
            (11, "validate_root", "not-judged"),
        ]
    );
    assert_eq!((report.records, report.messages), (4, 9));
    assert_eq!(report.tools["search_tickets"].fits, 1);
}

#[test]
fn a_stateless_request_says_its_version_itself() {
    let mut asked = call(&json!("a"), "list_queues");
    asked["params"]["_meta"] = json!({"io.modelcontextprotocol/protocolVersion": "2025-11-25"});
    let (_, found) = audit(log(&[asked, answer(&json!("a"), &json!([]))]));
    assert_eq!(
        (found[0].branch, found[0].verdict),
        (Some("missing"), "does-not-fit")
    );
    let asked = call(&json!("a"), "list_queues");
    let (_, found) = audit(log(&[asked, answer(&json!("a"), &json!([]))]));
    assert_eq!(
        (found[0].branch, found[0].verdict),
        (Some("validate_root"), "fits")
    );
}

#[test]
fn a_batch_is_read_message_by_message() {
    let calls = json!([
        call(&json!(1), "search_tickets"),
        call(&json!(2), "search_tickets")
    ]);
    let answers = json!([
        answer(&json!(2), &json!({})),
        answer(&json!(1), &json!({"status": "open"}))
    ]);
    let (report, found) = audit(log(&[calls, answers]));
    let verdicts: Vec<_> = found
        .iter()
        .map(|found| (found.line, found.verdict))
        .collect();
    assert_eq!(verdicts, [(2, "does-not-fit"), (2, "fits")]);
    let examples = report.counts.iter().flat_map(|count| &count.examples);
    let pointers: Vec<_> = examples.flat_map(|example| &example.places).collect();
    assert_eq!(pointers[0].pointer, "/0/result/structuredContent");
}

#[test]
fn calls_that_are_never_answered_are_let_go() {
    let mut messages: Vec<_> = (0..100_000)
        .map(|id| call(&json!(id), "search_tickets"))
        .collect();
    messages.push(answer(&json!(99_999), &json!({"status": "open"})));
    messages.push(answer(&json!(0), &json!({"status": "open"})));
    let (report, _) = audit(log(&messages));
    assert_eq!((report.fits, report.not_judged), (1, 1));
}

#[test]
fn records_and_messages_may_share_a_log() {
    let record = json!({"id": 9, "tool": "search_tickets", "result": {"structuredContent": {"status": "open"}}});
    let messages = [
        call(&json!(1), "search_tickets"),
        record,
        answer(&json!(1), &json!({})),
    ];
    let (report, _) = audit(log(&messages));
    assert_eq!(
        (report.fits, report.does_not_fit, report.messages),
        (1, 1, 1)
    );
}

/// What the server asks while it works on a call may have the call's id: each side has its own.
#[test]
fn a_call_is_not_lost_to_the_other_side_s_request_of_its_id() {
    let messages = [
        json!({"jsonrpc": "2.0", "id": 0, "result": {"protocolVersion": "2025-11-25"}}),
        call(&json!(1), "search_tickets"),
        json!({"jsonrpc": "2.0", "id": 1, "method": "elicitation/create", "params": {}}),
        json!({"jsonrpc": "2.0", "id": 1.0, "result": {"action": "accept", "content": {"a": 1}}}),
        answer(&json!(1.0), &json!({"status": "lost"})),
    ];
    let (_, found) = audit(log(&messages));
    let found: Vec<_> = found
        .iter()
        .map(|found| (found.line, found.verdict))
        .collect();
    assert_eq!(found, [(5, "does-not-fit")]);
}

#[test]
fn a_result_is_judged_on_the_version_of_its_request() {
    let on = |version: &str, mut message: Value| {
        message["params"]["_meta"] = json!({"io.modelcontextprotocol/protocolVersion": version});
        message
    };
    let mut complete = answer(&json!(1), &json!(["mail"]));
    complete["result"]["resultType"] = json!("complete");
    let messages = [
        on("2026-07-28", call(&json!(1), "list_queues")),
        on(
            "2025-11-25",
            json!({"jsonrpc": "2.0", "id": 2, "method": "ping"}),
        ),
        complete,
    ];
    let (_, found) = audit(log(&messages));
    let found: Vec<_> = found
        .iter()
        .map(|found| (found.branch, found.verdict))
        .collect();
    assert_eq!(found, [(Some("validate_root"), "fits")]);
}
