//! What the audit's engine says of hard values, and that it says nothing of what it cannot tell.

use mcp_conform::audit::{Doubt, Judge, Judgement, Parser};
use serde_json::{Value, json};

const STEPS: u64 = 1_000_000;

fn judge(schema: &Value, text: &str) -> Judgement {
    let judge = Judge::compile(schema).expect("a schema");
    let mut parser = Parser::default();
    judge.judge(parser.parse(text.as_bytes()).expect("JSON").root(), STEPS)
}

#[test]
fn numbers_are_compared_as_they_are_written() {
    let limits = json!({"minimum": 0, "maximum": 100});
    let (fits, fails, doubt) = (
        Judgement::Fits,
        Judgement::DoesNotFit,
        Judgement::NotJudged(Doubt::Rounding),
    );
    for (schema, text, verdict) in [
        (&json!({"type": "integer"}), "1.0", fits),
        (&json!({"type": "integer"}), "1e2", fits),
        (&json!({"type": "integer"}), "-0", fits),
        (&json!({"type": "integer"}), "12345678901234567890123", fits),
        (&json!({"type": "integer"}), "9007199254740993.5", fails),
        (&json!({"type": "integer"}), "1e-400", fails),
        (&json!({"type": "number"}), "0.1000000000000000000001", fits),
        (
            &json!({"const": 9_007_199_254_740_992_u64}),
            "9007199254740993",
            fails,
        ),
        (
            &json!({"const": 9_007_199_254_740_993_u64}),
            "9007199254740993.0",
            fits,
        ),
        (
            &json!({"const": 9_007_199_254_740_993_u64}),
            "9007199254740993.5",
            fails,
        ),
        (
            &json!({"enum": [18_446_744_073_709_551_615_u64, "a"]}),
            "1.8446744073709551615e19",
            fits,
        ),
        (&json!({"enum": [1, 2.5, "a"]}), "1.0", fits),
        (&json!({"const": 1e300}), "1e300", fits),
        // A decimal between doubles, far from the limits: rounding it cannot matter.
        (&limits, "0.10000000000000001", fits),
        (&limits, "100.00000000000000001", doubt),
        (&limits, "99.99999999999999999999", doubt),
        (&limits, "1e-400", doubt),
        (&limits, "123456789012345678901234567890", fails),
        (&json!({"const": 0.1}), "0.10000000000000001", doubt),
        (&json!({"enum": [0.1, "a"]}), "0.10000000000000001", doubt),
        (&json!({"enum": [0.2, "a"]}), "0.10000000000000001", fails),
        (&json!({"multipleOf": 0.01}), "0.10000000000000001", doubt),
        (&json!({"multipleOf": 0.01}), "0.1", fits),
        (
            &json!({"uniqueItems": true}),
            "[0.10000000000000001,0.100000000000000011]",
            doubt,
        ),
        (
            &json!({"properties": {"total": {"maximum": 9}}}),
            r#"{"tax":0.10000000000000001,"total":3}"#,
            fits,
        ),
    ] {
        assert_eq!(judge(schema, text), verdict, "{schema} of {text}");
    }
}

#[test]
fn under_draft_4_an_integer_is_one_that_is_written_so() {
    let schema = json!({"$schema": "http://json-schema.org/draft-04/schema#", "type": "integer"});
    for (text, verdict) in [
        ("1", Judgement::Fits),
        ("1.0", Judgement::DoesNotFit),
        ("1e2", Judgement::DoesNotFit),
    ] {
        assert_eq!(judge(&schema, text), verdict, "{text}");
    }
}

