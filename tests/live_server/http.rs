//! Sessions over HTTP: statuses, forms, streams, and clients that misbehave.

use std::io::Write;

use mcp_conform::certify::live::{Hosted, HttpServer, Reply, ReplyForm, Script};
use mcp_conform::protocol::ProtocolVersion::{self, V2025_06_18, V2025_11_25, V2026_07_28};
use rstest::rstest;
use serde_json::Value;

use super::script::{EXACT, answering, call, initialize, order, pages, request, result};
use super::wire::{Response, bare_post, connect, head, post, read};

pub fn start(script: Script) -> (HttpServer, Hosted) {
    let server = HttpServer::start().expect("a port");
    let hosted = server.add(script);
    (server, hosted)
}

/// Sends a message with the headers that its version wants.
pub fn send(url: &str, version: ProtocolVersion, message: &str) -> Response {
    let value: Value = serde_json::from_str(message).expect("a message");
    let mut headers = vec![("MCP-Protocol-Version", version.as_str())];
    if version == V2026_07_28 {
        headers.push(("Mcp-Method", value["method"].as_str().unwrap_or_default()));
        if let Some(name) = value["params"]["name"].as_str() {
            headers.push(("Mcp-Name", name));
        }
    }
    post(url, &headers, message)
}

pub fn open(url: &str, version: ProtocolVersion) -> Response {
    let opened = post(url, &[], &initialize(version.as_str()));
    let initialized = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let accepted = send(url, version, initialized);
    assert_eq!((accepted.status, &*accepted.body), (202, ""));
    opened
}

