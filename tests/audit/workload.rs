//! The audit workload, scaled down, against the engine on plain values.

use std::process::Command;
use std::sync::atomic::AtomicBool;

use mcp_conform::audit::{Audit, Options};
use serde_json::Value;

use crate::logs;
use crate::support::shared;

#[test]
fn the_workload_is_judged_as_the_engine_judges_plain_values() {
    let Some(perf) = shared("perf") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let script = std::fs::canonicalize(perf.join("gen.py")).unwrap();
    let made = Command::new("python3")
        .arg(script)
        .args(["600", "20000"])
        .current_dir(&folder)
        .output();
    assert!(made.expect("python3").status.success());
    let listing = std::fs::read_to_string(folder.path().join("tools.json")).unwrap();
    let listing: Value = serde_json::from_str(&listing).unwrap();
    let log = std::fs::read(folder.path().join("results.jsonl")).unwrap();

    let named = listing["tools"].as_array().unwrap().iter().map(|tool| {
        let options = jsonschema::options()
            .offline()
            .should_validate_formats(false);
        let validator = options.build(&tool["outputSchema"]).unwrap();
        (tool["name"].as_str().unwrap(), validator)
    });
    let validators: std::collections::HashMap<_, _> = named.collect();
    let expected: Vec<_> = log
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| {
            let record: Value = serde_json::from_slice(line).unwrap();
            let validator = &validators[record["tool"].as_str().unwrap()];
            validator.is_valid(&record["result"]["structuredContent"])
        })
        .collect();

    let (tools, interrupt) = (logs::of(&listing), AtomicBool::new(false));
    let mut options = Options::default();
    options.stream.threads = 2;
    let mut audit = Audit::new(&tools, options, &interrupt);
    let mut found = Vec::new();
    audit
        .log("results.jsonl", log.as_slice(), |record| {
            found.push(record.verdict.as_str() == "fits");
            Ok(())
        })
        .unwrap();
    assert_eq!(found, expected);
    let report = audit.report();
    let fits = expected.iter().filter(|fits| **fits).count() as u64;
    assert_eq!((report.fits, report.does_not_fit), (fits, 20_000 - fits));
    assert_eq!(report.branches.validate_root.records, 20_000);
}
