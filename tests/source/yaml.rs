//! YAML says what JSON can say, and nothing else.

use mcp_conform::source::{FaultKind, Format};
use rstest::rstest;
use serde_json::{Value, json};

use crate::read;

#[rstest]
#[case::anchored_scalar("a: &x 1\n", "an anchor", (1, 4))]
#[case::anchored_mapping("a: &x\n  b: 1\n", "an anchor", (1, 4))]
#[case::anchored_sequence("- &x [1]\n", "an anchor", (1, 3))]
#[case::anchored_key("&x a: 1\n", "an anchor", (1, 1))]
#[case::alias("a: [1]\nb: *x\n", "anchor", (2, 4))]
#[case::core_tag("a: !!str 1\n", "a tag", (1, 4))]
#[case::own_tag("a: !ticket {id: 1}\n", "a tag", (1, 4))]
#[case::tagged_sequence("- !!seq [1]\n", "a tag", (1, 3))]
#[case::verbatim_tag("a: !<tag:yaml.org,2002:int> 1\n", "a tag", (1, 4))]
#[case::non_specific_tag("a: ! 1\n", "a tag", (1, 4))]
#[case::merge_key("a:\n  <<: {b: 1}\n", "a merge key", (2, 3))]
#[case::number_key("a: 1\n2: b\n", "a key that is not a string", (2, 1))]
#[case::boolean_key("true: a\n", "a key that is not a string", (1, 1))]
#[case::null_key("~: a\n", "a key that is not a string", (1, 1))]
#[case::float_key("{1.5: a}\n", "a key that is not a string", (1, 2))]
#[case::empty_key(": a\n", "a key that is not a string", (1, 1))]
#[case::sequence_key("? [a, b]\n: c\n", "a key that is not a string", (1, 3))]
#[case::mapping_key("? {a: 1}\n: c\n", "a key that is not a string", (1, 3))]
#[case::second_document("a: 1\n---\nb: 2\n", "a second document", (2, 1))]
#[case::document_after_an_end("a: 1\n...\n---\nb: 2\n", "a second document", (3, 1))]
#[case::nothing("", "no document", (1, 1))]
#[case::comments_alone("# tools\n\n# none\n", "no document", (1, 1))]
#[case::infinity("a: .inf\n", "not finite", (1, 4))]
#[case::negative_infinity("- -.INF\n", "not finite", (1, 3))]
#[case::not_a_number("- .NaN\n", "not finite", (1, 3))]
#[case::byte_order_mark("\u{feff}a: 1\n", "byte order mark", (1, 1))]
#[case::directive("%YAML 1.2\n---\na: 1\n", "a directive", (1, 1))]
#[case::directive_after_a_comment("# c\n%YAML 1.2\n---\na: 1\n", "a directive", (2, 1))]
#[case::tag_directive("\n%TAG ! tag:a,2026:\n---\na: 1\n", "a directive", (2, 1))]
#[case::open_quote("a: \"b\n", "", (1, 4))]
#[case::open_bracket("a: [1, 2\n", "", (2, 1))]
#[case::a_tab_that_indents("a:\n\tb: 1\n", "tab", (2, 2))]
#[case::indentation_that_fits_nothing("a:\n    b: 1\n  c: 2\n", "", (3, 3))]
fn what_json_cannot_say_is_refused(
    #[case] text: &str,
    #[case] message: &str,
    #[case] place: (usize, usize),
) {
    let (fault, found) = read(text, Format::Yaml).expect_err("a fault");
    assert_eq!(fault.kind, FaultKind::Syntax);
    assert!(fault.message.contains(message), "{}", fault.message);
    assert_eq!(found, place, "{}", fault.message);
}

#[test]
fn bounds_hold_for_yaml_too() {
    let (fault, place) = read("a:\n  - 1e400\n", Format::Yaml).expect_err("a fault");
    assert_eq!((fault.kind, place), (FaultKind::Bounds, (2, 5)));
    let (fault, _) =
        read(&format!("a: 0x{}\n", "F".repeat(300)), Format::Yaml).expect_err("a fault");
    assert_eq!(fault.kind, FaultKind::Bounds);
    for deep in [128, 5_000] {
        let text = format!("{}{}", "[".repeat(deep), "]".repeat(deep));
        let (fault, _) = read(&text, Format::Yaml).expect_err("a fault");
        assert_eq!(fault.kind, FaultKind::Bounds, "{deep}: {}", fault.message);
    }
    let text = format!("{}{}", "[".repeat(127), "]".repeat(127));
    assert!(read(&text, Format::Yaml).is_ok());
}

