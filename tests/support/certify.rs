//! What the tests of certifying share.
#![allow(dead_code)]

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use mcp_conform::certify::{Baseline, Certificate, Launch, Options, Plan, Run, Selection, certify};
use mcp_conform::corpus::Corpus;
use mcp_conform::schema::{Bounds, Instance, Judgement, Schema};
use serde_json::Value;

pub fn corpus() -> Corpus {
    Corpus::embedded().expect("the corpus can be read")
}

pub fn run<'c>(plan: &Plan<'c>, launch: &dyn Launch) -> Run<'c> {
    let options = Options {
        jobs: 1,
        deadline: Duration::from_secs(5),
        interrupt: &AtomicBool::new(false),
        observer: &(),
    };
    certify(plan, launch, &options).expect("it starts")
}

pub fn certificate(run: &Run<'_>, corpus: &Corpus) -> Certificate {
    Certificate::new(
        run,
        &corpus.identity,
        &Selection::default(),
        &Baseline::default(),
        "",
    )
}

pub fn schema(path: &str) -> Value {
    let text =
        std::fs::read_to_string(crate::support::root().join(path)).expect("the schema is there");
    serde_json::from_str(&text).expect("the schema is JSON")
}

pub fn assert_fits(schema: &Value, value: &Value) {
    let compiled = Schema::new(schema, Bounds::default())
        .compiled()
        .expect("it is a schema");
    if let Judgement::DoesNotFit(violations) = compiled.judge(Instance::plain(value)) {
        let shown = mcp_conform::source::cut(&value.to_string(), 300).into_owned();
        panic!("{shown}: {violations:#?}");
    }
}
