//! The formats of a report: each is well-formed, and says what the others say.

use rstest::rstest;
use serde_json::Value;

use crate::program::{DAMAGED, Folder, INVALID, Run, UNKNOWN, VALID, WARNING};
use crate::support::root;

/// A run over documents of every verdict, with names that formats have to escape.
fn run(format: &str) -> Run {
    let folder = Folder::with(&[
        ("valid.json", VALID),
        ("warning, 50%.json", WARNING),
        ("in|valid & <more>.json", INVALID),
        ("damaged.json", DAMAGED),
        ("unknown.json", UNKNOWN),
    ]);
    let files = [
        "valid.json",
        "warning, 50%.json",
        "in|valid & <more>.json",
        "damaged.json",
        "unknown.json",
        "gone.json",
    ];
    folder.run(["check", "--format", format].iter().chain(&files))
}

#[rstest]
fn the_exit_code_does_not_depend_on_the_format(
    #[values("text", "json", "sarif", "junit", "github", "markdown")] format: &str,
) {
    let run = run(format);
    assert_eq!((run.code, run.stderr.as_str()), (2, ""));
    assert!(run.stdout.ends_with('\n'), "{}", run.stdout);
    assert!(!run.stdout.contains('\u{1b}'), "colour in a pipe");
}

#[test]
fn json_is_of_its_published_schema() {
    let schema = std::fs::read_to_string(root().join("docs/schemas/check.schema.json")).unwrap();
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let validator = jsonschema::options().offline().build(&schema).unwrap();
    let report = run("json").json();
    let errors: Vec<_> = validator
        .iter_errors(&report)
        .map(|error| error.to_string())
        .collect();
    assert!(errors.is_empty(), "{errors:#?}");
    let found: Vec<_> = crate::program::verdicts(&report);
    let expected = [
        "valid",
        "warning",
        "invalid",
        "invalid",
        "unreadable",
        "unreadable",
    ];
    assert_eq!(found, expected);
    let documents = &report["summary"]["documents"];
    let counts = ["valid", "warning", "invalid", "unreadable"].map(|verdict| &documents[verdict]);
    assert_eq!(counts, [1, 1, 2, 2]);
}

#[test]
fn json_says_where() {
    let report = run("json").json();
    let diagnostic = &report["documents"][1]["diagnostics"][0];
    assert_eq!(diagnostic["rule"], "mcp.tool.schema.default");
    assert_eq!(
        diagnostic["pointer"],
        "/tools/0/inputSchema/properties/count/default"
    );
    assert_eq!(
        (&diagnostic["line"], &diagnostic["column"]),
        (&2.into(), &58.into())
    );
    let damaged = &report["documents"][3]["diagnostics"][0];
    assert_eq!(damaged["rule"], "json.syntax");
    assert_eq!(
        (&damaged["line"], &damaged["column"]),
        (&1.into(), &28.into())
    );
}

#[test]
fn sarif_reads_as_sarif() {
    let run = run("sarif");
    serde_json::from_str::<serde_sarif::sarif::Sarif>(&run.stdout).unwrap();
    let value = run.json();
    assert_eq!(value["version"], "2.1.0");
    let results = value["runs"][0]["results"].as_array().unwrap();
    let levels: Vec<_> = results
        .iter()
        .map(|result| result["level"].as_str().unwrap())
        .collect();
    assert_eq!(levels, ["warning", "error", "error"]);
}

#[test]
fn junit_reads_as_junit() {
    let run = run("junit");
    let report = quick_junit::Report::deserialize_from_str(&run.stdout).unwrap();
    assert_eq!(report.test_suites.len(), 6);
    assert_eq!(
        report.errors, 2,
        "what cannot be read is an error, not a failure"
    );
}

#[test]
fn github_commands_are_one_a_line() {
    let run = run("github");
    let commands: Vec<_> = run
        .stdout
        .lines()
        .filter(|line| line.starts_with("::"))
        .collect();
    assert_eq!(commands.len(), 5, "{}", run.stdout);
    for command in &commands {
        let (head, message) = command[2..].split_once("::").unwrap();
        assert!(
            head.starts_with("error ") || head.starts_with("warning "),
            "{command}"
        );
        assert!(head.contains("file=") && !message.is_empty(), "{command}");
    }
    assert!(
        commands[0].contains("file=warning%2C 50%25.json,"),
        "{}",
        commands[0]
    );
}

#[test]
fn markdown_tables_are_rectangular() {
    let run = run("markdown");
    let mut width = None;
    let mut rows = 0;
    for line in run.stdout.lines() {
        if !line.starts_with('|') {
            width = None;
            continue;
        }
        let cells = line.replace("\\|", "").matches('|').count();
        assert_eq!(*width.get_or_insert(cells), cells, "{line}");
        rows += 1;
    }
    assert!(rows > 6, "{}", run.stdout);
}

#[test]
fn text_names_the_rule_the_place_and_the_help() {
    let run = run("text");
    for part in [
        "error[mcp.tool.input-schema.required]",
        "--> in|valid & <more>.json:1:12",
        "warning[mcp.tool.schema.default]",
        "error[json.syntax]",
        "checked 6 documents",
        "1 valid, 1 warning, 2 invalid, 2 unreadable",
    ] {
        assert!(run.stdout.contains(part), "{part}: {}", run.stdout);
    }
}