#[test]
fn an_evaluation_that_explodes_is_ended_by_its_steps() {
    // Each level of the instance is walked by every branch at every level above it.
    let schema = json!({
        "$defs": {"node": {"type": ["object", "array"], "uniqueItems": true, "contains": true,
            "items": {"anyOf": [{"enum": [[1], [2], [3]]}, {"$ref": "#/$defs/node"}, {"not": {"$ref": "#/$defs/node"}}]}}},
        "allOf": [{"$ref": "#/$defs/node"}, {"items": {"$ref": "#/$defs/node"}}]
    });
    let text = format!("[{}[]]", "[[[]],[[[]],[]]],".repeat(500));
    let judge = Judge::compile(&schema).expect("a schema");
    let mut parser = Parser::default();
    let doc = parser.parse(text.as_bytes()).expect("JSON");
    assert_eq!(
        judge.judge(doc.root(), 2_000),
        Judgement::NotJudged(Doubt::Steps)
    );
    assert_ne!(
        judge.judge(doc.root(), 100_000_000),
        Judgement::NotJudged(Doubt::Steps)
    );
    assert_eq!(judge.errors(doc.root(), 2_000).len(), 0);
}

#[test]
fn a_large_value_needs_steps_in_proportion() {
    let schema =
        json!({"items": {"anyOf": [{"type": "string"}, {"type": "integer", "minimum": 0}]}});
    let judge = Judge::compile(&schema).expect("a schema");
    let text = format!("[{}0]", "1,".repeat(1_000_000));
    let mut parser = Parser::default();
    let doc = parser.parse(text.as_bytes()).expect("JSON");
    assert_eq!(
        judge.judge(doc.root(), 64 * text.len() as u64),
        Judgement::Fits
    );
}

#[test]
fn a_pattern_that_backtracks_without_end_is_not_judged() {
    let text = format!("\"{}!\"", "a".repeat(60));
    let doubtful = json!({"pattern": "^((?=a)a+)+$"});
    assert_eq!(
        judge(&doubtful, &text),
        Judgement::NotJudged(Doubt::Pattern)
    );
    assert_eq!(
        judge(
            &json!({"anyOf": [doubtful.clone(), {"type": "string"}]}),
            &text
        ),
        Judgement::Fits
    );
    assert_eq!(
        judge(&json!({"allOf": [doubtful, {"type": "null"}]}), &text),
        Judgement::DoesNotFit
    );
    assert_eq!(
        judge(&json!({"pattern": "^(a+)+$"}), &text),
        Judgement::DoesNotFit
    );
    assert_eq!(
        judge(&json!({"pattern": "^(?!draft)"}), "\"draft-7\""),
        Judgement::DoesNotFit
    );
}

#[test]
fn a_violation_names_keyword_instance_and_schema() {
    let schema = json!({"type": "object", "required": ["id"], "additionalProperties": false,
        "properties": {"id": {"type": "integer"}, "lines": {"items": {"$ref": "#/$defs/line"}}},
        "$defs": {"line": {"properties": {"a/b": {"enum": ["open", "closed"]}}}}});
    let judge = Judge::compile(&schema).expect("a schema");
    let text = r#"{"lines":[{},{"a/b":"lost"}],"note":{"long":[1,2,3]}}"#;
    let mut parser = Parser::default();
    let doc = parser.parse(text.as_bytes()).expect("JSON");
    let errors = judge.errors(doc.root(), STEPS);
    let mut found: Vec<_> = errors
        .iter()
        .map(|error| (error.kind().keyword(), error.instance_path().to_string()))
        .collect();
    found.sort_unstable();
    let expected = [
        ("additionalProperties", ""),
        ("enum", "/lines/1/a~1b"),
        ("required", ""),
    ];
    assert_eq!(
        found,
        expected.map(|(keyword, at)| (keyword, at.to_owned()))
    );
    // The instance of an error is read when it is asked for.
    let lost = errors
        .iter()
        .find(|error| error.kind().keyword() == "enum")
        .expect("an enum error");
    assert_eq!(lost.instance().as_ref(), "lost");
    let note = errors
        .iter()
        .find(|error| error.kind().keyword() == "required")
        .expect("an error");
    assert_eq!(note.instance()["note"], json!({"long": [1, 2, 3]}));
}

#[test]
fn names_are_judged_as_strings() {
    let schema = json!({"propertyNames": {"maxLength": 3, "pattern": "^[a-zé]"}});
    assert_eq!(judge(&schema, r#"{"abc":1,"\u00e9":{}}"#), Judgement::Fits);
    assert_eq!(judge(&schema, r#"{"abcd":1}"#), Judgement::DoesNotFit);
}
