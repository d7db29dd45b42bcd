//! HTTP as bytes: what an SDK's client would not let a test send, or see.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// A response.
#[derive(Debug)]
pub struct Response {
    pub status: u16,
    pub head: String,
    pub body: String,
    /// Whether the body came to its end as it was announced.
    pub whole: bool,
}

impl Response {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }

    /// The messages of a stream of events.
    pub fn events(&self) -> Vec<&str> {
        let lines = self.body.lines();
        lines
            .filter_map(|line| line.strip_prefix("data: "))
            .collect()
    }
}

fn parts(url: &str) -> (&str, &str) {
    let rest = url.strip_prefix("http://").expect("a URL");
    rest.split_at(rest.find('/').expect("a path"))
}

pub fn connect(url: &str) -> TcpStream {
    let stream = TcpStream::connect(parts(url).0).expect("the server listens");
    let patience = Some(Duration::from_secs(20));
    stream.set_read_timeout(patience).expect("a timeout");
    stream.set_write_timeout(patience).expect("a timeout");
    stream
}

/// The head of a request, with its last line.
pub fn head(url: &str, method: &str, headers: &[(&str, &str)], length: Option<usize>) -> String {
    let (host, path) = parts(url);
    let mut head = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n");
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    if let Some(length) = length {
        head.push_str(&format!(
            "Content-Type: application/json\r\nContent-Length: {length}\r\n"
        ));
    }
    head + "\r\n"
}

const ACCEPT: (&str, &str) = ("Accept", "text/event-stream, application/json");

pub fn post(url: &str, headers: &[(&str, &str)], body: &str) -> Response {
    let headers: Vec<_> = headers.iter().copied().chain([ACCEPT]).collect();
    bare_post(url, &headers, body.as_bytes())
}

pub fn bare_post(url: &str, headers: &[(&str, &str)], body: &[u8]) -> Response {
    let mut stream = connect(url);
    let head = head(url, "POST", headers, Some(body.len()));
    stream.write_all(head.as_bytes()).expect("the server reads");
    stream.write_all(body).expect("the server reads");
    read(&mut stream)
}

pub fn read(stream: &mut TcpStream) -> Response {
    let mut bytes = Vec::new();
    // A connection that is reset has said what it had to say.
    let reset = stream.read_to_end(&mut bytes).is_err();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok());
    let mut response = Response {
        status: status.unwrap_or(0),
        head: head.to_owned(),
        body: body.to_owned(),
        whole: !reset && text.contains("\r\n\r\n"),
    };
    if response.header("transfer-encoding") == Some("chunked") {
        let (body, whole) = joined(body);
        (response.body, response.whole) = (body, whole);
    } else if let Some(length) = response.header("content-length") {
        response.whole = length == response.body.len().to_string();
    }
    response
}

fn joined(mut chunks: &str) -> (String, bool) {
    let mut body = String::new();
    while let Some((size, rest)) = chunks.split_once("\r\n") {
        let size = usize::from_str_radix(size, 16).expect("a size");
        if size == 0 {
            return (body, true);
        }
        let Some(chunk) = rest.get(..size) else {
            return (body + rest, false);
        };
        body.push_str(chunk);
        chunks = rest.get(size + 2..).unwrap_or_default();
    }
    (body, false)
}
