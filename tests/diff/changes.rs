//! Changes with a known effect, one at a time.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::program::{code, folder, json, output, text};
use crate::support::root;

/// A listing with one tool.
fn listing(input: &Value, output: &Value) -> Value {
    json!({"tools": [{"name": "list_orders", "inputSchema": input, "outputSchema": output}]})
}

fn input() -> Value {
    json!({
        "type": "object",
        "properties": {
            "customer": {"type": "string", "minLength": 1},
            "limit": {"type": "integer", "minimum": 1, "maximum": 100}
        },
        "required": ["customer"],
        "additionalProperties": false
    })
}

fn results() -> Value {
    json!({
        "type": "object",
        "properties": {
            "status": {"enum": ["open", "closed"]},
            "orders": {"type": "array", "items": {"$ref": "#/$defs/order"}}
        },
        "required": ["status", "orders"],
        "additionalProperties": false,
        "$defs": {"order": {
            "type": "object",
            "properties": {"id": {"type": "string", "pattern": "^A-[0-9]+$"}},
            "required": ["id"]
        }}
    })
}

/// The report of a comparison, and the exit code.
fn compare(name: &str, old: &Value, new: &Value) -> (Value, i32) {
    let (before, after) = files(name, old, new);
    let words = ["diff", &before, &after, "--format", "json"];
    let output = output(&words);
    let report = json(&output);
    let schema = include_str!("../../docs/schemas/diff.schema.json");
    let schema: Value = serde_json::from_str(schema).expect("JSON");
    let validator = jsonschema::draft202012::new(&schema).expect("a schema");
    let errors: Vec<_> = validator
        .iter_errors(&report)
        .map(|it| it.to_string())
        .collect();
    assert!(errors.is_empty(), "{errors:#?}\n{report:#}");
    (report, code(&output))
}

fn files(name: &str, old: &Value, new: &Value) -> (String, String) {
    let folder = folder(name);
    let write = |file: &str, value: &Value| {
        let path: PathBuf = folder.join(file);
        std::fs::write(&path, value.to_string()).expect("the folder is there");
        path.display().to_string()
    };
    (write("old.json", old), write("new.json", new))
}

/// The one change of a report.
fn only(report: &Value) -> &Value {
    let changes = report["changes"].as_array().expect("changes");
    assert_eq!(changes.len(), 1, "{report:#}");
    &changes[0]
}

/// The old input and output with one edit each.
fn edited(at: &str, value: &Value) -> (Value, Value) {
    let old = listing(&input(), &results());
    let mut new = old.clone();
    let (parent, last) = at.rsplit_once('/').expect("a pointer");
    let parent = new.pointer_mut(parent).expect("it is there");
    match parent {
        Value::Object(members) => drop(members.insert(last.to_owned(), value.clone())),
        Value::Array(items) => items[last.parse::<usize>().expect("an index")] = value.clone(),
        _ => panic!("no container at {at}"),
    }
    (old, new)
}

#[test]
fn an_output_enum_with_a_further_value_breaks_callers() {
    let at = "/tools/0/outputSchema/properties/status/enum";
    let (old, new) = edited(at, &json!(["open", "closed", "disputed"]));
    let (report, code) = compare("wider-enum", &old, &new);
    assert_eq!(code, 1);
    assert_eq!(report["verdict"], "breaking");
    let change = only(&report);
    assert_eq!(change["pointer"], "/outputSchema/properties/status/enum");
    assert_eq!(change["part"], "result");
    assert_eq!(change["keyword"], "enum");
    assert_eq!(change["decidedBy"], "comparison");
    let example = &change["counterexample"];
    assert_eq!(example["value"]["status"], "disputed", "{change:#}");
    assert_eq!(example["refusedBy"], "old");
    assert_eq!(example["keyword"], "enum");
    assert_eq!(example["pointer"], "/status");
}

#[test]
fn a_new_required_argument_breaks_callers() {
    let at = "/tools/0/inputSchema/required";
    let (old, new) = edited(at, &json!(["customer", "limit"]));
    let (report, code) = compare("new-required", &old, &new);
    assert_eq!(code, 1);
    let change = only(&report);
    assert_eq!(change["verdict"], "breaking");
    assert_eq!(change["pointer"], "/inputSchema/required");
    assert_eq!(change["part"], "arguments");
    let example = &change["counterexample"];
    assert_eq!(example["refusedBy"], "new");
    assert_eq!(example["keyword"], "required");
    assert!(example["value"].get("customer").is_some(), "{change:#}");
    assert!(example["value"].get("limit").is_none(), "{change:#}");
}

#[test]
fn what_callers_may_send_further_breaks_nobody() {
    let cases = [
        (
            "wider-range",
            "/tools/0/inputSchema/properties/limit/maximum",
            json!(500),
            "maximum",
        ),
        (
            "not-required",
            "/tools/0/inputSchema/required",
            json!([]),
            "required",
        ),
        (
            "further-member",
            "/tools/0/inputSchema/properties/since",
            json!({"type": "string"}),
            "properties",
        ),
        (
            "fewer-values",
            "/tools/0/outputSchema/properties/status/enum",
            json!(["open"]),
            "enum",
        ),
    ];
    for (name, at, value, keyword) in cases {
        let (old, new) = edited(at, &value);
        let (report, code) = compare(name, &old, &new);
        assert_eq!(
            (code, &report["verdict"]),
            (0, &json!("compatible")),
            "{name}: {report:#}"
        );
        assert_eq!(only(&report)["keyword"], keyword, "{name}");
        assert!(only(&report).get("counterexample").is_none(), "{name}");
    }
}

