//! The real program over standard input and output, with lines as no SDK writes them.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::{Duration, Instant};

use mcp_conform::certify::live::{Event, Reply, Script};
use mcp_conform::protocol::ProtocolVersion::{self, V2025_06_18, V2025_11_25, V2026_07_28};
use rstest::rstest;
use serde_json::{Value, json};

use super::running::{folder, program};
use super::script::{EXACT, answering, call, changing, initialize, pages, request, result};

/// A server that is running.
struct Server {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    events: PathBuf,
}

impl Server {
    fn start(name: &str, script: &Script, more: &[&str]) -> Self {
        let folder = folder(&format!("live-stdio-{name}"));
        let file = folder.join("script.json");
        fs::write(&file, serde_json::to_string(script).expect("a script")).expect("written");
        Self::join(folder, more)
    }

    /// Starts a server, perhaps the second, on the files of a folder.
    fn join(folder: PathBuf, more: &[&str]) -> Self {
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

    fn send(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("still open");
        stdin.write_all(bytes).expect("the server reads");
        stdin.flush().expect("the server reads");
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.stdout.read_line(&mut line).expect("the server writes");
        line
    }

    fn ask(&mut self, message: &str) -> Value {
        self.send(format!("{message}\n").as_bytes());
        serde_json::from_str(&self.line()).expect("a message")
    }

    /// Closes its input and returns what it wrote until its end.
    fn end(mut self) -> (String, Vec<Event>) {
        self.stdin = None;
        let mut rest = String::new();
        self.stdout
            .read_to_string(&mut rest)
            .expect("the server writes");
        let status = self.child.wait().expect("the server ends");
        assert!(status.success(), "{status}");
        (rest, self.events())
    }

    fn events(&self) -> Vec<Event> {
        let text = fs::read_to_string(&self.events).expect("events");
        let lines = text.lines();
        lines
            .map(|line| serde_json::from_str(line).expect("an event"))
            .collect()
    }
}

fn methods(events: &[Event]) -> Vec<&str> {
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
    let mut second = Server::join(folder, &[]);
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
    assert!(said.contains("cannot record the session"), "{said}");
}
