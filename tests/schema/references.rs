//! Where references lead: identifiers, anchors, pointers, embedded resources, other documents.

use mcp_conform::schema::Bounds;
use mcp_conform::schema::{Dialect, Schema, Target, Tree, Unusable};
use rstest::rstest;
use serde_json::{Value, json};

use crate::unusable;

/// Where the reference `text` leads: the pointer of its target, or what else becomes of it.
fn target(schema: &Value, text: &str) -> String {
    let bounds = Bounds::default();
    let schema = Schema::new(schema, bounds);
    let tree: &Tree<'_> = schema.tree();
    let reference = tree
        .references
        .iter()
        .find(|reference| reference.text == text);
    match &reference.expect("the reference is seen").target {
        Target::Node(node) => format!("#{}", tree.nodes[*node].pointer),
        Target::MetaSchema => "meta-schema".to_owned(),
        Target::External(uri) => uri.clone(),
        Target::Missing(why) => format!("nowhere: {why}"),
    }
}

/// A schema that has a reference `text` in a property, beside what it may refer to.
fn with(text: &str) -> Value {
    json!({
        "$id": "https://example.com/tools/orders",
        "properties": {"here": {"$ref": text}},
        "$defs": {
            "order": {"$anchor": "order", "type": "object"},
            "line": {
                "$id": "line",
                "properties": {"sku": {"$ref": "#/$defs/sku"}, "up": {"$ref": "orders#order"}},
                "$defs": {"sku": {"$anchor": "sku", "type": "string"}}
            },
            "a/b~c%": {"type": "null"},
            "unit": {"$id": "urn:example:unit", "enum": ["kg"]}
        },
        "x-shared": {"money": {"type": "number"}}
    })
}

#[rstest]
#[case::root("#", "#")]
#[case::empty("", "#")]
#[case::pointer("#/$defs/order", "#/$defs/order")]
#[case::anchor("#order", "#/$defs/order")]
#[case::own_name("orders", "#")]
#[case::own_name_and_pointer("orders#/$defs/order", "#/$defs/order")]
#[case::own_absolute_name("https://example.com/tools/orders#order", "#/$defs/order")]
#[case::embedded("line", "#/$defs/line")]
#[case::embedded_absolute("https://example.com/tools/line", "#/$defs/line")]
#[case::embedded_path("/tools/line", "#/$defs/line")]
#[case::embedded_pointer("line#/$defs/sku", "#/$defs/line/$defs/sku")]
#[case::embedded_anchor("line#sku", "#/$defs/line/$defs/sku")]
#[case::pointer_into_an_embedded("#/$defs/line/$defs/sku", "#/$defs/line/$defs/sku")]
#[case::urn("urn:example:unit", "#/$defs/unit")]
#[case::urn_with_a_fragment("urn:example:unit#", "#/$defs/unit")]
#[case::escapes("#/$defs/a~1b~0c%25", "#/$defs/a~1b~0c%")]
#[case::outside_schema_positions("#/x-shared/money", "#/x-shared/money")]
#[case::meta_schema("https://json-schema.org/draft/2020-12/schema", "meta-schema")]
#[case::older_meta_schema("http://json-schema.org/draft-07/schema#", "meta-schema")]
#[case::sibling_document("customers", "https://example.com/tools/customers")]
#[case::other_host("https://example.org/a#b", "https://example.org/a")]
#[case::file("file:///etc/passwd", "file:///etc/passwd")]
#[case::other_urn("urn:example:currency", "urn:example:currency")]
#[case::no_pointer("#/$defs/none", "nowhere: nothing stands there")]
#[case::no_anchor("#none", "nowhere: no anchor is named \"none\"")]
#[case::an_anchor_of_another_resource("#sku", "nowhere: no anchor is named \"sku\"")]
#[case::no_pointer_in_an_embedded("line#/$defs/none", "nowhere: nothing stands there")]
#[case::no_uri("not a reference", "nowhere: it is not a URI reference")]
fn a_reference_leads_somewhere(#[case] text: &str, #[case] expected: &str) {
    assert_eq!(target(&with(text), text), expected);
}

#[rstest]
#[case("#/$defs/sku", "#/$defs/line/$defs/sku")]
#[case("orders#order", "#/$defs/order")]
fn a_reference_is_relative_to_its_resource(#[case] text: &str, #[case] expected: &str) {
    assert_eq!(target(&with("#"), text), expected);
}

