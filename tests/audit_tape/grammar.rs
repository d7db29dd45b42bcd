//! Which texts the audit takes for JSON: by table, by agreement with `serde_json` on texts made
//! wrong at random, and by `JSONTestSuite`.

use jsonschema::json::Node as _;
use mcp_conform::audit::{Fault, Node, Parser, Reason};
use proptest::prelude::*;
use serde_json::Value;

fn fault(text: impl AsRef<[u8]>) -> Option<Fault> {
    Parser::default().parse(text.as_ref()).err()
}

#[test]
fn a_text_that_is_no_json_is_refused_where_it_goes_wrong() {
    for (text, offset, reason) in [
        ("", 0, Reason::End),
        ("  ", 2, Reason::End),
        ("{\"total\":12", 11, Reason::End),
        ("\"refund", 7, Reason::End),
        ("\"refund\\", 8, Reason::End),
        ("-", 1, Reason::End),
        ("\u{feff}{}", 0, Reason::Value),
        ("NaN", 0, Reason::Value),
        ("nul", 0, Reason::Value),
        ("True", 0, Reason::Value),
        ("[1,]", 3, Reason::Value),
        ("'a'", 0, Reason::Value),
        ("{a:1}", 1, Reason::Name),
        ("{\"a\":1,}", 7, Reason::Name),
        ("{\"a\" 1}", 5, Reason::Colon),
        ("[1 2]", 3, Reason::Comma),
        ("{\"a\":1]", 6, Reason::Comma),
        ("{}{}", 2, Reason::Trailing),
        ("nullx", 4, Reason::Trailing),
        ("1\u{0}", 1, Reason::Trailing),
        ("\"a\tb\"", 2, Reason::Control),
        ("\"a\u{0}\"", 2, Reason::Control),
        ("\"\\x41\"", 2, Reason::Escape),
        ("\"\\u12g4\"", 5, Reason::Escape),
        ("\"a\\ud800b\"", 2, Reason::Surrogate),
        ("\"\\udc00\"", 1, Reason::Surrogate),
        ("\"\\ud800\\ud800\"", 1, Reason::Surrogate),
        ("-x", 1, Reason::Digit),
        ("1.x", 2, Reason::Digit),
        ("1e+x", 3, Reason::Digit),
        ("012", 0, Reason::LeadingZero),
        ("-012", 1, Reason::LeadingZero),
        ("[1e400]", 1, Reason::Range),
    ] {
        assert_eq!(fault(text), Some(Fault { offset, reason }), "{text}");
    }
    let encoding = Some(Fault {
        offset: 1,
        reason: Reason::Encoding,
    });
    assert_eq!(fault(b"\"\xff\""), encoding);
    assert_eq!(fault(b"\"\xed\xa0\x80\""), encoding);
}

#[test]
fn a_text_of_127_levels_is_read_and_one_of_128_is_not() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let nested = |levels: usize| {
            let inner = if open == "[" { "[]" } else { "{}" };
            open.repeat(levels - 1) + inner + &close.repeat(levels - 1)
        };
        assert_eq!(fault(nested(127)), None);
        assert_eq!(
            fault(nested(128)).map(|fault| fault.reason),
            Some(Reason::Depth)
        );
        assert_eq!(
            fault(open.repeat(100_000)).map(|fault| fault.reason),
            Some(Reason::Depth)
        );
    }
}

#[test]
fn escapes_are_decoded_wherever_they_stand_in_a_string() {
    let text = r#"["\u00e9","a\\b","\"","\/\b\f\n\r\t","\uD83D\uDE00 and more than eight bytes","é\u0000"]"#;
    let mut parser = Parser::default();
    let doc = parser.parse(text.as_bytes()).expect("JSON");
    let strings: Vec<_> = doc
        .root()
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|n| n.as_str())
        .collect();
    let expected = [
        "é",
        "a\\b",
        "\"",
        "/\u{8}\u{c}\n\r\t",
        "😀 and more than eight bytes",
        "é\0",
    ];
    assert_eq!(strings, expected);
}

