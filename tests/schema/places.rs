//! The place of a violated keyword is told from the root of the schema, whatever led there.

use rstest::rstest;
use serde_json::{Value, json};

use crate::violations;

/// A report in three documents that were bundled into one.
fn bundle() -> Value {
    json!({
        "$id": "https://example.com/report",
        "type": "object",
        "properties": {
            "rows": {"type": "array", "items": {"$ref": "row"}},
            "total": {"$ref": "row#/$defs/amount"},
            "note": {"$ref": "row#text"}
        },
        "$defs": {
            "row": {
                "$id": "row",
                "properties": {"amount": {"$ref": "#/$defs/amount"}, "next": {"$ref": "#"}},
                "$defs": {
                    "amount": {"type": "number", "minimum": 0},
                    "text": {"$anchor": "text", "maxLength": 3}
                }
            }
        }
    })
}

#[rstest]
#[case::through_an_embedded_resource(
    json!({"rows": [{"amount": "none"}]}), "/rows/0/amount", "/$defs/row/$defs/amount/type"
)]
#[case::through_a_loop(
    json!({"rows": [{"next": {"next": {"amount": -1}}}]}),
    "/rows/0/next/next/amount",
    "/$defs/row/$defs/amount/minimum"
)]
#[case::into_an_embedded_resource(json!({"total": -1}), "/total", "/$defs/row/$defs/amount/minimum")]
#[case::by_anchor(json!({"note": "long"}), "/note", "/$defs/row/$defs/text/maxLength")]
#[case::outside(json!({"rows": {}}), "/rows", "/properties/rows/type")]
fn places_below_an_embedded_identifier(
    #[case] instance: Value,
    #[case] place: &str,
    #[case] keyword: &str,
) {
    let schema = bundle();
    let [violation] = &violations(&schema, &instance)[..] else {
        panic!("one violation");
    };
    assert_eq!(violation.instance.as_str(), place);
    assert_eq!(violation.schema.as_str(), keyword);
    assert!(schema.pointer(keyword).is_some());
}

#[test]
fn a_schema_without_a_name_of_its_own_has_places_too() {
    let schema = json!({
        "properties": {"a": {"$ref": "part"}},
        "$defs": {"part": {"$id": "part", "$ref": "#/$defs/inner", "$defs": {"inner": {"const": 1}}}}
    });
    let found = violations(&schema, &json!({"a": 2}));
    assert_eq!(found[0].schema.as_str(), "/$defs/part/$defs/inner/const");
}

#[test]
fn a_member_that_is_named_like_a_reference_is_none() {
    let schema = json!({
        "properties": {"$ref": {"type": "null"}, "a": {"$ref": "#/properties/$ref"}}
    });
    let found = violations(&schema, &json!({"$ref": 1}));
    assert_eq!(found[0].schema.as_str(), "/properties/$ref/type");
    let found = violations(&schema, &json!({"a": 1}));
    assert_eq!(found[0].schema.as_str(), "/properties/$ref/type");
}

#[test]
fn what_violates_a_built_in_meta_schema_violates_the_reference() {
    let schema = json!({
        "properties": {"schema": {"$ref": "https://json-schema.org/draft/2020-12/schema"}}
    });
    let found = violations(&schema, &json!({"schema": {"minLength": -1}}));
    assert_eq!(found[0].instance.as_str(), "/schema/minLength");
    assert_eq!(found[0].schema.as_str(), "/properties/schema/$ref");
}
