//! The drivers under test: clients of one kind each, and some that break.

use std::io::{BufRead, Write};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use mcp_conform::gate::{Gate, Toolbox};
use mcp_conform::source::{Limits, parse_json};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::client::{Client, mirrored};

/// The call that goes wrong, counted over the life of the process.
const ONE: usize = 7;
/// What a driver says that gives a session up.
const LATE: &str = "late";

#[derive(Deserialize)]
struct Page {
    tools: Vec<Box<RawValue>>,
    #[serde(default, rename = "nextCursor")]
    cursor: Option<String>,
}

#[derive(Deserialize)]
struct Structured {
    #[serde(rename = "structuredContent")]
    value: Option<Box<RawValue>>,
}

/// Goes through the sessions that the arguments name, in the way that `mode` names.
pub fn main(mode: &str, target: &[String]) {
    let mut calls = 0;
    if mode == "starts-and-says-nothing" {
        sleep(Duration::from_secs(60));
    }
    if target != ["--sessions-on-stdin"] {
        session(mode, target, &mut calls);
        if mode == "never-exits" {
            sleep(Duration::from_secs(60));
        }
        return;
    }
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let task: Value = serde_json::from_str(&line).expect("a session is JSON");
        let target: Vec<String> =
            serde_json::from_value(task["target"].clone()).expect("a target is strings");
        session(mode, &target, &mut calls);
    }
    if mode == "never-exits" {
        sleep(Duration::from_secs(60));
    }
}

fn say(line: &Value) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

fn session(mode: &str, target: &[String], calls: &mut usize) {
    let about = json!({"name": mode, "version": "1", "language": "rust"});
    let mut end = json!({"end": true, "client": about});
    match Client::connect(target, mode == "old").and_then(|client| with(mode, client, calls)) {
        Ok(()) => {}
        Err(error) if error == LATE => end["late"] = true.into(),
        Err(error) => end["error"] = error.into(),
    }
    say(&end);
}

fn with(mode: &str, mut client: Client, calls: &mut usize) -> Result<(), String> {
    let gate = Gate::new(client.version);
    let mut tools: Vec<Box<RawValue>> = Vec::new();
    let mut cursor = None;
    loop {
        let params = cursor.map_or(json!({}), |cursor| json!({"cursor": cursor}));
        let text = client.request("tools/list", params, &[])?;
        if mode == "careful" {
            // The listing as a whole has a shape, too.
            let parsed = gate
                .parse(&text)
                .map_err(|rejection| rejection.to_string())?;
            gate.discover(&parsed.value)
                .map_err(|rejection| rejection.to_string())?;
        }
        let page: Page = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        tools.extend(page.tools);
        match page.cursor {
            Some(next) => cursor = Some(next),
            None => break,
        }
    }
    let texts: Vec<&str> = tools.iter().map(|tool| tool.get()).collect();
    let listing = format!("{{\"tools\":[{}]}}", texts.join(","));
    let toolbox = match mode {
        "careful" | "fragile" => {
            let parsed = gate
                .parse(&listing)
                .map_err(|rejection| rejection.to_string())?;
            let toolbox = gate.discover(&parsed.value);
            Some(toolbox.map_err(|rejection| rejection.to_string())?)
        }
        _ => None,
    };
    if let ("fragile", Some(toolbox)) = (mode, &toolbox)
        && let Some(bad) = toolbox.tools().iter().find_map(|tool| tool.usable().err())
    {
        return Err(format!("a definition is bad: {bad}"));
    }
    for (at, text) in texts.iter().enumerate() {
        let Ok(tool) = serde_json::from_str::<Value>(text) else {
            continue;
        };
        if mode == "drops" && at == 0 && texts.len() > 1 {
            continue;
        }
        let Some(name) = tool["name"].as_str() else {
            continue;
        };
        let is_usable = |toolbox: &Toolbox| {
            toolbox
                .tools()
                .get(at)
                .is_some_and(|tool| tool.usable().is_ok())
        };
        if toolbox.as_ref().is_some_and(|toolbox| !is_usable(toolbox)) {
            continue;
        }
        *calls += 1;
        if mode == "stops-reading" && name == "get_order" {
            client.call_and_never_read(name);
        }
        let mut line = json!({"tool": name});
        before(mode, *calls);
        // Two tools of one name are two tools here: each by its own definition.
        let single = format!("{{\"tools\":[{text}]}}");
        let own = toolbox.as_ref().and_then(|_| {
            let parsed = gate.parse(&single).ok()?;
            gate.discover(&parsed.value).ok()
        });
        let outcome = call(&mut client, &tool, name, own.as_ref(), &gate, mode);
        if mode == "gives-up" && *calls == ONE {
            return Err(LATE.to_owned());
        }
        match outcome {
            Ok((outcome, delivered)) => {
                line["outcome"] = outcome.into();
                if let Some(delivered) = delivered {
                    line["delivered"] = delivered.into();
                }
            }
            Err(error) => {
                line["outcome"] = "error".into();
                line["message"] = error.into();
            }
        }
        said(mode, *calls, &line);
    }
    Ok(())
}

