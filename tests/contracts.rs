//! Contracts and conversations in documents, held to the verdicts of the corpus: what a gate does at
//! run time, `check` says of what was recorded.

use mcp_conform::corpus::{Case, Corpus, Expected, GateName, Input, Level};
use mcp_conform::diagnostic::{Diagnostic, Verdict};
use mcp_conform::document::{Document, Kind, Unread};
use mcp_conform::protocol::ProtocolVersion::V2026_07_28;
use mcp_conform::rules::{Settings, check, check_fault};
use mcp_conform::source::{Format, Source};

/// The verdict on a document of `kind`, and what was found.
fn judge(text: String, kind: Kind) -> (Verdict, Vec<Diagnostic>) {
    let settings = Settings {
        protocol: Some(V2026_07_28.into()),
        ..Settings::default()
    };
    let source = Source::new("recorded.json", text, Format::Json);
    let checked = match Document::read(source, Some(kind), &settings.limits) {
        Ok(document) => check(&document, &settings),
        Err(Unread::Fault(source, fault)) => check_fault(&source, &fault, &settings),
        Err(Unread::Unrecognised(_, why)) => panic!("{why}"),
    };
    (checked.verdict(), checked.diagnostics)
}

/// Judges every case of `gate` as the document that `write` makes of it, and compares.
fn compare(gate: GateName, kind: Kind, write: impl Fn(&Input) -> Option<String>) -> usize {
    let corpus = Corpus::embedded().expect("the corpus can be read");
    let mut judged = 0;
    let mut wrong = Vec::new();
    for case in corpus.cases().filter(|case| case.gate == gate) {
        let Some(expectation) = case.on(V2026_07_28) else {
            continue;
        };
        // A root that the protocol forbids is reported where the tool is defined.
        let by_definition = expectation.because == ["mcp.tool.input-schema.object-root"];
        if expectation.level == Level::Informational || by_definition {
            continue;
        }
        let Some(text) = write(&case.input) else {
            continue;
        };
        judged += 1;
        let (verdict, found) = judge(text, kind);
        // What cannot be judged is refused by a gate, and a warning to somebody who reads.
        let unjudged = found
            .iter()
            .any(|found| found.message.starts_with("not judged"));
        let rejected = verdict == Verdict::Invalid || unjudged;
        if rejected != (expectation.answer == Expected::Reject) {
            wrong.push(said(case, &found));
            continue;
        }
        if let Some(keyword) = &expectation.keyword
            && !unjudged
            && !found
                .iter()
                .any(|found| found.keyword.as_ref() == Some(keyword))
        {
            wrong.push(said(case, &found));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    judged
}

fn said(case: &Case, found: &[Diagnostic]) -> String {
    let found: Vec<_> = found
        .iter()
        .map(|found| format!("{} at {}: {}", found.rule, found.pointer, found.message))
        .collect();
    format!("{}: {found:?}", case.id)
}

/// A recorded value beside the contract that it names.
fn recorded(input: &Input) -> Option<String> {
    let Input::Contract { schema, value } = input else {
        return None;
    };
    let version = schema.value()?.get("version")?.as_str()?.to_owned();
    Some(format!(
        r#"{{"schema": "c@{version}", "value": {value}, "catalogue": {{"state": {{"c": {schema}}}}}}}"#
    ))
}

#[test]
fn handoffs_are_judged_as_their_gate_judges_them() {
    assert!(compare(GateName::Handoff, Kind::Recorded, recorded) > 50);
}

#[test]
fn checkpoints_are_judged_as_their_gate_judges_them() {
    assert!(compare(GateName::State, Kind::Recorded, recorded) > 50);
}

/// A model's call of the tool, with the arguments as the text that the form carries.
fn called(input: &Input) -> Option<String> {
    let Input::Arguments { tool, arguments } = input else {
        return None;
    };
    let text = serde_json::to_string(&arguments.to_string()).ok()?;
    let name = tool.value()?.get("name")?;
    Some(format!(
        r#"{{"output": [{{"type": "function_call", "call_id": "c", "name": {name}, "arguments": {text}}}],
            "catalogue": {{"tools": {{"t": {tool}}}}}}}"#
    ))
}

#[test]
fn what_a_model_asks_for_is_judged_as_the_gate_before_a_call_judges_it() {
    assert!(compare(GateName::Arguments, Kind::Conversation, called) > 200);
}
