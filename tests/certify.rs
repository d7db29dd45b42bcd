//! Suites put to implementations: what our own gates come to, and how a run goes.

#[path = "support/certify.rs"]
mod certifying;
mod support;

use std::collections::BTreeSet;
use std::time::Duration;

use certifying::{assert_fits, certificate, corpus, run, schema};
use mcp_conform::certify::{
    Builtin, Implementation, Plan, Request, STOP_MESSAGE, Selection, Verdict, start_message,
};
use mcp_conform::corpus::{GateName, JsonSchemaSuite, Level};
use mcp_conform::protocol::ProtocolVersion;
use mcp_conform::schema::{Bounds, Instance, Judgement, Schema};
use serde_json::Value;
use support::shared;

#[test]
fn our_own_gates_are_strict_on_the_whole_corpus() {
    let corpus = corpus();
    let plan = Plan::new(&corpus, &Selection::default());
    let run = run(&plan, &Builtin::default);
    let failed: Vec<_> = run
        .judged
        .iter()
        .filter(|judged| !matches!(judged.verdict, Verdict::Pass | Verdict::Informational))
        .map(|judged| {
            (
                &judged.asked.case.id,
                judged.asked.version,
                judged.verdict,
                &judged.why,
            )
        })
        .collect();
    assert!(failed.is_empty(), "{failed:#?}");
    let asked: BTreeSet<_> = run
        .judged
        .iter()
        .map(|judged| (&judged.asked.case.id, judged.asked.version))
        .collect();
    // Sessions need a live client.
    let expected: usize = corpus
        .cases()
        .filter(|case| case.gate != GateName::Wire)
        .map(|case| case.versions().iter().count())
        .sum();
    assert_eq!(
        (run.judged.len(), asked.len()),
        (expected, expected),
        "each case exactly once"
    );
    let slow: Vec<_> = run
        .judged
        .iter()
        .filter(|judged| judged.outcome.elapsed > Duration::from_secs(4))
        .map(|judged| (&judged.asked.case.id, judged.outcome.elapsed))
        .collect();
    assert!(slow.is_empty(), "{slow:?}");
    let certificate = certificate(&run, &corpus);
    assert!(certificate.levels.iter().all(|row| row.core && row.strict));
    let json = serde_json::to_value(&certificate).expect("it can be written");
    assert_fits(&schema("docs/schemas/certificate.schema.json"), &json);
}

#[test]
fn every_message_fits_its_schema() {
    let corpus = corpus();
    let parse = |text: &str| serde_json::from_str::<Value>(text).expect("a message is JSON");
    assert_fits(
        &schema("docs/schemas/adapter/start.request.schema.json"),
        &parse(&start_message(&corpus.identity)),
    );
    assert_fits(
        &schema("docs/schemas/adapter/stop.request.schema.json"),
        &parse(STOP_MESSAGE),
    );
    let run = schema("docs/schemas/adapter/run.request.schema.json");
    let compiled = Schema::new(&run, Bounds::default())
        .compiled()
        .expect("it is a schema");
    for case in corpus.cases().filter(|case| case.gate != GateName::Wire) {
        let request = Request::new(
            case,
            ProtocolVersion::V2026_07_28,
            1,
            Duration::from_secs(5),
        );
        let message = request.message();
        assert!(!message.contains('\n'), "{}", case.id);
        assert!(
            !message.contains(case.id.as_str()),
            "{} is told to the adapter",
            case.id
        );
        assert_eq!(
            compiled.judge(Instance::plain(&parse(&message))),
            Judgement::Fits,
            "{}",
            case.id
        );
    }
}

#[test]
fn selections_narrow_the_plan() {
    let corpus = corpus();
    let all = Plan::new(&corpus, &Selection::default());
    let count = |selection: Selection| Plan::new(&corpus, &selection).judged;
    let by = |selection: Selection| (1..all.judged).contains(&count(selection));
    assert!(by(Selection {
        gates: vec!["audit".into()],
        ..Selection::default()
    }));
    assert!(by(Selection {
        gates: vec!["hostile".into()],
        ..Selection::default()
    }));
    assert!(by(Selection {
        level: Some(Level::Must),
        ..Selection::default()
    }));
    assert!(by(Selection {
        versions: Some(ProtocolVersion::V2025_06_18.into()),
        ..Selection::default()
    }));
    let rule = "mcp.list.shape";
    let selection = Selection {
        rules: vec![rule.into()],
        ..Selection::default()
    };
    let plan = Plan::new(&corpus, &selection);
    let answers: BTreeSet<_> = plan
        .units
        .iter()
        .flatten()
        .map(|asked| asked.expected.answer.as_str())
        .collect();
    assert_eq!(
        answers.into_iter().collect::<Vec<_>>(),
        ["accept", "reject"],
        "neighbours come along"
    );
    for unknown in [
        Selection {
            rules: vec!["mcp.none".into()],
            ..Selection::default()
        },
        Selection {
            cases: vec!["result/none#none".into()],
            ..Selection::default()
        },
        Selection {
            gates: vec!["none".into()],
            ..Selection::default()
        },
    ] {
        assert!(unknown.unknown(&corpus).is_some());
    }
}

/// A value of forty levels under a schema that makes an engine try each level twice. Without a
/// budget of steps this would not come back.
#[test]
fn a_thread_of_forty_replies_is_refused_within_its_budget() {
    let corpus = corpus();
    let case = corpus
        .case("hostile/schema-cost#thread_of_40_replies_with_a_bad_end")
        .expect("a case of old");
    let request = Request::new(
        case,
        ProtocolVersion::V2026_07_28,
        1,
        Duration::from_secs(5),
    );
    let outcome = Builtin::default().run(&request);
    assert_eq!(outcome.answer.as_str(), "reject");
}

/// Where the engine differs from the JSON Schema Test Suite, each with the reason.
const ENGINE: &[(&str, &str)] = &[];

#[test]
fn the_json_schema_test_suite_is_answered_right() {
    let Some(folder) = shared("peers/json-schema") else {
        return;
    };
    let suite = JsonSchemaSuite::read(&folder).expect("it can be read");
    let mut corpus = corpus();
    corpus.suites = suite.suites;
    let plan = Plan::new(&corpus, &Selection::default());
    assert_eq!(plan.judged, suite.values);
    assert!(
        suite.groups > 550 && suite.left_out.len() < 60,
        "{:?}",
        suite.left_out
    );
    let run = run(&plan, &Builtin::default);
    let wrong: Vec<_> = run
        .judged
        .iter()
        .filter(|judged| judged.verdict != Verdict::Pass)
        .collect();
    let told: Vec<_> = wrong
        .iter()
        .filter(|judged| !ENGINE.iter().any(|(id, _)| *id == judged.asked.case.id))
        .map(|judged| {
            (
                &judged.asked.case.id,
                &judged.asked.case.description,
                &judged.why,
            )
        })
        .collect();
    assert!(
        told.is_empty(),
        "{} of {}: {told:#?}",
        told.len(),
        suite.values
    );
    assert_eq!(
        wrong.len(),
        ENGINE.len(),
        "an entry that is now answered right"
    );
}