#[test]
fn of_equal_members_the_last_is_kept_and_the_fact_is_told() {
    let wide = |last: &str| {
        let members: Vec<String> = (0..100).map(|n| format!("\"order_{n}\":[{n}]")).collect();
        format!("{{{},{last}}}", members.join(","))
    };
    for (text, repeats) in [
        (r#"{"a":1,"b":2}"#.to_owned(), false),
        (r#"{"a":1,"a":2}"#.to_owned(), true),
        (
            r#"{"a":{"x":[1,2,3]},"b":{"y":4},"\u0061":[5],"c":6}"#.to_owned(),
            true,
        ),
        (r#"{"\u0061":[5],"c":6,"a":{"x":[1]}}"#.to_owned(), true),
        (
            r#"[{"b":{"a":1,"a":[2]},"c":{}},{"":1,"":2,"":3}]"#.to_owned(),
            true,
        ),
        (wide(r#""order_100":1"#), false),
        (wide(r#""order_0":{"a":7},"order_99":8"#), true),
    ] {
        let mut parser = Parser::default();
        let doc = parser.parse(text.as_bytes()).expect("JSON");
        let expected: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(*doc.root().to_value(), expected, "{text}");
        assert_eq!(doc.repeats_members(), repeats, "{text}");
    }
}

#[test]
fn an_object_of_many_equal_members_is_settled_in_one_go() {
    let members = vec!["\"a\":[1]"; 200_000].join(",");
    let text = format!("{{{members}}}");
    let start = std::time::Instant::now();
    let mut parser = Parser::default();
    let doc = parser.parse(text.as_bytes()).expect("JSON");
    assert_eq!(doc.root().to_value().to_string(), r#"{"a":[1]}"#);
    assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
}

/// The tape keeps some numbers that `Value` rounds to a double; rounded, they are the same.
fn same(node: Node<'_>, value: &Value) -> bool {
    match value {
        Value::Number(number) if number.is_f64() => node.to_value().as_f64() == number.as_f64(),
        Value::Number(_) => node.equals_value(value),
        Value::Array(items) => {
            let nodes: Vec<_> = node.as_array().into_iter().flatten().collect();
            nodes.len() == items.len()
                && nodes
                    .iter()
                    .zip(items)
                    .all(|(node, item)| same(*node, item))
        }
        Value::Object(map) => {
            let nodes: Vec<_> = node.as_object().into_iter().flatten().collect();
            nodes.len() == map.len()
                && nodes
                    .iter()
                    .all(|(name, node)| map.get(*name).is_some_and(|value| same(*node, value)))
        }
        other => node.to_value().as_ref() == other,
    }
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (-1000_i32..1000).prop_map(|n| Value::from(f64::from(n) / 8.0)),
        any::<f64>()
            .prop_filter("finite", |n| n.is_finite())
            .prop_map(Value::from),
        ".{0,20}".prop_map(Value::from),
        "[a-c\"\\\\\u{1}é😀]{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 60, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(Value::from),
            prop::collection::btree_map("[a-d_]{0,3}|.{0,9}", inner, 0..8)
                .prop_map(|map| map.into_iter().collect::<Value>()),
        ]
    })
}

/// A text of JSON's own letters, seldom right.
fn nearly_json() -> impl Strategy<Value = String> {
    let token = prop::sample::select(vec![
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\"a\"",
        "\"b\":",
        "1",
        "-",
        "0",
        ".5",
        "1e5",
        "E+2",
        "true",
        "false",
        "null",
        " ",
        "\n",
        "\\",
        "\\u0041",
        "\\ud83d",
        "\\ude00",
        "\"\\n\"",
        "é",
        "\u{0}",
        "1.0",
        "12345678901234567890",
    ]);
    prop::collection::vec(token, 0..12).prop_map(|tokens| tokens.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_value_is_read_as_it_was_written(value in value(), pretty: bool) {
        let text = if pretty { format!("{value:#}") } else { value.to_string() };
        let mut parser = Parser::default();
        let doc = parser.parse(text.as_bytes()).expect("JSON");
        prop_assert!(same(doc.root(), &value), "{}", text);
        prop_assert!(!doc.repeats_members());
    }

    #[test]
    fn a_text_is_refused_if_and_only_if_serde_json_refuses_it(text in nearly_json()) {
        let mut parser = Parser::default();
        match (parser.parse(text.as_bytes()), serde_json::from_str::<Value>(&text)) {
            (Ok(doc), Ok(value)) => prop_assert!(same(doc.root(), &value), "{}", text),
            (Err(_), Err(_)) => {}
            (left, right) => prop_assert!(false, "{:?}: {:?} but {:?}", text, left.map(|_| ()), right),
        }
    }

    #[test]
    fn so_it_is_with_a_value_made_wrong_in_one_place(
        value in value(), place: prop::sample::Index, byte in prop::sample::select(b"{}[],:\"\\0-.eE tn\x00\x1f\x80\xc3\xff".to_vec()),
    ) {
        let mut text = value.to_string().into_bytes();
        let place = place.index(text.len());
        text[place] = byte;
        let mut parser = Parser::default();
        match (parser.parse(&text), serde_json::from_slice::<Value>(&text)) {
            (Ok(doc), Ok(value)) => prop_assert!(same(doc.root(), &value)),
            (Err(fault), Err(_)) => prop_assert!(fault.offset <= text.len()),
            (left, right) => prop_assert!(false, "{:?}: {:?} but {:?}", text, left.map(|_| ()), right),
        }
    }
}

#[test]
fn json_test_suite_is_judged_as_its_names_say() {
    let Some(folder) = crate::support::shared("peers/json-parsing/test_parsing") else {
        return;
    };
    let mut judged = 0;
    for entry in folder.read_dir().expect("the folder of the test files") {
        let path = entry.expect("a readable folder").path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let text = std::fs::read(&path).expect("a readable file");
        let mut parser = Parser::default();
        let parsed = parser.parse(&text);
        match name.split_once('_').map(|(kind, _)| kind) {
            Some("y") => assert!(parsed.is_ok(), "{name}: {:?}", parsed.err()),
            Some("n") => assert!(
                parsed.is_err_and(|fault| fault.offset <= text.len()),
                "{name}"
            ),
            _ => drop(parsed),
        }
        judged += 1;
    }
    assert!(judged > 300, "only {judged} files");
}
