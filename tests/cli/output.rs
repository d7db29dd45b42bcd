//! What the program does with its output: colour, and a reader that goes away.

use std::process::{Command, Stdio};

use rstest::rstest;

use crate::program::{Folder, INVALID, VALID};

#[test]
fn colour_can_be_asked_for_and_refused() {
    let folder = Folder::with(&[("a.json", INVALID)]);
    let colored = |args: &[&str]| {
        let run = folder.run(["check", "a.json"].iter().chain(args));
        run.stdout.contains('\u{1b}')
    };
    assert!(!colored(&[]), "a pipe is no terminal");
    assert!(!colored(&["--color", "never"]));
    assert!(colored(&["--color", "always"]));
    assert!(
        !colored(&["--color", "always", "--format", "json"]),
        "only text has colour"
    );
}

#[test]
fn what_is_asked_for_outweighs_the_environment() {
    let folder = Folder::with(&[("a.json", INVALID)]);
    let mut program = folder.program();
    program.env("NO_COLOR", "1");
    let run = crate::program::finish(program.args(["check", "--color", "always", "a.json"]));
    assert!(run.stdout.contains('\u{1b}'));
}

/// Runs the program on a terminal of its own, which `script` of util-linux makes.
#[cfg(target_os = "linux")]
fn on_a_terminal(folder: &Folder, no_color: Option<&str>) -> Option<String> {
    let line = format!("{} check a.json", env!("CARGO_BIN_EXE_mcp-conform"));
    let mut command = Command::new("script");
    command.args(["--quiet", "--return", "--command", &line, "/dev/null"]);
    command
        .current_dir(folder.path())
        .env_remove("NO_COLOR")
        .stdin(Stdio::null());
    if let Some(value) = no_color {
        command.env("NO_COLOR", value);
    }
    match command.output() {
        Ok(output) => Some(String::from_utf8_lossy(&output.stdout).into_owned()),
        Err(error) => {
            eprintln!("SKIPPED: no terminal without `script`: {error}");
            None
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_terminal_has_colour_unless_no_color_is_set() {
    let folder = Folder::with(&[("a.json", INVALID)]);
    for (no_color, expected) in [(None, true), (Some(""), true), (Some("1"), false)] {
        let Some(shown) = on_a_terminal(&folder, no_color) else {
            return;
        };
        assert!(shown.contains("mcp.tool.input-schema.required"), "{shown}");
        assert_eq!(
            shown.contains("\u{1b}["),
            expected,
            "NO_COLOR {no_color:?}: {shown}"
        );
    }
}

/// Runs the program with a standard output that nobody reads.
fn unread(folder: &Folder, args: &[&str]) -> (Option<i32>, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_mcp-conform"))
        .args(args)
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    (
        output.status.code(),
        String::from_utf8(output.stderr).unwrap(),
    )
}

#[rstest]
#[case::text(&["check", "bad"], 1)]
#[case::json(&["check", "--format", "json", "bad"], 1)]
#[case::sarif(&["check", "--format", "sarif", "bad"], 1)]
#[case::junit(&["check", "--format", "junit", "bad"], 1)]
#[case::markdown(&["check", "--format", "markdown", "bad"], 1)]
#[case::valid(&["check", "--verbose", "good"], 0)]
#[case::audit(&["audit", "--tools", "tools.json", "log.jsonl"], 1)]
#[case::list(&["rules", "list"], 0)]
#[case::list_as_json(&["rules", "list", "--format", "json"], 0)]
#[case::explain(&["rules", "explain", "mcp.tool.shape"], 0)]
#[case::completions(&["completions", "bash"], 0)]
fn a_closed_output_is_no_error_and_the_verdict_stays(#[case] args: &[&str], #[case] code: i32) {
    let folder = Folder::with(&[]);
    for index in 0..200 {
        folder.write(format!("bad/{index}.json"), INVALID);
        folder.write(format!("good/{index}.json"), VALID);
    }
    folder.write(
        "tools.json",
        r#"{"tools": [{"name": "a", "outputSchema": {"required": ["x"]}}]}"#,
    );
    let line = r#"{"tool": "a", "result": {"content": [], "structuredContent": {}}}"#;
    folder.write("log.jsonl", line);
    // Whether the pipe is closed before the program writes is a race; both ends are fine.
    assert_eq!(unread(&folder, args), (Some(code), String::new()));
}
