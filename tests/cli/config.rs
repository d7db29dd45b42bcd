//! `mcp-conform.toml`: where it is looked for, and what it can say.

use rstest::rstest;
use serde_json::json;

use crate::program::{Folder, INVALID, VALID, WARNING, rules, verdicts};

const OFF: &str = "[rules]\n\"mcp.tool.schema.default\" = \"off\"\n";

#[test]
fn the_configuration_is_found_upwards_from_each_file() {
    let folder = Folder::with(&[
        ("mcp-conform.toml", OFF),
        ("servers/desk/tools.json", WARNING),
        ("servers/strict/mcp-conform.toml", "deny-warnings = true"),
        ("servers/strict/tools.json", WARNING),
    ]);
    let quiet = folder.run(["check", "--format", "json", "servers/desk"]);
    assert_eq!((verdicts(&quiet.json()), quiet.code), (vec!["valid"], 0));
    // The nearest one counts, alone.
    let strict = folder.run(["check", "--format", "json", "servers/strict"]);
    assert_eq!(
        (verdicts(&strict.json()), strict.code),
        (vec!["warning"], 1)
    );
}

#[test]
fn each_file_of_a_run_has_its_own() {
    let folder = Folder::with(&[
        ("a/mcp-conform.toml", "deny-warnings = true"),
        ("a/tools.json", VALID),
        ("b/tools.json", WARNING),
        ("c/mcp-conform.toml", OFF),
        ("c/tools.json", WARNING),
    ]);
    let run = folder.run(["check", "--format", "json", "."]);
    // Warnings are denied to a, which has none, and not to b.
    assert_eq!(
        (verdicts(&run.json()), run.code),
        (vec!["valid", "warning", "valid"], 0)
    );
}

#[test]
fn the_configuration_is_found_from_within_a_folder_too() {
    let folder = Folder::with(&[("mcp-conform.toml", OFF), ("a/b/tools.json", WARNING)]);
    let mut program = folder.program();
    program.current_dir(folder.path().join("a/b"));
    let run = crate::program::finish(program.args(["check", "--format", "json", "tools.json"]));
    assert_eq!(verdicts(&run.json()), ["valid"]);
}

#[test]
fn standard_input_takes_the_configuration_of_the_folder() {
    let folder = Folder::with(&[("mcp-conform.toml", OFF)]);
    let mut program = folder.program();
    let run = crate::program::finish(program.args(["check", "-"]).write_stdin(WARNING));
    assert!(run.stdout.contains("1 valid"), "{}", run.stdout);
}

#[test]
fn a_named_configuration_replaces_what_would_be_found() {
    let folder = Folder::with(&[
        ("mcp-conform.toml", "this is not read"),
        ("ci/strict.toml", "deny-warnings = true"),
        ("tools.json", WARNING),
    ]);
    let run = folder.run(["check", "--config", "ci/strict.toml", "tools.json"]);
    assert_eq!(run.code, 1, "{run:#?}");
    assert!(run.stdout.contains("1 warning"), "{}", run.stdout);
}

#[test]
fn the_command_line_has_the_last_word() {
    let toml = "protocol = [\"2025-06-18\"]\n[rules]\n\"mcp.tool.schema.default\" = \"off\"\n";
    let folder = Folder::with(&[("mcp-conform.toml", toml), ("tools.json", WARNING)]);
    let rule = "mcp.tool.schema.default=error";
    let report = folder.report(&["--rule", rule, "--protocol", "2026-07-28", "tools.json"]);
    assert_eq!(
        report["documents"][0]["verdicts"],
        json!({"2026-07-28": "invalid"})
    );
}

#[test]
fn the_protocol_can_be_settled() {
    let toml = "protocol = [\"2025-11-25\", \"2026-07-28\"]";
    let folder = Folder::with(&[("mcp-conform.toml", toml), ("tools.json", VALID)]);
    let verdicts = &folder.report(&["tools.json"])["documents"][0]["verdicts"];
    assert_eq!(
        verdicts,
        &json!({"2025-11-25": "valid", "2026-07-28": "valid"})
    );
}

