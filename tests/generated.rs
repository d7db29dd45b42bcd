//! Generated cases: against the program's own gates, against implementations with one fault, and
//! as ready cases.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use mcp_conform::certify::{
    About, Answer, Builtin, Effort, Implementation, Options, Outcome, Plan, Reduced, Request, Run,
    Selection, certify, judge, reduce,
};
use mcp_conform::corpus::{Corpus, GateName};
use mcp_conform::generate::cases::{Cases, GATES, Generated, Kept, Pool, parse, save};
use mcp_conform::schema::{Bounds, Instance, Judgement, Schema};
use serde_json::{Value, json};

const SEED: u64 = 1;

static NEVER: AtomicBool = AtomicBool::new(false);

fn options() -> Options<'static> {
    Options { jobs: 1, deadline: Duration::from_secs(5), interrupt: &NEVER, observer: &() }
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

/// An implementation that is the builtin but for one change of its outcomes.
struct Faulty<F> {
    builtin: Builtin,
    change: F,
}

impl<F: FnMut(&Request, Outcome) -> Outcome> Implementation for Faulty<F> {
    fn about(&self) -> &About {
        self.builtin.about()
    }

    fn run(&mut self, request: &Request) -> Outcome {
        let outcome = self.builtin.run(request);
        (self.change)(request, outcome)
    }
}

fn failures<'r>(run: &'r Run<'_>) -> Vec<&'r str> {
    let failed = run.judged.iter().filter(|judged| judged.verdict.is_failure());
    failed.map(|judged| judged.asked.case.id.as_str()).collect()
}

