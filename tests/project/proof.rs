//! A proof fails where a projection is not what its report says, for the right reason.

use mcp_conform::project::proof::Direction;
use serde_json::{Value, json};

use crate::{projected, proved, schema};

fn order() -> Value {
    json!({
        "type": "object",
        "properties": {"p": {"$ref": "#/$defs/P", "required": ["b"]}},
        "required": ["p"],
        "$defs": {"P": {
            "type": "object",
            "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
            "required": ["a"]
        }}
    })
}

#[test]
fn siblings_of_a_reference_that_override_it_are_found() {
    let source = order();
    let projection = projected(&source, "openai-strict").expect("it can be projected");
    // As if the sibling's `required` had replaced that of the referent.
    let mut changed = schema(&projection).clone();
    changed["properties"]["p"]["required"] = json!(["b"]);
    let proof = proved(&source, "openai-strict", Some(&changed));
    let found = proof.counterexample.expect("a value without `a` passes");
    assert_eq!(found.direction, Direction::Wider);
    assert_eq!(found.keyword, "required");
    assert_eq!(found.at.as_str(), "/p");
    assert_eq!(found.schema.as_str(), "/$defs/P/required");
    assert!(found.source["p"].get("a").is_none(), "{found:#?}");
    assert!(proved(&source, "openai-strict", None).holds());
}

#[test]
fn an_object_that_was_opened_by_hand_is_found() {
    let source = json!({
        "type": "object", "properties": {"id": {"type": "string"}, "sum": {"type": "number"}},
        "required": ["id", "sum"], "additionalProperties": false
    });
    let projection = projected(&source, "openai-strict").expect("it can be projected");
    let mut changed = schema(&projection).clone();
    changed
        .as_object_mut()
        .expect("a schema")
        .remove("additionalProperties");
    let found = proved(&source, "openai-strict", Some(&changed)).counterexample;
    let found = found.expect("an undeclared member passes");
    assert_eq!(
        (found.direction, found.keyword.as_str()),
        (Direction::Wider, "additionalProperties")
    );
}

#[test]
fn a_value_that_is_shut_out_without_a_word_is_found() {
    let source = json!({
        "type": "object", "properties": {"reason": {"enum": ["late", "lost"]}},
        "required": ["reason"], "additionalProperties": false
    });
    let projection = projected(&source, "openai-strict").expect("it can be projected");
    let mut changed = schema(&projection).clone();
    changed["properties"]["reason"]["enum"] = json!(["late"]);
    let found = proved(&source, "openai-strict", Some(&changed)).counterexample;
    let found = found.expect("`lost` cannot be said");
    assert_eq!(
        (found.direction, found.keyword.as_str()),
        (Direction::Narrower, "enum")
    );
    assert_eq!(found.source, json!({"reason": "lost"}));
}

#[test]
fn only_what_is_reported_is_excused() {
    // The report says that the length is not asked for; it does not say so of the pattern.
    let source = json!({
        "type": "object",
        "properties": {"id": {"type": "string", "pattern": "^A-[0-9]+$", "minLength": 8}},
        "required": ["id"], "additionalProperties": false
    });
    let proof = proved(&source, "openai-strict", None);
    assert!(proof.holds() && proof.excused > 0, "{proof:#?}");
    let projection = projected(&source, "openai-strict").expect("it can be projected");
    let mut changed = schema(&projection).clone();
    changed["properties"]["id"] = json!({"type": "string"});
    let found = proved(&source, "openai-strict", Some(&changed)).counterexample;
    assert_eq!(found.expect("any string passes").keyword, "pattern");
}

#[test]
fn nulls_that_stand_for_absence_are_taken_back_in_the_right_alternative() {
    let source = json!({
        "type": "object",
        "properties": {"change": {"oneOf": [
            {"type": "object", "properties": {"kind": {"const": "move"}, "to": {"type": "string"}},
             "required": ["kind"], "additionalProperties": false},
            {"type": "object", "properties": {"kind": {"const": "clear"}, "to": {"type": "null"}},
             "required": ["kind", "to"], "additionalProperties": false}
        ]}},
        "required": ["change"], "additionalProperties": false
    });
    // In the first, null means that `to` is absent; in the second, that it is null.
    let proof = proved(&source, "openai-strict", None);
    assert!(proof.holds(), "{proof:#?}");
    assert_eq!(proof.excused, 0);
}
