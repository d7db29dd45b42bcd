//! `check`: exit codes, verdicts by version, and the options that change them.

use rstest::rstest;
use serde_json::json;

use crate::program::{DAMAGED, Folder, INVALID, UNKNOWN, VALID, WARNING, rules, verdicts};

#[rstest]
#[case::valid(VALID, "valid", 0)]
#[case::warnings_do_not_fail(WARNING, "warning", 0)]
#[case::invalid(INVALID, "invalid", 1)]
#[case::damaged_text(DAMAGED, "invalid", 1)]
#[case::an_unknown_kind(UNKNOWN, "unreadable", 2)]
fn the_exit_code_is_the_verdicts(#[case] text: &str, #[case] verdict: &str, #[case] code: i32) {
    let folder = Folder::with(&[("document.json", text)]);
    let run = folder.run(["check", "--format", "json", "document.json"]);
    assert_eq!(run.code, code);
    assert_eq!(run.json()["verdict"], verdict);
    assert_eq!(run.stderr, "", "everything is in the report");
}

#[test]
fn the_worst_of_several_documents_decides() {
    let folder = Folder::with(&[
        ("valid.json", VALID),
        ("warning.json", WARNING),
        ("invalid.json", INVALID),
        ("unknown.json", UNKNOWN),
    ]);
    let code = |files: &[&str]| folder.run(["check"].iter().chain(files)).code;
    assert_eq!(code(&["valid.json", "warning.json"]), 0);
    assert_eq!(code(&["warning.json", "invalid.json"]), 1);
    assert_eq!(code(&["unknown.json", "invalid.json"]), 2);
}

#[test]
fn a_missing_file_is_reported_among_the_others() {
    let folder = Folder::with(&[("invalid.json", INVALID), ("valid.json", VALID)]);
    let args = [
        "check",
        "--format",
        "json",
        "valid.json",
        "gone.json",
        "invalid.json",
    ];
    let run = folder.run(args);
    assert_eq!(run.code, 2);
    let report = run.json();
    assert_eq!(verdicts(&report), ["valid", "unreadable", "invalid"]);
    assert_eq!(report["documents"][1]["kind"], json!(null));
    let reason = report["documents"][1]["reason"].as_str().unwrap();
    assert!(reason.starts_with("cannot be read"), "{reason}");
}

#[test]
fn nothing_to_judge_is_told_apart() {
    let folder = Folder::with(&[("notes.txt", "no document")]);
    let run = folder.run(["check", "."]);
    assert_eq!(run.code, 4);
}

#[rstest]
#[case::no_path(&["check"])]
#[case::an_unknown_option(&["check", "--strict", "a.json"])]
#[case::an_unknown_version(&["check", "--protocol", "2025-06-19", "a.json"])]
#[case::an_unknown_kind(&["check", "--kind", "table", "a.json"])]
#[case::an_unknown_format(&["check", "--format", "xml", "a.json"])]
#[case::something_else_denied(&["check", "--deny", "errors", "a.json"])]
#[case::an_unknown_rule(&["check", "--rule", "mcp.tool.shap=off", "a.json"])]
#[case::an_unknown_severity(&["check", "--rule", "mcp.tool.shape=info", "a.json"])]
#[case::a_rule_without_a_severity(&["check", "--rule", "mcp.tool.shape", "a.json"])]
#[case::stdin_twice(&["check", "-", "-"])]
#[case::a_missing_configuration(&["check", "--config", "gone.toml", "a.json"])]
#[case::an_unknown_command(&["lint", "a.json"])]
#[case::no_command(&[])]
fn a_wrong_command_line_says_so_and_judges_nothing(#[case] args: &[&str]) {
    let folder = Folder::with(&[("a.json", VALID)]);
    let run = folder.run(args);
    assert_eq!(run.code, 2, "{run:#?}");
    assert_eq!(run.stdout, "", "stdout is for reports");
    assert!(!run.stderr.is_empty());
}

#[test]
fn a_wrong_rule_id_points_to_the_list() {
    let folder = Folder::with(&[("a.json", VALID)]);
    let run = folder.run(["check", "--rule", "mcp.tool.shap=off", "a.json"]);
    assert!(run.stderr.contains("mcp.tool.shap;"), "{}", run.stderr);
    assert!(run.stderr.contains("rules list"), "{}", run.stderr);
}

#[test]
fn warnings_can_be_denied() {
    let folder = Folder::with(&[("warning.json", WARNING), ("valid.json", VALID)]);
    assert_eq!(
        folder
            .run(["check", "--deny", "warnings", "warning.json"])
            .code,
        1
    );
    assert_eq!(
        folder
            .run(["check", "--deny", "warnings", "valid.json"])
            .code,
        0
    );
    // The verdict is what it is.
    let report = folder.report(&["--deny", "warnings", "warning.json"]);
    assert_eq!(report["verdict"], "warning");
}