pub fn message(response: &Response) -> Value {
    let text = match response.header("content-type") {
        Some("text/event-stream") => *response.events().last().expect("an event"),
        Some("application/json") => &response.body,
        other => panic!("{other:?} carries no message: {response:?}"),
    };
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[rstest]
fn a_session_is_served_and_recorded(
    #[values(V2025_06_18, V2025_11_25, V2026_07_28)] version: ProtocolVersion,
    #[values(ReplyForm::Json, ReplyForm::Sse)] form: ReplyForm,
) {
    let script = Script {
        reply: form,
        ..pages(version)
    };
    let (_server, hosted) = start(script);
    if version < V2026_07_28 {
        let opened = open(&hosted.url, version);
        assert_eq!(
            message(&opened)["result"]["protocolVersion"],
            version.as_str()
        );
        assert_eq!(opened.header("mcp-session-id"), None);
    }
    let listed = send(&hosted.url, version, &request(version, 1, "tools/list", ""));
    let kind = match form {
        ReplyForm::Json => "application/json",
        ReplyForm::Sse => "text/event-stream",
    };
    assert_eq!(
        (listed.status, listed.header("content-type")),
        (200, Some(kind))
    );
    assert_eq!(message(&listed)["result"]["nextCursor"], "page-1");
    let called = call(version, 2, "place_order", r#"{"count": 1.0}"#);
    let called = send(&hosted.url, version, &called);
    assert!(called.whole);
    assert_eq!(message(&called)["result"]["structuredContent"]["order"], 17);
    let events = hosted.events();
    let last = events.last().expect("events");
    assert_eq!(last.tool.as_deref(), Some("place_order"));
    assert_eq!(last.arguments.as_deref(), Some(r#"{"count": 1.0}"#));
    assert_eq!(last.headers["mcp-protocol-version"], version.as_str());
    let problems: Vec<_> = events
        .iter()
        .filter_map(|event| event.problem.as_ref())
        .collect();
    assert!(problems.is_empty(), "{problems:?}");
}

#[test]
fn sessions_know_nothing_of_one_another() {
    let server = HttpServer::start().expect("a port");
    let (one, two) = (
        server.add(pages(V2026_07_28)),
        server.add(pages(V2025_11_25)),
    );
    assert_ne!(one.url, two.url);
    send(
        &one.url,
        V2026_07_28,
        &request(V2026_07_28, 1, "tools/list", ""),
    );
    open(&two.url, V2025_11_25);
    assert_eq!(one.events().len(), 1);
    assert_eq!(two.events().len(), 2);
    let url = one.url.clone();
    drop(one);
    let gone = send(
        &url,
        V2026_07_28,
        &request(V2026_07_28, 2, "tools/list", ""),
    );
    assert_eq!(gone.status, 404);
    let elsewhere = two.url.replace("/mcp", "/sse");
    assert_eq!(post(&elsewhere, &[], "{}").status, 404);
}

#[rstest]
#[case::unknown_method(V2026_07_28, "prompts/list", "", 404, -32601)]
#[case::unknown_method(V2025_11_25, "prompts/list", "", 200, -32601)]
#[case::probe(V2025_11_25, "server/discover", "", 400, -32601)]
#[case::no_name(V2026_07_28, "tools/call", "", 400, -32602)]
#[case::no_name(V2025_06_18, "tools/call", "", 200, -32602)]
fn an_error_has_the_status_of_its_version(
    #[case] version: ProtocolVersion,
    #[case] method: &str,
    #[case] params: &str,
    #[case] status: u16,
    #[case] code: i64,
) {
    let (_server, hosted) = start(pages(version));
    if version < V2026_07_28 {
        open(&hosted.url, version);
    }
    let response = send(&hosted.url, version, &request(version, 1, method, params));
    assert_eq!(response.status, status);
    assert_eq!(message(&response)["error"]["code"], code);
}

#[test]
fn a_stateless_server_refuses_by_status() {
    let (_server, hosted) = start(pages(V2026_07_28));
    let legacy = post(&hosted.url, &[], &initialize("2025-11-25"));
    assert_eq!(
        (legacy.status, message(&legacy)["error"]["code"].as_i64()),
        (400, Some(-32022))
    );
    let list = request(V2026_07_28, 1, "tools/list", "");
    let bare = post(&hosted.url, &[], &list);
    assert_eq!(
        (bare.status, message(&bare)["error"]["code"].as_i64()),
        (400, Some(-32020))
    );
    let other = list.replace("2026-07-28", "2027-01-01");
    let headers = [
        ("mcp-protocol-version", "2027-01-01"),
        ("mcp-method", "tools/list"),
    ];
    let other = post(&hosted.url, &headers, &other);
    assert_eq!(
        (other.status, message(&other)["error"]["code"].as_i64()),
        (400, Some(-32022))
    );
    let problems = hosted.events().into_iter().map(|event| event.problem);
    let noted: Vec<_> = problems.map(Option::unwrap_or_default).collect();
    assert!(
        noted[1].contains("mcp-protocol-version is missing"),
        "{noted:?}"
    );
}

#[rstest]
#[case("GET", V2025_11_25)]
#[case("GET", V2026_07_28)]
#[case("DELETE", V2025_11_25)]
#[case("PUT", V2026_07_28)]
fn only_post_is_allowed(#[case] method: &str, #[case] version: ProtocolVersion) {
    let (_server, hosted) = start(pages(version));
    let mut stream = connect(&hosted.url);
    let head = head(
        &hosted.url,
        method,
        &[("Accept", "text/event-stream")],
        None,
    );
    stream.write_all(head.as_bytes()).expect("it reads");
    let response = read(&mut stream);
    assert_eq!(
        (response.status, response.header("allow")),
        (405, Some("POST"))
    );
}

#[rstest]
#[case("http://evil.example", 403)]
#[case("http://localhost.evil.example:80", 403)]
#[case("null", 403)]
#[case("http://localhost:3000", 200)]
#[case("http://127.0.0.1", 200)]
fn pages_of_other_hosts_are_kept_out(#[case] origin: &str, #[case] status: u16) {
    let (_server, hosted) = start(pages(V2025_11_25));
    let response = post(
        &hosted.url,
        &[("Origin", origin)],
        &initialize("2025-11-25"),
    );
    assert_eq!(response.status, status);
}

#[rstest]
#[case(&[("Accept", "application/json")], true)]
#[case(&[("Accept", "Application/JSON"), ("Accept", "text/event-stream;q=0.5")], false)]
#[case(&[("Accept", "*/*")], false)]
#[case(&[], true)]
fn what_a_client_accepts_is_noted(#[case] accept: &[(&str, &str)], #[case] noted: bool) {
    let (_server, hosted) = start(pages(V2025_11_25));
    let response = bare_post(&hosted.url, accept, initialize("2025-11-25").as_bytes());
    assert_eq!(response.status, 200);
    let problem = hosted.events()[0].problem.clone().unwrap_or_default();
    assert_eq!(problem.contains("Accept"), noted, "{problem}");
}

#[test]
fn every_byte_leaves_as_the_script_has_it() {
    let structured = format!(r#""content":[],"structuredContent":{EXACT}"#);
    for form in [ReplyForm::Json, ReplyForm::Sse] {
        let script = Script {
            reply: form,
            ..answering(V2026_07_28, result(V2026_07_28, &structured))
        };
        let (_server, hosted) = start(script);
        let response = send(
            &hosted.url,
            V2026_07_28,
            &call(V2026_07_28, 1, "place_order", "{}"),
        );
        assert!(response.body.contains(EXACT), "{}", response.body);
    }
}

#[test]
fn a_line_with_line_breaks_is_one_event() {
    let line = "{\"jsonrpc\":\"2.0\",\r\n\"id\":{{id}},\n\"result\":{\"content\":[]}}";
    let script = Script {
        reply: ReplyForm::Sse,
        ..answering(V2026_07_28, Reply::Line(line.to_owned()))
    };
    let (_server, hosted) = start(script);
    let response = send(
        &hosted.url,
        V2026_07_28,
        &call(V2026_07_28, 8, "place_order", "{}"),
    );
    let event = "event: message\ndata: {\"jsonrpc\":\"2.0\",\ndata: \"id\":8,\ndata: \"result\":{\"content\":[]}}\n\n";
    assert_eq!(response.body, event);
}

#[rstest]
#[case::not_json(b"{\"jsonrpc\":\"2.0\"".as_slice(), -32700)]
#[case::not_utf8(b"\xff".as_slice(), -32700)]
#[case::empty(b"".as_slice(), -32700)]
#[case::a_batch(b"[]".as_slice(), -32600)]
fn a_damaged_body_is_answered_and_noted(
    #[case] body: &[u8],
    #[case] code: i64,
    #[values(V2025_06_18, V2026_07_28)] version: ProtocolVersion,
) {
    let (_server, hosted) = start(pages(version));
    let response = bare_post(&hosted.url, &[("Accept", "*/*")], body);
    assert_eq!(response.status, 400);
    assert_eq!(message(&response)["error"]["code"], code);
    assert!(hosted.events()[0].problem.is_some());
}

#[test]
fn a_listing_may_fail_as_the_script_says() {
    let mut script = pages(V2026_07_28);
    let error = r#"{"code":-32603,"message":"no orders today","data":1.0}"#;
    script.stages[0].pages = vec![Reply::Error(error.to_owned())];
    script.stages[0].calls = [("place_order".to_owned(), order(V2026_07_28))].into();
    let (_server, hosted) = start(script);
    let listed = send(
        &hosted.url,
        V2026_07_28,
        &request(V2026_07_28, 1, "tools/list", ""),
    );
    assert_eq!(listed.status, 200, "the server itself found nothing wrong");
    assert!(listed.body.contains(error), "{}", listed.body);
}
