//! Each keyword's violation: its kind, the keyword, the place in the instance and in the schema.

use mcp_conform::schema::{Reason, Violation};
use rstest::rstest;
use serde_json::{Value, json};

use crate::violations;

/// Kind, keyword, instance pointer and schema pointer.
fn told(violation: &Violation) -> [String; 4] {
    let Violation {
        reason,
        keyword,
        instance,
        schema,
    } = violation;
    let parts = [reason.kind(), keyword, instance.as_str(), schema.as_str()];
    parts.map(str::to_owned)
}

/// One violation of 2020-12.
#[rstest]
#[case::type_(json!({"type": "string"}), json!(1), ["wrong-type", "type", "", "/type"])]
#[case::types(json!({"type": ["string", "null"]}), json!(1), ["wrong-type", "type", "", "/type"])]
#[case::integer(json!({"type": "integer"}), json!(1.5), ["wrong-type", "type", "", "/type"])]
#[case::enum_(json!({"enum": ["a", 1]}), json!("b"), ["not-in-enum", "enum", "", "/enum"])]
#[case::const_(json!({"const": {"a": 1}}), json!({}), ["not-const", "const", "", "/const"])]
#[case::multiple_of(json!({"multipleOf": 5}), json!(7), ["bound", "multipleOf", "", "/multipleOf"])]
#[case::maximum(json!({"maximum": 5}), json!(7), ["bound", "maximum", "", "/maximum"])]
#[case::minimum(json!({"minimum": 5}), json!(3), ["bound", "minimum", "", "/minimum"])]
#[case::exclusive_maximum(
    json!({"exclusiveMaximum": 5}), json!(5), ["bound", "exclusiveMaximum", "", "/exclusiveMaximum"]
)]
#[case::exclusive_minimum(
    json!({"exclusiveMinimum": 5}), json!(5), ["bound", "exclusiveMinimum", "", "/exclusiveMinimum"]
)]
#[case::max_length(json!({"maxLength": 1}), json!("éé"), ["bound", "maxLength", "", "/maxLength"])]
#[case::min_length(json!({"minLength": 3}), json!("éé"), ["bound", "minLength", "", "/minLength"])]
#[case::pattern(json!({"pattern": "^a"}), json!("b"), ["pattern", "pattern", "", "/pattern"])]
#[case::max_items(json!({"maxItems": 1}), json!([1, 2]), ["bound", "maxItems", "", "/maxItems"])]
#[case::min_items(json!({"minItems": 3}), json!([1, 2]), ["bound", "minItems", "", "/minItems"])]
#[case::unique_items(
    json!({"uniqueItems": true}), json!([1, 1.0]), ["repeated", "uniqueItems", "", "/uniqueItems"]
)]
#[case::max_properties(
    json!({"maxProperties": 0}), json!({"a": 1}), ["bound", "maxProperties", "", "/maxProperties"]
)]
#[case::min_properties(
    json!({"minProperties": 1}), json!({}), ["bound", "minProperties", "", "/minProperties"]
)]
#[case::required(json!({"required": ["a"]}), json!({}), ["missing-member", "required", "", "/required"])]
#[case::dependent_required(
    json!({"dependentRequired": {"a": ["b"]}}),
    json!({"a": 1}),
    ["missing-member", "dependentRequired", "", "/dependentRequired"]
)]
#[case::dependent_schemas(
    json!({"dependentSchemas": {"a": {"required": ["b"]}}}),
    json!({"a": 1}),
    ["missing-member", "required", "", "/dependentSchemas/a/required"]
)]
#[case::properties(
    json!({"properties": {"a/b": {"type": "null"}}}),
    json!({"a/b": 1}),
    ["wrong-type", "type", "/a~1b", "/properties/a~1b/type"]
)]
#[case::pattern_properties(
    json!({"patternProperties": {"^x/": {"type": "null"}}}),
    json!({"x/y": 1}),
    ["wrong-type", "type", "/x~1y", "/patternProperties/^x~1/type"]
)]
#[case::additional_properties(
    json!({"additionalProperties": false}),
    json!({"a": 1}),
    ["extra-member", "additionalProperties", "", "/additionalProperties"]
)]
#[case::additional_properties_schema(
    json!({"additionalProperties": {"type": "null"}}),
    json!({"a": 1}),
    ["wrong-type", "type", "/a", "/additionalProperties/type"]
)]
#[case::unevaluated_properties(
    json!({"allOf": [{"properties": {"a": true}}], "unevaluatedProperties": false}),
    json!({"a": 1, "b": 2}),
    ["extra-member", "unevaluatedProperties", "", "/unevaluatedProperties"]
)]
#[case::property_names(
    json!({"propertyNames": {"pattern": "^[a-z]+$"}}),
    json!({"A": 1}),
    ["composition", "propertyNames", "", "/propertyNames"]
)]
#[case::property_names_by_reference(
    json!({"propertyNames": {"$ref": "#/$defs/name"}, "$defs": {"name": {"maxLength": 1}}}),
    json!({"ab": 1}),
    // The engine does not say which way led to the name's schema.
    ["composition", "propertyNames", "", "/$defs/name/maxLength"]
)]
#[case::items(json!({"items": {"type": "null"}}), json!([null, 1]), ["wrong-type", "type", "/1", "/items/type"])]
#[case::items_false(
    json!({"prefixItems": [true], "items": false}), json!([1, 2]), ["nothing-fits", "items", "/1", "/items"]
)]
#[case::prefix_items(
    json!({"prefixItems": [true, {"type": "null"}]}),
    json!([1, 2]),
    ["wrong-type", "type", "/1", "/prefixItems/1/type"]
)]
#[case::unevaluated_items(
    json!({"prefixItems": [true], "unevaluatedItems": false}),
    json!([1, 2]),
    ["extra-item", "unevaluatedItems", "", "/unevaluatedItems"]
)]
#[case::contains(json!({"contains": {"type": "null"}}), json!([1]), ["composition", "contains", "", "/contains"])]
#[case::min_contains(
    json!({"contains": {"type": "null"}, "minContains": 2}),
    json!([null]),
    ["composition", "minContains", "", "/minContains"]
)]
#[case::max_contains(
    json!({"contains": {"type": "null"}, "maxContains": 1}),
    json!([null, null]),
    ["composition", "maxContains", "", "/maxContains"]
)]
#[case::any_of(
    json!({"anyOf": [{"type": "null"}, {"type": "string"}]}), json!(1), ["composition", "anyOf", "", "/anyOf"]
)]
#[case::one_of_none(
    json!({"oneOf": [{"type": "null"}, {"type": "string"}]}), json!(1), ["composition", "oneOf", "", "/oneOf"]
)]
#[case::one_of_both(json!({"oneOf": [true, {"type": "number"}]}), json!(1), ["composition", "oneOf", "", "/oneOf"])]
#[case::not(json!({"not": {"type": "number"}}), json!(1), ["composition", "not", "", "/not"])]
#[case::all_of(
    json!({"allOf": [true, {"type": "null"}]}), json!(1), ["wrong-type", "type", "", "/allOf/1/type"]
)]
#[case::then(
    json!({"if": {"type": "number"}, "then": {"minimum": 5}}), json!(1), ["bound", "minimum", "", "/then/minimum"]
)]
#[case::else_(
    json!({"if": {"type": "null"}, "else": {"minimum": 5}}), json!(1), ["bound", "minimum", "", "/else/minimum"]
)]
#[case::reference(
    json!({"properties": {"a": {"$ref": "#/$defs/b"}}, "$defs": {"b": {"type": "null"}}}),
    json!({"a": 1}),
    ["wrong-type", "type", "/a", "/$defs/b/type"]
)]
#[case::false_(json!(false), json!(1), ["nothing-fits", "", "", ""])]
#[case::false_property(
    json!({"properties": {"a": false}}), json!({"a": 1}), ["nothing-fits", "properties", "/a", "/properties/a"]
)]
#[case::false_property_named_like_a_keyword(
    json!({"properties": {"items": false}}),
    json!({"items": 1}),
    ["nothing-fits", "properties", "/items", "/properties/items"]
)]
#[case::false_by_reference(
    json!({"items": {"$ref": "#/$defs/none"}, "$defs": {"none": false}}),
    json!([1]),
    ["nothing-fits", "$ref", "/0", "/$defs/none"]
)]
fn a_violation_has_a_kind_and_two_places(
    #[case] schema: Value,
    #[case] instance: Value,
    #[case] expected: [&str; 4],
) {
    let found: Vec<_> = violations(&schema, &instance).iter().map(told).collect();
    assert_eq!(found, [expected]);
}

