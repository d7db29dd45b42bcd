//! Holds the corpus together: suites, their schema, their neighbours, and the ids that stay.

mod support;

use std::collections::BTreeSet;

use mcp_conform::corpus::{Corpus, Coverage, Expected, GateName, Level, line, new_suite};
use mcp_conform::rules::RULES;
use mcp_conform::schema::{Bounds, Instance, Judgement, Schema};
use serde_json::Value;
use support::root;

fn corpus() -> Corpus {
    Corpus::embedded().expect("the corpus can be read")
}

/// Compares the ids in `path` with `ids`. A published id never goes; `UPDATE_IDS=1` adds new ones.
fn locked(path: &str, ids: impl Iterator<Item = String>) {
    let path = root().join(path);
    let ids: BTreeSet<_> = ids.collect();
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    let locked: BTreeSet<_> = written.lines().map(str::to_owned).collect();
    let gone: Vec<_> = locked.difference(&ids).collect();
    assert!(
        gone.is_empty(),
        "published ids have disappeared from {}: {gone:?}",
        path.display()
    );
    let text: String = ids.iter().map(|id| format!("{id}\n")).collect();
    if std::env::var_os("UPDATE_IDS").is_some() {
        std::fs::write(&path, &text).expect("the lock can be written");
    } else {
        assert!(
            written == text,
            "{} is not up to date; run UPDATE_IDS=1 cargo test --test corpus",
            path.display()
        );
    }
}

#[test]
fn ids_of_cases_stay() {
    locked(
        "corpus/ids.lock",
        corpus().cases().map(|case| case.id.clone()),
    );
}

#[test]
fn ids_of_rules_stay() {
    locked(
        "rules/ids.lock",
        RULES.iter().map(|rule| rule.id.to_owned()),
    );
}

#[test]
fn every_suite_fits_the_suite_schema() {
    let read = |path: &std::path::Path| -> Value {
        let text = std::fs::read_to_string(path).expect("the file is there");
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let schema = read(&root().join("corpus/suite.schema.json"));
    let compiled = Schema::new(&schema, Bounds::default())
        .compiled()
        .expect("it is a schema");
    let fits = |name: &str, suite: &Value| match compiled.judge(Instance::plain(suite)) {
        Judgement::Fits => {}
        other => panic!("{name}: {other:?}"),
    };
    for suite in &corpus().suites {
        let path = root().join("corpus").join(format!("{}.json", suite.name));
        fits(&suite.name, &read(&path));
    }
    for gate in GateName::ALL
        .into_iter()
        .filter(|gate| *gate != GateName::Wire)
    {
        let suite = serde_json::from_str(&new_suite(gate, "new-suite")).expect("it is JSON");
        fits("a new suite", &suite);
    }
}

#[test]
fn the_folder_and_the_program_hold_the_same_corpus() {
    let read = Corpus::read(&root().join("corpus")).expect("the corpus can be read");
    assert_eq!(read.identity, corpus().identity);
    assert_eq!(read.cases().count(), corpus().cases().count());
}

#[test]
fn every_rejected_case_has_an_accepted_neighbour() {
    for suite in &corpus().suites {
        for case in &suite.cases {
            for version in case.versions().iter() {
                let expected = case.on(version).expect("a version of its own");
                if expected.answer == Expected::Accept {
                    continue;
                }
                let name = case.neighbour.as_deref().unwrap_or_default();
                let neighbour = suite.cases.iter().find(|other| other.name() == name);
                let neighbour = neighbour.unwrap_or_else(|| panic!("{}: no case {name}", case.id));
                let accepts = neighbour.expect.iter().flatten();
                let mut accepts = accepts.filter(|expected| expected.answer == Expected::Accept);
                assert!(
                    accepts.next().is_some(),
                    "{}: {name} is never accepted",
                    case.id
                );
            }
        }
    }
}

#[test]
fn the_corpus_is_as_large_as_it_is_said_to_be() {
    let corpus = corpus();
    assert!(corpus.cases().count() >= 400);
    let coverage = Coverage::of(&corpus);
    assert!(coverage.alone.is_empty(), "{:?}", coverage.alone);
    assert!(coverage.expected(Expected::Reject, Level::Must) > 300);
    assert!(
        coverage.untried.is_empty(),
        "no case rejects by {:?}",
        coverage.untried
    );
}

#[test]
fn an_exported_line_holds_all_that_a_runner_needs() {
    let corpus = corpus();
    let suite = corpus
        .suites
        .iter()
        .find(|suite| suite.name == "result/search-tickets")
        .expect("an old suite");
    let case = suite
        .cases
        .iter()
        .find(|case| case.name() == "structured_bad_enum")
        .expect("an old case");
    let line = line(suite, case);
    let text = |pointer: &str| {
        line.pointer(pointer)
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    assert_eq!(text("/id"), "result/search-tickets#structured_bad_enum");
    assert_eq!(text("/gate"), "result");
    assert_eq!(text("/expect/2026-07-28/verdict"), "reject");
    assert_eq!(text("/expect/2026-07-28/keyword"), "enum");
    assert_eq!(text("/expect/2026-07-28/reasons/0"), "structured-mismatch");
    for member in ["tool", "result"] {
        let input = text(&format!("/input/{member}"));
        assert!(serde_json::from_str::<Value>(&input).is_ok_and(|value| value.is_object()));
    }
}

#[test]
fn a_damaged_suite_is_named_with_its_fault() {
    let folder = tempfile();
    for (text, fault) in [
        ("{", "EOF"),
        (
            r#"{"suite":"result/other","description":"d","source":["s"],"cases":{}}"#,
            "not its path",
        ),
        (
            r#"{"suite":"result/a","description":"d","source":["s"],"cases":{"c":{"expect":"maybe","level":"must"}}}"#,
            "c: `expect`",
        ),
        (
            r#"{"suite":"result/a","description":"d","source":["s"],"tools":{},"cases":{"c":{"expect":"accept","level":"must","tool_ref":"t.outputSchema"}}}"#,
            "no tool has the key t",
        ),
        (
            r#"{"suite":"result/a","description":"d","source":["s"],"tools":{"t":{}},"cases":{"c":{"expect":"reject","because":["mcp.none"],"level":"must","tool_ref":"t.outputSchema","result":{}}}}"#,
            "no rule has the id",
        ),
    ] {
        std::fs::create_dir_all(folder.join("result")).expect("a folder");
        std::fs::write(folder.join("result/a.json"), text).expect("a file");
        let damaged = Corpus::read(&folder).expect_err(text).to_string();
        assert!(
            damaged.contains("result/a.json") && damaged.contains(fault),
            "{damaged}"
        );
    }
    std::fs::remove_dir_all(&folder).expect("the folder goes");
    assert!(Corpus::read(&folder).is_err());
}

fn tempfile() -> std::path::PathBuf {
    let name = format!("mcp-conform-corpus-{}", std::process::id());
    std::env::temp_dir().join(name)
}