#[test]
fn what_breaks_is_named_where_it_is_also_behind_a_reference() {
    let at = "/tools/0/outputSchema/$defs/order/properties/id/pattern";
    let (old, new) = edited(at, &json!("^(A|B)-[0-9]+$"));
    let (report, code) = compare("pattern", &old, &new);
    let change = only(&report);
    // Patterns are not compared; a value shows it.
    assert_eq!(code, 1, "{report:#}");
    assert_eq!(
        change["pointer"],
        "/outputSchema/$defs/order/properties/id/pattern"
    );
    assert_eq!(change["decidedBy"], "counterexample");
    assert_eq!(change["counterexample"]["keyword"], "pattern");
}

#[test]
fn what_neither_side_tells_is_unknown() {
    // The same language, written otherwise: no value can tell the two apart.
    let at = "/tools/0/outputSchema/$defs/order/properties/id/pattern";
    let (old, new) = edited(at, &json!("^A-[0-9][0-9]*$"));
    let (report, exit) = compare("same-language", &old, &new);
    assert_eq!((exit, &report["verdict"]), (0, &json!("unknown")));
    assert_eq!(only(&report)["decidedBy"], "nothing");
    let (before, after) = files("deny-unknown", &old, &new);
    assert_eq!(
        code(&output(&["diff", &before, &after, "--deny", "unknown"])),
        1
    );
}

#[test]
fn tools_that_come_and_go() {
    let old = listing(&input(), &results());
    let mut new = old.clone();
    new["tools"][0]["name"] = json!("find_orders");
    let (report, code) = compare("renamed", &old, &new);
    assert_eq!(code, 1);
    let changes = report["changes"].as_array().expect("changes").iter();
    let verdicts: Vec<_> = changes
        .map(|it| (it["name"].as_str(), it["verdict"].as_str()))
        .collect();
    let expected = [
        (Some("list_orders"), Some("breaking")),
        (Some("find_orders"), Some("compatible")),
    ];
    assert_eq!(verdicts, expected);
}

#[test]
fn a_result_that_is_declared_no_more_breaks_callers() {
    let old = listing(&input(), &results());
    let mut new = old.clone();
    new["tools"][0]
        .as_object_mut()
        .expect("a tool")
        .remove("outputSchema");
    let (report, code) = compare("undeclared", &old, &new);
    assert_eq!(code, 1);
    assert_eq!(only(&report)["pointer"], "/outputSchema");
    let (report, code) = compare("declared", &new, &old);
    assert_eq!((code, &only(&report)["verdict"]), (0, &json!("compatible")));
}

#[test]
fn a_checkpoint_is_written_by_some_and_read_by_others() {
    let old = json!({
        "type": "object",
        "properties": {"step": {"enum": ["approved", "paid"]}, "order": {"type": "string"}},
        "required": ["step", "order"]
    });
    let mut further = old.clone();
    further["properties"]["step"]["enum"] = json!(["approved", "paid", "disputed"]);
    let mut fewer = old.clone();
    fewer["properties"]["step"]["enum"] = json!(["paid"]);
    let (report, code) = compare("further-step", &old, &further);
    assert_eq!(
        (code, &only(&report)["counterexample"]["refusedBy"]),
        (1, &json!("old"))
    );
    let (report, code) = compare("fewer-steps", &old, &fewer);
    assert_eq!(
        (code, &only(&report)["counterexample"]["refusedBy"]),
        (1, &json!("new"))
    );
    assert_eq!(only(&report)["part"], "payload");
}

#[test]
fn a_catalogue_is_as_it_is() {
    let catalogue = root().join("examples/catalogue").display().to_string();
    let output = output(&["diff", &catalogue, &catalogue]);
    assert_eq!(
        (code(&output), text(&output.stdout).as_str()),
        (0, "no change\n")
    );
}

#[test]
fn each_format_says_what_breaks() {
    let at = "/tools/0/inputSchema/required";
    let (old, new) = edited(at, &json!(["customer", "limit"]));
    let (before, after) = files("formats", &old, &new);
    let said = text(&output(&["diff", &before, &after]).stdout);
    assert!(said.starts_with("breaking: tool list_orders, arguments\n  at /inputSchema/required: `limit` is required now"), "{said}");
    assert!(
        said.contains("which the new schema refuses by `required` at the root"),
        "{said}"
    );
    let said = text(&output(&["diff", &before, &after, "--format", "markdown"]).stdout);
    assert!(said.starts_with("## ❌ mcp-conform diff"), "{said}");
    assert!(
        said.contains("| breaking | tool `list_orders` arguments | `/inputSchema/required` |"),
        "{said}"
    );
}

#[test]
fn bad_input_is_said() {
    let folder = folder("bad");
    let path = folder.join("a.json");
    std::fs::write(&path, "{\"tools\": [").expect("the folder is there");
    let path = path.display().to_string();
    let output = output(&["diff", &path, &path]);
    assert_eq!(code(&output), 2);
    assert!(
        text(&output.stderr).contains("a.json: 1:12: "),
        "{}",
        text(&output.stderr)
    );
}