#[test]
fn our_own_gates_pass_what_is_generated() {
    let pool = of_corpus();
    let (corpus, made) = drawn(&pool, &GATES, 400);
    let plan = Plan::new(&corpus, &Selection::default());
    assert_eq!(plan.judged, made.len());
    let run = certify(&plan, &Builtin::default, &options()).expect("the builtin starts");
    let failed = run.judged.iter().filter(|judged| judged.verdict.is_failure());
    let failed: Vec<_> = failed
        .take(8)
        .map(|judged| {
            let case = judged.asked.case;
            format!("{} {:?} {:?} {:?}", case.id, judged.why, case.description, judged.sent)
        })
        .collect();
    assert!(failed.is_empty(), "{failed:#?}");
    for gate in GATES {
        let of: Vec<_> = made.values().filter(|made| made.case.gate == gate).collect();
        assert_eq!(of.len(), 400, "{gate}");
        let versions: BTreeSet<_> = of.iter().map(|made| made.version.as_str()).collect();
        assert_eq!(versions.len(), if gate == GateName::Audit { 2 } else { 3 }, "{gate}");
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
    assert_eq!(parse("generated/result/get_report#7-12", 7), Some((GateName::Result, 12)));
    assert_eq!(parse("generated/result/get_report#7-12", 8), None);
    assert_eq!(parse("result/get-report#ok", 7), None);
    assert!(Cases::new(&pool, SEED).of_id("generated/result/none#1-3").is_none());
}

/// An order by one of two ways to pay; the rows of one are closed.
fn orders() -> Value {
    json!({"tools": [{
        "name": "place_order",
        "inputSchema": {"type": "object"},
        "outputSchema": {"type": "object", "properties": {
            "note": {"type": "string"},
            "placed": {"type": "string", "format": "date-time"}},
            "oneOf": [
                {"required": ["by", "rows"], "properties": {
                    "by": {"const": "transfer"},
                    "rows": {"type": "array", "minItems": 1, "items": {
                        "type": "object",
                        "properties": {"sku": {"type": "string"}, "count": {"type": "integer"}},
                        "additionalProperties": false}}}},
                {"required": ["by", "card"], "properties": {
                    "by": {"const": "card"}, "card": {"type": "string"}}}]}
    }]})
}

/// The schema with `additionalProperties` gone wherever it is inside an array inside a `oneOf`.
fn loosened(schema: &Value, in_union: bool, in_array: bool) -> Value {
    match schema {
        Value::Object(members) => {
            let kept = members.iter().filter(|(name, _)| {
                !(in_array && name.as_str() == "additionalProperties")
            });
            let kept = kept.map(|(name, member)| {
                let in_union = in_union || name == "oneOf";
                let in_array = in_array || in_union && name == "items";
                (name.clone(), loosened(member, in_union, in_array))
            });
            Value::Object(kept.collect())
        }
        Value::Array(items) => {
            items.iter().map(|item| loosened(item, in_union, in_array)).collect()
        }
        scalar => scalar.clone(),
    }
}

/// Names of members anywhere in a value.
fn members(value: &Value) -> usize {
    match value {
        Value::Object(all) => all.len() + all.values().map(members).sum::<usize>(),
        Value::Array(items) => items.iter().map(members).sum(),
        _ => 0,
    }
}

fn find_loose(pool: &Pool) -> (Vec<String>, Vec<Reduced>, Vec<Kept>) {
    let (corpus, made) = drawn(pool, &[GateName::Result], 2_000);
    let plan = Plan::new(&corpus, &Selection::default());
    let launch = || Faulty {
        builtin: Builtin::default(),
        change: |request: &Request, outcome: Outcome| {
            let text = |name| serde_json::from_str::<Value>(request.field(name));
            let (Ok(tool), Ok(result)) = (text("tool"), text("result")) else { return outcome };
            let loose = loosened(&tool["outputSchema"], false, false);
            let schema = Schema::new(&loose, Bounds::default());
            let compiled = schema.compiled().expect("a looser schema");
            let value = &result["structuredContent"];
            if outcome.keyword.is_some() && compiled.judge(Instance::plain(value)) == Judgement::Fits {
                return Outcome::accept();
            }
            outcome
        },
    };
    let run = certify(&plan, &launch, &options()).expect("it starts");
    let made_of = |id: &str| made.get(id);
    let reduced = reduce(&run.judged, made_of, pool, &launch, &options(), Effort::default());
    let kept = reduced.as_ref().map(|reduced| {
        let kept = reduced.iter().map(|small| {
            let number: u64 = small.case.id.rsplit('-').next().unwrap_or("0").parse().unwrap_or(0);
            let neighbour = Cases::new(pool, SEED).case(GateName::Result, number - 1);
            Kept {
                case: small.case.clone(),
                neighbour: neighbour.map(|drawn| drawn.case),
                about: "additionalProperties".to_owned(),
            }
        });
        kept.collect()
    });
    let failed = failures(&run).into_iter().map(str::to_owned).collect();
    (failed, reduced.clone().expect("it starts again"), kept.unwrap_or_default())
}

#[test]
fn a_keyword_ignored_in_one_place_is_found_and_shrunk() {
    let pool = Pool::of_listing(&orders());
    let (failed, reduced, kept) = find_loose(&pool);
    assert!(!failed.is_empty(), "the fault is found");
    let small = reduced.first().expect("a smaller payload");
    // What the schema asks for, the discriminator and the rows, and one undeclared member.
    assert!(members(&small.payload) <= 3, "{}", small.payload);
    assert_eq!(small.payload["rows"].as_array().map(Vec::len), Some(1), "{}", small.payload);
    assert!(small.tries <= 200);
    let suites = save(&kept);
    assert_eq!(suites[0].path, "result/generated-place-order.json");
}

#[test]
fn a_divergence_is_a_ready_case() {
    let pool = Pool::of_listing(&orders());
    let (_, _, kept) = find_loose(&pool);
    let folder = tempfile::tempdir().expect("a folder");
    for suite in save(&kept) {
        let path = folder.path().join(&suite.path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, &suite.text).expect("a suite");
        let schema: Value =
            serde_json::from_str(include_str!("../corpus/suite.schema.json")).expect("JSON");
        let value: Value = serde_json::from_str(&suite.text).expect("JSON");
        let schema = Schema::new(&schema, Bounds::default());
        let judged = schema.compiled().expect("a schema").judge(Instance::plain(&value));
        assert_eq!(judged, Judgement::Fits, "{}", suite.text);
    }
    let corpus = Corpus::read(folder.path()).expect("suites that can be read");
    let plan = Plan::new(&corpus, &Selection::default());
    assert!(plan.judged >= 2);
    let run = certify(&plan, &Builtin::default, &options()).expect("the builtin starts");
    assert_eq!(failures(&run), Vec::<&str>::new());
}

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
        ("pattern is ignored", |_, outcome| ignore(outcome, "pattern")),
        ("additionalProperties is ignored", |_, outcome| ignore(outcome, "additionalProperties")),
        ("uniqueItems is ignored", |_, outcome| ignore(outcome, "uniqueItems")),
        ("oneOf is ignored", |_, outcome| ignore(outcome, "oneOf")),
        ("a tool's own error is judged", |request, outcome| {
            if request.field("result").contains("\"isError\":true") {
                return Outcome::reject(mcp_conform::gate::RejectionReason::StructuredMismatch);
            }
            outcome
        }),
        ("null counts as absent", |request, outcome| {
            let is_null = request.field("result").contains("\"structuredContent\":null");
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
