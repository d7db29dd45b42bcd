//! Audits that are stopped, and logs that hardly end.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use assert_cmd::cargo::cargo_bin;
use serde_json::{Value, json};

use crate::folder::{FITS, Folder};

/// The program on a log that does not end until it is told to.
fn started(folder: &Folder, format: &str) -> std::process::Child {
    let mut child = folder
        .command(&[
            "-",
            "--tools",
            "listing.json",
            "--threads",
            "1",
            "--format",
            format,
        ])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let lines = format!("{FITS}\n").repeat(100_000);
    child
        .stdin
        .as_mut()
        .unwrap()
        .write_all(lines.as_bytes())
        .unwrap();
    child
}

fn signal(child: &std::process::Child, name: &str) {
    let id = child.id().to_string();
    assert!(
        Command::new("kill")
            .args([name, &id])
            .status()
            .unwrap()
            .success()
    );
}

#[test]
fn an_interrupted_audit_says_that_it_is_not_complete() {
    let folder = Folder::new();
    let mut child = started(&folder, "json");
    signal(&child, "-INT");
    // It notices where it goes on; the pipe may close under it.
    let _ = child
        .stdin
        .take()
        .unwrap()
        .write_all(format!("{FITS}\n").repeat(100_000).as_bytes());
    let output = child.wait_with_output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(report["complete"], false);
    assert!(report["records"].as_u64().unwrap() < 200_000);
}

#[test]
fn a_killed_audit_writes_no_report() {
    let folder = Folder::new();
    for format in ["json", "text", "markdown"] {
        let child = started(&folder, format);
        signal(&child, "-KILL");
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), None);
        assert!(output.stdout.is_empty(), "{format}: {:?}", output.stdout);
    }
}

#[test]
fn an_endless_line_costs_no_memory_and_no_other_line() {
    let folder = Folder::new();
    let script = format!(
        "ulimit -v 1048576; {{ head -c 300000000 /dev/zero | tr '\\0' 7; printf '\\n%s\\n' '{FITS}'; }} | \
         \"$0\" audit - --tools listing.json --threads 1 --format json"
    );
    let start = Instant::now();
    let output = Command::new("sh")
        .args(["-c", &script])
        .arg(cargo_bin("mcp-conform"))
        .current_dir(folder.path(""))
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&report["damaged"], &report["fits"]),
        (&json!(1), &json!(1))
    );
    assert!(
        start.elapsed() < Duration::from_secs(120),
        "{:?}",
        start.elapsed()
    );
}
