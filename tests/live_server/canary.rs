//! The canary: who visits it, and for which address.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use mcp_conform::certify::live::{Canary, PLACEHOLDER, Visit};

use super::wire::{connect, head, read};

fn visits(canary: &Canary, count: usize) -> Vec<Visit> {
    let start = Instant::now();
    while canary.visits().len() < count && start.elapsed() < Duration::from_secs(10) {
        std::thread::sleep(Duration::from_millis(5));
    }
    canary.visits()
}

#[test]
fn a_visit_is_recorded_and_told_from_others() {
    let canary = Canary::start().expect("a port");
    assert_eq!(canary.visits(), []);
    let url = canary.url("case-7");
    let mut stream = connect(&url);
    stream
        .write_all(head(&url, "GET", &[], None).as_bytes())
        .expect("it reads");
    assert_eq!(read(&mut stream).status, 404);
    let seen = visits(&canary, 1);
    assert_eq!(seen[0].line, "GET /case-7 HTTP/1.1");
    assert!(seen[0].is_of("case-7"));
    assert!(!seen[0].is_of("case-70") && !seen[0].is_of("case") && !seen[0].is_of(""));
    let deeper = |path: &str| Visit {
        at_ms: 0,
        line: format!("GET {path} HTTP/1.1"),
    };
    assert!(deeper("/case-7/order.json").is_of("case-7"));
    assert!(deeper("/case-7?x").is_of("case-7"));
    assert!(!deeper("/x/case-7").is_of("case-7"));
}

#[test]
fn a_placeholder_becomes_its_address() {
    let canary = Canary::start().expect("a port");
    let text = format!(r#"{{"$ref":"{PLACEHOLDER}/order.json#/$defs/total"}}"#);
    let filled = canary.fill(&text, "case-7");
    let expected = format!(
        r#"{{"$ref":"{}/order.json#/$defs/total"}}"#,
        canary.url("case-7")
    );
    assert_eq!(filled, expected);
}

#[test]
fn visitors_that_say_nothing_or_no_http_are_visitors() {
    let canary = Canary::start().expect("a port");
    let url = canary.url("x");
    let silent = connect(&url);
    let mut noisy = connect(&url);
    noisy.write_all(&[b'x'; 1 << 16]).expect("it reads");
    let mut answer = Vec::new();
    // It may reset the connection of one that goes on writing.
    let _ = noisy.read_to_end(&mut answer);
    drop(silent);
    let seen = visits(&canary, 2);
    assert_eq!(seen.len(), 2);
    assert!(seen.iter().all(|visit| visit.line.len() <= 8 << 10));
    assert!(seen.iter().any(|visit| visit.line.is_empty()));
}

#[test]
fn it_ends_with_its_owner() {
    let canary = Canary::start().expect("a port");
    let url = canary.url("x");
    let address = url
        .trim_start_matches("http://")
        .trim_end_matches("/x")
        .to_owned();
    drop(canary);
    assert!(TcpStream::connect(address).is_err());
}
