//! What is neither found to fit nor found not to, and why.

use mcp_conform::schema::{Bounds, Instance, Judgement, Schema, Unjudged, equal};
use mcp_conform::source::{Format, Limits, Pointer, Source};
use rstest::rstest;
use serde_json::{Value, json};

use crate::judge;

/// Judges a value as it is written, its numbers with it.
fn judge_text(schema: &Value, text: &str) -> Judgement {
    let parsed = Source::new("a", text, Format::Json)
        .parse(&Limits::default())
        .unwrap();
    let schema = Schema::new(schema, Bounds::default());
    schema.compiled().unwrap().judge(Instance {
        value: &parsed.value,
        base: &Pointer::root(),
        rounded: &parsed.rounded,
    })
}

fn is_fit(judgement: &Judgement) -> Option<bool> {
    match judgement {
        Judgement::Fits => Some(true),
        Judgement::DoesNotFit(_) => Some(false),
        Judgement::NotJudged(_) => None,
    }
}

/// Integers of 64 bits are compared exactly, and a number that is written otherwise by its value.
#[rstest]
#[case(json!({"const": 9_007_199_254_740_992_u64}), "9007199254740993", Some(false))]
#[case(json!({"const": 9_007_199_254_740_993_u64}), "9007199254740993", Some(true))]
#[case(json!({"maximum": 9_007_199_254_740_992_u64}), "9007199254740993", Some(false))]
#[case(json!({"exclusiveMinimum": -9_007_199_254_740_993_i64}), "-9007199254740993", Some(false))]
#[case(json!({"enum": [18_446_744_073_709_551_615_u64]}), "18446744073709551615", Some(true))]
#[case(json!({"type": "integer"}), "1.0", Some(true))]
#[case(json!({"type": "integer"}), "1e0", Some(true))]
#[case(json!({"type": "integer"}), "-0", Some(true))]
#[case(json!({"type": "integer"}), "1.5", Some(false))]
#[case(json!({"const": 1}), "1.0", Some(true))]
#[case(json!({"uniqueItems": true}), "[1, 1.0]", Some(false))]
#[case(json!({"const": 0}), "-0.0", Some(true))]
#[case(json!({"const": true}), "1", Some(false))]
// Beyond, the kind of a number is known and its value is not compared.
#[case(json!({"type": "integer"}), "123456789012345678901234567890", Some(true))]
#[case(json!({"type": "integer"}), "0.12345678901234567890", Some(false))]
#[case(json!({"type": "number"}), "1e-400", Some(true))]
#[case(json!({"type": "string"}), "123456789012345678901234567890", Some(false))]
#[case(json!({"maximum": 5}), "123456789012345678901234567890", None)]
#[case(json!({"minimum": 0}), "1e-400", None)]
#[case(json!({"const": 0}), "1e-400", None)]
#[case(json!({"enum": [1, 2]}), "18446744073709551617", None)]
#[case(json!({"multipleOf": 2}), "18446744073709551618", None)]
#[case(json!({"uniqueItems": true}), "[18446744073709551617, 18446744073709551618]", None)]
#[case(json!({"const": {"a": [1]}}), "{\"a\": [1.00000000000000000001]}", None)]
#[case(json!({"items": {"type": "number"}}), "[18446744073709551617]", Some(true))]
fn numbers_are_compared_exactly_or_not_at_all(
    #[case] schema: Value,
    #[case] text: &str,
    #[case] expected: Option<bool>,
) {
    let judgement = judge_text(&schema, text);
    assert_eq!(is_fit(&judgement), expected, "{judgement:?}");
    if expected.is_none() {
        assert_eq!(judgement, Judgement::NotJudged(Unjudged::Rounded));
    }
}

#[test]
fn a_rounded_number_elsewhere_in_the_document_is_of_no_concern() {
    let text = r#"{"other": 1e-400, "value": {"n": 5}}"#;
    let parsed = Source::new("a", text, Format::Json)
        .parse(&Limits::default())
        .unwrap();
    let schema = json!({"properties": {"n": {"minimum": 3}}});
    let schema = Schema::new(&schema, Bounds::default());
    let judgement = schema.compiled().unwrap().judge(Instance {
        value: &parsed.value["value"],
        base: &Pointer::from("/value"),
        rounded: &parsed.rounded,
    });
    assert_eq!(judgement, Judgement::Fits);
}

