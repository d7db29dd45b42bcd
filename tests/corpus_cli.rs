//! `corpus` and the adapters to start from, through the real program.

#[path = "support/program.rs"]
mod running;
mod support;

use std::collections::BTreeMap;
use std::path::Path;

use running::{code, folder, output, program, text};
use serde_json::Value;

#[test]
fn an_adapter_to_start_from_is_written_once() {
    let folder = folder("init");
    let path = folder.to_str().expect("a plain path");
    for (language, file) in [
        ("python", "python/adapter.py"),
        ("node", "node/adapter.mjs"),
        ("rust", "rust/src/main.rs"),
    ] {
        let folder = folder.join(language);
        let path = format!("{path}/{language}");
        let run = output(&["certify", "--init", language, "--output", &path]);
        assert_eq!(code(&run), 0, "{}", text(&run.stderr));
        assert!(folder.join(file).is_file() && folder.join("protocol.json").is_file());
        let again = output(&["certify", "--init", language, "--output", &path]);
        assert_eq!(code(&again), 2);
    }
    std::fs::remove_dir_all(folder).expect("the folder goes");
}

/// `UPDATE_ADAPTERS=1` writes the bundle anew.
#[test]
fn the_program_carries_the_reference_adapters() {
    let adapters = support::root().join("adapters");
    let read = |path: &Path| std::fs::read_to_string(path).expect("an adapter is text");
    let mut bundle = BTreeMap::new();
    for language in ["node", "python", "rust"] {
        let ours = |entry: &walkdir::DirEntry| {
            let left_out = ["node_modules", "target", "__pycache__"];
            !left_out.iter().any(|name| entry.file_name() == *name)
        };
        let shared = adapters.join("protocol.json");
        let walk = walkdir::WalkDir::new(adapters.join(language))
            .into_iter()
            .filter_entry(ours);
        let files = walk.flatten().filter(|entry| entry.file_type().is_file());
        let files: BTreeMap<String, String> = files
            .map(walkdir::DirEntry::into_path)
            .chain([shared])
            .map(|path| {
                let name = path.strip_prefix(&adapters).expect("it is below");
                (name.to_string_lossy().into_owned(), read(&path))
            })
            .collect();
        bundle.insert(language, files);
    }
    let bundle = serde_json::to_string_pretty(&bundle).expect("texts are JSON") + "\n";
    let path = support::root().join("src/cli/adapters.json");
    if std::env::var_os("UPDATE_ADAPTERS").is_some() {
        std::fs::write(&path, &bundle).expect("the bundle can be written");
    }
    assert!(
        read(&path) == bundle,
        "src/cli/adapters.json is not what adapters/ holds; run UPDATE_ADAPTERS=1 cargo test --test corpus_cli"
    );
}

#[test]
fn a_new_suite_can_be_certified_as_it_is() {
    let folder = folder("new");
    let path = folder.to_str().expect("a plain path");
    for gate in [
        "definition",
        "listing",
        "arguments",
        "result",
        "audit",
        "handoff",
        "state",
    ] {
        let run = output(&["corpus", "new", gate, "order-status", "--corpus", path]);
        assert_eq!(code(&run), 0, "{}", text(&run.stderr));
    }
    let run = output(&["certify", "--corpus", path, "--format", "json"]);
    assert_eq!(code(&run), 0, "{}", text(&run.stdout));
    let again = output(&["corpus", "new", "result", "order-status", "--corpus", path]);
    assert_eq!(code(&again), 2);
    std::fs::remove_dir_all(folder).expect("the folder goes");
}

#[test]
fn a_new_fixture_is_valid_as_it_is() {
    let folder = folder("fixture");
    let run = program(&["corpus", "new", "--fixture", "valid", "order-status"])
        .current_dir(&folder)
        .output();
    assert_eq!(code(&run.expect("the program runs")), 0);
    let file = folder.join("expected-valid/order-status.json");
    let check = output(&["check", file.to_str().expect("a plain path")]);
    assert_eq!(code(&check), 0, "{}", text(&check.stdout));
    std::fs::remove_dir_all(folder).expect("the folder goes");
}

#[test]
fn the_corpus_is_listed_exported_and_counted() {
    let list = output(&["corpus", "list", "--gate", "audit"]);
    assert!(text(&list.stdout).contains("audit/records#complete_2026"));
    let export = output(&["corpus", "export", "--format", "jsonl"]);
    let lines = text(&export.stdout);
    let ids = lines.lines().map(|line| {
        let line: Value = serde_json::from_str(line).expect("each line is JSON");
        line["id"].as_str().expect("an id").to_owned()
    });
    assert!(ids.count() > 1_000);
    let coverage = output(&["corpus", "coverage"]);
    let coverage = text(&coverage.stdout);
    assert!(coverage.contains("what no case catches") && coverage.contains("unevaluatedItems"));
    assert!(coverage.contains("what a single case catches"));
}

/// A case is taken out of a copy of the corpus, and `coverage` says what passes now.
#[test]
fn coverage_says_which_faulty_implementation_a_lost_case_lets_through() {
    let folder = folder("strength");
    let result = folder.join("result");
    std::fs::create_dir_all(&result).expect("a folder");
    let corpus = support::root().join("corpus");
    let suite = std::fs::read_to_string(corpus.join("result/references.json")).expect("a suite");
    let mut suite: Value = serde_json::from_str(&suite).expect("JSON");
    let weakness = serde_json::json!({
        "mutant": "ignores-dynamic-ref",
        "fault": "`$dynamicRef` says nothing",
        "cases": ["result/references#dynamic_ref_fault"],
    });
    let strength = serde_json::json!({"about": "for a test", "mutants": [weakness]});
    std::fs::write(folder.join("strength.json"), strength.to_string()).expect("a file");
    let coverage = |suite: &Value| {
        std::fs::write(result.join("references.json"), suite.to_string()).expect("a file");
        let path = folder.to_str().expect("a plain path");
        let run = output(&["corpus", "coverage", "--corpus", path]);
        assert_eq!(code(&run), 0, "{}", text(&run.stderr));
        text(&run.stdout)
    };
    let line =
        "result/references#dynamic_ref_fault  ignores-dynamic-ref: `$dynamicRef` says nothing";
    let before = coverage(&suite);
    assert!(before.contains(line), "{before}");
    let cases = suite["cases"].as_object_mut().expect("cases");
    cases.remove("dynamic_ref_fault");
    let after = coverage(&suite);
    assert!(!after.contains(line), "{after}");
    assert!(
        after.contains("ignores-dynamic-ref passes, since none of its cases is left"),
        "{after}"
    );
    std::fs::write(folder.join("strength.json"), "{").expect("a file");
    let path = folder.to_str().expect("a plain path");
    let damaged = output(&["corpus", "coverage", "--corpus", path]);
    assert_eq!(code(&damaged), 2);
    assert!(text(&damaged.stderr).contains("strength.json"));
    std::fs::remove_dir_all(folder).expect("the folder goes");
}
