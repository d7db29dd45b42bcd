//! What becomes of each construct: the projection, and the loss report.

use mcp_conform::project::{Change, Effect};
use rstest::rstest;
use serde_json::{Value, json};

use crate::{at, projected, proved, schema, widens};

/// An object as strict mode has it.
fn closed(properties: &Value) -> Value {
    let names: Vec<&String> = properties.as_object().expect("members").keys().collect();
    json!({"type": "object", "properties": properties, "required": names, "additionalProperties": false})
}

fn one(member: &Value) -> Value {
    json!({
        "type": "object", "properties": {"order": member},
        "required": ["order"], "additionalProperties": false
    })
}

#[rstest]
#[case::all_of_is_laid_side_by_side(
    json!({"allOf": [
        {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]},
        {"properties": {"id": {"maxLength": 9}, "sum": {"type": "number"}}, "required": ["sum"]}
    ], "unevaluatedProperties": false}),
    closed(&json!({"id": {"type": "string"}, "sum": {"type": "number"}}))
)]
#[case::a_reference_and_its_siblings_intersect(
    json!({"$ref": "#/$defs/order", "properties": {"sum": {"minimum": 1}}, "required": ["sum"]}),
    closed(&json!({"sum": {"type": "number", "minimum": 1}, "id": {"type": "string"}}))
)]
#[case::the_tighter_bound_holds(
    json!({"type": "integer", "minimum": 1, "allOf": [{"minimum": 5, "maximum": 9}, {"maximum": 7}]}),
    json!({"type": "integer", "minimum": 5, "maximum": 7})
)]
#[case::types_and_enums_intersect(
    json!({"type": ["string", "null"], "enum": ["late", null, 3], "allOf": [{"enum": ["late", "lost", 3]}]}),
    json!({"type": "string", "enum": ["late"]})
)]
#[case::data_is_not_walked_into(
    json!({"const": "x", "description": "one", "default": {"allOf": [{"$ref": "#/nowhere"}]}}),
    json!({"type": "string", "description": "one", "const": "x"})
)]
#[case::alternatives_told_apart_stay_exclusive(
    json!({"oneOf": [
        {"type": "object", "properties": {"by": {"const": "card"}}, "required": ["by"], "additionalProperties": false},
        {"type": "object", "properties": {"by": {"const": "bank"}}, "required": ["by"], "additionalProperties": false}
    ]}),
    json!({"anyOf": [closed(&json!({"by": {"type": "string", "const": "card"}})),
                     closed(&json!({"by": {"type": "string", "const": "bank"}}))]})
)]
#[case::what_stands_beside_a_union_holds_in_each_alternative(
    json!({
        "type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"],
        "anyOf": [{"properties": {"sum": {"type": "number"}}, "required": ["sum"]},
                  {"properties": {"id": {"enum": ["all"]}}}]
    }),
    json!({"anyOf": [closed(&json!({"id": {"type": "string"}, "sum": {"type": "number"}})),
                     closed(&json!({"id": {"type": "string", "enum": ["all"]}}))]})
)]
#[case::what_no_value_fits_is_not_offered(
    json!({"anyOf": [{"type": "string", "enum": []}, {"type": "integer", "allOf": [{"type": "string"}]}, {"type": "boolean"}]}),
    json!({"type": "boolean"})
)]
fn strict_mode_says_the_same_in_its_words(#[case] member: Value, #[case] expected: Value) {
    let mut source = one(&member);
    source["$defs"] = json!({"order": {
        "type": "object",
        "properties": {"id": {"type": "string"}, "sum": {"type": "number"}},
        "required": ["id"]
    }});
    let projection = projected(&source, "openai-strict").expect("it can be projected");
    let found = &schema(&projection)["properties"]["order"];
    assert_eq!(found, &expected, "{found:#}\n{:#?}", projection.losses);
    let proof = proved(&source, "openai-strict", None);
    assert!(proof.holds(), "{proof:#?}");
}

