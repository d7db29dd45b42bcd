//! References that apply a schema to the same value for ever.

use mcp_conform::schema::{Bounds, Schema, Unusable};
use rstest::rstest;
use serde_json::{Value, json};

use crate::unusable;

#[rstest]
#[case::itself(json!({"$ref": "#"}), &["#"])]
#[case::two(
    json!({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}),
    &["#/$defs/a"]
)]
#[case::through_all_of(json!({"allOf": [{"$ref": "#"}]}), &["#"])]
#[case::through_not(json!({"not": {"anyOf": [{"$ref": "#"}]}}), &["#"])]
#[case::through_a_condition(json!({"if": true, "then": {"$ref": "#"}}), &["#"])]
#[case::through_dependent_schemas(json!({"dependentSchemas": {"a": {"$ref": "#"}}}), &["#"])]
#[case::through_an_anchor(json!({"$anchor": "a", "oneOf": [{"$ref": "#a"}]}), &["#a"])]
#[case::dynamic(json!({"$dynamicAnchor": "a", "anyOf": [{"$dynamicRef": "#a"}]}), &["#a"])]
#[case::nobody_gets_there(json!({"$defs": {"a": {"$ref": "#/$defs/a"}}}), &["#/$defs/a"])]
#[case::twice(
    json!({"anyOf": [{"$ref": "#"}], "items": {"$ref": "#/$defs/a"}, "$defs": {"a": {"$ref": "#/$defs/a"}}}),
    &["#", "#/$defs/a"]
)]
fn a_loop_that_consumes_nothing_is_found(#[case] schema: Value, #[case] expected: &[&str]) {
    let found = Schema::new(&schema, Bounds::default());
    let mut texts: Vec<_> = found.cycles().map(|reference| reference.text).collect();
    texts.sort_unstable();
    assert_eq!(texts, expected);
    assert_eq!(unusable(&schema), Some(Unusable::Cycle));
}

/// Recursion that takes a part of the value at every turn comes to an end.
#[rstest]
#[case::properties(json!({"properties": {"next": {"$ref": "#"}}}))]
#[case::items(json!({"items": {"$ref": "#"}}))]
#[case::additional(json!({"additionalProperties": {"anyOf": [{"$ref": "#"}, {"type": "null"}]}}))]
#[case::contains(json!({"contains": {"$ref": "#"}}))]
#[case::names(json!({"propertyNames": {"$ref": "#"}}))]
#[case::unevaluated(json!({"unevaluatedItems": {"$ref": "#"}}))]
#[case::a_diamond(
    json!({"allOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/a"}], "$defs": {"a": {"type": "object"}}})
)]
#[case::definitions(json!({"$defs": {"a": {"$defs": {"b": {"$ref": "#/$defs/a"}}}}, "$ref": "#/$defs/a"}))]
fn recursion_is_no_loop(#[case] schema: Value) {
    assert_eq!(Schema::new(&schema, Bounds::default()).cycles().count(), 0);
    assert_eq!(unusable(&schema), None);
}
