//! Where a JSON Pointer stands in the text.

use mcp_conform::source::{Format, Pointer, Source};
use rstest::rstest;

/// The line and column of `pointer`, and the text that stands there.
fn find<'t>(text: &'t str, format: Format, pointer: &str) -> ((usize, usize), &'t str) {
    let source = Source::new("test", text, format);
    let pointer = Pointer::from(pointer);
    let span = source.locate([&pointer])[&pointer].clone();
    (source.position(span.start), &text[span])
}

const JSON: &str = "{\n  \"name\": \"ключ 🔑\", \"n\": 1,\r\n\t\"list\": [10, {\"a/b\": true}, [ ]],\r\n  \"m~n\": null\n}";

#[rstest]
#[case::root("", (1, 1), "{")]
#[case::text("/name", (2, 11), "\"ключ 🔑\"")]
#[case::after_wide_characters("/n", (2, 26), "1")]
#[case::after_a_tab("/list", (3, 10), "[")]
#[case::element("/list/0", (3, 11), "10")]
#[case::object_in_an_array("/list/1", (3, 15), "{")]
#[case::escaped_slash("/list/1/a~1b", (3, 23), "true")]
#[case::empty_array("/list/2", (3, 30), "[")]
#[case::escaped_tilde("/m~0n", (4, 10), "null")]
#[case::missing_member("/list/1/gone/deeper", (3, 15), "{")]
#[case::missing_element("/list/7", (3, 10), "[")]
#[case::below_a_scalar("/n/0", (2, 26), "1")]
fn json_positions(#[case] pointer: &str, #[case] place: (usize, usize), #[case] shown: &str) {
    assert_eq!(find(JSON, Format::Json, pointer), (place, shown));
}

#[test]
fn of_equal_members_the_last_has_the_place() {
    let text = "{\"a\": {\"b\": 1},\n \"a\": {\"b\": 2}}";
    assert_eq!(find(text, Format::Json, "/a/b"), ((2, 13), "2"));
    // What only the first had is not in the value, and its place falls back to what is.
    let text = "{\"a\": {\"b\": 1},\n \"a\": {}}";
    assert_eq!(find(text, Format::Json, "/a"), ((2, 7), "{"));
}

#[test]
fn names_are_compared_unescaped() {
    let text = r#"{"\u0061\u00e9": {"": 1}}"#;
    assert_eq!(find(text, Format::Json, "/aé/"), ((1, 23), "1"));
}

#[test]
fn a_lone_carriage_return_ends_no_line() {
    assert_eq!(find("[1,\r2,\n3]", Format::Json, "/1"), ((1, 5), "2"));
    assert_eq!(find("[1,\r2,\n3]", Format::Json, "/2"), ((2, 1), "3"));
}

#[test]
fn lines_count_in_json_lines() {
    let text = "{\"a\": 1}\r\n\n  {\"b\": [2]}\n";
    assert_eq!(find(text, Format::JsonLines, "/0/a"), ((1, 7), "1"));
    assert_eq!(find(text, Format::JsonLines, "/1"), ((3, 3), "{"));
    assert_eq!(find(text, Format::JsonLines, "/1/b/0"), ((3, 10), "2"));
}

const YAML: &str = "# ключ\nname: ключ\r\nflow: {a: [1, 'x']}\r\nblock:\n  - é: yes\n    b: |\n      text\n  - 2\n\"m~n\":\n";

#[rstest]
#[case::text("/name", (2, 7), "ключ")]
#[case::flow_element("/flow/a/1", (3, 15), "'x'")]
#[case::after_a_wide_key("/block/0/é", (5, 8), "yes")]
#[case::block_element("/block/1", (8, 5), "2")]
#[case::missing("/flow/gone", (3, 7), "{")]
fn yaml_positions(#[case] pointer: &str, #[case] place: (usize, usize), #[case] shown: &str) {
    assert_eq!(find(YAML, Format::Yaml, pointer), (place, shown));
}

#[test]
fn yaml_without_a_value_has_a_place_all_the_same() {
    let (place, _) = find(YAML, Format::Yaml, "/m~0n");
    assert_eq!(place.0, 9);
}

#[test]
fn many_pointers_are_found_in_one_pass() {
    let text = format!(
        "[{}]",
        (0..500).map(|n| format!("{n},")).collect::<String>() + "0"
    );
    let source = Source::new("test", text.as_str(), Format::Json);
    let pointers: Vec<_> = (0..500).map(|n| Pointer::root().join(n)).collect();
    let found = source.locate(&pointers);
    for (index, pointer) in pointers.iter().enumerate() {
        assert_eq!(&text[found[pointer].clone()], index.to_string());
    }
}

#[test]
fn positions_are_right_in_any_order_and_beyond_the_end() {
    let source = Source::new("test", "a\nbé\nc", Format::Json);
    assert_eq!(
        source.positions(&[5, 0, 2, 3, 99]),
        [(2, 3), (1, 1), (2, 1), (2, 2), (3, 2)]
    );
}