#[rstest]
#[case::not(json!({"type": "string", "not": {"const": "none"}}), "not")]
#[case::min_length(json!({"type": "string", "minLength": 4}), "minLength")]
#[case::unique(json!({"type": "array", "items": {"type": "integer"}, "uniqueItems": true}), "uniqueItems")]
#[case::contains(json!({"type": "array", "items": {"type": "integer"}, "contains": {"minimum": 5}}), "contains")]
#[case::lookahead(json!({"type": "string", "pattern": "^(?=.*[0-9]).+$"}), "pattern")]
#[case::exclusive(json!({"oneOf": [{"type": "integer"}, {"type": "number", "minimum": 3}]}), "oneOf")]
#[case::dependent(
    json!({
        "type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
        "additionalProperties": false, "dependentRequired": {"a": ["b"]}
    }),
    "dependentRequired"
)]
#[case::condition(
    json!({
        "type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
        "additionalProperties": false, "if": {"required": ["a"]}, "then": {"required": ["b"]}
    }),
    "if"
)]
#[case::tuple(
    json!({"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "items": false, "minItems": 2}),
    "prefixItems"
)]
fn what_strict_mode_cannot_say_is_a_loss(#[case] member: Value, #[case] keyword: &str) {
    let source = one(&member);
    let projection = projected(&source, "openai-strict").expect("it can be projected");
    let pointer = format!("/inputSchema/properties/order/{keyword}");
    assert!(
        widens(&projection.losses, &pointer),
        "{:#?}",
        projection.losses
    );
    assert!(
        schema(&projection)["properties"]["order"]
            .get(keyword)
            .is_none()
    );
    let proof = proved(&source, "openai-strict", None);
    assert!(proof.holds() && proof.excused > 0, "{proof:#?}");
}

#[test]
fn an_optional_member_is_null_instead_of_absent() {
    let source = json!({
        "type": "object",
        "properties": {"id": {"type": "string"}, "note": {"type": "string"}, "tag": {"enum": ["a", "b"]},
                       "next": {"$ref": "#"}},
        "required": ["id"], "additionalProperties": false
    });
    let projection = projected(&source, "openai-strict").expect("it can be projected");
    let found = schema(&projection);
    assert_eq!(found["required"], json!(["id", "note", "tag", "next"]));
    assert_eq!(
        found["properties"]["note"],
        json!({"type": ["string", "null"]})
    );
    assert_eq!(
        found["properties"]["tag"],
        json!({"type": ["string", "null"], "enum": ["a", "b", null]})
    );
    assert_eq!(
        found["properties"]["next"],
        json!({"anyOf": [{"$ref": "#"}, {"type": "null"}]})
    );
    let losses = at(&projection.losses, "/inputSchema/required");
    assert_eq!((losses.len(), losses[0].change), (1, Change::Rewritten));
    assert!(proved(&source, "openai-strict", None).holds());
}

#[test]
fn null_that_was_legal_already_is_reported_as_ambiguous() {
    let source = json!({
        "type": "object", "properties": {"assignee": {"type": ["string", "null"]}},
        "additionalProperties": false
    });
    let projection = projected(&source, "openai-strict").expect("it can be projected");
    let losses = at(&projection.losses, "/inputSchema/required");
    assert_eq!(losses.len(), 1, "{losses:#?}");
    assert_eq!(
        (losses[0].change, losses[0].effect),
        (Change::Ambiguous, Effect::None)
    );
    assert!(
        losses[0].reason.contains("`assignee`"),
        "{}",
        losses[0].reason
    );
}

#[test]
fn recursion_and_the_names_of_definitions_are_kept() {
    let source = json!({
        "type": "object", "properties": {"root": {"$ref": "#/$defs/branch"}},
        "required": ["root"], "additionalProperties": false,
        "$defs": {"branch": {
            "type": "object",
            "properties": {"name": {"type": "string"}, "below": {"type": "array", "items": {"$ref": "#/$defs/branch"}}},
            "required": ["name", "below"], "additionalProperties": false
        }}
    });
    let projection = projected(&source, "openai-strict").expect("it can be projected");
    assert_eq!(schema(&projection), &source);
    assert_eq!(projection.losses, []);
    for to in ["anthropic-strict", "gemini"] {
        let refusal = projected(&source, to).expect_err("it takes no recursion");
        assert_eq!(refusal.keyword.as_deref(), Some("$ref"), "{to}");
        assert!(
            refusal.pointer.ends_with("/$ref"),
            "{to}: {}",
            refusal.pointer
        );
        assert!(
            refusal.reason.contains("refers to itself"),
            "{to}: {}",
            refusal.reason
        );
    }
}

#[test]
fn gemini_has_nullable_and_no_references() {
    let source = json!({
        "type": "object",
        "properties": {
            "sum": {"type": ["number", "null"]},
            "by": {"anyOf": [{"$ref": "#/$defs/name"}, {"type": "null"}]},
            "code": {"type": ["string", "integer"]},
            "mode": {"const": "test"}
        },
        "$defs": {"name": {"type": "string", "maxLength": 9}}
    });
    let projection = projected(&source, "gemini").expect("it can be projected");
    let expected = json!({
        "type": "object",
        "properties": {
            "sum": {"type": "number", "nullable": true},
            "by": {"type": "string", "nullable": true, "maxLength": 9},
            "code": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
            "mode": {"type": "string", "enum": ["test"]}
        }
    });
    assert_eq!(schema(&projection), &expected);
    assert!(
        projection
            .losses
            .iter()
            .all(|loss| loss.effect == Effect::None),
        "{:#?}",
        projection.losses
    );
    assert!(proved(&source, "gemini", None).holds());
}
