//! `certify --compare` and several outputs, through the real program.

use std::fs;
use std::path::Path;
use std::process::Output;

use assert_cmd::cargo::cargo_bin;
use mcp_conform::certify::{Certificate, Verdict};
use serde_json::Value;
use tempfile::TempDir;

use crate::sample::{faithful, loose, timid};

fn run(folder: &Path, words: &[&str]) -> Output {
    std::process::Command::new(cargo_bin!("mcp-conform"))
        .args(words)
        .current_dir(folder)
        .output()
        .expect("the program runs")
}

fn said(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn keep(folder: &Path, name: &str, certificate: &Certificate) {
    let text = serde_json::to_string(certificate).expect("it can be written");
    fs::write(folder.join(name), text).expect("a file can be written");
}

/// A folder with a.json, b.json and c.json.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, certificate) in [
        ("a.json", faithful()),
        ("b.json", loose()),
        ("c.json", timid()),
    ] {
        keep(folder.path(), name, &certificate);
    }
    folder
}

#[test]
fn certificates_go_side_by_side() {
    let folder = folder();
    let compare = ["certify", "--compare", "a.json", "b.json", "c.json"];
    let text = run(folder.path(), &compare);
    assert_eq!(text.status.code(), Some(0), "{}", said(&text.stderr));
    assert!(text.stderr.is_empty());
    assert!(said(&text.stdout).contains("faithful"));
    let mut words = compare.to_vec();
    words.extend([
        "--output", "s.md", "--output", "s.html", "--output", "s.json",
    ]);
    let files = run(folder.path(), &words);
    assert_eq!(files.status.code(), Some(0), "{}", said(&files.stderr));
    assert!(files.stdout.is_empty());
    for (file, mark) in [
        ("s.md", "# Scoreboard"),
        ("s.html", "<!doctype html>"),
        ("s.json", "\"sameSuite\": true"),
    ] {
        let written = fs::read_to_string(folder.path().join(file)).expect(file);
        assert!(written.contains(mark), "{file}");
    }
    let page = fs::read_to_string(folder.path().join("s.md")).expect("the page");
    assert!(page.contains("mcp-conform certify --compare a.json b.json c.json --format html"));
}

#[test]
fn the_same_certificates_give_the_same_bytes() {
    let folder = folder();
    let words = [
        "certify",
        "--compare",
        "a.json",
        "b.json",
        "--format",
        "html",
    ];
    assert_eq!(
        run(folder.path(), &words).stdout,
        run(folder.path(), &words).stdout
    );
}

#[test]
fn what_weighs_is_on_stderr_too() {
    let folder = folder();
    let mut partial = loose();
    partial.complete = false;
    partial.suite.sha256 = "0".repeat(64);
    keep(folder.path(), "b.json", &partial);
    let words = [
        "certify",
        "--compare",
        "a.json",
        "b.json",
        "--output",
        "s.md",
    ];
    let compared = run(folder.path(), &words);
    assert_eq!(compared.status.code(), Some(0));
    let page = fs::read_to_string(folder.path().join("s.md")).expect("the page");
    for part in ["of different suites", "loose: the run was interrupted"] {
        assert!(said(&compared.stderr).contains(part));
        assert!(page.contains(part), "{page}");
    }
    assert!(page.contains("| loose (partial) |"));
}

#[test]
fn what_is_no_certificate_ends_with_2_and_says_which_file() {
    let folder = folder();
    fs::write(folder.path().join("listing.json"), "{\"tools\": []}").expect("written");
    fs::write(folder.path().join("cut.json"), "{\"implementation\": {").expect("written");
    for (file, why) in [
        ("none.json", "none.json: No such file"),
        ("listing.json", "listing.json: is not a certificate"),
        ("cut.json", "cut.json: is not JSON"),
        (".", ".: Is a directory"),
    ] {
        let words = ["certify", "--compare", "a.json", file, "--output", "s.md"];
        let refused = run(folder.path(), &words);
        assert_eq!(refused.status.code(), Some(2), "{file}");
        let error = said(&refused.stderr);
        assert!(error.contains(why), "{error}");
        assert!(!folder.path().join("s.md").exists(), "nothing is written");
    }
}

#[test]
fn what_does_not_go_with_a_comparison_ends_with_2() {
    let folder = folder();
    for words in [
        &["--format", "junit"][..],
        &["--format", "badge"],
        &["--output", "s.xml"],
        &["--gate", "result"],
        &["--case", "result/search-tickets#structured_bad_enum"],
        &["--generate", "5"],
        &["--", "./adapter"],
        &["--format", "html", "--format", "json"],
    ] {
        let mut all = vec!["certify", "--compare", "a.json", "b.json"];
        all.extend(words);
        let refused = run(folder.path(), &all);
        assert_eq!(refused.status.code(), Some(2), "{words:?}");
        assert!(refused.stdout.is_empty(), "{words:?}");
    }
    let many = vec!["a.json"; 65];
    let mut words = vec!["certify", "--compare"];
    words.extend(many);
    let refused = run(folder.path(), &words);
    assert_eq!(refused.status.code(), Some(2));
    assert!(said(&refused.stderr).contains("at most 64"));
}

#[test]
fn certificates_in_which_nothing_was_judged_end_with_4() {
    let folder = folder();
    let mut idle = faithful();
    for case in &mut idle.cases {
        case.verdict = Verdict::Skipped;
    }
    keep(folder.path(), "idle.json", &idle);
    let compared = run(folder.path(), &["certify", "--compare", "idle.json"]);
    assert_eq!(compared.status.code(), Some(4));
}

#[test]
fn one_run_writes_several_formats() {
    let folder = tempfile::tempdir().expect("a folder");
    let words = ["certify", "--gate", "state", "--output", "c.html"];
    let more = ["--output", "c.json", "--output", "c.xml", "--output", "-"];
    let mut all = words.to_vec();
    all.extend(more);
    all.extend([
        "--format", "html", "--format", "json", "--format", "junit", "--format", "badge",
    ]);
    let certified = run(folder.path(), &all);
    assert_eq!(
        certified.status.code(),
        Some(0),
        "{}",
        said(&certified.stderr)
    );
    let badge: Value = serde_json::from_slice(&certified.stdout).expect("a badge");
    assert_eq!(badge["message"], "strict");
    for (file, mark) in [
        ("c.html", "<!doctype html>"),
        ("c.json", "\"levels\""),
        ("c.xml", "<testsuites"),
    ] {
        let written = fs::read_to_string(folder.path().join(file)).expect(file);
        assert!(written.contains(mark), "{file}");
    }
    // One place that cannot be written keeps no other from being written.
    let words = [
        "certify",
        "--gate",
        "state",
        "--output",
        "none/c.html",
        "--output",
        "d.md",
    ];
    let certified = run(folder.path(), &words);
    assert_eq!(certified.status.code(), Some(2));
    assert!(said(&certified.stderr).contains("none/c.html"));
    assert!(folder.path().join("d.md").exists());
}
