//! What docs/live-server.md shows, and the published schemas of scripts and events.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use mcp_conform::certify::live::{Event, Reply, ReplyForm, Script, Stage};
use mcp_conform::protocol::ProtocolVersion::{V2025_06_18, V2026_07_28};
use serde_json::Value;

use super::running::{folder, program};
use super::script::{call, changing, initialize};

const PAGE: &str = include_str!("../../docs/live-server.md");
const SCRIPT: &str = include_str!("../../docs/schemas/live/script.schema.json");
const EVENT: &str = include_str!("../../docs/schemas/live/event.schema.json");

fn faults(schema: &str, text: &str) -> Vec<String> {
    let schema: Value = serde_json::from_str(schema).expect("a schema");
    let validator = jsonschema::draft202012::new(&schema).expect("a schema");
    let value: Value = serde_json::from_str(text).expect("JSON");
    validator
        .iter_errors(&value)
        .map(|error| error.to_string())
        .collect()
}

/// Every kind of reply, and every member.
fn full() -> Script {
    let replies = [
        Reply::Result("{}".to_owned()),
        Reply::Error("{}".to_owned()),
        Reply::Line("{{id}}".to_owned()),
        Reply::Silence,
        Reply::Close,
        Reply::Half("{".to_owned()),
        Reply::Flood(1 << 40),
    ];
    let stage = Stage {
        pages: replies.to_vec(),
        calls: [("place_order".to_owned(), Reply::Silence)].into(),
        until: Some("place_order".to_owned()),
    };
    Script {
        version: V2026_07_28,
        reply: ReplyForm::Sse,
        stages: vec![stage, Stage::default()],
    }
}

#[test]
fn the_pages_script_runs_as_it_is_shown() {
    let start = PAGE.find("```json script.json\n").expect("a script") + 20;
    let text = &PAGE[start..];
    let text = &text[..text.find("```").expect("its end")];
    assert_eq!(faults(SCRIPT, text), Vec::<String>::new());

    let folder = folder("live-documented");
    fs::write(folder.join("script.json"), text).expect("written");
    let command = PAGE.find("\nmcp-conform serve").expect("a command") + 1;
    let command = PAGE[command..].lines().next().expect("a line");
    let words: Vec<_> = command.split(' ').skip(1).collect();
    let mut server = program(&words)
        .current_dir(&folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let messages = [
        initialize("2025-11-25"),
        call(V2025_06_18, 1, "get_order", "{\"order\": 1.0}"),
    ];
    let mut stdin = server.stdin.take().expect("a pipe");
    stdin
        .write_all((messages.join("\n") + "\n").as_bytes())
        .expect("it reads");
    drop(stdin);
    let output = server.wait_with_output().expect("it ends");
    assert!(output.status.success());
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        said.contains(r#""structuredContent": {"total": 12.50}"#),
        "{said}"
    );

    let events = fs::read_to_string(folder.join("events.jsonl")).expect("events");
    assert_eq!(events.lines().count(), 2);
    for line in events.lines() {
        assert_eq!(faults(EVENT, line), Vec::<String>::new(), "{line}");
    }
}

#[test]
fn the_schema_of_scripts_is_that_of_the_program() {
    for script in [full(), changing(V2025_06_18)] {
        let text = serde_json::to_string(&script).expect("it can be written");
        assert_eq!(faults(SCRIPT, &text), Vec::<String>::new(), "{text}");
    }
    for wrong in [
        r#"{"stages":[]}"#,
        r#"{"version":"2025-11-26","stages":[]}"#,
        r#"{"version":"2025-11-25","reply":"xml","stages":[]}"#,
        r#"{"version":"2025-11-25","stages":[],"extra":1}"#,
        r#"{"version":"2025-11-25","stages":[{}]}"#,
        r#"{"version":"2025-11-25","stages":[{"pages":["shout"]}]}"#,
        r#"{"version":"2025-11-25","stages":[{"pages":[{"result":{}}]}]}"#,
        r#"{"version":"2025-11-25","stages":[{"pages":[{"result":"{}","error":"{}"}]}]}"#,
        r#"{"version":"2025-11-25","stages":[{"pages":[{"flood":-1}]}]}"#,
    ] {
        assert!(!faults(SCRIPT, wrong).is_empty(), "{wrong}");
        assert!(serde_json::from_str::<Script>(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn the_schema_of_events_is_that_of_the_program() {
    let full = Event {
        method: "tools/call".to_owned(),
        id: Some("1".to_owned()),
        tool: Some("place_order".to_owned()),
        arguments: Some("{}".to_owned()),
        cursor: Some("page-1".to_owned()),
        headers: [("mcp-method".to_owned(), "tools/call".to_owned())].into(),
        problem: Some("the header mcp-name is missing".to_owned()),
        ..Event::default()
    };
    for event in [full.now(), Event::default()] {
        let text = serde_json::to_string(&event).expect("it can be written");
        assert_eq!(faults(EVENT, &text), Vec::<String>::new(), "{text}");
    }
}
