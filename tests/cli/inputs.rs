//! Which files are read: standard input, directories, many at once, names that are no text.

use std::path::Path;

use serde_json::{Value, json};

use crate::program::{Folder, INVALID, UNKNOWN, VALID, WARNING, finish, paths, verdicts};

#[test]
fn standard_input_is_a_dash() {
    let folder = Folder::with(&[("a.json", VALID)]);
    let mut program = folder.program();
    let run = finish(
        program
            .args(["check", "--format", "json", "-", "a.json"])
            .write_stdin(INVALID),
    );
    assert_eq!(run.code, 1);
    let report = run.json();
    assert_eq!(paths(&report), ["-", "a.json"]);
    assert_eq!(verdicts(&report), ["invalid", "valid"]);
}

#[test]
fn a_transcript_is_known_on_standard_input_too() {
    let folder = Folder::with(&[]);
    let lines = concat!(
        r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}"#,
        "\n",
        r#"{"jsonrpc": "2.0", "id": 1, "result": {"tools": "none"}}"#,
        "\n",
    );
    let mut program = folder.program();
    let run = finish(
        program
            .args(["check", "--format", "json", "-"])
            .write_stdin(lines),
    );
    assert_eq!(run.json()["documents"][0]["kind"], "transcript");
    assert_eq!(run.code, 1);
}

#[test]
fn no_input_at_all_is_damaged_text() {
    let folder = Folder::with(&[]);
    let run = finish(folder.program().args(["check", "-"]).write_stdin(""));
    assert_eq!(run.code, 1);
    assert!(run.stdout.contains("json.syntax"), "{}", run.stdout);
}

#[test]
fn a_directory_is_walked_in_a_stable_order_and_every_document_has_an_entry() {
    let yaml = "tools:\n  - name: ping\n    inputSchema: {type: object}\n";
    let line = r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}"#;
    let folder = Folder::with(&[
        ("servers/b.json", WARNING),
        ("servers/a/z.yaml", yaml),
        ("servers/a/log.jsonl", line),
        ("servers/B.yml", yaml),
        ("servers/c/package.json", UNKNOWN),
        // What is no document is passed over.
        ("servers/README.md", "# Servers"),
        ("servers/.cache/old.json", INVALID),
        ("servers/node_modules/x/y.json", INVALID),
    ]);
    let report = folder.report(&["servers"]);
    let expected = [
        "servers/B.yml",
        "servers/a/log.jsonl",
        "servers/a/z.yaml",
        "servers/b.json",
        "servers/c/package.json",
    ];
    assert_eq!(paths(&report), expected);
    assert_eq!(
        verdicts(&report),
        ["valid", "valid", "valid", "warning", "unreadable"]
    );
    // The argument is joined with what is found below it, as it was written.
    assert_eq!(
        paths(&folder.report(&["./servers/a/"])),
        ["./servers/a/log.jsonl", "./servers/a/z.yaml"]
    );
}

#[test]
fn arguments_keep_their_order() {
    let folder = Folder::with(&[("z.json", VALID), ("a/1.json", VALID), ("m.json", VALID)]);
    let report = folder.report(&["z.json", "a", "m.json", "z.json"]);
    assert_eq!(paths(&report), ["z.json", "a/1.json", "m.json", "z.json"]);
}

#[test]
fn a_named_file_needs_no_extension_of_ours() {
    let folder = Folder::with(&[("listing", VALID), (".hidden.json", INVALID)]);
    let report = folder.report(&["listing", ".hidden.json"]);
    assert_eq!(verdicts(&report), ["valid", "invalid"]);
}

/// Documents of every verdict, enough of them to keep several threads busy.
fn many() -> Vec<(String, &'static str)> {
    let texts = [VALID, WARNING, INVALID, UNKNOWN, "{\"tools\": [,]}"];
    (0..60)
        .map(|index| (format!("{index:02}.json"), texts[index % texts.len()]))
        .collect()
}

#[test]
fn many_files_in_parallel_say_what_each_says_alone() {
    let files = many();
    let files: Vec<_> = files
        .iter()
        .map(|(name, text)| (name.as_str(), *text))
        .collect();
    let folder = Folder::with(&files);
    let names: Vec<_> = files.iter().map(|(name, _)| *name).collect();
    let together = folder.report(&names);
    let alone: Vec<Value> = names
        .iter()
        .map(|name| folder.report(&[name])["documents"][0].clone())
        .collect();
    assert_eq!(together["documents"], json!(alone));
    for threads in ["1", "2", "7"] {
        let mut program = folder.program();
        program.env("RAYON_NUM_THREADS", threads);
        let run = finish(program.args(["check", "--format", "json", "."]));
        let again = run.stdout.replace("\"./", "\"");
        assert_eq!(
            serde_json::from_str::<Value>(&again).unwrap(),
            together,
            "{threads} threads"
        );
    }
}

#[cfg(unix)]
#[test]
fn a_name_that_is_no_text_is_read_like_another() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let folder = Folder::with(&[]);
    let name = OsStr::from_bytes(b"r\xe9sum\xe9.json");
    folder.write(Path::new(name), INVALID);
    let missing = OsStr::from_bytes(b"gone\xff.json");
    for format in ["text", "json", "sarif", "junit", "github", "markdown"] {
        let format = OsStr::new(format);
        let args = [OsStr::new("check"), OsStr::new("--format"), format];
        assert_eq!(folder.run(args.iter().chain([&name])).code, 1);
        assert_eq!(folder.run(args.iter().chain([&OsStr::new(".")])).code, 1);
        assert_eq!(folder.run(args.iter().chain([&missing])).code, 2);
    }
    let odd = OsStr::from_bytes(b"mcp.tool.shape=\xff");
    let rule = [OsStr::new("check"), OsStr::new("--rule"), odd, name];
    assert_eq!(folder.run(rule).code, 2);
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_reached_is_reported() {
    let folder = Folder::with(&[("a/valid.json", VALID)]);
    std::os::unix::fs::symlink("nowhere.json", folder.path().join("a/dangling.json")).unwrap();
    let report = folder.report(&["a"]);
    assert_eq!(paths(&report), ["a/dangling.json", "a/valid.json"]);
    assert_eq!(verdicts(&report), ["unreadable", "valid"]);
}

/// A pipe in a folder has no end: nobody writes into it.
#[cfg(unix)]
#[test]
fn a_pipe_in_a_directory_is_passed_over() {
    let folder = Folder::with(&[("servers/a.json", VALID)]);
    let pipe = folder.path().join("servers/b.json");
    let made = std::process::Command::new("mkfifo").arg(pipe).status();
    assert!(made.is_ok_and(|status| status.success()));
    assert_eq!(paths(&folder.report(&["servers"])), ["servers/a.json"]);
}