/// What only older dialects have.
#[rstest]
#[case::dependencies_of_names(
    json!({"dependencies": {"a": ["b"]}}), json!({"a": 1}), ["missing-member", "dependencies", "", "/dependencies"]
)]
#[case::dependencies_of_schemas(
    json!({"dependencies": {"a": {"required": ["b"]}}}),
    json!({"a": 1}),
    ["missing-member", "required", "", "/dependencies/a/required"]
)]
#[case::tuple(
    json!({"items": [true, {"type": "null"}]}), json!([1, 2]), ["wrong-type", "type", "/1", "/items/1/type"]
)]
#[case::additional_items(
    json!({"items": [true], "additionalItems": false}),
    json!([1, 2]),
    ["extra-item", "additionalItems", "", "/additionalItems"]
)]
#[case::definitions(
    json!({"properties": {"a": {"$ref": "#/definitions/b"}}, "definitions": {"b": {"const": 2}}}),
    json!({"a": 1}),
    ["not-const", "const", "/a", "/definitions/b/const"]
)]
fn a_violation_of_draft_07(
    #[case] mut schema: Value,
    #[case] instance: Value,
    #[case] expected: [&str; 4],
) {
    schema["$schema"] = json!("http://json-schema.org/draft-07/schema#");
    let found: Vec<_> = violations(&schema, &instance).iter().map(told).collect();
    assert_eq!(found, [expected]);
}

