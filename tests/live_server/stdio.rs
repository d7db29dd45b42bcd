//! The real program over standard input and output, with lines as no SDK writes them.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use mcp_conform::certify::live::{Event, Reply, Script};
use mcp_conform::protocol::ProtocolVersion::{self, V2025_06_18, V2025_11_25, V2026_07_28};
use rstest::rstest;
use serde_json::Value;

use super::running::{folder, program};
use super::script::{EXACT, answering, call, changing, initialize, pages, request, result};

/// A server that is running.
pub struct Server {
    pub child: Child,
    stdin: Option<ChildStdin>,
    pub stdout: BufReader<ChildStdout>,
    events: PathBuf,
}

impl Server {
    pub fn start(name: &str, script: &Script, more: &[&str]) -> Self {
        let folder = folder(&format!("live-stdio-{name}"));
        let file = folder.join("script.json");
        fs::write(&file, serde_json::to_string(script).expect("a script")).expect("written");
        Self::join(&folder, more)
    }

    /// Starts a server, perhaps the second, on the files of a folder.
    fn join(folder: &Path, more: &[&str]) -> Self {
        let mut child = program(&["serve", "--script"])
            .arg(folder.join("script.json"))
            .arg("--events")
            .arg(folder.join("events.jsonl"))
            .args(more)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        Self {
            stdin: child.stdin.take(),
            stdout: BufReader::new(child.stdout.take().expect("a pipe")),
            events: folder.join("events.jsonl"),
            child,
        }
    }

    pub fn send(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("still open");
        stdin.write_all(bytes).expect("the server reads");
        stdin.flush().expect("the server reads");
    }

    pub fn line(&mut self) -> String {
        let mut line = String::new();
        self.stdout.read_line(&mut line).expect("the server writes");
        line
    }

    pub fn ask(&mut self, message: &str) -> Value {
        self.send(format!("{message}\n").as_bytes());
        serde_json::from_str(&self.line()).expect("a message")
    }

    /// Closes its input and returns what it wrote until its end.
    pub fn end(mut self) -> (String, Vec<Event>) {
        self.stdin = None;
        let mut rest = String::new();
        self.stdout
            .read_to_string(&mut rest)
            .expect("the server writes");
        let status = self.child.wait().expect("the server ends");
        assert!(status.success(), "{status}");
        (rest, self.events())
    }

    pub fn events(&self) -> Vec<Event> {
        let text = fs::read_to_string(&self.events).expect("events");
        let lines = text.lines();
        lines
            .map(|line| serde_json::from_str(line).expect("an event"))
            .collect()
    }
}

pub fn methods(events: &[Event]) -> Vec<&str> {
    events.iter().map(|event| &*event.method).collect()
}

#[rstest]
#[case("2025-06-18", V2025_06_18)]
#[case("2025-11-25", V2025_11_25)]
fn a_session_is_served_and_recorded(#[case] name: &str, #[case] version: ProtocolVersion) {
    let mut server = Server::start(&format!("session-{name}"), &pages(version), &[]);
    assert_eq!(
        server.ask(&initialize(name))["result"]["protocolVersion"],
        name
    );
    server.send(b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n");
    let listed = server.ask(&request(version, 1, "tools/list", ""));
    assert_eq!(listed["result"]["nextCursor"], "page-1");
    let called = server.ask(&call(version, 2, "place_order", r#"{"count": 1.0}"#));
    assert_eq!(called["result"]["structuredContent"]["order"], 17);
    let (rest, events) = server.end();
    assert_eq!(rest, "");
    let expected = [
        "initialize",
        "notifications/initialized",
        "tools/list",
        "tools/call",
    ];
    assert_eq!(methods(&events), expected);
    assert_eq!(events[3].arguments.as_deref(), Some(r#"{"count": 1.0}"#));
    assert!(
        events
            .iter()
            .all(|event| event.problem.is_none() && event.headers.is_empty())
    );
}

#[test]
fn two_servers_share_one_record() {
    let mut probe = Server::start("two", &pages(V2026_07_28), &[]);
    let folder = probe.events.parent().expect("a folder").to_owned();
    probe.ask(&request(V2026_07_28, 1, "server/discover", ""));
    let mut second = Server::join(&folder, &[]);
    second.ask(&request(V2026_07_28, 1, "tools/list", ""));
    probe.ask(&request(V2026_07_28, 2, "tools/list", ""));
    probe.end();
    let (_, events) = second.end();
    assert_eq!(
        methods(&events),
        ["server/discover", "tools/list", "tools/list"]
    );
    assert_eq!(events[0].process, events[2].process);
    assert_ne!(events[0].process, events[1].process);
}

#[test]
fn numbers_and_names_leave_as_the_script_has_them() {
    let structured = format!("\"content\":[],\n\"structuredContent\":{EXACT}");
    let script = answering(V2026_07_28, result(V2026_07_28, &structured));
    let mut server = Server::start("exact", &script, &[]);
    server.send(format!("{}\n", call(V2026_07_28, 1, "place_order", "{}")).as_bytes());
    let line = server.line();
    assert!(line.contains(EXACT), "{line}");
    // The line break of the script's text would have ended the message.
    assert!(serde_json::from_str::<Value>(&line).is_ok());
    server.end();
}

#[test]
fn a_whole_line_is_sent_as_it_is() {
    let line = "{\"jsonrpc\":\"2.0\",\"id\":{{id}},\"result\":{\"content\":NaN}}";
    let script = answering(V2025_11_25, Reply::Line(line.to_owned()));
    let mut server = Server::start("line", &script, &[]);
    server.ask(&initialize("2025-11-25"));
    let call = call(V2025_11_25, 1, "place_order", "{}").replace("\"id\":1", "\"id\":\"a\"");
    server.send(format!("{call}\n").as_bytes());
    assert_eq!(server.line(), line.replace("{{id}}", "\"a\"") + "\n");
    server.end();
}

#[test]
fn a_change_of_the_listing_is_announced_after_the_answer() {
    let mut server = Server::start("changing", &changing(V2025_06_18), &[]);
    server.ask(&initialize("2025-06-18"));
    let answer = server.ask(&call(V2025_06_18, 1, "place_order", "{}"));
    assert_eq!(answer["id"], 1);
    let notice: Value = serde_json::from_str(&server.line()).expect("a message");
    assert_eq!(notice["method"], "notifications/tools/list_changed");
    let listed = server.ask(&request(V2025_06_18, 2, "tools/list", ""));
    assert_eq!(listed["result"]["tools"][0]["name"], "cancel_order");
    server.end();
}

#[test]
fn a_script_that_is_none_is_said() {
    let folder = folder("live-stdio-wrong");
    let file = folder.join("script.json");
    fs::write(&file, r#"{"version":"2025-11-25"}"#).expect("written");
    let run = |script: &PathBuf, events: PathBuf| {
        let mut command = program(&["serve"]);
        command
            .arg("--script")
            .arg(script)
            .arg("--events")
            .arg(events);
        let output = command.stdin(Stdio::null()).output().expect("it runs");
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    };
    let (code, said) = run(&file, folder.join("events"));
    assert_eq!(code, Some(2));
    assert!(
        said.contains("cannot be read as a script: missing field `stages`"),
        "{said}"
    );
    fs::write(
        &file,
        serde_json::to_string(&pages(V2025_11_25)).expect("a script"),
    )
    .expect("written");
    let (code, said) = run(&file, folder.join("no/such/folder"));
    assert_eq!(code, Some(2));
    assert!(said.contains("no/such/folder: cannot be written"), "{said}");
}
