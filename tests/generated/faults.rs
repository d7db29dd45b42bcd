//! Faults that generation finds without the corpus.

use std::collections::BTreeMap;
use std::time::Duration;

use mcp_conform::certify::{Answer, Builtin, Outcome, Plan, Request, Selection, certify, judge};
use mcp_conform::generate::cases::GATES;

use crate::{drawn, of_corpus, options};

/// How an implementation changes an outcome.
type Change = fn(&Request, Outcome) -> Outcome;

/// Faults of one line each, and whether generation alone finds them.
#[test]
fn common_faults_are_found_without_the_corpus() {
    let pool = of_corpus();
    let (corpus, _) = drawn(&pool, &GATES, 2_000);
    let plan = Plan::new(&corpus, &Selection::default());
    let faults: [(&str, Change); 8] = [
        ("enum is ignored", |_, outcome| ignore(outcome, "enum")),
        ("pattern is ignored", |_, outcome| {
            ignore(outcome, "pattern")
        }),
        ("additionalProperties is ignored", |_, outcome| {
            ignore(outcome, "additionalProperties")
        }),
        ("uniqueItems is ignored", |_, outcome| {
            ignore(outcome, "uniqueItems")
        }),
        ("oneOf is ignored", |_, outcome| ignore(outcome, "oneOf")),
        ("a tool's own error is judged", |request, outcome| {
            if request.field("result").contains("\"isError\":true") {
                return Outcome::reject(mcp_conform::gate::RejectionReason::StructuredMismatch);
            }
            outcome
        }),
        ("null counts as absent", |request, outcome| {
            let is_null = request
                .field("result")
                .contains("\"structuredContent\":null");
            if is_null { Outcome::accept() } else { outcome }
        }),
        ("escapes are not read", |request, outcome| {
            if request.field("result").contains("\\u00") {
                return Outcome::reject(mcp_conform::gate::RejectionReason::Other);
            }
            outcome
        }),
    ];
    // Each changes the answers of one run, and what they are worth then is asked.
    let run = certify(&plan, &Builtin::default, &options()).expect("the builtin starts");
    let mut found: BTreeMap<&str, usize> = BTreeMap::new();
    for judged in &run.judged {
        let asked = &judged.asked;
        let request = Request::new(asked.case, asked.version, 1, Duration::from_secs(5));
        for (name, change) in faults {
            let outcome = change(&request, judged.outcome.clone());
            let (verdict, _) = judge(&request, asked.expected, &outcome);
            *found.entry(name).or_default() += usize::from(verdict.is_failure());
        }
    }
    eprintln!("{found:#?}");
    assert!(found.values().all(|count| *count > 0), "{found:#?}");
}

fn ignore(outcome: Outcome, keyword: &str) -> Outcome {
    let rejects = outcome.answer == Answer::Reject && outcome.keyword.as_deref() == Some(keyword);
    if rejects { Outcome::accept() } else { outcome }
}
