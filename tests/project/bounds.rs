//! Roots, names and sizes: what a target asks for beside its keywords.

use mcp_conform::project::{Change, Effect, Item, ItemKind};
use serde_json::json;

use crate::{at, projected, proved, schema, target};

#[test]
fn arrays_and_primitives_are_refused_where_results_are_objects() {
    let tool = json!({
        "name": "list_orders", "inputSchema": {"type": "object"},
        "outputSchema": {"type": "array", "items": {"type": "string"}}
    });
    let item = Item::new(ItemKind::Tool, "list_orders", &tool);
    for to in ["mcp@2025-06-18", "mcp@2025-11-25"] {
        let refusal = item
            .project(target(to))
            .expect_err("a result is an object there");
        assert_eq!(refusal.pointer, "/outputSchema/type", "{to}");
        assert!(
            refusal.reason.contains("nothing is wrapped"),
            "{}",
            refusal.reason
        );
    }
    let newer = item
        .project(target("mcp@2026-07-28"))
        .expect("any type is legal there");
    assert_eq!(newer.value, tool);
    assert_eq!(newer.losses, []);
}

#[test]
fn a_root_without_a_type_gets_one_where_the_version_asks_for_it() {
    let source = json!({"allOf": [{"type": "object", "properties": {"id": {"type": "string"}}}]});
    let projection = projected(&source, "mcp@2025-06-18").expect("it is an object's already");
    assert_eq!(schema(&projection)["type"], "object");
    let silent = json!({"properties": {"id": {"type": "string"}}});
    let projection = projected(&silent, "mcp@2025-06-18").expect("nothing speaks against it");
    let losses = at(&projection.losses, "/inputSchema/type");
    assert_eq!(
        (losses[0].change, losses[0].effect),
        (Change::Narrowed, Effect::Narrower)
    );
    assert!(proved(&silent, "mcp@2025-06-18", None).holds());
}

#[test]
fn names_that_a_target_does_not_take_come_back() {
    let source = json!({
        "type": "object",
        "properties": {"Start<": {"type": "string"}, "Start>": {"type": "string"}, "instance id": {"type": "integer"}},
        "required": ["instance id"], "additionalProperties": false,
        "dependentRequired": {"Start<": ["Start>"]}
    });
    let projection = projected(&source, "anthropic").expect("it can be projected");
    let found = schema(&projection);
    let names: Vec<&String> = found["properties"]
        .as_object()
        .expect("members")
        .keys()
        .collect();
    assert_eq!(names, ["Start_x3C_", "Start_x3E_", "instance_x20_id"]);
    assert_eq!(found["required"], json!(["instance_x20_id"]));
    assert_eq!(
        found["dependentRequired"],
        json!({"Start_x3C_": ["Start_x3E_"]})
    );
    let proof = proved(&source, "anthropic", None);
    assert!(proof.holds() && proof.excused == 0, "{proof:#?}");
}

#[test]
fn two_names_that_would_become_one_are_an_error() {
    let source = json!({
        "type": "object",
        "properties": {"a b": {"type": "string"}, "a_x20_b": {"type": "string"}}
    });
    let refusal = projected(&source, "anthropic").expect_err("the names collide");
    assert_eq!(refusal.keyword.as_deref(), Some("properties"));
    assert!(
        refusal.reason.contains("`a b` and `a_x20_b`"),
        "{}",
        refusal.reason
    );
}

#[test]
fn what_is_too_large_for_the_target_is_refused() {
    let names: serde_json::Map<_, _> = (0..5001)
        .map(|number| (format!("field_{number}"), json!({"type": "string"})))
        .collect();
    let source = json!({"type": "object", "properties": names});
    let refusal = projected(&source, "openai-strict").expect_err("it is too large");
    assert_eq!(refusal.reason, "it has 5001 properties, more than 5000");
    let mut deep = json!({"type": "string"});
    for _ in 0..11 {
        deep = json!({"type": "object", "properties": {"in": deep}, "required": ["in"]});
    }
    let refusal = projected(&deep, "openai-strict").expect_err("it is too deep");
    assert_eq!(
        refusal.reason,
        "it has 11 levels of objects and arrays, more than 10"
    );
}

#[test]
fn what_a_model_wrote_is_read_back_before_the_source_judges() {
    let input = json!({
        "type": "object",
        "properties": {"q": {"type": "string"}, "limit": {"type": "number"},
                       "sort": {"anyOf": [{"type": "string"}, {"type": "null"}]}},
        "required": ["q"]
    });
    let projection = projected(&input, "openai-strict").expect("it can be projected");
    let strict = target("openai-strict");
    let written = json!({"q": "late orders", "limit": null, "sort": null});
    let read = projection.parts[0].read_back(&projection, strict, &written);
    // `sort` may be null in the source; `limit` may only be absent.
    assert_eq!(read, json!({"q": "late orders", "sort": null}));
    let names = json!({"type": "object", "properties": {"instance id": {"type": "string"}}});
    let projection = projected(&names, "anthropic").expect("it can be projected");
    let written = json!({"instance_x20_id": "i-1"});
    let read = projection.parts[0].read_back(&projection, target("anthropic"), &written);
    assert_eq!(read, json!({"instance id": "i-1"}));
}
