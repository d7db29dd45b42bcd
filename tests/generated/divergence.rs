//! A fault in one place: found, made small, and offered as a case.

use mcp_conform::certify::{
    About, Builtin, Effort, Implementation, Launch, Outcome, Plan, Reduced, Request, Selection,
    certify, reduce,
};
use mcp_conform::corpus::{Corpus, GateName};
use mcp_conform::generate::cases::{Cases, Kept, Pool, save};
use mcp_conform::schema::{Bounds, Instance, Judgement, Schema};
use serde_json::{Value, json};

use crate::{SEED, drawn, failures, options};

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
            let kept = members
                .iter()
                .filter(|(name, _)| !(in_array && name.as_str() == "additionalProperties"));
            let kept = kept.map(|(name, member)| {
                let in_union = in_union || name == "oneOf";
                let in_array = in_array || in_union && name == "items";
                (name.clone(), loosened(member, in_union, in_array))
            });
            Value::Object(kept.collect())
        }
        Value::Array(items) => items
            .iter()
            .map(|item| loosened(item, in_union, in_array))
            .collect(),
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
            let (Ok(tool), Ok(result)) = (text("tool"), text("result")) else {
                return outcome;
            };
            let loose = loosened(&tool["outputSchema"], false, false);
            let schema = Schema::new(&loose, Bounds::default());
            let compiled = schema.compiled().expect("a looser schema");
            let value = &result["structuredContent"];
            if outcome.keyword.is_some()
                && compiled.judge(Instance::plain(value)) == Judgement::Fits
            {
                return Outcome::accept();
            }
            outcome
        },
    };
    let run = certify(&plan, &launch, &options()).expect("it starts");
    let made_of = |id: &str| made.get(id);
    let reduced = reduce(
        &run.judged,
        made_of,
        pool,
        || Ok(Box::new(launch.launch()?)),
        &options(),
        Effort::default(),
    );
    let kept = reduced.as_ref().map(|reduced| {
        let kept = reduced.iter().map(|small| {
            let number: u64 = small
                .case
                .id
                .rsplit('-')
                .next()
                .unwrap_or("0")
                .parse()
                .unwrap_or(0);
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
    (
        failed,
        reduced.clone().expect("it starts again"),
        kept.unwrap_or_default(),
    )
}

#[test]
fn a_keyword_ignored_in_one_place_is_found_and_shrunk() {
    let pool = Pool::of_listing(&orders());
    let (failed, reduced, kept) = find_loose(&pool);
    assert!(!failed.is_empty(), "the fault is found");
    let small = reduced.first().expect("a smaller payload");
    // What the schema asks for, the discriminator and the rows, and one undeclared member.
    assert!(members(&small.payload) <= 3, "{}", small.payload);
    assert_eq!(
        small.payload["rows"].as_array().map(Vec::len),
        Some(1),
        "{}",
        small.payload
    );
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
            serde_json::from_str(include_str!("../../corpus/suite.schema.json")).expect("JSON");
        let value: Value = serde_json::from_str(&suite.text).expect("JSON");
        let schema = Schema::new(&schema, Bounds::default());
        let judged = schema
            .compiled()
            .expect("a schema")
            .judge(Instance::plain(&value));
        assert_eq!(judged, Judgement::Fits, "{}", suite.text);
    }
    let corpus = Corpus::read(folder.path()).expect("suites that can be read");
    let plan = Plan::new(&corpus, &Selection::default());
    assert!(plan.judged >= 2);
    let run = certify(&plan, &Builtin::default, &options()).expect("the builtin starts");
    assert_eq!(failures(&run), Vec::<&str>::new());
}
