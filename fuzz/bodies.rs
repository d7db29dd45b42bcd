//! What the fuzz targets do with bytes: everything that reads what others wrote, and what must
//! hold of the outcome. `tests/fuzz_smoke.rs` runs the same functions on stable.

use mcp_conform::certify;
use mcp_conform::certify::live::{
    Answer, Event, Headers, Reply, ReplyForm, Script, Session, Stage, Turn,
};
use mcp_conform::document::{Document, Unread};
use mcp_conform::gate::{Audited, Gate, Recorded, Rejection, branch};
use mcp_conform::protocol::VersionSet;
use mcp_conform::rules::{Settings, check, check_fault};
use mcp_conform::schema::Bounds;
use mcp_conform::source::{Format, Limits, Pointer, Source};
use serde_json::Value;

/// Texts longer than this find nothing new.
const LONGEST: usize = 64 << 10;

/// Text in each format: values, faults and positions.
pub fn source(data: &[u8]) {
    if data.len() > LONGEST {
        return;
    }
    let limits = Limits::default();
    for format in [Format::Json, Format::JsonLines, Format::Yaml] {
        let source = Source::from_bytes("fuzz", data.to_vec(), format, &limits);
        match source.parse(&limits) {
            Ok(parsed) => {
                let wanted = [Pointer::root(), Pointer::from("/tools/0/name")];
                for span in source.locate(&wanted).values() {
                    assert!(span.end <= source.text().len());
                    source.position(span.start);
                }
                for duplicate in &parsed.duplicates {
                    assert!(duplicate.span.end <= source.text().len());
                    source.position(duplicate.span.start);
                }
                for number in &parsed.rounded {
                    let value = parsed.value.pointer(number.pointer.as_str());
                    assert!(value.is_some_and(Value::is_number), "{number:?}");
                }
                if format == Format::Json {
                    same_value(data, &parsed.value);
                }
            }
            Err(fault) => {
                assert!(fault.span.start <= source.text().len(), "{fault:?}");
                assert!(!fault.message.is_empty());
                source.position(fault.span.start);
            }
        }
    }
}

/// What is read is JSON for other readers, too, and the same.
fn same_value(data: &[u8], value: &Value) {
    match serde_json::from_slice::<Value>(data) {
        Ok(other) => assert!(other == *value, "{other} is read as {value}"),
        Err(error) => panic!("read what is no JSON: {error}"),
    }
}

/// A document of any kind, judged on its versions.
pub fn document(data: &[u8]) {
    if data.len() > LONGEST {
        return;
    }
    let settings = settings();
    for format in [Format::Json, Format::JsonLines, Format::Yaml] {
        let source = Source::from_bytes("fuzz", data.to_vec(), format, &settings.limits);
        let checked = match Document::read(source, None, &settings.limits) {
            Ok(document) => {
                let checked = check(&document, &settings);
                let again = check(&document, &settings);
                assert!(
                    checked.diagnostics == again.diagnostics,
                    "judged otherwise again"
                );
                checked
            }
            Err(Unread::Fault(source, fault)) => check_fault(&source, &fault, &settings),
            Err(Unread::Unrecognised(..)) => continue,
        };
        for diagnostic in &checked.diagnostics {
            assert!(diagnostic.line > 0 && diagnostic.column > 0);
            assert!(!diagnostic.versions.is_empty() && !diagnostic.message.is_empty());
        }
    }
}

/// A tool and a payload, a line each, at every gate of every version.
pub fn gate(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    if data.len() > LONGEST {
        return;
    }
    let (tool, payload) = text.split_once('\n').unwrap_or((text, "{}"));
    for version in VersionSet::STRUCTURED.iter() {
        let gate = Gate::new(version).with_bounds(settings().bounds);
        let Ok(tool) = gate.parse(tool) else { return };
        let definition = gate.definition(&tool.value);
        holds_nothing_secret(definition.usable().err(), "definition");
        let listing = serde_json::json!({"tools": [tool.value]});
        let payload = match gate.parse(payload) {
            Ok(payload) => payload,
            Err(rejection) => return holds_nothing_secret(Some(&rejection), "payload"),
        };
        if let Ok(tools) = gate.discover(&listing)
            && let Some(name) = definition.name()
        {
            let usable = tools.usable().next().is_some();
            assert_eq!(usable, definition.usable().is_ok(), "the two gates differ");
            let arguments = tools.arguments(name, &payload.value);
            holds_nothing_secret(arguments.as_ref().err(), "arguments");
            let result = tools.result(name, &payload);
            holds_nothing_secret(result.as_ref().err(), "result");
        }
        let recorded = Recorded::Protocol(version);
        let audited = Audited::new(&definition, recorded, &payload);
        let structured = payload.value.get("structuredContent");
        assert_eq!(audited.branch, branch(recorded, structured).0);
    }
}

/// A rejection gives a reason, and what a model gets to see of it names no member of the value.
fn holds_nothing_secret(rejection: Option<&Rejection>, what: &str) {
    if let Some(rejection) = rejection {
        assert!(!rejection.violations.is_empty(), "{what}: no reason");
        assert_eq!(rejection.to_result()["isError"], true);
    }
}

/// A line from an adapter.
pub fn answer(data: &[u8]) {
    if data.len() > LONGEST {
        return;
    }
    match certify::read_answer(data) {
        Ok((_, outcome)) => {
            let shown = serde_json::to_string(&outcome).expect("an outcome is JSON");
            assert!(shown.len() <= data.len() * 8 + 4096, "an outcome grows");
        }
        Err(fault) => assert!(!fault.is_empty() && fault.len() < 4096),
    }
    if let Err(fault) = certify::read_start(data) {
        assert!(!fault.is_empty() && fault.len() < 4096);
    }
}

/// A session of the live server that receives each line, with and without headers.
pub fn session(data: &[u8]) {
    if data.len() > LONGEST {
        return;
    }
    for version in VersionSet::STRUCTURED.iter() {
        for headers in [None, Some(Headers::new())] {
            let stage = Stage {
                pages: vec![Reply::Result(r#"{"tools":[]}"#.to_owned())],
                calls: [("place_order".to_owned(), Reply::Flood(1 << 40))].into(),
                until: Some("place_order".to_owned()),
            };
            let mut session = Session::new(Script {
                version,
                reply: ReplyForm::Json,
                stages: vec![stage.clone(), stage],
            });
            for line in data.split(|byte| *byte == b'\n') {
                heard(&session.receive(line, headers.as_ref()));
            }
        }
    }
}

/// What the live server says is JSON, and its record of what came is no longer than that was.
fn heard(turn: &Turn) {
    if let Answer::Message { text, .. } | Answer::Listen { text, .. } = &turn.answer {
        let message: Value = serde_json::from_str(text).expect("an answer is JSON");
        assert_eq!(message["jsonrpc"], "2.0");
        assert!(!text.contains('\n'), "an answer is one line");
    }
    assert!(
        turn.event
            .problem
            .as_ref()
            .is_none_or(|problem| problem.len() < 1024)
    );
    let line = serde_json::to_string(&turn.event).expect("an event is JSON");
    let read: Event = serde_json::from_str(&line).expect("and reads back");
    assert_eq!(read, turn.event);
}

/// Bounds that keep one input to a moment.
fn settings() -> Settings {
    let bounds = Bounds {
        steps: 200_000,
        expanded: 5_000,
        subschemas: 2_000,
        ..Bounds::default()
    };
    Settings {
        bounds,
        ..Settings::default()
    }
}
