//! The drivers of `adapters/live`: what their README promises, held against their files.

mod support;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

const README: &str = include_str!("../adapters/live/README.md");
const FINDINGS: &str = include_str!("../docs/live-findings.md");
const IDS: &str = include_str!("../corpus/ids.lock");
const RUN: &str = include_str!("../adapters/live/run.sh");
const NODE: &str = include_str!("../adapters/live/node/package.json");
const RUST: &str = include_str!("../adapters/live/rust/Cargo.toml");

fn live() -> std::path::PathBuf {
    support::root().join("adapters/live")
}

/// A row of the README's table: the driver, its file, the package and the version.
struct Row<'t> {
    name: &'t str,
    file: &'t str,
    package: &'t str,
    version: &'t str,
}

fn rows() -> Vec<Row<'static>> {
    README
        .lines()
        .filter(|line| line.starts_with("| ["))
        .map(|line| {
            let (name, rest) = line[3..].split_once("](").expect("a link to the driver");
            let (file, rest) = rest.split_once(") | ").expect("the link ends");
            let (_, rest) = rest.split_once('[').expect("a link to the package");
            let (package, rest) = rest.split_once("](").expect("the package's address");
            let (_, rest) = rest.split_once(") ").expect("the version follows");
            let version = rest.split(' ').next().expect("a word");
            Row {
                name,
                file,
                package,
                version,
            }
        })
        .collect()
}

#[test]
fn the_table_says_what_is_pinned() {
    let node: Value = serde_json::from_str(NODE).expect("JSON");
    let rows = rows();
    assert_eq!(rows.len(), 9, "nine clients");
    for Row {
        name,
        file,
        package,
        version,
    } in rows
    {
        let pinned = match file.split('/').next() {
            Some("node") => node["dependencies"][package] == json!(version),
            Some("python") => {
                let path = live().join(format!("python/requirements/{name}.txt"));
                let requirements = fs::read_to_string(path).expect("its requirements");
                requirements
                    .lines()
                    .any(|line| line == format!("{package}=={version}"))
            }
            _ => RUST.contains(&format!("{package} = {{ version = \"={version}\"")),
        };
        assert!(pinned, "{name}: {package} {version} is not what is pinned");
    }
}

#[test]
fn every_driver_is_in_the_table_and_in_the_script() {
    let tabled: BTreeSet<String> = rows().iter().map(|row| row.file.to_owned()).collect();
    let mut found = BTreeSet::from(["rust/src/main.rs".to_owned()]);
    for folder in ["node", "python"] {
        for entry in fs::read_dir(live().join(folder)).expect("the folder") {
            let path = entry.expect("an entry").path();
            let is_code = path
                .extension()
                .is_some_and(|kind| kind == "mjs" || kind == "py");
            if is_code && path.file_stem().is_some_and(|stem| stem != "sessions") {
                let file = path.strip_prefix(live()).expect("it is below");
                found.insert(file.display().to_string());
            }
        }
    }
    assert_eq!(tabled, found);
    let all = RUN
        .lines()
        .find_map(|line| line.strip_prefix("all=("))
        .expect("the list");
    let listed: BTreeSet<&str> = all.trim_end_matches(')').split(' ').collect();
    assert_eq!(listed, rows().iter().map(|row| row.name).collect());
}

#[test]
fn a_driver_reads_in_one_sitting() {
    for file in rows()
        .iter()
        .map(|row| row.file)
        .chain(["node/sessions.mjs", "python/sessions.py"])
    {
        let lines = fs::read_to_string(live().join(file))
            .expect("a driver")
            .lines()
            .count();
        assert!(lines <= 100, "{file} has {lines} lines");
    }
}

#[test]
fn the_lines_have_a_schema_that_tells_them_apart() {
    let text = fs::read_to_string(live().join("driver.json")).expect("the schema");
    let schema: Value = serde_json::from_str(&text).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let shown: Vec<Value> = README
        .split("```json")
        .skip(1)
        .flat_map(|block| block.split("```").next().expect("a block").lines())
        .filter(|line| !line.trim().is_empty())
        .map(|line| serde_json::from_str(line).expect("a line of JSON"))
        .collect();
    assert_eq!(shown.len(), 3, "two calls and an end");
    for line in &shown {
        assert!(validator.is_valid(line), "{line}");
    }
    let wrong = [
        json!({"tool": "t1"}),
        json!({"tool": "t1", "outcome": "fine"}),
        json!({"tool": "t1", "outcome": "value", "delivered": {"count": 3}}),
        json!({"tool": "t1", "outcome": "error", "delivered": "3"}),
        json!({"end": false}),
        json!({"end": true, "client": {"name": "mine"}}),
        json!({"target": []}),
    ];
    for line in &wrong {
        assert!(!validator.is_valid(line), "{line}");
    }
}

#[test]
fn every_baseline_belongs_to_a_client_and_gives_reasons() {
    let names: BTreeSet<String> = rows()
        .iter()
        .flat_map(|row| ["stdio", "http"].map(|transport| format!("{}-{transport}.yaml", row.name)))
        .collect();
    let folder = live().join("baselines");
    for entry in fs::read_dir(&folder).expect("the folder") {
        let path = entry.expect("an entry").path();
        let name = path
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        assert!(names.contains(&name), "{name} belongs to no client");
        reasons_in(&path);
    }
}

#[test]
fn the_findings_name_cases_and_clients_that_exist() {
    let ids: BTreeSet<&str> = IDS.split_whitespace().collect();
    let names: BTreeSet<&str> = rows().iter().map(|row| row.name).collect();
    let mut found = 0;
    for line in FINDINGS
        .lines()
        .filter(|line| line.starts_with("| ") && line.contains('#'))
    {
        let id = line
            .split('`')
            .find(|word| word.contains('/') && word.contains('#'))
            .expect("a case");
        assert!(ids.contains(id), "{id} is no case of the corpus");
        let clients = line.rsplit(" | ").next().expect("the last column");
        let named = names.iter().any(|name| clients.contains(name));
        let counted = ["all nine", "the four on Node"]
            .iter()
            .any(|word| clients.contains(word));
        assert!(named || counted, "{id}: {clients}");
        found += 1;
    }
    assert!(found > 30, "{found} findings");
}

/// Each entry's reason is a sentence that somebody wrote: what `--write-baseline` puts there is what
/// was expected and what came, which explains nothing.
fn reasons_in(path: &Path) {
    let text = fs::read_to_string(path).expect("a baseline");
    let entries: Vec<Value> = serde_saphyr::from_str(&text).expect("YAML");
    assert!(!entries.is_empty(), "{} is empty", path.display());
    for entry in entries {
        let reason = entry["reason"].as_str().expect("a reason");
        assert!(reason.ends_with('.'), "{}: {entry}", path.display());
    }
}
