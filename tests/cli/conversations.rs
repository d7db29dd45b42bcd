//! What models ask for, in the forms of the vendors, judged by a listing or a catalogue.

use rstest::rstest;
use serde_json::{Value, json};

use crate::program::{Folder, rules};
use crate::support::root;

const LISTING: &str = r#"{"tools": [{
  "name": "find_order",
  "inputSchema": {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]},
  "outputSchema": {"type": "object", "properties": {"total": {"type": "number"}}, "required": ["total"]}
}]}"#;

/// A call of `find_order` in one form, and the pointer of its arguments.
fn call(form: &str, arguments: &Value) -> (Value, &'static str) {
    let text = arguments.to_string();
    match form {
        "chat" => (
            json!({"choices": [{"message": {"role": "assistant", "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "find_order", "arguments": text}}]}}]}),
            "/choices/0/message/tool_calls/0/function/arguments",
        ),
        "legacy" => (
            json!([{"role": "assistant", "content": null, "function_call": {"name": "find_order", "arguments": text}}]),
            "/0/function_call/arguments",
        ),
        "responses" => (
            json!({"id": "resp_1", "object": "response", "error": null,
                "output": [{"type": "function_call", "call_id": "c1", "name": "find_order", "arguments": text}]}),
            "/output/0/arguments",
        ),
        "mcp_call" => (
            json!({"output": [{"type": "mcp_call", "id": "mcp_1", "server_label": "orders", "name": "find_order",
                "arguments": text, "output": "{\"total\": 3}", "error": null}]}),
            "/output/0/arguments",
        ),
        "lower" => (
            json!([{"role": "model", "parts": [{"function_call": {"name": "find_order", "args": arguments}}]}]),
            "/0/parts/0/function_call/args",
        ),
        "tool_use" => (
            json!({"id": "msg_1", "type": "message", "role": "assistant",
                "content": [{"type": "tool_use", "id": "c1", "name": "find_order", "input": arguments}]}),
            "/content/0/input",
        ),
        _ => (
            json!({"candidates": [{"content": {"role": "model", "parts": [
                {"functionCall": {"name": "find_order", "args": arguments}}]}}]}),
            "/candidates/0/content/parts/0/functionCall/args",
        ),
    }
}

#[rstest]
fn each_form_is_read_as_an_exchange(
    #[values(
        "chat",
        "legacy",
        "responses",
        "mcp_call",
        "tool_use",
        "function_call",
        "lower"
    )]
    form: &str,
) {
    let folder = Folder::with(&[("listing.json", LISTING)]);
    let (right, _) = call(form, &json!({"id": 7}));
    folder.write("right.json", &right.to_string());
    let run = folder.run([
        "check",
        "--format",
        "json",
        "--tools",
        "listing.json",
        "right.json",
    ]);
    let report = run.json();
    assert_eq!((rules(&report["documents"][0]), run.code), (Vec::new(), 0));
    assert_eq!(report["documents"][0]["kind"], "conversation");
    let (wrong, arguments) = call(form, &json!({"id": "seven"}));
    folder.write("wrong.json", &wrong.to_string());
    let report = folder.report(&["--tools", "listing.json", "wrong.json"]);
    let found = &report["documents"][0]["diagnostics"][0];
    assert_eq!(found["rule"], "mcp.call.arguments.schema");
    assert_eq!(found["pointer"], format!("{arguments}/id"));
    assert_eq!(found["keyword"], "type");
    // The place in the text is that of the string that holds the arguments.
    assert!(found["column"].as_u64().unwrap() > 1);
}

#[rstest]
fn arguments_left_a_string_are_told_from_arguments_that_are_text(
    #[values("chat", "responses", "tool_use", "function_call")] form: &str,
) {
    let folder = Folder::with(&[("listing.json", LISTING)]);
    // In a text form this is a text inside the text.
    let (value, arguments) = call(form, &json!("{\"id\": 7}"));
    folder.write("call.json", &value.to_string());
    let report = folder.report(&["--tools", "listing.json", "call.json"]);
    let found = &report["documents"][0]["diagnostics"][0];
    assert_eq!(found["rule"], "model.call.shape");
    assert_eq!(found["pointer"], arguments);
}

#[test]
fn numbers_inside_a_text_keep_their_digits() {
    let folder = Folder::with(&[(
        "listing.json",
        &LISTING.replace("\"type\": \"integer\"", "\"maximum\": 9007199254740992"),
    )]);
    let (value, _) = call("chat", &json!({"id": 0}));
    let log = value
        .to_string()
        .replace("\\\"id\\\":0", "\\\"id\\\":9007199254740993");
    folder.write("call.json", &log);
    let report = folder.report(&["--tools", "listing.json", "call.json"]);
    assert_eq!(
        report["documents"][0]["diagnostics"][0]["keyword"],
        "maximum"
    );
}

#[test]
fn a_log_has_one_conversation_a_line() {
    let folder = Folder::with(&[("listing.json", LISTING)]);
    let line = |id: Value| call("chat", &json!({"id": id})).0.to_string();
    folder.write(
        "log.jsonl",
        &[line(json!(7)), line(json!("seven")), "{\"cut".to_owned()].join("\n"),
    );
    let report = folder.report(&["--tools", "listing.json", "log.jsonl"]);
    assert_eq!(report["documents"][0]["kind"], "conversation");
    assert_eq!(
        rules(&report["documents"][0]),
        ["mcp.call.arguments.schema", "json.syntax"]
    );
    assert!(
        report["documents"][0]["diagnostics"][0]["pointer"]
            .as_str()
            .unwrap()
            .starts_with("/1/choices")
    );
}

#[test]
fn a_catalogue_judges_what_a_model_is_told() {
    let folder = Folder::with(&[]);
    let catalogue = root().join("examples/catalogue");
    let said = |answer: &str| {
        let (mut value, _) = call("tool_use", &json!({"ticket_id": "T-7"}));
        value["content"][0]["name"] = json!("find_ticket");
        let told = json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": answer}]});
        folder.write("talk.json", &json!([value, told]).to_string());
        let report = folder.report(&["--tools", catalogue.to_str().unwrap(), "talk.json"]);
        rules(&report["documents"][0]).join(" ")
    };
    assert_eq!(
        said(r#"{"id": "T-7", "title": "Login loop", "status": "open", "assignee": null}"#),
        ""
    );
    assert_eq!(
        said(r#"{"id": "T-7", "title": "Login loop", "status": "lost", "assignee": null}"#),
        "model.result.schema"
    );
    assert_eq!(said("No ticket matches."), "");
}

#[test]
fn tools_that_cannot_be_had_are_a_wrong_command_line() {
    let folder = Folder::with(&[
        ("a.json", LISTING),
        ("empty.json", "{\"tools\": []}"),
        ("cut.json", "{\"tools\""),
    ]);
    for tools in ["none.json", "empty.json", "cut.json", "."] {
        let run = folder.run(["check", "--tools", tools, "a.json"]);
        assert_eq!(run.code, 2, "{tools}: {run:?}");
        assert!(run.stderr.contains(tools), "{run:?}");
    }
}

#[test]
fn documents_of_other_kinds_stay_what_they_are() {
    let folder = Folder::with(&[
        ("listing.json", LISTING),
        (
            "exchange.json",
            r#"{"schema": "orders@1", "result": {"content": []}}"#,
        ),
        (
            "message.json",
            r#"{"jsonrpc": "2.0", "id": 1, "result": {"content": [{"type": "text", "text": "ok"}]}}"#,
        ),
        ("reply.json", r#"{"id": 1, "result": {"content": []}}"#),
    ]);
    let report = folder.report(&["."]);
    let documents = report["documents"].as_array().unwrap();
    let kinds: Vec<_> = documents
        .iter()
        .map(|it| it["kind"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["exchange", "listing", "message", "message"]);
}

/// The rules that are broken where `find_order` is called in the form of Gemini and answers so.
fn told(response: &Value) -> Vec<String> {
    let folder = Folder::with(&[("listing.json", LISTING)]);
    let talk = json!({"contents": [
        {"role": "model", "parts": [{"functionCall": {"name": "find_order", "args": {"id": 7}}}]},
        {"role": "user", "parts": [{"functionResponse": {"name": "find_order", "response": response}}]}
    ]});
    folder.write("talk.json", &talk.to_string());
    let report = folder.report(&["--tools", "listing.json", "talk.json"]);
    let said = rules(&report["documents"][0]);
    said.into_iter().map(str::to_owned).collect()
}

#[test]
fn a_function_response_is_its_output_or_all_of_it() {
    let violated = ["model.result.schema"];
    assert!(told(&json!({"total": 3})).is_empty());
    assert_eq!(told(&json!({"total": "3"})), violated);
    assert!(told(&json!({"output": {"total": 3}})).is_empty());
    assert_eq!(told(&json!({"output": {"total": "3"}})), violated);
    // A failure has no schema, and a list is wrapped.
    assert!(told(&json!({"error": "the store is down"})).is_empty());
    assert_eq!(told(&json!({"result": [3]})), violated);
}

#[test]
fn a_tool_that_takes_free_text_is_not_judged() {
    let folder = Folder::with(&[("listing.json", LISTING)]);
    let talk = r#"{"messages": [{"role": "assistant", "tool_calls": [
        {"id": "c1", "type": "custom", "custom": {"name": "run", "input": "total(7)"}}]}]}"#;
    folder.write("talk.json", talk);
    let run = folder.run(["check", "--tools", "listing.json", "talk.json"]);
    assert_eq!(run.code, 0, "{run:?}");
}
