//! The program itself: its formats, its exit codes, and that it never claims more than it did.

use std::io::Write;
use std::process::Stdio;

use flate2::Compression;
use flate2::write::GzEncoder;
use rstest::rstest;
use serde_json::{Value, json};

use crate::folder::{FAILS, FITS, Folder, UNKNOWN};

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

#[rstest]
#[case::all_fits(&[FITS, FITS], 0)]
#[case::one_does_not(&[FITS, FAILS], 1)]
#[case::damaged(&[FITS, "{"], 1)]
#[case::only_damaged(&["{"], 1)]
#[case::some_not_judged(&[FITS, UNKNOWN], 0)]
#[case::none_judged(&[UNKNOWN], 4)]
#[case::empty(&[], 4)]
fn the_exit_code_tells_the_outcome(#[case] lines: &[&str], #[case] code: i32) {
    let folder = Folder::new();
    let log = folder.write("log.jsonl", lines.join("\n").as_bytes());
    for format in ["text", "json", "jsonl", "markdown"] {
        let output = folder.audit(&[&log, "--format", format]);
        assert_eq!(output.status.code(), Some(code), "{format}: {output:?}");
    }
}

#[rstest]
#[case::no_log(&["--tools", "listing.json"])]
#[case::no_tools(&["log.jsonl"])]
#[case::missing_log(&["none.jsonl", "--tools", "listing.json"])]
#[case::folder(&[".", "--tools", "listing.json"])]
#[case::missing_listing(&["log.jsonl", "--tools", "none.json"])]
#[case::damaged_listing(&["log.jsonl", "--tools", "log.jsonl"])]
#[case::unknown_version(&["log.jsonl", "--tools", "listing.json", "--protocol", "2024-01-01"])]
#[case::too_many_threads(&["log.jsonl", "--tools", "listing.json", "--threads", "18446744073709551615"])]
#[case::no_threads(&["log.jsonl", "--tools", "listing.json", "--threads", "0"])]
#[case::records_as_text(&["log.jsonl", "--tools", "listing.json", "--records", "--format", "text"])]
#[case::damaged_archive(&["log.gz", "--tools", "listing.json"])]
#[case::cut_archive(&["cut.gz", "--tools", "listing.json"])]
#[case::merge_and_log(&["log.jsonl", "--merge", "listing.json"])]
#[case::merge_no_report(&["--merge", "listing.json"])]
#[case::merge_half_a_report(&["--merge", "half.json"])]
#[case::stdin_twice(&["-", "-", "--tools", "listing.json"])]
fn a_wrong_command_line_writes_no_report(#[case] arguments: &[&str]) {
    let folder = Folder::new();
    folder.write("log.jsonl", FITS.as_bytes());
    folder.write("log.gz", FITS.as_bytes());
    let whole = gzip(&FITS.repeat(50));
    folder.write("cut.gz", &whole[..whole.len() / 2]);
    let report = folder.json(&["log.jsonl"]).to_string();
    folder.write("half.json", &report.as_bytes()[..report.len() - 9]);
    let output = folder.command(arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
    assert!(!output.stderr.is_empty());
}

#[test]
fn threads_compression_and_standard_input_do_not_show() {
    let folder = Folder::new();
    let lines: Vec<_> = (0..2_000)
        .map(|n| [FITS, FAILS, "", UNKNOWN, "{"][n * n % 5])
        .collect();
    let text = lines.join("\n");
    folder.write("log", text.as_bytes());
    // An archive of two members is one log.
    let (first, second) = text.split_at(text.len() / 3);
    folder.write("log.gz", &[gzip(first), gzip(second)].concat());
    let expected = folder.json(&["log", "--threads", "1"]).to_string();
    for threads in ["1", "2", "3"] {
        assert_eq!(
            folder.json(&["log", "--threads", threads]).to_string(),
            expected
        );
        let compressed = folder.json(&["log.gz", "--threads", threads]).to_string();
        assert_eq!(compressed.replace("log.gz", "log"), expected);
        let mut child = folder
            .command(&[
                "-",
                "--stdin-name",
                "log",
                "--tools",
                "listing.json",
                "--format",
                "json",
            ])
            .args(["--threads", threads])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(text.as_bytes())
            .unwrap();
        let output = child.wait_with_output().unwrap();
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report.to_string(), expected);
    }
}

#[test]
fn records_are_written_one_a_line_in_the_order_of_the_log() {
    let folder = Folder::new();
    folder.write("a.jsonl", [FITS, "", FAILS].join("\n").as_bytes());
    folder.write("b.jsonl", ["{", UNKNOWN].join("\n").as_bytes());
    let output = folder.audit(&["a.jsonl", "--records"]);
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        "{\"line\":1,\"tool\":\"count\",\"branch\":\"validate_root\",\"verdict\":\"fits\",\"rules\":[],\"server\":\"a\"}\n\
         {\"line\":3,\"tool\":\"count\",\"branch\":\"validate_root\",\"verdict\":\"does-not-fit\",\"rules\":[\"mcp.result.structured-content.schema\"],\"server\":\"b\"}\n"
    );
    let output = folder.audit(&["a.jsonl", "b.jsonl", "--records", "--format", "jsonl"]);
    let text = String::from_utf8(output.stdout).unwrap();
    let last: Vec<Value> = text
        .lines()
        .skip(2)
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(
        last,
        [
            json!({"line": 1, "tool": null, "branch": null, "verdict": "damaged", "rules": ["json.syntax"], "log": "b.jsonl"}),
            json!({"line": 2, "tool": "sum", "branch": "missing", "verdict": "not-judged", "rules": ["mcp.call.tool.known"], "log": "b.jsonl"}),
        ]
    );
}