/// A schema that takes twice as long with every level of the value.
fn costly() -> Value {
    let next =
        json!({"type": "object", "required": ["next"], "properties": {"next": {"$ref": "#"}}});
    json!({"anyOf": [{"const": 1}, next, {"allOf": [next, {"required": ["end"]}]}]})
}

fn deep(levels: usize) -> Value {
    (0..levels).fold(json!(2), |value, _| json!({"next": value}))
}

#[test]
fn a_value_that_costs_more_than_the_bound_is_not_judged() {
    let schema = json!({"items": {"type": "integer", "minimum": 0}});
    let bounds = Bounds {
        steps: 10_000,
        ..Bounds::default()
    };
    let metered = Schema::new(&schema, bounds).compiled().unwrap();
    let value = json!(vec![1; 20_000]);
    assert_eq!(metered.fits(Instance::plain(&value)), Err(Unjudged::Budget));
    assert_eq!(
        metered.judge(Instance::plain(&value)),
        Judgement::NotJudged(Unjudged::Budget)
    );
    // The next value has a budget of its own.
    assert_eq!(metered.fits(Instance::plain(&json!([1]))), Ok(true));
    assert_eq!(metered.fits(Instance::plain(&json!([-1]))), Ok(false));
}

#[test]
fn a_large_value_within_the_bound_is_judged() {
    let value: Vec<_> = (0..100_000).collect();
    assert_eq!(
        judge(&json!({"items": {"type": "integer"}}), &json!(value)),
        Judgement::Fits
    );
    let judgement = judge(&json!({"items": {"maximum": 99_998}}), &json!(value));
    let Judgement::DoesNotFit(violations) = judgement else {
        panic!("{judgement:?}");
    };
    assert_eq!(violations[0].instance.as_str(), "/99999");
}

#[test]
fn what_cannot_be_listed_is_still_found_not_to_fit() {
    let judgement = judge(&costly(), &deep(16));
    let Judgement::DoesNotFit(violations) = judgement else {
        panic!("{judgement:?}");
    };
    assert!(!violations.is_empty() && violations.len() <= 32);
}

#[rstest]
#[case::alone(json!({"pattern": "^((?=a)a+)+$"}))]
#[case::lookbehind(json!({"pattern": "^((?<=a|^)a+)+$"}))]
#[case::inside_any_of(json!({"anyOf": [{"pattern": "^((?=a)a+)+$"}, {"type": "null"}]}))]
#[case::inside_not(json!({"not": {"pattern": "^((?=a)a+)+$"}}))]
fn a_pattern_that_runs_out_of_its_budget_is_not_judged(#[case] schema: Value) {
    let text = format!("{}!", "a".repeat(60));
    let judgement = judge(&schema, &json!(text));
    assert_eq!(judgement, Judgement::NotJudged(Unjudged::Pattern));
}

#[test]
fn a_pattern_without_lookaround_never_runs_out() {
    let text = format!("{}!", "a".repeat(10_000));
    let judgement = judge(&json!({"pattern": "^(a+)+$"}), &json!(text));
    assert_eq!(is_fit(&judgement), Some(false));
}

#[rstest]
#[case(Unjudged::Budget, "steps")]
#[case(Unjudged::Rounded, "round")]
#[case(Unjudged::Pattern, "regular expression")]
fn each_reason_is_a_clause(#[case] why: Unjudged, #[case] word: &str) {
    assert!(why.clause().contains(word), "{}", why.clause());
}

#[test]
fn equality_is_that_of_json_schema() {
    assert!(equal(
        &json!({"a": 1, "b": [2.0]}),
        &json!({"b": [2], "a": 1.0})
    ));
    assert!(!equal(&json!(1), &json!(true)));
    assert!(!equal(&json!("1"), &json!(1)));
    assert!(!equal(&json!([1, 2]), &json!([2, 1])));
}
