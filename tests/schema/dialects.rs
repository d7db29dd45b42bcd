//! Dialects: which one a schema is read by, and what it makes of keywords.

use mcp_conform::schema::{Bounds, Declared, Dialect, Judgement, PatternFault, Schema, Unusable};
use rstest::rstest;
use serde_json::{Value, json};

use crate::{judge, unusable};

#[rstest]
#[case("http://json-schema.org/draft-04/schema#", Dialect::Draft4)]
#[case("http://json-schema.org/draft-06/schema", Dialect::Draft6)]
#[case("https://json-schema.org/draft-07/schema#", Dialect::Draft7)]
#[case("https://json-schema.org/draft/2019-09/schema", Dialect::Draft201909)]
#[case("http://json-schema.org/draft/2020-12/schema#", Dialect::Draft202012)]
fn a_dialect_is_declared(#[case] uri: &str, #[case] dialect: Dialect) {
    let schema = json!({"$schema": uri});
    let schema = Schema::new(&schema, Bounds::default());
    assert_eq!(schema.declared(), Declared::Supported(dialect));
    assert_eq!(schema.dialect(), Some(dialect));
    assert!(schema.compiled().is_ok());
}

#[rstest]
#[case::empty(json!(""))]
#[case::a_latest_schema(json!("https://json-schema.org/schema"))]
#[case::draft_03(json!("http://json-schema.org/draft-03/schema#"))]
#[case::another_vocabulary(json!("https://spec.openapis.org/oas/3.1/dialect/base"))]
#[case::a_slip(json!("https://json-schema.org/draft/2020-12/schemas"))]
#[case::null(json!(null))]
#[case::a_number(json!(7))]
fn another_dialect_is_not_supported(#[case] declared: Value) {
    let schema = json!({"$schema": declared});
    assert_eq!(unusable(&schema), Some(Unusable::Dialect));
    let schema = Schema::new(&schema, Bounds::default());
    assert_eq!(schema.dialect(), None);
    assert_eq!(schema.meta_violations(), []);
}

#[test]
fn without_a_declaration_it_is_2020_12() {
    let schema = json!({"prefixItems": [{"type": "string"}]});
    assert_eq!(
        Schema::new(&schema, Bounds::default()).declared(),
        Declared::Default
    );
    assert!(matches!(
        judge(&schema, &json!([1])),
        Judgement::DoesNotFit(_)
    ));
}

/// A schema and a value that the two dialects judge differently: 2020-12 first, draft-07 second.
#[rstest]
#[case::prefix_items(json!({"prefixItems": [{"type": "string"}]}), json!([1]), false, true)]
#[case::unevaluated(json!({"unevaluatedProperties": false}), json!({"a": 1}), false, true)]
#[case::dependent_required(json!({"dependentRequired": {"a": ["b"]}}), json!({"a": 1}), false, true)]
#[case::min_contains(json!({"contains": {}, "minContains": 2}), json!([1]), false, true)]
#[case::beside_a_reference(
    json!({"$ref": "#/definitions/a", "maximum": 1, "definitions": {"a": {}}}), json!(2), false, true
)]
#[case::additional_items(json!({"additionalItems": false}), json!([1]), true, true)]
#[case::dependencies(json!({"dependencies": {"a": ["b"]}}), json!({"a": 1}), true, false)]
fn a_keyword_means_what_the_dialect_makes_of_it(
    #[case] mut schema: Value,
    #[case] value: Value,
    #[case] newer: bool,
    #[case] older: bool,
) {
    let fits = |schema: &Value| judge(schema, &value) == Judgement::Fits;
    assert_eq!(fits(&schema), newer, "2020-12");
    schema["$schema"] = json!("http://json-schema.org/draft-07/schema#");
    assert_eq!(fits(&schema), older, "draft-07");
}

