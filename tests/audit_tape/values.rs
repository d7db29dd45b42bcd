//! The engine says the same of a value on the tape as of the same `serde_json::Value`: by generated
//! schemas and values, and by the JSON Schema Test Suite.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use jsonschema::ValidationError;
use mcp_conform::audit::{Judge, Judgement, Parser};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

const STEPS: u64 = 1_000_000;

/// What the engine finds in a `Value`.
fn expected(schema: &Value, value: &Value) -> BTreeSet<(String, String, String)> {
    let options = jsonschema::options()
        .offline()
        .should_validate_formats(false);
    let validator = options.build(schema).expect("a schema");
    validator
        .iter_errors(value)
        .map(|error| told(&error))
        .collect()
}

/// Keyword, instance and schema of an error.
fn told(error: &ValidationError<'_>) -> (String, String, String) {
    let keyword = error.kind().keyword().to_owned();
    (
        keyword,
        error.instance_path().to_string(),
        error.schema_path().to_string(),
    )
}

fn assert_same(schema: &Value, value: &Value) {
    let text = value.to_string();
    let judge = Judge::compile(schema).expect("a schema");
    let mut parser = Parser::default();
    let doc = parser.parse(text.as_bytes()).expect("JSON");
    let found = judge.errors(doc.root(), STEPS).iter().map(told).collect();
    let expected = expected(schema, value);
    assert_eq!(expected, found, "{schema} of {text}");
    let verdict = if expected.is_empty() {
        Judgement::Fits
    } else {
        Judgement::DoesNotFit
    };
    assert_eq!(
        judge.judge(doc.root(), STEPS),
        verdict,
        "{schema} of {text}"
    );
}

/// Small values, and few of them, so that a value often meets what a schema speaks of.
fn value() -> impl Strategy<Value = Value> {
    let leaf = select(vec![
        json!(null),
        json!(true),
        json!(false),
        json!(0),
        json!(1),
        json!(-1),
        json!(2.5),
        json!(1.0),
        json!(1e300),
        json!(u64::MAX),
        json!(9_007_199_254_740_993_u64),
        json!(""),
        json!("a"),
        json!("open"),
        json!("é😀"),
        json!("a\"\\"),
    ]);
    leaf.prop_recursive(4, 30, 4, |inner| {
        let name = select(vec!["id", "status", "total", "lines", "é", "a\"b"]);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::btree_map(name.prop_map(str::to_owned), inner, 0..6)
                .prop_map(|map| map.into_iter().collect::<Value>()),
        ]
    })
}

