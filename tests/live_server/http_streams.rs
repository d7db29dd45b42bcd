//! Changes of a listing, announced over HTTP.

use std::io::{BufRead, BufReader, Read, Write};

use mcp_conform::certify::live::{ReplyForm, Script};
use mcp_conform::protocol::ProtocolVersion::{self, V2025_06_18, V2025_11_25, V2026_07_28};
use rstest::rstest;
use serde_json::{Value, json};

use super::http::{message, open, send, start};
use super::script::{call, changing, request};
use super::wire::{connect, head};

/// Opens a stream and returns it with its head read.
fn listening(stream: std::net::TcpStream, head: &str) -> BufReader<std::net::TcpStream> {
    let mut stream = BufReader::new(stream);
    stream
        .get_mut()
        .write_all(head.as_bytes())
        .expect("it reads");
    let mut line = String::new();
    stream.read_line(&mut line).expect("a status");
    assert!(line.contains(" 200 "), "{line}");
    while line != "\r\n" {
        line.clear();
        stream.read_line(&mut line).expect("a header");
    }
    stream
}

/// The next message of a stream of events.
fn next(stream: &mut BufReader<std::net::TcpStream>) -> Value {
    loop {
        let mut line = String::new();
        assert_ne!(
            stream.read_line(&mut line).expect("a line"),
            0,
            "the stream ended"
        );
        if let Some(data) = line.strip_prefix("data: ") {
            return serde_json::from_str(data).expect("a message");
        }
    }
}

#[rstest]
#[case(V2025_06_18)]
#[case(V2025_11_25)]
fn a_change_is_announced_on_the_stream_of_the_session(#[case] version: ProtocolVersion) {
    let (_server, hosted) = start(changing(version));
    let opened = open(&hosted.url, version);
    let id = opened.header("mcp-session-id").expect("a session id");
    let headers = [("Accept", "text/event-stream"), ("Mcp-Session-Id", id)];
    let head = head(&hosted.url, "GET", &headers, None);
    let mut stream = listening(connect(&hosted.url), &head);
    let called = send(&hosted.url, version, &call(version, 1, "place_order", "{}"));
    assert_eq!(message(&called)["id"], 1);
    assert_eq!(
        next(&mut stream)["method"],
        "notifications/tools/list_changed"
    );
    let listed = send(&hosted.url, version, &request(version, 2, "tools/list", ""));
    assert_eq!(
        message(&listed)["result"]["tools"][0]["name"],
        "cancel_order"
    );
    drop(hosted);
    let mut rest = String::new();
    stream
        .read_to_string(&mut rest)
        .expect("the stream ends with the session");
}

#[test]
fn a_change_travels_with_the_answer_where_nobody_listens() {
    let script = Script {
        reply: ReplyForm::Sse,
        ..changing(V2025_11_25)
    };
    let (_server, hosted) = start(script);
    open(&hosted.url, V2025_11_25);
    let called = send(
        &hosted.url,
        V2025_11_25,
        &call(V2025_11_25, 1, "place_order", "{}"),
    );
    let events = called.events();
    assert_eq!(events.len(), 2);
    assert!(
        events[0].contains("notifications/tools/list_changed"),
        "{events:?}"
    );
    assert_eq!(message(&called)["id"], 1);
}

#[test]
fn a_change_is_announced_to_a_subscription() {
    let (_server, hosted) = start(changing(V2026_07_28));
    let params = r#""notifications":{"toolsListChanged":true}"#;
    let body = request(V2026_07_28, 4, "subscriptions/listen", params);
    let headers = [
        ("mcp-protocol-version", "2026-07-28"),
        ("mcp-method", "subscriptions/listen"),
    ];
    let head = head(&hosted.url, "POST", &headers, Some(body.len()));
    let mut stream = listening(connect(&hosted.url), &(head + &body));
    assert_eq!(
        next(&mut stream)["method"],
        "notifications/subscriptions/acknowledged"
    );
    send(
        &hosted.url,
        V2026_07_28,
        &call(V2026_07_28, 1, "place_order", "{}"),
    );
    let notice = next(&mut stream);
    assert_eq!(notice["method"], "notifications/tools/list_changed");
    let meta = json!({"io.modelcontextprotocol/subscriptionId": 4});
    assert_eq!(notice["params"]["_meta"], meta);
}