#[test]
fn an_embedded_resource_may_switch_the_dialect() {
    let schema = json!({
        "properties": {
            "pair": {
                "$id": "pair",
                "$schema": "http://json-schema.org/draft-07/schema#",
                "items": [{"type": "string"}, {"type": "number"}]
            }
        }
    });
    assert_eq!(judge(&schema, &json!({"pair": ["a", 1]})), Judgement::Fits);
    assert!(matches!(
        judge(&schema, &json!({"pair": [1, 1]})),
        Judgement::DoesNotFit(_)
    ));
}

#[rstest]
#[case::type_(json!({"type": "strin"}), "/type")]
#[case::required(json!({"required": "id"}), "/required")]
#[case::min_length(json!({"properties": {"a": {"minLength": -1}}}), "/properties/a/minLength")]
#[case::items(json!({"items": [{}]}), "/items")]
#[case::properties(json!({"properties": {"a": null}}), "/properties/a")]
#[case::any_of(json!({"anyOf": []}), "/anyOf")]
fn what_the_meta_schema_refuses_is_invalid_and_has_a_place(
    #[case] schema: Value,
    #[case] at: &str,
) {
    assert_eq!(unusable(&schema), Some(Unusable::Invalid));
    let judged = Schema::new(&schema, Bounds::default());
    let places: Vec<_> = judged
        .meta_violations()
        .iter()
        .map(|v| v.instance.as_str())
        .collect();
    assert_eq!(places, [at]);
}

#[test]
fn every_violation_of_the_meta_schema_is_told() {
    let schema = json!({"type": 1, "properties": {"a": {"minimum": "0"}, "b": {"maxItems": 1.5}}});
    let schema = Schema::new(&schema, Bounds::default());
    let mut places: Vec<_> = schema
        .meta_violations()
        .iter()
        .map(|v| v.instance.as_str())
        .collect();
    places.sort_unstable();
    assert_eq!(
        places,
        ["/properties/a/minimum", "/properties/b/maxItems", "/type"]
    );
}

#[rstest]
#[case::not_a_schema(json!("object"), Some(Unusable::NotASchema))]
#[case::null(json!(null), Some(Unusable::NotASchema))]
#[case::boolean(json!(true), None)]
#[case::empty(json!({}), None)]
#[case::pattern(json!({"pattern": "(?<n>a)\\k<n>(?=b)[^]"}), Some(Unusable::Pattern))]
fn the_first_reason_counts(#[case] schema: Value, #[case] expected: Option<Unusable>) {
    assert_eq!(unusable(&schema), expected);
}

/// Patterns that are not ECMA-262, or explode, or that the engine does not take.
#[rstest]
#[case::fine("^[a-z]{2,4}(-[0-9]+)?$", None)]
#[case::unicode("^\\p{L}+$", None)]
#[case::anchors_of_perl("\\A[a-z]+\\z", Some("ecma"))]
#[case::inline_flag("(?i)abc", Some("ecma"))]
#[case::possessive("a++", Some("ecma"))]
#[case::range_from_a_class("[\\w-.]", Some("ecma"))]
#[case::open("(", Some("ecma"))]
#[case::nested_repetition("^(a+)+$", Some("explosive"))]
#[case::anything("a[^]b", Some("unsupported"))]
fn a_pattern_has_a_fault_or_none(#[case] pattern: &str, #[case] expected: Option<&str>) {
    let schema = json!({"properties": {"a": {"pattern": pattern}}});
    let schema = Schema::new(&schema, Bounds::default());
    let faults: Vec<_> = schema
        .pattern_faults()
        .iter()
        .map(|(pointer, text, fault)| {
            assert_eq!(
                (pointer.as_str(), *text),
                ("/properties/a/pattern", pattern)
            );
            match fault {
                PatternFault::NotEcma(_) => "ecma",
                PatternFault::Unsupported => "unsupported",
                PatternFault::Explosive => "explosive",
            }
        })
        .collect();
    assert_eq!(faults, Vec::from_iter(expected));
}