#[test]
fn draft_07_names_anchors_by_identifiers_and_hides_what_stands_beside_a_reference() {
    let schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": "http://example.com/root.json",
        "properties": {
            "a": {"$ref": "#money"},
            "b": {"$ref": "part.json#/definitions/x"},
            // Beside `$ref`, `$id` names nothing.
            "c": {"$id": "other/", "$ref": "part.json"},
            "d": {"$anchor": "late", "type": "null"},
            "e": {"$ref": "#late"}
        },
        "definitions": {
            "money": {"$id": "#money", "type": "number"},
            "part": {"$id": "part.json", "definitions": {"x": {"type": "null"}}}
        }
    });
    assert_eq!(target(&schema, "#money"), "#/definitions/money");
    assert_eq!(
        target(&schema, "part.json#/definitions/x"),
        "#/definitions/part/definitions/x"
    );
    assert_eq!(target(&schema, "part.json"), "#/definitions/part");
    // `$anchor` came with 2019-09.
    assert!(target(&schema, "#late").starts_with("nowhere"));
}

#[test]
fn draft_04_says_id() {
    let schema = json!({
        "$schema": "http://json-schema.org/draft-04/schema#",
        "id": "http://example.com/root.json",
        "properties": {"a": {"$ref": "part.json"}, "id": {"type": "string"}},
        "definitions": {"part": {"id": "part.json", "type": "object"}}
    });
    assert_eq!(target(&schema, "part.json"), "#/definitions/part");
}

#[test]
fn dynamic_and_recursive_references_are_followed() {
    let schema =
        json!({"$dynamicAnchor": "node", "properties": {"next": {"$dynamicRef": "#node"}}});
    assert_eq!(target(&schema, "#node"), "#");
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2019-09/schema",
        "$recursiveAnchor": true,
        "properties": {"next": {"$recursiveRef": "#"}}
    });
    assert_eq!(target(&schema, "#"), "#");
}

#[test]
fn a_name_is_no_reference_and_data_is_no_schema() {
    let schema = json!({
        "properties": {"$ref": {"type": "string"}, "$id": {"const": {"$ref": "#/none"}}},
        "required": ["$ref"],
        "default": {"$ref": "https://example.com/"},
        "examples": [{"$id": "a b", "$ref": "#/none"}],
        "x-note": {"$ref": "#/none"}
    });
    let tree = Tree::new(&schema, Dialect::Draft202012, 1_000);
    assert_eq!((tree.references.len(), tree.id_faults.len()), (0, 0));
    assert_eq!(unusable(&schema), None);
}

#[rstest]
#[case::missing(json!({"$ref": "#/$defs/none"}), Some(Unusable::Unresolved))]
#[case::missing_dynamic(json!({"$dynamicRef": "#none"}), Some(Unusable::Unresolved))]
#[case::external(json!({"$ref": "https://example.com/a"}), Some(Unusable::External))]
#[case::external_and_unused(
    json!({"$defs": {"a": {"$ref": "http://127.0.0.1:9/a"}}}), Some(Unusable::External)
)]
#[case::external_file(json!({"items": {"$ref": "other.json"}}), Some(Unusable::External))]
#[case::bad_identifier(json!({"$id": "my_tool:output"}), Some(Unusable::Id))]
#[case::identifier_with_spaces(json!({"$defs": {"a": {"$id": "a b"}}}), Some(Unusable::Id))]
#[case::opaque_identifier(json!({"$id": "mytool:output", "$ref": "#/$defs/a", "$defs": {"a": true}}), None)]
#[case::meta_schema(json!({"$ref": "https://json-schema.org/draft/2020-12/schema"}), None)]
#[case::meta_schema_of_another(json!({"$ref": "http://json-schema.org/draft-07/schema"}), None)]
fn what_cannot_be_resolved_cannot_be_used(
    #[case] schema: Value,
    #[case] expected: Option<Unusable>,
) {
    assert_eq!(unusable(&schema), expected);
}

#[test]
fn repeated_identifiers_and_anchors_are_noted() {
    let schema = json!({
        "$defs": {
            "a": {"$id": "part"}, "b": {"$id": "part"},
            "c": {"$anchor": "x"}, "d": {"$anchor": "x"},
            // Another resource has names of its own, and one schema may have both sorts of anchor.
            "e": {"$id": "other", "$anchor": "x"},
            "f": {"$anchor": "y", "$dynamicAnchor": "y"}
        }
    });
    let tree = Tree::new(&schema, Dialect::Draft202012, 1_000);
    let repeated: Vec<_> = tree
        .repeated
        .iter()
        .map(|(node, keyword)| (tree.nodes[*node].pointer.as_str(), *keyword))
        .collect();
    assert_eq!(repeated, [("/$defs/b", "$id"), ("/$defs/d", "$anchor")]);
}
