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

/// Texts that are of a format, and texts that are not.
const SAMPLES: &[(&str, &str, bool)] = &[
    ("date-time", "2026-03-01T08:00:00Z", true),
    ("date-time", "2026-03-01t08:00:00.123+05:30", true),
    ("date-time", "2026-03-01T08:00:00", false),
    ("date-time", "2026-03-01 08:00:00Z", false),
    ("date", "2024-02-29", true),
    ("date", "2026-02-29", false),
    ("date", "01/03/2026", false),
    ("time", "08:00:00Z", true),
    ("time", "08:00", false),
    ("duration", "P1Y2M3DT4H5M6S", true),
    ("duration", "P2W", true),
    ("duration", "P", false),
    ("email", "mara@example.com", true),
    ("email", "mara", false),
    ("hostname", "a.example.com", true),
    ("hostname", "-a.example.com", false),
    ("ipv4", "192.0.2.1", true),
    ("ipv4", "192.0.2.01", false),
    ("ipv6", "::1", true),
    ("ipv6", "12345::", false),
    ("uri", "https://example.com/a?b#c", true),
    ("uri", "//example.com/a", false),
    ("uri-reference", "../a#b", true),
    ("uri-reference", "a b", false),
    ("uuid", "2EB8AA08-AA98-11EA-B4AA-73B441D16380", true),
    ("uuid", "2eb8aa08aa9811eab4aa73b441d16380", false),
    ("json-pointer", "", true),
    ("json-pointer", "a/b", false),
    ("regex", "^a+$", true),
    ("regex", "^(abc]", false),
];

#[test]
fn a_known_format_is_advised_on() {
    for (format, text, holds) in SAMPLES {
        let schema = json!({"properties": {"a": {"type": "string", "format": format}}});
        let found = advice(&schema, &json!({"a": text}));
        let fault = ("format".to_owned(), "/a".to_owned());
        let expected = if *holds { vec![] } else { vec![fault] };
        assert_eq!(found, expected, "{format} {text:?}");
    }
}

#[test]
fn every_format_of_the_rule_has_both_sorts_of_sample() {
    for format in FORMATS {
        for holds in [true, false] {
            let is_sample =
                |(name, _, fits): &&(&str, &str, bool)| *name == format && *fits == holds;
            assert!(
                SAMPLES.iter().any(|sample| is_sample(&sample)),
                "{format} {holds}"
            );
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
