//! Answers that never come, never end or are too long, and clients that do the same, over HTTP.

use std::io::{BufRead, BufReader, Read, Write};
use std::time::{Duration, Instant};

use mcp_conform::certify::live::{Hosted, MOST_MESSAGE, Reply, ReplyForm, Script};
use mcp_conform::protocol::ProtocolVersion::V2026_07_28;
use rstest::rstest;

use super::http::{message, send, start};
use super::script::{answering, call, pages, request};
use super::wire::{connect, head, read};

#[test]
fn a_body_of_a_hundred_megabytes_is_not_read() {
    let (_server, hosted) = start(pages(V2026_07_28));
    let mut stream = connect(&hosted.url);
    let head = head(&hosted.url, "POST", &[], Some(100 << 20));
    stream.write_all(head.as_bytes()).expect("it reads");
    let piece = vec![b'['; 1 << 20];
    let written = (0..100)
        .take_while(|_| stream.write_all(&piece).is_ok())
        .count();
    assert!(written < 100, "it read all of it");
    let start = Instant::now();
    while hosted.events().is_empty() && start.elapsed() < Duration::from_secs(10) {
        std::thread::sleep(Duration::from_millis(5));
    }
    let problem = hosted.events()[0].problem.clone().expect("a note");
    assert!(problem.contains(&MOST_MESSAGE.to_string()), "{problem}");
}

#[test]
fn a_client_that_leaves_in_the_middle_harms_nobody() {
    let (_server, hosted) = start(pages(V2026_07_28));
    let mut stream = connect(&hosted.url);
    let head = head(&hosted.url, "POST", &[], Some(1_000));
    stream.write_all(head.as_bytes()).expect("it reads");
    stream.write_all(b"{\"jsonrpc\"").expect("it reads");
    drop(stream);
    let mut stream = connect(&hosted.url);
    stream
        .write_all(b"\x16\x03\x01 not HTTP\r\n\r\n")
        .expect("it reads");
    let _ = read(&mut stream);
    let listed = send(
        &hosted.url,
        V2026_07_28,
        &request(V2026_07_28, 1, "tools/list", ""),
    );
    assert_eq!(listed.status, 200);
    assert_eq!(hosted.events().len(), 1);
}

#[rstest]
fn a_flood_comes_piece_by_piece(#[values(ReplyForm::Json, ReplyForm::Sse)] form: ReplyForm) {
    const BYTES: u64 = 100_000_000;
    let script = Script {
        reply: form,
        ..answering(V2026_07_28, Reply::Flood(BYTES))
    };
    let (_server, hosted) = start(script);
    let response = send(
        &hosted.url,
        V2026_07_28,
        &call(V2026_07_28, 1, "place_order", "{}"),
    );
    assert!(response.whole);
    let answer = message(&response);
    let text = answer["result"]["content"][0]["text"]
        .as_str()
        .expect("a text");
    assert_eq!(text.len() as u64, BYTES);
}

#[test]
fn a_client_that_does_not_read_a_flood_keeps_nobody_waiting() {
    let (server, hosted) = start(answering(V2026_07_28, Reply::Flood(1 << 30)));
    let body = call(V2026_07_28, 1, "place_order", "{}");
    let mut deaf = connect(&hosted.url);
    let headers = [
        ("mcp-protocol-version", "2026-07-28"),
        ("mcp-method", "tools/call"),
        ("mcp-name", "place_order"),
    ];
    let head = head(&hosted.url, "POST", &headers, Some(body.len()));
    deaf.write_all((head + &body).as_bytes()).expect("it reads");
    let listed = send(
        &hosted.url,
        V2026_07_28,
        &request(V2026_07_28, 1, "tools/list", ""),
    );
    assert_eq!(listed.status, 200);
    let start = Instant::now();
    drop((hosted, server));
    assert!(
        start.elapsed() < Duration::from_secs(5),
        "it waits for the client"
    );
}

/// Starts a call of `place_order` and returns what is left to read of it.
fn calling(hosted: &Hosted) -> BufReader<std::net::TcpStream> {
    let body = call(V2026_07_28, 1, "place_order", "{}");
    let headers = [
        ("mcp-protocol-version", "2026-07-28"),
        ("mcp-method", "tools/call"),
        ("mcp-name", "place_order"),
    ];
    let mut stream = connect(&hosted.url);
    let head = head(&hosted.url, "POST", &headers, Some(body.len()));
    stream
        .write_all((head + &body).as_bytes())
        .expect("it reads");
    BufReader::new(stream)
}

#[test]
fn silence_lasts_as_long_as_the_session() {
    let (_server, hosted) = start(answering(V2026_07_28, Reply::Silence));
    let mut stream = calling(&hosted);
    let wait = Duration::from_millis(300);
    stream
        .get_ref()
        .set_read_timeout(Some(wait))
        .expect("a timeout");
    assert!(stream.read(&mut [0; 1]).is_err(), "something came");
    let patience = Duration::from_secs(20);
    stream
        .get_ref()
        .set_read_timeout(Some(patience))
        .expect("a timeout");
    drop(hosted);
    let response = read(stream.get_mut());
    assert!(!response.whole && response.body.is_empty(), "{response:?}");
}

#[rstest]
fn half_an_answer_never_ends(#[values(ReplyForm::Json, ReplyForm::Sse)] form: ReplyForm) {
    let script = Script {
        reply: form,
        ..answering(
            V2026_07_28,
            Reply::Half(r#"{"jsonrpc":"2.0","id":{{id}},"#.to_owned()),
        )
    };
    let (_server, hosted) = start(script);
    let mut stream = calling(&hosted);
    let mut line = String::new();
    while !line.contains(r#"{"jsonrpc":"2.0","id":1,"#) {
        assert_ne!(
            stream
                .read_line(&mut line)
                .expect("a head, and half a body"),
            0,
            "{line}"
        );
    }
    let wait = Duration::from_millis(300);
    stream
        .get_ref()
        .set_read_timeout(Some(wait))
        .expect("a timeout");
    assert!(stream.read(&mut [0; 1]).is_err(), "something came");
    let patience = Duration::from_secs(20);
    stream
        .get_ref()
        .set_read_timeout(Some(patience))
        .expect("a timeout");
    drop(hosted);
    let mut after = Vec::new();
    let _ = stream.read_to_end(&mut after);
    assert!(!after.ends_with(b"0\r\n\r\n"), "the body is not complete");
}

#[rstest]
fn close_ends_the_connection(#[values(ReplyForm::Json, ReplyForm::Sse)] form: ReplyForm) {
    let script = Script {
        reply: form,
        ..answering(V2026_07_28, Reply::Close)
    };
    let (_server, hosted) = start(script);
    let response = read(calling(&hosted).get_mut());
    assert!(!response.whole && response.body.is_empty(), "{response:?}");
    // The session goes on: another connection is another one.
    let listed = send(
        &hosted.url,
        V2026_07_28,
        &request(V2026_07_28, 1, "tools/list", ""),
    );
    assert_eq!(listed.status, 200);
}