fn schema() -> impl Strategy<Value = Value> {
    let name =
        || select(vec!["id", "status", "total", "lines", "é", "a\"b"]).prop_map(str::to_owned);
    let assertion =
        prop_oneof![
        select(vec!["null", "boolean", "integer", "number", "string", "array", "object"])
            .prop_map(|t| json!({"type": t})),
        Just(json!({"type": ["string", "null", "integer"]})),
        value().prop_map(|v| json!({"const": v})),
        prop::collection::vec(value(), 1..4).prop_map(|v| json!({"enum": v})),
        select(vec![-1.0, 0.0, 1.0, 2.5, 1e18])
            .prop_map(|n| json!({"minimum": n, "exclusiveMaximum": n + 1.5})),
        select(vec![1.0, 0.5, 2.0]).prop_map(|n| json!({"multipleOf": n})),
        (0..3_u8, 0..4_u8).prop_map(
            |(a, b)| json!({"minLength": a, "maxLength": a + b, "maxItems": b, "minProperties": a})
        ),
        select(vec!["^a", "[aé]", "^(open|closed)$", "^(?!a)"]).prop_map(|p| json!({"pattern": p})),
        prop::collection::btree_set(name(), 1..4).prop_map(|n| json!({"required": n})),
        Just(json!({"uniqueItems": true})),
        any::<bool>().prop_map(Value::from),
    ];
    let tree = assertion.prop_recursive(4, 24, 4, move |inner| {
        let several = || prop::collection::vec(inner.clone(), 1..4);
        let named = || prop::collection::btree_map(name(), inner.clone(), 1..5);
        prop_oneof![
            named().prop_map(|p| json!({"type": "object", "properties": p})),
            (named(), prop::collection::btree_set(name(), 0..4)).prop_map(
                |(p, r)| json!({"properties": p, "required": r, "additionalProperties": false})
            ),
            (named(), inner.clone())
                .prop_map(|(p, a)| json!({"properties": p, "unevaluatedProperties": a})),
            inner
                .clone()
                .prop_map(|i| json!({"type": "array", "items": i})),
            (several(), inner.clone()).prop_map(|(p, i)| json!({"prefixItems": p, "items": i})),
            several().prop_map(|s| json!({"anyOf": s})),
            several().prop_map(|s| json!({"oneOf": s})),
            several().prop_map(|s| json!({"allOf": s})),
            inner.clone().prop_map(|s| json!({"not": s})),
            inner.clone().prop_map(|s| json!({"propertyNames": s})),
            inner
                .clone()
                .prop_map(|s| json!({"contains": s, "minContains": 1, "maxContains": 2})),
            inner
                .clone()
                .prop_map(|s| json!({"patternProperties": {"^[a-i]": s}})),
            (inner.clone(), inner.clone(), inner.clone())
                .prop_map(|(a, b, c)| json!({"if": a, "then": b, "else": c})),
        ]
    });
    prop_oneof![
        tree.clone(),
        (tree.clone(), tree).prop_map(|(node, id)| json!({
            "$defs": {"node": node},
            "properties": {"lines": {"$ref": "#/$defs/node"}, "id": id},
            "items": {"$ref": "#"},
        })),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_verdict_and_the_violations_are_those_of_the_same_value(schema in schema(), value in value()) {
        assert_same(&schema, &value);
    }
}

#[test]
fn the_json_schema_test_suite_is_judged_as_it_says() {
    let Some(folder) = crate::support::shared("peers/json-schema/tests") else {
        return;
    };
    let (mut judged, mut refused) = (0, 0);
    for draft in ["draft2020-12", "draft7"] {
        let mut files = Vec::new();
        collect(&folder.join(draft), &mut files);
        for file in files {
            let text = std::fs::read(&file).expect("a file");
            let groups: Value = serde_json::from_slice(&text).expect("JSON");
            for group in groups.as_array().expect("groups") {
                let place = format!("{}: {}", file.display(), group["description"]);
                match judge_group(group, draft, &place) {
                    Some(tests) => judged += tests,
                    None => refused += 1,
                }
            }
        }
    }
    println!("{judged} judged, {refused} schemas refused");
    assert!(judged > 1500, "only {judged} tests");
}

/// Judges the tests of a group; `None` where its schema is refused.
fn judge_group(group: &Value, draft: &str, place: &str) -> Option<usize> {
    let mut schema = group["schema"].clone();
    if let (Some(object), "draft7") = (schema.as_object_mut(), draft) {
        object
            .entry("$schema")
            .or_insert("http://json-schema.org/draft-07/schema#".into());
    }
    let judge = Judge::compile(&schema).ok()?;
    let tests = group["tests"].as_array().expect("tests");
    for test in tests {
        let text = test["data"].to_string();
        let mut parser = Parser::default();
        let doc = parser.parse(text.as_bytes()).expect("JSON");
        let found = judge.judge(doc.root(), STEPS);
        let place = format!("{place}: {}", test["description"]);
        let options = jsonschema::options()
            .offline()
            .should_validate_formats(false);
        let plain = options
            .build(&schema)
            .expect("as before")
            .is_valid(&test["data"]);
        if place.contains("/optional/") {
            continue;
        }
        assert_eq!(found == Judgement::Fits, plain, "{place}");
        if !place.contains("format") {
            assert_eq!(found == Judgement::Fits, test["valid"] == true, "{place}");
        }
    }
    Some(tests.len())
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in folder.read_dir().expect("a folder") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.push(path);
        }
    }
}
