//! `format`: an annotation that is never asserted, and what would be wrong if it were.

use mcp_conform::schema::{Bounds, Dialect, FORMATS, Instance, Judgement, Schema};
use rstest::rstest;
use serde_json::{Value, json};

use crate::judge;

/// Keyword and place of what is wrong with `value` once formats are asserted.
fn advice(schema: &Value, value: &Value) -> Vec<(String, String)> {
    let schema = Schema::new(schema, Bounds::default());
    let violations = schema.format_violations(Instance::plain(value)).into_iter();
    violations
        .map(|v| (v.keyword, v.instance.to_string()))
        .collect()
}

#[test]
fn no_dialect_asserts_a_format() {
    for dialect in Dialect::ALL {
        for format in FORMATS {
            let schema = json!({"$schema": dialect.uri(), "format": format});
            assert_eq!(
                judge(&schema, &json!("\u{0} no such thing")),
                Judgement::Fits,
                "{dialect} {format}"
            );
        }
    }
}

#[rstest]
#[case("date-time", "2026-03-01T08:00:00Z", true)]
#[case("date-time", "2026-03-01t08:00:00.123+05:30", true)]
#[case("date-time", "2026-03-01T08:00:00", false)]
#[case("date-time", "2026-03-01 08:00:00Z", false)]
#[case("date", "2024-02-29", true)]
#[case("date", "2026-02-29", false)]
#[case("date", "01/03/2026", false)]
#[case("time", "08:00:00Z", true)]
#[case("time", "08:00", false)]
#[case("duration", "P1Y2M3DT4H5M6S", true)]
#[case("duration", "P2W", true)]
#[case("duration", "P", false)]
#[case("email", "mara@example.com", true)]
#[case("email", "mara", false)]
#[case("hostname", "a.example.com", true)]
#[case("hostname", "-a.example.com", false)]
#[case("ipv4", "192.0.2.1", true)]
#[case("ipv4", "192.0.2.01", false)]
#[case("ipv6", "::1", true)]
#[case("ipv6", "12345::", false)]
#[case("uri", "https://example.com/a?b#c", true)]
#[case("uri", "//example.com/a", false)]
#[case("uri-reference", "../a#b", true)]
#[case("uri-reference", "a b", false)]
#[case("uuid", "2EB8AA08-AA98-11EA-B4AA-73B441D16380", true)]
#[case("uuid", "2eb8aa08aa9811eab4aa73b441d16380", false)]
#[case("json-pointer", "", true)]
#[case("json-pointer", "a/b", false)]
#[case("regex", "^a+$", true)]
#[case("regex", "^(abc]", false)]
fn a_known_format_is_advised_on(#[case] format: &str, #[case] text: &str, #[case] holds: bool) {
    let schema = json!({"properties": {"a": {"type": "string", "format": format}}});
    let expected = if holds {
        vec![]
    } else {
        vec![("format".to_owned(), "/a".to_owned())]
    };
    assert_eq!(advice(&schema, &json!({"a": text})), expected);
}

#[test]
fn every_format_of_the_rule_is_in_the_table_above() {
    let source = include_str!("formats.rs");
    for format in FORMATS {
        for holds in ["true", "false"] {
            let found = source.lines().any(|line| {
                line.starts_with(&format!("#[case(\"{format}\""))
                    && line.ends_with(&format!("{holds})]"))
            });
            assert!(found, "{format} {holds}");
        }
    }
}

#[rstest]
fn an_unknown_format_says_nothing(#[values("color", "phone", "int64", "byte", "")] format: &str) {
    let schema = json!({"properties": {"a": {"format": format}, "b": {"format": "date"}}});
    assert_eq!(
        advice(&schema, &json!({"a": "no such thing", "b": "2026-03-01"})),
        []
    );
}

#[test]
fn a_value_that_does_not_fit_anyway_gets_no_advice() {
    let schema = json!({"properties": {"a": {"format": "date", "maxLength": 3}}});
    assert_eq!(advice(&schema, &json!({"a": "yesterday"})), []);
}

#[test]
fn a_schema_that_cannot_be_used_advises_nothing() {
    let schema = json!({"$ref": "#/none", "format": "date"});
    assert_eq!(advice(&schema, &json!("yesterday")), []);
}

#[test]
fn a_format_in_a_union_counts_only_where_no_branch_is_left() {
    let schema = json!({"anyOf": [{"format": "date"}, {"format": "ipv4"}, {"maxLength": 2}]});
    assert_eq!(advice(&schema, &json!("192.0.2.1")), []);
    assert_eq!(advice(&schema, &json!("no")), []);
    assert_eq!(
        advice(&schema, &json!("never")),
        [("anyOf".to_owned(), String::new())]
    );
}

#[test]
fn the_place_of_a_format_below_a_reference_is_its_own() {
    let schema = json!({
        "properties": {"due": {"$ref": "part#/$defs/day"}},
        "$defs": {"part": {"$id": "part", "$defs": {"day": {"format": "date"}}}}
    });
    let schema = Schema::new(&schema, Bounds::default());
    let found = schema.format_violations(Instance::plain(&json!({"due": "soon"})));
    assert_eq!(found[0].schema.as_str(), "/$defs/part/$defs/day/format");
}
