//! Lines that are damaged, endless or half, from either side, over standard input and output.

use std::fs;
use std::io::Read;
use std::process::Child;
use std::time::{Duration, Instant};

use mcp_conform::certify::live::Reply;
use mcp_conform::protocol::ProtocolVersion::{V2025_11_25, V2026_07_28};
use serde_json::{Value, json};

use super::script::{answering, call, initialize, pages, request};
use super::stdio::{Server, methods};

#[test]
fn damaged_lines_are_answered_and_the_session_goes_on() {
    let mut server = Server::start("damaged", &pages(V2026_07_28), &[]);
    server.send(b"\r\n   \n");
    server.send(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\n");
    let error: Value = serde_json::from_str(&server.line()).expect("a message");
    assert_eq!(error["error"]["code"], -32700);
    server.send(b"\xff\xfe\n");
    let error: Value = serde_json::from_str(&server.line()).expect("a message");
    assert_eq!(error["error"]["code"], -32700);
    assert_eq!(server.ask("[]")["error"]["code"], -32600);
    assert_eq!(server.ask("null")["error"]["code"], -32600);
    let listed = server.ask(&request(V2026_07_28, 2, "tools/list", ""));
    assert_eq!(listed["result"]["tools"][0]["name"], "place_order");
    let (_, events) = server.end();
    assert_eq!(events.len(), 5, "an empty line is no message");
    assert_eq!(
        events
            .iter()
            .filter(|event| event.problem.is_some())
            .count(),
        4
    );
}

#[test]
fn a_line_that_the_input_ends_in_is_noted() {
    let mut server = Server::start("half-line", &pages(V2026_07_28), &[]);
    server.send(request(V2026_07_28, 1, "tools/list", "").as_bytes());
    let (rest, events) = server.end();
    assert!(rest.contains("place_order"), "what can be read is answered");
    let problem = events[0].problem.as_deref().expect("a note");
    assert!(problem.contains("the input ends before"), "{problem}");

    let mut server = Server::start("half-message", &pages(V2026_07_28), &[]);
    server.send(br#"{"jsonrpc":"2.0","id":1,"#);
    let (rest, events) = server.end();
    assert!(rest.contains("-32700"), "{rest}");
    assert!(
        events[0]
            .problem
            .as_deref()
            .expect("a note")
            .contains("not JSON")
    );
}

#[test]
fn a_line_of_a_hundred_megabytes_costs_no_memory() {
    let mut server = Server::start("long-line", &pages(V2026_07_28), &[]);
    let piece = vec![b'['; 1 << 20];
    for _ in 0..100 {
        server.send(&piece);
    }
    server.send(b"\n");
    let error: Value = serde_json::from_str(&server.line()).expect("a message");
    assert_eq!(error["error"]["code"], -32600);
    let listed = server.ask(&request(V2026_07_28, 2, "tools/list", ""));
    assert_eq!(listed["id"], 2);
    assert_small(&server);
    let (_, events) = server.end();
    let problem = events[0].problem.as_deref().expect("a note");
    assert!(problem.contains("104857600 bytes"), "{problem}");
}

#[test]
fn a_flood_of_a_hundred_megabytes_costs_no_memory() {
    const BYTES: u64 = 100_000_000;
    let script = answering(V2026_07_28, Reply::Flood(BYTES));
    let mut server = Server::start("flood", &script, &[]);
    server.send(format!("{}\n", call(V2026_07_28, 7, "place_order", "{}")).as_bytes());
    let answer: Value = serde_json::from_str(&server.line()).expect("it is JSON all the same");
    let text = answer["result"]["content"][0]["text"]
        .as_str()
        .expect("a text");
    assert_eq!((answer["id"].as_u64(), text.len() as u64), (Some(7), BYTES));
    assert_small(&server);
    server.end();
}

/// Whether the server has never held more than the bound of one message and its own few megabytes.
fn assert_small(server: &Server) {
    // Elsewhere nothing says what the most was.
    let Ok(status) = fs::read_to_string(format!("/proc/{}/status", server.child.id())) else {
        return;
    };
    let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let most = most.expect("Linux says it").trim().trim_end_matches(" kB");
    let most: u64 = most.trim().parse().expect("a number");
    assert!(most < 64 << 10, "{most} kB");
}

#[test]
fn silence_is_silence_and_the_next_call_is_answered() {
    let script = answering(V2025_11_25, Reply::Silence);
    let mut server = Server::start("silence", &script, &[]);
    server.ask(&initialize("2025-11-25"));
    server.send(format!("{}\n", call(V2025_11_25, 1, "place_order", "{}")).as_bytes());
    let answer = server.ask(&call(V2025_11_25, 2, "list_orders", "{}"));
    assert_eq!(
        (&answer["id"], &answer["result"]["isError"]),
        (&json!(2), &json!(true))
    );
    let (rest, events) = server.end();
    assert_eq!(rest, "");
    assert_eq!(methods(&events), ["initialize", "tools/call", "tools/call"]);
}

#[test]
fn half_a_message_is_the_last_thing_that_is_said() {
    let script = answering(
        V2026_07_28,
        Reply::Half(r#"{"jsonrpc":"2.0","id":{{id}},"#.to_owned()),
    );
    let mut server = Server::start("half", &script, &[]);
    server.send(format!("{}\n", call(V2026_07_28, 1, "place_order", "{}")).as_bytes());
    server.send(format!("{}\n", request(V2026_07_28, 2, "tools/list", "")).as_bytes());
    let (rest, events) = server.end();
    assert_eq!(rest, r#"{"jsonrpc":"2.0","id":1,"#);
    assert_eq!(methods(&events), ["tools/call", "tools/list"]);
}

#[test]
fn close_ends_the_process() {
    let script = answering(V2026_07_28, Reply::Close);
    let mut server = Server::start("close", &script, &[]);
    server.send(format!("{}\n", call(V2026_07_28, 1, "place_order", "{}")).as_bytes());
    let mut rest = String::new();
    server
        .stdout
        .read_to_string(&mut rest)
        .expect("it closes its output");
    assert_eq!(rest, "");
    assert!(server.child.wait().expect("it ends").success());
    assert_eq!(methods(&server.events()), ["tools/call"]);
}

#[test]
fn a_client_that_says_nothing_is_left() {
    let mut server = Server::start("idle", &pages(V2026_07_28), &["--idle", "1"]);
    let ended = wait(&mut server.child, Duration::from_secs(20));
    assert!(ended, "it waits for ever");
}

#[test]
fn a_client_that_does_not_read_is_left() {
    let script = answering(V2026_07_28, Reply::Flood(64 << 20));
    let mut server = Server::start("deaf", &script, &["--idle", "1"]);
    server.send(format!("{}\n", call(V2026_07_28, 1, "place_order", "{}")).as_bytes());
    let ended = wait(&mut server.child, Duration::from_secs(20));
    assert!(ended, "it waits for ever");
}

fn wait(child: &mut Child, most: Duration) -> bool {
    let start = Instant::now();
    while start.elapsed() < most {
        if child.try_wait().expect("a child").is_some() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let _ = child.kill();
    let _ = child.wait();
    false
}
