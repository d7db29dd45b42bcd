//! The corpus of the guard, as a log: the audit tells the branches and verdicts that it asks of
//! every implementation.

use std::sync::atomic::AtomicBool;

use mcp_conform::audit::{Audit, Options};
use serde_json::{Value, json};

use crate::logs;
use crate::support::root;

#[test]
fn every_case_of_the_corpus_is_told_its_branch() {
    let mut cases = 0;
    for entry in std::fs::read_dir(root().join("corpus/audit")).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        let suite: Value = serde_json::from_str(&text).unwrap();
        let listing = suite["tools"].as_object().unwrap().values().map(|tool| {
            // Tools whose numbers a double would change are kept as text.
            let raw = tool.get("raw").and_then(Value::as_str);
            raw.map_or_else(|| tool.clone(), |text| serde_json::from_str(text).unwrap())
        });
        let tools = logs::of(&json!({"tools": listing.collect::<Vec<_>>()}));
        for (name, case) in suite["cases"].as_object().unwrap() {
            let answers = case["expect"].as_object().unwrap();
            let answer = answers.values().find(|answer| *answer != "n/a").unwrap();
            let tool = case["tool_ref"]
                .as_str()
                .unwrap()
                .split('.')
                .next()
                .unwrap();
            let raw = |plain: &str, raw: &str| match case.get(raw) {
                Some(text) => text.as_str().unwrap().to_owned(),
                None => case[plain].to_string(),
            };
            let (record, body) = (raw("record", "raw_record"), raw("body", "raw_body"));
            let line = format!(r#"{{"tool":"{tool}","record":{record},"result":{body}}}"#);
            let interrupt = AtomicBool::new(false);
            let mut audit = Audit::new(&tools, Options::default(), &interrupt);
            let mut found = Vec::new();
            let log = audit.log(name, line.as_bytes(), |record| {
                found.push((record.branch, record.verdict.as_str()));
                Ok(())
            });
            log.unwrap();
            let [(branch, verdict)] = found[..] else {
                panic!("{name}: {found:?}");
            };
            assert_eq!(branch, case["branch"].as_str(), "{name}");
            assert_eq!(verdict == "fits", answer == "accept", "{name}: {verdict}");
            assert_eq!(
                verdict == "not-judged",
                case["branch"] == "schema",
                "{name}: {verdict}"
            );
            cases += 1;
        }
    }
    assert!(cases > 100, "only {cases} cases");
}