#[rstest]
#[case::levels("levels = 2", "mcp.tool.schema.bounds")]
#[case::subschemas("subschemas = 2", "mcp.tool.schema.bounds")]
#[case::expanded("expanded = 2", "mcp.tool.schema.bounds")]
#[case::enum_members("enum-members = 2", "mcp.tool.schema.bounds")]
#[case::pattern_chars("pattern-chars = 2", "mcp.tool.schema.bounds")]
#[case::depth("depth = 3", "json.bounds")]
#[case::bytes("bytes = 64", "json.bounds")]
fn bounds_can_be_lowered(#[case] bound: &str, #[case] rule: &str) {
    let listing = r#"{"tools": [{"name": "ping", "inputSchema": {"type": "object", "properties": {
      "level": {"enum": [1, 2, 3]}, "name": {"type": "string", "pattern": "^[a-z]+$",
      "anyOf": [{"minLength": 1}]}}}}]}"#;
    let folder = Folder::with(&[("tools.json", listing)]);
    assert_eq!(verdicts(&folder.report(&["tools.json"])), ["valid"]);
    folder.write("mcp-conform.toml", &format!("[bounds]\n{bound}\n"));
    let report = folder.report(&["tools.json"]);
    assert_eq!(rules(&report["documents"][0]), [rule]);
}

const EXCEPTION: &str = r#"
[[exceptions]]
path = "legacy/**"
rule = "mcp.tool.input-schema.required"
severity = "off"
reason = "The old gateway fills it in; see ticket 4711."
"#;

#[test]
fn an_exception_holds_for_its_paths_alone() {
    let folder = Folder::with(&[
        ("mcp-conform.toml", EXCEPTION),
        ("legacy/v1/tools.json", INVALID),
        ("tools.json", INVALID),
    ]);
    assert_eq!(verdicts(&folder.report(&["."])), ["valid", "invalid"]);
    // Paths are relative to the configuration, wherever the program is started.
    let mut program = folder.program();
    program.current_dir(folder.path().join("legacy"));
    let run = crate::program::finish(program.args(["check", "v1/tools.json"]));
    assert_eq!(run.code, 0, "{run:#?}");
}

#[rstest]
#[case::no_reason(
    "[[exceptions]]\npath = \"a\"\nrule = \"json.syntax\"\nseverity = \"off\"\n",
    "reason"
)]
#[case::a_blank_reason(
    "[[exceptions]]\npath = \"a\"\nrule = \"json.syntax\"\nseverity = \"off\"\nreason = \" \"\n",
    "needs a reason"
)]
#[case::a_bad_glob(
    "[[exceptions]]\npath = \"[\"\nrule = \"json.syntax\"\nseverity = \"off\"\nreason = \"x\"\n",
    "glob"
)]
#[case::an_unknown_rule("[rules]\n\"mcp.tool.shap\" = \"off\"\n", "mcp.tool.shap")]
#[case::an_unknown_severity("[rules]\n\"json.syntax\" = \"loud\"\n", "loud")]
#[case::an_unknown_version("protocol = [\"2025-06-19\"]", "2025-06-19")]
#[case::no_version("protocol = []", "no version")]
#[case::an_unknown_member("deny_warnings = true", "deny_warnings")]
#[case::a_raised_depth("[bounds]\ndepth = 500\n", "127")]
#[case::a_raised_size("[bounds]\nbytes = 900000000\n", "lowered")]
#[case::no_toml("rules = [", "mcp-conform.toml")]
fn a_wrong_configuration_is_refused(#[case] toml: &str, #[case] word: &str) {
    let folder = Folder::with(&[("mcp-conform.toml", toml), ("tools.json", VALID)]);
    let run = folder.run(["check", "tools.json"]);
    assert_eq!(run.code, 2, "{run:#?}");
    assert_eq!(run.stdout, "");
    assert!(
        run.stderr.contains("mcp-conform.toml") && run.stderr.contains(word),
        "{}",
        run.stderr
    );
}
