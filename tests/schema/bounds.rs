//! Bounds on schemas, lowered so that small ones exceed them.

use mcp_conform::schema::{Bounds, Schema, Unusable};
use rstest::rstest;
use serde_json::{Value, json};

/// Where `schema` exceeds `bounds`, and what it says there.
fn excesses(schema: &Value, bounds: Bounds) -> Vec<(String, String)> {
    let schema = Schema::new(schema, bounds);
    let found = schema.excesses().iter();
    found
        .map(|excess| (excess.pointer.to_string(), excess.message.clone()))
        .collect()
}

fn nested(levels: usize) -> Value {
    let start = json!({"type": "string"});
    (1..levels).fold(start, |schema, _| json!({"items": schema}))
}

fn doubled(levels: usize) -> Value {
    let mut defs = serde_json::Map::new();
    for level in 0..levels {
        let next = json!({"$ref": format!("#/$defs/{}", level + 1)});
        defs.insert(level.to_string(), json!({"anyOf": [next, next]}));
    }
    defs.insert(levels.to_string(), json!(true));
    json!({"$ref": "#/$defs/0", "$defs": defs})
}

/// A schema that is just within a bound, one that is just beyond, and where and what is said.
#[rstest]
#[case::levels(
    Bounds { levels: 3, ..Bounds::default() },
    nested(3), nested(4), "/items/items/items", "more than 3 levels"
)]
#[case::subschemas(
    Bounds { subschemas: 3, ..Bounds::default() },
    json!({"anyOf": [true, true]}), json!({"anyOf": [true, true, true]}), "", "more than 3 subschemas"
)]
#[case::enum_members(
    Bounds { enum_members: 2, ..Bounds::default() },
    json!({"not": {"enum": [1, 2]}}), json!({"not": {"enum": [1, 2, 3]}}), "/not/enum", "more than 2 members"
)]
#[case::pattern(
    Bounds { pattern_chars: 3, ..Bounds::default() },
    json!({"pattern": "^é$"}), json!({"pattern": "^éé$"}), "/pattern", "more than 3 characters"
)]
#[case::pattern_properties(
    Bounds { pattern_chars: 3, ..Bounds::default() },
    json!({"patternProperties": {"^x-": {}}}), json!({"patternProperties": {"^x/-": {}}}),
    "/patternProperties/^x~1-", "more than 3 characters"
)]
#[case::expanded(
    Bounds { expanded: 22, ..Bounds::default() },
    doubled(2), doubled(3), "", "more than 22 subschemas"
)]
fn a_schema_beyond_a_bound_is_not_built(
    #[case] bounds: Bounds,
    #[case] within: Value,
    #[case] beyond: Value,
    #[case] pointer: &str,
    #[case] message: &str,
) {
    assert_eq!(excesses(&within, bounds), []);
    assert!(Schema::new(&within, bounds).compiled().is_ok());
    let [(place, said)] = &excesses(&beyond, bounds)[..] else {
        panic!("{:?}", excesses(&beyond, bounds));
    };
    assert_eq!(place, pointer);
    assert!(said.contains(message), "{said}");
    assert_eq!(
        Schema::new(&beyond, bounds).compiled().err(),
        Some(Unusable::Bounds)
    );
}

#[test]
fn the_usual_bounds_are_those_of_the_rule() {
    let bounds = Bounds::default();
    assert_eq!(
        (bounds.levels, bounds.subschemas, bounds.expanded),
        (64, 10_000, 100_000)
    );
    assert_eq!((bounds.enum_members, bounds.pattern_chars), (10_000, 1_000));
}

#[test]
fn names_and_data_count_for_nothing() {
    let bounds = Bounds {
        subschemas: 3,
        levels: 2,
        enum_members: 1,
        pattern_chars: 2,
        ..Bounds::default()
    };
    let schema = json!({
        "properties": {"pattern": {"default": {"pattern": "[a-z]", "enum": [1, 2]}}},
        "const": {"items": {"items": {"items": {"pattern": "[a-z]"}}}},
        "examples": [{"anyOf": [{}, {}, {}]}]
    });
    assert_eq!(excesses(&schema, bounds), []);
}

#[test]
fn every_large_enum_and_pattern_is_named() {
    let bounds = Bounds {
        enum_members: 1,
        pattern_chars: 1,
        ..Bounds::default()
    };
    let schema = json!({"enum": [1, 2], "anyOf": [{"enum": [1, 2]}, {"pattern": "ab"}]});
    let places: Vec<_> = excesses(&schema, bounds)
        .into_iter()
        .map(|(place, _)| place)
        .collect();
    assert_eq!(places, ["/enum", "/anyOf/0/enum", "/anyOf/1/pattern"]);
}

#[test]
fn a_recursive_schema_is_as_large_as_it_is_written() {
    let bounds = Bounds {
        expanded: 10,
        ..Bounds::default()
    };
    let schema = json!({"properties": {"left": {"$ref": "#"}, "right": {"$ref": "#"}}});
    assert_eq!(excesses(&schema, bounds), []);
}

#[test]
fn doubling_is_measured_and_not_done() {
    // Written out this would come to 2^60 subschemas.
    assert_eq!(excesses(&doubled(60), Bounds::default()).len(), 1);
    assert_eq!(excesses(&doubled(12), Bounds::default()), []);
}