#[test]
fn each_missing_member_and_each_wrong_value_is_told() {
    let schema = json!({"required": ["a", "b"], "additionalProperties": {"type": "null"}});
    let found = violations(&schema, &json!({"c": 1, "d": 2}));
    let mut kinds: Vec<_> = found
        .iter()
        .map(|v| format!("{} {}", v.reason.kind(), v.instance))
        .collect();
    kinds.sort();
    assert_eq!(
        kinds,
        [
            "missing-member ",
            "missing-member ",
            "wrong-type /c",
            "wrong-type /d"
        ]
    );
}

/// The clauses that people read repeat the schema, and of the instance only names of members.
#[rstest]
#[case(json!({"type": "string"}), json!({"secret": 1}), "is of type object, not string")]
#[case(json!({"type": ["integer", "null"]}), json!("secret"), "is of type string, not null or integer")]
#[case(json!({"enum": ["open", "closed"]}), json!("secret"), "is none of \"open\", \"closed\"")]
#[case(json!({"const": 4}), json!("secret"), "is not 4")]
#[case(json!({"pattern": "^T-[0-9]+$"}), json!("secret"), "does not match the pattern ^T-[0-9]+$")]
#[case(json!({"maxLength": 3}), json!("secret"), "is not at most 3 characters")]
#[case(json!({"minItems": 3}), json!(["secret"]), "is not at least 3 elements")]
#[case(json!({"exclusiveMinimum": 3}), json!(1), "is not more than 3")]
#[case(json!({"required": ["id"]}), json!({"secret": 1}), "lacks the member `id`")]
#[case(
    json!({"additionalProperties": false}),
    json!({"a": 1, "b": 2, "c": 3, "d": 4, "e": 5}),
    "has the undeclared members `a`, `b`, `c` and 2 more"
)]
#[case(
    json!({"prefixItems": [true], "unevaluatedItems": false}),
    json!(["secret", "secret"]),
    "has more elements than the schema allows"
)]
#[case(json!({"uniqueItems": true}), json!(["secret", "secret"]), "has two equal elements")]
#[case(json!({"anyOf": [{"type": "null"}]}), json!("secret"), "fits none of the alternatives")]
#[case(json!({"properties": {"a": false}}), json!({"a": "secret"}), "stands where the schema allows nothing")]
fn a_reason_is_a_clause(#[case] schema: Value, #[case] instance: Value, #[case] clause: &str) {
    let found: Vec<_> = violations(&schema, &instance)
        .iter()
        .map(|v| v.reason.to_string())
        .collect();
    assert_eq!(found, [clause]);
}

#[test]
fn a_long_schema_makes_no_long_clause() {
    let long = "x".repeat(5_000);
    let options: Vec<_> = (0..500).map(|n| json!(format!("{n}{long}"))).collect();
    let names: Vec<_> = (0..500).map(|n| json!(format!("{n}{long}"))).collect();
    for (schema, instance) in [
        (json!({"enum": options}), json!(1)),
        (json!({"const": long}), json!(1)),
        (json!({"required": names}), json!({})),
        (
            json!({"pattern": format!("^[{}]$", "ab".repeat(400))}),
            json!("no"),
        ),
        (
            json!({"additionalProperties": false}),
            json!({long.as_str(): 1}),
        ),
    ] {
        for violation in violations(&schema, &instance) {
            let clause = violation.reason.to_string();
            assert!(clause.chars().count() < 300, "{clause}");
        }
    }
}

#[test]
fn no_more_violations_are_listed_than_anybody_reads() {
    let instance: Vec<_> = (0..1_000).collect();
    let found = violations(&json!({"items": {"type": "null"}}), &json!(instance));
    assert_eq!(found.len(), 32);
    assert!(
        found
            .iter()
            .all(|violation| matches!(violation.reason, Reason::WrongType { .. }))
    );
}
