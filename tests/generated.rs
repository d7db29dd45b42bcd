//! Generated cases: against the program's own gates, and as ready cases. What they find of
//! implementations with one fault is for `tests/mutants.rs` to say.

#[path = "generated/divergence.rs"]
mod divergence;

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use mcp_conform::certify::{Builtin, Options, Plan, Run, Selection, certify};
use mcp_conform::corpus::{Corpus, GateName};
use mcp_conform::generate::cases::{Cases, GATES, Generated, Pool, parse};
use mcp_conform::protocol::{ProtocolVersion, VersionSet};
use serde_json::json;

const SEED: u64 = 1;

static NEVER: AtomicBool = AtomicBool::new(false);

fn options() -> Options<'static> {
    Options {
        jobs: 1,
        deadline: Duration::from_secs(5),
        interrupt: &NEVER,
        observer: &(),
    }
}

fn drawn(pool: &Pool, gates: &[GateName], count: u64) -> (Corpus, HashMap<String, Generated>) {
    let mut corpus = Corpus::embedded().expect("the corpus");
    let (suites, made) = Cases::new(pool, SEED).suites(gates, count);
    corpus.suites = suites;
    (corpus, made)
}

fn of_corpus() -> Pool {
    Pool::of_corpus(&Corpus::embedded().expect("the corpus"))
}

fn failures<'r>(run: &'r Run<'_>) -> Vec<&'r str> {
    let failed = run
        .judged
        .iter()
        .filter(|judged| judged.verdict.is_failure());
    failed.map(|judged| judged.asked.case.id.as_str()).collect()
}

#[test]
fn our_own_gates_pass_what_is_generated() {
    let pool = of_corpus();
    let (corpus, made) = drawn(&pool, &GATES, 400);
    let plan = Plan::new(&corpus, &Selection::default());
    assert_eq!(plan.judged, made.len());
    let run = certify(&plan, &Builtin::default, &options()).expect("the builtin starts");
    let failed = run
        .judged
        .iter()
        .filter(|judged| judged.verdict.is_failure());
    let failed: Vec<_> = failed
        .take(8)
        .map(|judged| {
            let case = judged.asked.case;
            format!(
                "{} {:?} {:?} {:?}",
                case.id, judged.why, case.description, judged.sent
            )
        })
        .collect();
    assert!(failed.is_empty(), "{failed:#?}");
    for gate in GATES {
        let of: Vec<_> = made
            .values()
            .filter(|made| made.case.gate == gate)
            .collect();
        assert_eq!(of.len(), 400, "{gate}");
        let versions: BTreeSet<_> = of.iter().map(|made| made.version.as_str()).collect();
        assert_eq!(
            versions.len(),
            if gate == GateName::Audit { 2 } else { 3 },
            "{gate}"
        );
    }
}

#[test]
fn a_rerun_is_the_same_byte_for_byte() {
    let pool = of_corpus();
    let text = |seed| {
        let (suites, _) = Cases::new(&pool, seed).suites(&GATES, 60);
        let cases = suites.iter().flat_map(|suite| &suite.cases);
        cases.map(|case| format!("{case:?}")).collect::<Vec<_>>()
    };
    assert_eq!(text(1), text(1));
    assert_ne!(text(1), text(2));
}

#[test]
fn an_id_draws_its_case_again() {
    let pool = of_corpus();
    let (_, made) = drawn(&pool, &GATES, 40);
    for (id, generated) in &made {
        let again = Cases::new(&pool, SEED).of_id(id).expect("the case");
        assert_eq!(format!("{:?}", again.case), format!("{:?}", generated.case));
    }
    assert_eq!(
        parse("generated/result/get_report#7-12", 7),
        Some((GateName::Result, 12))
    );
    assert_eq!(parse("generated/result/get_report#7-12", 8), None);
    assert_eq!(parse("result/get-report#ok", 7), None);
    assert!(
        Cases::new(&pool, SEED)
            .of_id("generated/result/none#1-3")
            .is_none()
    );
}

#[test]
fn a_few_cases_are_of_many_tools_and_every_version() {
    let pool = of_corpus();
    for gate in GATES {
        let (_, made) = drawn(&pool, &[gate], 60);
        let of_version = |version| made.values().filter(|one| one.version == version).count();
        // A record is of 2025-11-25 or of 2026-07-28.
        let unknown = usize::from(gate == GateName::Audit);
        let versions = VersionSet::STRUCTURED.iter().skip(unknown);
        let counts: Vec<_> = versions.map(of_version).collect();
        assert!(
            counts.iter().all(|count| *count >= 16),
            "{gate}: {counts:?}"
        );
        let tools: BTreeSet<_> = made.values().map(|one| one.tool).collect();
        assert!(tools.len() >= 20, "{gate}: {tools:?}");
    }
}

/// A tool that serves on one version alone, and two that serve on none: every number has its case.
#[test]
fn every_number_has_a_case_where_one_tool_serves() {
    let only = json!({"name": "list_ports", "inputSchema": {"type": "object"},
        "outputSchema": {"type": "array", "items": {"type": "integer"}}});
    let other = |name: &str| json!({"name": name, "inputSchema": {"type": "object"}});
    let pool = Pool::of_listing(&json!({"tools": [other("ping"), only, other("pong")]}));
    let (_, made) = drawn(&pool, &[GateName::Result], 40);
    assert_eq!(made.len(), 40);
    assert!(
        made.values()
            .all(|one| one.version == ProtocolVersion::V2026_07_28)
    );
}
