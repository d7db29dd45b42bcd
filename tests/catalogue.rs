//! Holds the catalogue, the code, the fixtures and the generated files together.

#[path = "support/catalogue.rs"]
mod catalogue;
mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use mcp_conform::corpus::profiles_of;
use mcp_conform::diagnostic::Diagnostic;
use mcp_conform::document::{Document, Unread};
use mcp_conform::protocol::{ProtocolVersion, VersionSet};
use mcp_conform::rules::{
    Checked, Example, Override, Owner, RULES, Rule, Settings, check, check_fault,
};
use mcp_conform::source::{Format, Pointer, Source};
use support::root;

/// `UPDATE_TABLE=1 cargo test --test catalogue` writes the table; without it the test compares.
#[test]
fn the_table_is_generated_from_the_catalogue() {
    let path = root().join("src/rules/table.rs");
    let table = catalogue::table(&catalogue::read());
    if std::env::var_os("UPDATE_TABLE").is_some() {
        std::fs::write(&path, &table).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap();
    assert!(
        written == table,
        "src/rules/table.rs is not what rules/*.yaml say; run UPDATE_TABLE=1 cargo test --test catalogue"
    );
}

fn judge(file: &str, settings: &Settings) -> Checked {
    let settings = &Settings {
        profiles: profiles_of(file).expect("the name's profiles are known"),
        ..settings.clone()
    };
    let path = root().join(file);
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{file}: {error}"));
    let format = Format::of_path(Path::new(file)).expect("an extension of ours");
    let source = Source::from_bytes(file, bytes, format, &settings.limits);
    match Document::read(source, None, &settings.limits) {
        Ok(document) => check(&document, settings),
        Err(Unread::Fault(source, fault)) => check_fault(&source, &fault, settings),
        Err(Unread::Unrecognised(_, why)) => panic!("{file}: {why}"),
    }
}

fn fixtures() -> Vec<String> {
    let mut files = Vec::new();
    for folder in ["expected-valid", "expected-warning", "expected-invalid"] {
        for entry in std::fs::read_dir(root().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if Format::of_path(&path).is_some() {
                files.push(format!("{folder}/{name}"));
            }
        }
    }
    files.sort();
    files
}

/// What `rule` says at or below the fragment of `example`.
fn findings(rule: &Rule, example: &Example) -> Vec<Diagnostic> {
    let settings = Settings {
        protocol: example
            .version
            .map(|version| version.parse::<ProtocolVersion>().unwrap().into()),
        ..Settings::default()
    };
    let fragment = Pointer::from(example.pointer);
    let diagnostics = judge(example.file, &settings).diagnostics.into_iter();
    diagnostics
        .filter(|d| d.rule == rule.id && d.pointer.below(&fragment).is_some())
        .collect()
}

#[test]
fn every_example_is_judged_as_the_catalogue_says() {
    let mut wrong = Vec::new();
    for rule in RULES {
        let examples = &rule.examples;
        for example in examples.valid.iter().chain(examples.not_applicable) {
            if !findings(rule, example).is_empty() {
                wrong.push(format!("{}: finds something in {example:?}", rule.id));
            }
        }
        for example in examples.invalid {
            if findings(rule, example).is_empty() {
                wrong.push(format!("{}: finds nothing in {example:?}", rule.id));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_rule_has_a_right_a_wrong_and_where_it_can_a_not_applicable_example() {
    for rule in RULES {
        let examples = &rule.examples;
        assert!(!examples.valid.is_empty(), "{}: no valid example", rule.id);
        assert!(
            !examples.invalid.is_empty(),
            "{}: no invalid example",
            rule.id
        );
        let has_gaps = rule.severity.iter().any(Option::is_none);
        assert_eq!(
            has_gaps,
            !examples.not_applicable.is_empty(),
            "{}: a rule that some version excludes shows it, and no other",
            rule.id
        );
        for example in examples.not_applicable {
            let version = example.version.expect("a version to show it on");
            let version: ProtocolVersion = version.parse().unwrap();
            assert_eq!(rule.severity(version), None, "{}: applies there", rule.id);
        }
    }
}

#[test]
fn every_rule_is_caught_by_something_that_only_it_catches() {
    let mut only: BTreeMap<&str, usize> = BTreeMap::new();
    for file in fixtures() {
        let checked = judge(&file, &Settings::default());
        let rules: BTreeSet<_> = checked.diagnostics.iter().map(|d| d.rule).collect();
        if let [rule] = rules.into_iter().collect::<Vec<_>>()[..] {
            *only.entry(rule).or_default() += 1;
        }
    }
    // These can never stand alone: the rule named beside them fires by definition.
    let company = [
        (
            "mcp.result.legacy-wrapper",
            "mcp.result.structured-content.schema",
        ),
        ("mcpdesc.example.incomplete", "mcp.tool.schema.ref-external"),
    ];
    let alone =
        |rule: &&Rule| only.contains_key(rule.id) || company.iter().any(|(id, _)| *id == rule.id);
    let missing: Vec<_> = RULES
        .iter()
        .filter(|rule| !alone(rule))
        .map(|rule| rule.id)
        .collect();
    assert!(
        missing.is_empty(),
        "nothing is caught by these alone: {missing:?}"
    );
}

#[test]
fn a_rule_that_is_switched_off_lets_a_fixture_change() {
    let files = fixtures();
    let before: BTreeMap<_, _> = files
        .iter()
        .map(|file| (file, judge(file, &Settings::default()).diagnostics.len()))
        .collect();
    let mut by_rule: BTreeMap<&str, Vec<&String>> = BTreeMap::new();
    for file in &files {
        for diagnostic in judge(file, &Settings::default()).diagnostics {
            by_rule.entry(diagnostic.rule).or_default().push(file);
        }
    }
    for rule in RULES {
        let mut settings = Settings::default();
        settings.overrides.insert(rule.id.to_owned(), Override::Off);
        let file = by_rule.get(rule.id).and_then(|files| files.first());
        let file = file.unwrap_or_else(|| panic!("{}: no fixture", rule.id));
        let after = judge(file, &settings);
        assert!(after.diagnostics.len() < before[*file], "{}", rule.id);
        assert!(
            after.diagnostics.iter().all(|d| d.rule != rule.id),
            "{}",
            rule.id
        );
    }
}

#[test]
fn catalogue_and_code_are_a_bijection() {
    let listed: BTreeSet<_> = catalogue::read()
        .iter()
        .map(|(_, rule)| {
            let (folder, name) = catalogue::module(&rule.id);
            format!("{folder}/{name}.rs")
        })
        .collect();
    assert_eq!(
        listed.len(),
        catalogue::read().len(),
        "two rules share a file"
    );
    let mut written = BTreeSet::new();
    for folder in [
        "text",
        "message",
        "listing",
        "tool",
        "call",
        "result",
        "description",
        "catalogue",
        "contract",
        "model",
        "policy",
    ] {
        let Ok(entries) = std::fs::read_dir(root().join("src/rules").join(folder)) else {
            continue;
        };
        for entry in entries {
            let name = entry.unwrap().file_name().into_string().unwrap();
            written.insert(format!("{folder}/{name}"));
        }
    }
    assert_eq!(listed, written);
    for (file, rule) in catalogue::read() {
        let (folder, name) = catalogue::module(&rule.id);
        let code =
            std::fs::read_to_string(root().join(format!("src/rules/{folder}/{name}.rs"))).unwrap();
        assert!(
            code.starts_with(&format!("//! {}: ", rule.id)),
            "src/rules/{folder}/{name}.rs names {} in its first line ({file}.yaml)",
            rule.id
        );
    }
}

#[test]
fn no_snapshot_is_an_orphan() {
    for folder in ["expected-valid", "expected-warning", "expected-invalid"] {
        for entry in std::fs::read_dir(root().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.to_string_lossy().into_owned();
            match name.strip_suffix(".snap") {
                Some(fixture) => assert!(Path::new(fixture).is_file(), "{name} has no fixture"),
                None => assert!(Format::of_path(&path).is_some(), "{name} is no fixture"),
            }
        }
    }
}

#[test]
fn the_catalogue_is_written_to_teach() {
    for (_, rule) in catalogue::read() {
        let id = &rule.id;
        assert!(
            rule.title.len() < 70 && !rule.title.ends_with('.'),
            "{id}: title"
        );
        assert!(rule.requirement.trim().ends_with('.'), "{id}: requirement");
        assert!(rule.help.trim().len() <= 140, "{id}: help");
        assert!(rule.details.split("\n\n").count() >= 2, "{id}: details");
        assert!(
            !rule.required_by.is_empty() && !rule.based_on.is_empty(),
            "{id}: sources"
        );
        for version in rule.severity.keys() {
            assert!(
                version.parse::<ProtocolVersion>().is_ok(),
                "{id}: {version}"
            );
        }
    }
}

#[test]
fn the_severities_name_versions_that_exist_and_policy_is_off() {
    for rule in RULES {
        let applies = VersionSet::ALL
            .iter()
            .any(|version| rule.severity(version).is_some());
        assert!(applies, "{}: applies nowhere", rule.id);
        let is_policy = rule.owner == Owner::Policy;
        assert_eq!(rule.profile.is_some(), is_policy, "{}: profile", rule.id);
        let looks = |version| Settings::default().severity(rule, version).is_some();
        let looks = VersionSet::ALL.iter().any(looks);
        assert_eq!(looks, !is_policy, "{}: off unless asked for", rule.id);
    }
}

/// `docs/rules.md` is what the program prints; `UPDATE_TABLE=1` writes it.
#[test]
fn the_published_table_is_generated() {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_mcp-conform"))
        .args(["rules", "list", "--format", "markdown"])
        .output()
        .unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    let path = root().join("docs/rules.md");
    if std::env::var_os("UPDATE_TABLE").is_some() {
        std::fs::write(&path, &printed).unwrap();
    }
    let written = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        printed == written,
        "docs/rules.md is stale; run UPDATE_TABLE=1 cargo test --test catalogue"
    );
}