#[test]
fn reports_merge_into_the_report_of_all_logs() {
    let folder = Folder::new();
    folder.write("a.jsonl", [FITS, FAILS, "{"].join("\n").as_bytes());
    folder.write("b.jsonl", [UNKNOWN, FAILS, FAILS].join("\n").as_bytes());
    for name in ["a", "b"] {
        let report = folder.json(&[&format!("{name}.jsonl")]).to_string();
        folder.write(&format!("{name}.json"), report.as_bytes());
    }
    let both = folder.json(&["a.jsonl", "b.jsonl"]);
    let merged = folder
        .command(&["--merge", "a.json", "b.json", "--format", "json"])
        .output()
        .unwrap();
    assert_eq!(merged.status.code(), Some(1));
    assert_eq!(
        serde_json::from_slice::<Value>(&merged.stdout).unwrap(),
        both
    );
}

#[test]
fn reports_are_as_their_schema_says() {
    let schema = include_str!("../../docs/schemas/audit.schema.json");
    let schema: Value = serde_json::from_str(schema).unwrap();
    assert!(jsonschema::meta::is_valid(&schema));
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    let folder = Folder::new();
    folder.write(
        "log.jsonl",
        [FITS, FAILS, "{", UNKNOWN, "[]"].join("\n").as_bytes(),
    );
    folder.write("empty.jsonl", b"");
    for arguments in [&["log.jsonl", "--show-values"][..], &["empty.jsonl"]] {
        let report = folder.json(arguments);
        let errors: Vec<_> = validator
            .iter_errors(&report)
            .map(|error| error.to_string())
            .collect();
        assert!(errors.is_empty(), "{errors:#?}\n{report:#}");
        assert_eq!(report["complete"], true);
    }
    let output = folder.audit(&["log.jsonl", "--records"]);
    let record = json!({"$ref": "#/$defs/record", "$defs": schema["$defs"]});
    let record = jsonschema::draft202012::new(&record).unwrap();
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        assert!(
            record.is_valid(&serde_json::from_str(line).unwrap()),
            "{line}"
        );
    }
}

#[test]
fn people_read_where_what_is_wrong() {
    let folder = Folder::new();
    folder.write(
        "log.jsonl",
        [FITS, FAILS, r#"{"tool":"\u001b[31m","result":{}}"#]
            .join("\n")
            .as_bytes(),
    );
    for format in ["text", "markdown"] {
        let output = folder.audit(&["log.jsonl", "--format", format]);
        let text = String::from_utf8(output.stdout).unwrap();
        let place = "log.jsonl:2; /result/structuredContent/n breaks `type` at /properties/n/type";
        let place = if format == "text" {
            place.to_owned()
        } else {
            place.replace('#', "\\#")
        };
        assert!(text.contains(&place), "{text}");
        assert!(
            text.contains("3 records: 1 fit, 1 do not fit, 1 not judged"),
            "{text}"
        );
        assert!(!text.contains('\u{1b}'), "{text}");
    }
}

#[test]
fn the_tools_of_a_catalogue_judge_a_log() {
    let folder = Folder::new();
    let listing: Value =
        serde_json::from_slice(&std::fs::read(folder.path("listing.json")).unwrap()).unwrap();
    std::fs::create_dir_all(folder.path("team/schemas/tools")).unwrap();
    let mut tool = listing["tools"][0].clone();
    tool["$id"] = json!("https://schemas.example.com/tools/count.json");
    tool["version"] = json!("1.0.0");
    folder.write("team/schemas/tools/count.json", tool.to_string().as_bytes());
    let log = folder.write("log.jsonl", [FITS, FAILS].join("\n").as_bytes());
    let output = folder
        .command(&[&log, "--tools", "team", "--format", "json"])
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["fits"], 1);
    assert_eq!(report["doesNotFit"], 1);
    assert_eq!(output.status.code(), Some(1));
}

/// A pipe can be opened once: whoever writes into it is heard whole.
#[cfg(unix)]
#[test]
fn a_named_pipe_is_a_log() {
    let folder = Folder::new();
    let pipe = folder.path("log.fifo");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.is_ok_and(|status| status.success()));
    let writer = {
        let pipe = pipe.clone();
        std::thread::spawn(move || std::fs::write(pipe, FITS))
    };
    let report = folder.json(&["log.fifo"]);
    assert!(writer.join().is_ok_and(|written| written.is_ok()));
    assert_eq!(
        (&report["records"], &report["fits"]),
        (&json!(1), &json!(1))
    );
}
