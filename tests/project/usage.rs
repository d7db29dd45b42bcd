//! The command as its users meet it: what goes where, and what is said of bad input.

use serde_json::{Value, json};

use crate::program::{code, folder, json as value, output, text};
use crate::support::root;

fn seed(path: &str) -> String {
    root()
        .join("examples/catalogue/schemas")
        .join(path)
        .display()
        .to_string()
}

#[test]
fn the_projection_of_a_file_goes_to_stdout_and_its_losses_to_stderr() {
    let output = output(&[
        "project",
        &seed("tools/create_refund.json"),
        "--to",
        "openai-strict",
    ]);
    assert_eq!(code(&output), 0);
    let shown = value(&output);
    assert_eq!(shown["function"]["name"], "create_refund");
    assert_eq!(shown["function"]["strict"], true);
    let said = text(&output.stderr);
    assert!(
        said.contains("dropped   wider    /inputSchema/properties/note/maxLength"),
        "{said}"
    );
    assert!(said.contains("inputSchema: proved on "), "{said}");
}

#[test]
fn a_schema_becomes_a_structured_output() {
    let output = output(&[
        "project",
        &seed("handoffs/triage_to_billing.json"),
        "--to",
        "openai-strict",
    ]);
    let shown = value(&output);
    assert_eq!(shown["type"], "json_schema");
    assert_eq!(shown["json_schema"]["name"], "triage_to_billing");
    assert_eq!(
        shown["json_schema"]["schema"]["additionalProperties"],
        false
    );
}

#[test]
fn a_listing_becomes_the_list_that_a_request_carries() {
    let listing = root().join("examples/tickets.json").display().to_string();
    let output = output(&["project", &listing, "--to", "anthropic"]);
    let shown = value(&output);
    let names: Vec<_> = shown
        .as_array()
        .expect("tools")
        .iter()
        .map(|tool| &tool["name"])
        .collect();
    assert_eq!(names.len(), 2, "{shown:#}");
    assert!(shown[0]["input_schema"].is_object());
}

#[test]
fn a_refusal_exits_1_and_says_where() {
    let output = output(&[
        "project",
        &seed("tools/search_tickets.json"),
        "--to",
        "mcp@2025-11-25",
    ]);
    assert_eq!(code(&output), 1);
    assert_eq!(value(&output), Value::Null);
    assert!(
        text(&output.stderr).contains("at /outputSchema/type"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn a2a_carries_schemas_in_an_extension() {
    let output = output(&["project", &seed("tools/find_ticket.json"), "--to", "a2a"]);
    let shown = value(&output);
    assert_eq!(shown["skills"][0]["id"], "find_ticket");
    assert_eq!(
        shown["skills"][0]["inputModes"],
        json!(["application/json"])
    );
    let params = &shown["capabilities"]["extensions"][0]["params"]["find_ticket"];
    assert_eq!(
        params["output"]["required"],
        json!(["id", "title", "status", "assignee"])
    );
}

#[test]
fn every_target_is_listed_with_its_source() {
    let output = output(&["project", "--targets"]);
    assert_eq!(code(&output), 0);
    let said = text(&output.stdout);
    for name in [
        "mcp@2025-06-18",
        "openai-strict",
        "a2a",
        "gemini",
        "anthropic-strict",
    ] {
        assert!(said.contains(name), "{said}");
    }
    assert!(
        said.contains("https://platform.openai.com/docs/guides/structured-outputs"),
        "{said}"
    );
}

#[test]
fn bad_command_lines_and_files_are_usage_errors() {
    let folder = folder("usage");
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).expect("it can be written");
        path.display().to_string()
    };
    let broken = write("broken.json", "{\"type\": ");
    let other = write("other.json", "{\"hello\": 1}");
    let tool = seed("tools/create_refund.json");
    let cases: [(&[&str], &str); 5] = [
        (
            &[&tool, "--to", "openai"],
            "unknown target \"openai\"; known are mcp@2025-06-18",
        ),
        (
            &["no-such-file.json", "--to", "gemini"],
            "no-such-file.json: cannot be read",
        ),
        (&[&broken, "--to", "gemini"], "broken.json: 1:"),
        (
            &[&other, "--to", "gemini"],
            "a tool or a schema will do, too",
        ),
        (
            &[&tool, "--check", "no-such-folder"],
            "no target's projections are there",
        ),
    ];
    for (words, said) in cases {
        let output = output(&[&["project"], words].concat());
        assert_eq!(code(&output), 2, "{words:?}");
        let stderr = text(&output.stderr);
        assert!(stderr.contains(said), "{words:?}: {stderr}");
        assert!(output.stdout.is_empty(), "{words:?}");
    }
}

#[test]
fn a_schema_that_cannot_judge_is_refused_with_the_reason() {
    let folder = folder("unusable");
    let cases = [
        (
            json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/gone"}}}),
            "at /inputSchema/properties/a/$ref: the reference leads nowhere",
        ),
        (
            json!({"type": "object", "properties": {"a": {"$ref": "https://example.com/a.json"}}}),
            "at /inputSchema/properties/a/$ref: the reference leads out of the document",
        ),
        (
            json!({"type": "object", "properties": {"a": {"type": "text"}}}),
            "at /inputSchema/properties/a/type: it is no valid schema",
        ),
        (
            json!({"$schema": "https://example.com/dialect", "type": "object"}),
            "at /inputSchema: its dialect is not supported",
        ),
    ];
    for (input, said) in cases {
        let path = folder.join("tool.json");
        let tool = json!({"name": "t", "inputSchema": input});
        std::fs::write(&path, tool.to_string()).expect("it can be written");
        let path = path.display().to_string();
        let output = output(&[
            "project",
            &path,
            "--to",
            "openai-strict",
            "--format",
            "text",
        ]);
        assert_eq!(code(&output), 1, "{input}");
        assert!(
            text(&output.stdout).contains(said),
            "{}",
            text(&output.stdout)
        );
    }
}

#[test]
fn a_job_summary_names_what_is_lost() {
    let output = output(&[
        "project",
        &seed("tools/create_refund.json"),
        "--to",
        "openai-strict",
        "--format",
        "markdown",
    ]);
    let said = text(&output.stdout);
    assert!(said.starts_with("## ✅ mcp-conform project"), "{said}");
    assert!(
        said.contains("| dropped | wider | `/inputSchema/properties/note/maxLength` |"),
        "{said}"
    );
}
