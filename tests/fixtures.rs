//! Every fixture: its verdict is its folder's, its diagnostics are the snapshot's beside it.
//!
//! A new fixture needs a reviewed snapshot: `INSTA_UPDATE=always cargo test --test fixtures`
//! writes it (`cargo insta review` does too). A name that starts with `policy.PROFILE.` turns that
//! profile on.

use std::path::Path;

use mcp_conform::corpus::profiles_of;
use mcp_conform::diagnostic::{Diagnostic, Verdict};
use mcp_conform::document::{Document, Unread};
use mcp_conform::rules::{Checked, Settings, check, check_fault};
use mcp_conform::source::{Format, Source};
use serde_json::json;

fn judge(path: &Path) -> Checked {
    let profiles = profiles_of(&path.to_string_lossy()).expect("the name's profiles are known");
    let settings = Settings {
        profiles,
        ..Settings::default()
    };
    let bytes = std::fs::read(path).expect("the fixture is there");
    let format = Format::of_path(path).expect("the extension is one of ours");
    let name = path.display().to_string();
    let source = Source::from_bytes(name, bytes, format, &settings.limits);
    match Document::read(source, None, &settings.limits) {
        Ok(document) => check(&document, &settings),
        Err(Unread::Fault(source, fault)) => check_fault(&source, &fault, &settings),
        Err(Unread::Unrecognised(_, why)) => panic!("{}: {why}", path.display()),
    }
}

/// One diagnostic a line, as JSON.
fn line(diagnostic: &Diagnostic) -> String {
    let mut line = json!({
        "rule": diagnostic.rule,
        "severity": diagnostic.severity,
        "protocolVersions": diagnostic.versions.names(),
        "pointer": diagnostic.pointer.as_str(),
    });
    if let Some(keyword) = &diagnostic.keyword {
        line["keyword"] = json!(keyword);
    }
    line["message"] = json!(diagnostic.message);
    line.to_string()
}

fn fixture(path: &Path) -> datatest_stable::Result<()> {
    let folder = path.parent().and_then(Path::file_name).expect("a folder");
    let expected = match folder.to_str() {
        Some("expected-valid") => Verdict::Valid,
        Some("expected-warning") => Verdict::Warning,
        Some("expected-invalid") => Verdict::Invalid,
        other => panic!("no verdict is named {other:?}"),
    };
    let checked = judge(path);
    let lines: Vec<_> = checked.diagnostics.iter().map(line).collect();
    let found = checked.verdict();
    if found != expected {
        let lines = lines.join("\n");
        return Err(format!("the folder says {expected}, the engine {found}:\n{lines}").into());
    }
    let mut insta = insta::Settings::clone_current();
    insta.set_snapshot_path(std::fs::canonicalize(path)?.parent().expect("a folder"));
    insta.set_prepend_module_to_snapshot(false);
    insta.set_omit_expression(true);
    let name = path.file_name().expect("a name").to_string_lossy();
    insta.bind(|| insta::assert_snapshot!(name.as_ref(), lines.join("\n")));
    Ok(())
}

datatest_stable::harness! {
    { test = fixture, root = "expected-valid", pattern = r"\.(json|jsonl|yaml|yml)$" },
    { test = fixture, root = "expected-warning", pattern = r"\.(json|jsonl|yaml|yml)$" },
    { test = fixture, root = "expected-invalid", pattern = r"\.(json|jsonl|yaml|yml)$" },
}