/// One call: what the app gets, as a word and as JSON text.
fn call(
    client: &mut Client,
    tool: &Value,
    name: &str,
    toolbox: Option<&Toolbox>,
    gate: &Gate,
    mode: &str,
) -> Result<(&'static str, Option<String>), String> {
    let described = tool["description"].as_str().unwrap_or("{}");
    let arguments = serde_json::from_str(described).unwrap_or_else(|_| json!({}));
    let arguments = if Value::is_object(&arguments) {
        arguments
    } else {
        json!({})
    };
    if let Some(toolbox) = toolbox {
        let text = if described.starts_with('{') {
            described
        } else {
            "{}"
        };
        toolbox
            .arguments_text(name, text)
            .map_err(|rejection| rejection.to_string())?;
    }
    let headers = mirrored(&tool["inputSchema"], &arguments);
    let text = client.request(
        "tools/call",
        json!({"name": name, "arguments": arguments}),
        &headers,
    )?;
    let is_error = |text: &str| {
        let value: Result<Value, _> = serde_json::from_str(text);
        value.is_ok_and(|value| value["isError"] == true)
    };
    if let Some(toolbox) = toolbox {
        let parsed = gate
            .parse(&text)
            .map_err(|rejection| rejection.to_string())?;
        let delivery = toolbox
            .result(name, &parsed)
            .map_err(|rejection| rejection.to_string())?;
        if delivery.is_error {
            return Ok(("tool-error", None));
        }
        let structured = delivery.structured.is_some();
        let text: Structured = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        return Ok((
            "value",
            text.value
                .filter(|_| structured)
                .map(|value| value.get().to_owned()),
        ));
    }
    if is_error(&text) {
        return Ok(("tool-error", None));
    }
    let structured = serde_json::from_str::<Structured>(&text)
        .ok()
        .and_then(|read| read.value);
    let delivered = structured.map(|value| value.get().to_owned());
    Ok((
        "value",
        delivered.map(|text| {
            if mode == "rounding" {
                rounded(&text)
            } else {
                text
            }
        }),
    ))
}

/// The same value with every number as a double has it.
fn rounded(text: &str) -> String {
    fn round(value: &mut Value) {
        match value {
            Value::Number(number) => {
                if let Some(double) = number.as_f64().filter(|double| double.abs() >= 9e15) {
                    *value = json!(double);
                }
            }
            Value::Array(items) => items.iter_mut().for_each(round),
            Value::Object(members) => members.values_mut().for_each(round),
            _ => {}
        }
    }
    let parsed = parse_json(text, &Limits::default());
    let mut value = parsed.map(|parsed| parsed.value).unwrap_or_default();
    round(&mut value);
    value.to_string()
}

/// What goes wrong before a call.
fn before(mode: &str, calls: usize) {
    match mode {
        "dies" if calls == ONE => std::process::exit(3),
        "forks" if calls == 1 => {
            // It holds the driver's output open after the driver is gone.
            let child = Command::new("sleep").arg("30").stdin(Stdio::null()).spawn();
            drop(child);
        }
        _ => {}
    }
}

/// Prints the line of a call, or what a broken driver prints instead.
fn said(mode: &str, calls: usize, line: &Value) {
    let mut out = std::io::stdout().lock();
    let text = line.to_string();
    let written = match mode {
        "garbage" if calls == ONE => writeln!(out, "Connected to server."),
        "falls-silent" if calls == ONE => {
            sleep(Duration::from_secs(60));
            Ok(())
        }
        "half-a-line" if calls == ONE => {
            let _ = out
                .write_all(&text.as_bytes()[..text.len() / 2])
                .and_then(|()| out.flush());
            sleep(Duration::from_secs(60));
            Ok(())
        }
        "floods" if calls == ONE => {
            let chunk = vec![b'x'; 1 << 20];
            (0..100).try_for_each(|_| out.write_all(&chunk))
        }
        "dies-after-the-call" if calls == ONE => std::process::exit(3),
        _ => writeln!(out, "{text}"),
    };
    let _ = written.and_then(|()| out.flush());
}