/// Plain scalars, as the core schema of YAML 1.2.2 (section 10.3.2) types them.
#[rstest]
#[case::null(&["null", "Null", "NULL", "~", ""], json!(null))]
#[case::true_(&["true", "True", "TRUE"], json!(true))]
#[case::false_(&["false", "False", "FALSE"], json!(false))]
#[case::integer(&["12", "+12", "012", "0xC", "0xc", "0o14"], json!(12))]
#[case::negative_integer(&["-7", "-007"], json!(-7))]
#[case::zero(&["0", "00", "0x0", "0o0"], json!(0))]
#[case::signed_zero(&["-0"], json!(-0.0))]
#[case::large_integer(&["18446744073709551615", "0xFFFFFFFFFFFFFFFF"], json!(u64::MAX))]
#[case::beyond_64_bits(&["0x10000000000000000", "18446744073709551616"], json!(18_446_744_073_709_551_616.0))]
#[case::far_beyond_64_bits(&["0x1000000000000000000000000000000000000000000"], json!(2.0_f64.powi(168)))]
#[case::float(&["1.5", "+1.5", "1.50", "01.5", "15e-1", "0.15E+1"], json!(1.5))]
#[case::leading_dot(&[".5", "+.5", ".5e0"], json!(0.5))]
#[case::trailing_dot(&["5.", "+05."], json!(5))]
#[case::exponent(&["1e3", "1E3", "1.e+3"], json!(1000.0))]
fn plain_scalars_are_typed_as_in_the_core_schema(#[case] texts: &[&str], #[case] value: Value) {
    for text in texts {
        let parsed = read(&format!("a: {text}\n"), Format::Yaml).unwrap();
        assert_eq!(parsed.value, json!({"a": value}), "{text}");
    }
}

/// What looks like something in other schemas is text in the core schema.
#[rstest]
fn the_rest_is_text(
    #[values(
        "yes",
        "no",
        "on",
        "off",
        "y",
        "nULL",
        "tRue",
        "2026-07-28",
        "12:30",
        "12:30:45",
        "1_000",
        "0b11",
        "0o8",
        "0xG",
        "0x",
        "-0x1F",
        "+0o7",
        "1.2.3",
        ".",
        "-",
        "+",
        "-.",
        "e3",
        "1e",
        "1e+",
        ".inf2",
        "+.nan",
        "inf",
        "NaN",
        "<",
        "=",
        "١٢"
    )]
    text: &str,
) {
    // A lone dash would start a sequence.
    let plain = if text == "-" { "'-'" } else { text };
    let parsed = read(&format!("a: {plain}\n"), Format::Yaml).unwrap();
    assert_eq!(parsed.value, json!({"a": text}));
}

#[rstest]
#[case::double_quotes("a: \"12\"\n", "12")]
#[case::single_quotes("a: 'true'\n", "true")]
#[case::literal("a: |\n  12\n", "12\n")]
#[case::folded("a: >-\n  null\n  and void\n", "null and void")]
#[case::escapes("a: \"\\u00e9\\t\\x41\"\n", "é\tA")]
#[case::a_quoted_nothing("a: ''\n", "")]
fn quoted_and_block_scalars_are_text(#[case] text: &str, #[case] value: &str) {
    assert_eq!(read(text, Format::Yaml).unwrap().value, json!({"a": value}));
}

#[rstest]
#[case::quoted_number("\"1\": a\n", "1")]
#[case::quoted_merge("\"<<\": a\n", "<<")]
#[case::word("yes: a\n", "yes")]
#[case::date("2026-07-28: a\n", "2026-07-28")]
#[case::dollar("$schema: a\n", "$schema")]
#[case::pointer("/a~b: a\n", "/a~b")]
fn a_key_is_a_string(#[case] text: &str, #[case] key: &str) {
    assert_eq!(read(text, Format::Yaml).unwrap().value, json!({key: "a"}));
}

#[test]
fn a_document_may_be_marked_and_commented() {
    let text = "# tools\n---\n# a tool\nname: ping # its name\nschema: {type: object, properties: {}}\n...\n";
    let value = read(text, Format::Yaml).unwrap().value;
    assert_eq!(
        value,
        json!({"name": "ping", "schema": {"type": "object", "properties": {}}})
    );
}

#[test]
fn json_is_yaml() {
    let text = r#"{"tools": [{"name": "ping", "n": [1, -2.5e3, true, null, "é\n"]}]}"#;
    let json = read(text, Format::Json).unwrap().value;
    assert_eq!(read(text, Format::Yaml).unwrap().value, json);
}

#[test]
fn a_repeated_key_is_noted_and_the_last_counts() {
    let text = "a: 1\nb:\n  c: 1\n  c: 2\na: 3\n";
    let parsed = read(text, Format::Yaml).unwrap();
    assert_eq!(parsed.value, json!({"a": 3, "b": {"c": 2}}));
    let found: Vec<_> = parsed
        .duplicates
        .iter()
        .map(|duplicate| (duplicate.pointer.as_str(), &text[duplicate.span.clone()]))
        .collect();
    assert_eq!(found, [("/b/c", "c"), ("/a", "a")]);
    assert_eq!(parsed.duplicates[1].span.start, text.rfind("a: 3").unwrap());
}