#[rstest]
#[case("off", "valid", 0)]
#[case("warn", "warning", 0)]
#[case("error", "invalid", 1)]
fn a_rule_can_be_switched_off_or_weighed_anew(
    #[case] level: &str,
    #[case] verdict: &str,
    #[case] code: i32,
) {
    let folder = Folder::with(&[("a.json", INVALID)]);
    let rule = format!("mcp.tool.input-schema.required={level}");
    let run = folder.run(["check", "--format", "json", "--rule", &rule, "a.json"]);
    assert_eq!(
        (run.json()["verdict"].as_str().unwrap(), run.code),
        (verdict, code)
    );
}

#[test]
fn a_rule_made_an_error_stays_out_of_versions_on_which_it_does_not_apply() {
    let listing = r#"{"tools": [{"name": "no spaces", "inputSchema": {"type": "object"}}]}"#;
    let folder = Folder::with(&[("a.json", listing)]);
    let report = folder.report(&["--rule", "mcp.tool.name.format=error", "a.json"]);
    let expected = json!({"2025-06-18": "valid", "2025-11-25": "invalid", "2026-07-28": "invalid"});
    assert_eq!(report["documents"][0]["verdicts"], expected);
}

#[test]
fn the_asked_protocol_counts_whatever_the_document_says() {
    let exchange = r#"{"protocolVersions": ["2025-06-18"],
      "tool": {"name": "list", "inputSchema": {"type": "object"}, "outputSchema": {"type": "array"}}}"#;
    let folder = Folder::with(&[("a.json", exchange)]);
    let on = |args: &[&str]| folder.report(args)["documents"][0]["verdicts"].clone();
    assert_eq!(on(&["a.json"]), json!({"2025-06-18": "invalid"}));
    assert_eq!(
        on(&["a.json", "--protocol", "2026-07-28"]),
        json!({"2026-07-28": "valid"})
    );
    let two = [
        "a.json",
        "--protocol",
        "2026-07-28",
        "--protocol",
        "2025-11-25",
    ];
    assert_eq!(
        on(&two),
        json!({"2025-11-25": "invalid", "2026-07-28": "valid"})
    );
}

#[test]
fn a_kind_can_be_forced() {
    let text = r#"{"tools": [], "result": {"content": "none"}}"#;
    let folder = Folder::with(&[("a.json", text)]);
    let kind = |args: &[&str]| folder.report(args)["documents"][0].clone();
    assert_eq!(kind(&["a.json"])["kind"], "listing");
    let forced = kind(&["a.json", "--kind", "exchange"]);
    assert_eq!(forced["kind"], "exchange");
    assert_eq!(rules(&forced), ["mcp.result.shape"]);
    // A file that is no exchange does not become one.
    let folder = Folder::with(&[("a.json", VALID)]);
    let run = folder.run(["check", "--kind", "exchange", "a.json"]);
    assert_eq!(run.code, 2);
}

#[rstest]
#[case::a_number("message", "7")]
#[case::an_empty_batch("message", "[]")]
#[case::a_text("listing", "\"tools\"")]
#[case::an_array("exchange", "[]")]
#[case::no_messages("transcript", "[]")]
fn what_cannot_be_of_the_forced_kind_is_unreadable(#[case] kind: &str, #[case] text: &str) {
    let folder = Folder::with(&[("a.json", text)]);
    let run = folder.run(["check", "--format", "json", "--kind", kind, "a.json"]);
    assert_eq!(run.code, 2);
    assert_eq!(run.json()["verdict"], "unreadable");
}

/// A root of an outputSchema, and what the three versions make of it.
#[rstest]
#[case::array(r#"{"type": "array", "items": {"type": "string"}}"#, ["invalid", "invalid", "valid"])]
#[case::typeless(r#"{"properties": {"id": {"type": "string"}}}"#, ["invalid", "warning", "valid"])]
#[case::nullable(r#"{"type": ["object", "null"]}"#, ["invalid", "warning", "valid"])]
#[case::object(r#"{"type": "object"}"#, ["valid", "valid", "valid"])]
fn output_roots_are_judged_by_version(#[case] root: &str, #[case] expected: [&str; 3]) {
    let tool = format!(
        r#"{{"name": "list", "inputSchema": {{"type": "object"}}, "outputSchema": {root}}}"#
    );
    let folder = Folder::with(&[
        ("listing.json", &format!(r#"{{"tools": [{tool}]}}"#)),
        ("exchange.json", &format!(r#"{{"tool": {tool}}}"#)),
    ]);
    let report = folder.report(&["listing.json", "exchange.json"]);
    for document in report["documents"].as_array().unwrap() {
        let verdicts = &document["verdicts"];
        let found = ["2025-06-18", "2025-11-25", "2026-07-28"].map(|version| &verdicts[version]);
        assert_eq!(found, expected, "{document:#}");
    }
}

#[test]
fn help_and_version_are_no_errors() {
    let folder = Folder::with(&[]);
    let version = folder.run(["--version"]);
    let expected = format!("mcp-conform {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!((version.code, version.stdout), (0, expected));
    for args in [&["--help"][..], &["check", "--help"], &["rules", "--help"]] {
        let help = folder.run(args);
        assert_eq!(help.code, 0);
        assert!(help.stdout.contains("Usage"), "{args:?}");
    }
}
