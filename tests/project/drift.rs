//! Committed projections that are not what they would be now.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::program::{code, folder, json as report, output, text};

const TARGET: &str = "openai-strict";

/// A catalogue of one tool and its projections, in a folder of the test.
fn written(name: &str) -> (PathBuf, PathBuf) {
    let folder = folder(name);
    let tools = folder.join("schemas/tools");
    std::fs::create_dir_all(&tools).expect("a folder");
    let tool = json!({
        "$id": "https://schemas.example.com/tools/update_order.json", "version": "1.0.0",
        "name": "update_order", "description": "Changes an order.",
        "inputSchema": {
            "type": "object",
            "properties": {"id": {"type": "string"}, "lines": {"$ref": "#/$defs/lines", "minItems": 1}},
            "required": ["id", "lines"], "additionalProperties": false,
            "$defs": {"lines": {"type": "array", "maxItems": 9, "items": {
                "type": "object", "properties": {"sku": {"type": "string"}},
                "required": ["sku"], "additionalProperties": false
            }}}
        }
    });
    write(&tools.join("update_order.json"), &tool);
    let out = folder.join("projections");
    let words = [&*show(&folder), "--to", TARGET, "--out", &show(&out)].map(str::to_owned);
    let output = output(
        &[&["project".to_owned()], &words[..]]
            .concat()
            .iter()
            .map(String::as_str)
            .collect::<Vec<_>>(),
    );
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    (folder, out)
}

fn show(path: &Path) -> String {
    path.display().to_string()
}

fn write(path: &Path, value: &Value) {
    let text = serde_json::to_string_pretty(value).expect("JSON");
    std::fs::write(path, text).expect("it can be written");
}

fn read(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).expect("it is there")).expect("JSON")
}

/// What `--check` says of the one tool, and the exit code.
fn checked(folder: &Path, out: &Path) -> (Value, i32) {
    let output = output(&[
        "project",
        &show(folder),
        "--check",
        &show(out),
        "--format",
        "json",
    ]);
    (report(&output)["projections"][0].take(), code(&output))
}

fn file(out: &Path) -> PathBuf {
    out.join(TARGET).join("tools/update_order.json")
}

#[test]
fn what_was_just_written_has_not_drifted() {
    let (folder, out) = written("fresh");
    let (entry, code) = checked(&folder, &out);
    assert_eq!(
        (code, &entry["status"]),
        (0, &json!("unchanged")),
        "{entry:#}"
    );
}

#[test]
fn an_object_that_was_opened_by_hand_fails() {
    let (folder, out) = written("opened");
    let mut value = read(&file(&out));
    let schema = &mut value["function"]["parameters"];
    schema
        .as_object_mut()
        .expect("a schema")
        .remove("additionalProperties");
    write(&file(&out), &value);
    let (entry, code) = checked(&folder, &out);
    assert_eq!(
        (code, &entry["status"]),
        (1, &json!("drifted")),
        "{entry:#}"
    );
    let drift = &entry["drift"];
    assert_eq!(drift["cause"], "edited");
    assert_eq!(
        drift["differences"][0]["pointer"],
        "/function/parameters/additionalProperties"
    );
    // And what it does: a member that the source refuses gets through.
    assert_eq!(drift["counterexample"]["direction"], "wider", "{drift:#}");
    assert_eq!(drift["counterexample"]["keyword"], "additionalProperties");
}

#[test]
fn siblings_that_override_a_reference_fail_with_a_value() {
    let (folder, out) = written("overriding");
    let mut value = read(&file(&out));
    let lines = &mut value["function"]["parameters"]["properties"]["lines"];
    assert_eq!(
        (&lines["minItems"], &lines["maxItems"]),
        (&json!(1), &json!(9))
    );
    lines.as_object_mut().expect("a schema").remove("minItems");
    write(&file(&out), &value);
    let (entry, code) = checked(&folder, &out);
    let drift = &entry["drift"];
    let at = "/function/parameters/properties/lines/minItems";
    assert_eq!((code, &drift["differences"][0]["pointer"]), (1, &json!(at)));
    assert_eq!(drift["counterexample"]["keyword"], "minItems", "{drift:#}");
    assert_eq!(drift["counterexample"]["source"]["lines"], json!([]));
}

#[test]
fn the_order_of_members_is_no_drift() {
    let (folder, out) = written("reordered");
    let value = read(&file(&out));
    let members = value.as_object().expect("an object").iter().rev();
    let turned: serde_json::Map<_, _> = members
        .map(|(name, it)| (name.clone(), it.clone()))
        .collect();
    write(&file(&out), &Value::Object(turned));
    assert_eq!(checked(&folder, &out).1, 0);
}

#[test]
fn a_source_that_has_changed_is_the_cause() {
    let (folder, out) = written("changed");
    let path = folder.join("schemas/tools/update_order.json");
    let mut tool = read(&path);
    tool["inputSchema"]["properties"]["note"] = json!({"type": "string"});
    write(&path, &tool);
    let (entry, code) = checked(&folder, &out);
    assert_eq!(
        (code, &entry["drift"]["cause"]),
        (1, &json!("source")),
        "{entry:#}"
    );
    let at = "/function/parameters/properties/note";
    let found = entry["drift"]["differences"]
        .as_array()
        .expect("differences");
    assert!(found.iter().any(|it| it["pointer"] == at), "{entry:#}");
}

#[test]
fn projections_that_are_missing_or_left_over_fail() {
    let (folder, out) = written("missing");
    std::fs::rename(file(&out), out.join(TARGET).join("tools/cancel_order.json")).expect("renamed");
    let output = output(&[
        "project",
        &show(&folder),
        "--check",
        &show(&out),
        "--format",
        "json",
    ]);
    assert_eq!(code(&output), 1);
    let report = report(&output);
    let causes: Vec<_> = report["projections"]
        .as_array()
        .expect("projections")
        .iter()
        .map(|entry| {
            (
                entry["name"].as_str(),
                entry["drift"]["differences"][0]["message"].as_str(),
            )
        })
        .collect();
    assert_eq!(
        causes[0],
        (Some("update_order"), Some("no projection is there"))
    );
    assert_eq!(causes[1].0, Some("cancel_order"));
    assert_eq!(report["projections"][1]["drift"]["cause"], "orphan");
}

#[test]
fn a_report_that_says_otherwise_fails() {
    let (folder, out) = written("losses");
    let path = out.join(TARGET).join("losses.json");
    let mut record = read(&path);
    record["items"][0]["losses"] = json!([]);
    write(&path, &record);
    let (entry, code) = checked(&folder, &out);
    assert_eq!(
        (code, &entry["status"]),
        (1, &json!("drifted")),
        "{entry:#}"
    );
    let said = entry["drift"]["differences"][0]["message"]
        .as_str()
        .expect("a message");
    assert!(said.contains("losses.json"), "{said}");
}
