//! Numbers: what a value holds exactly, and what is written down beside it.

use mcp_conform::source::{Format, is_integer};
use rstest::rstest;
use serde_json::{Value, json};

use crate::read;

#[rstest]
#[case::integer("12", json!(12))]
#[case::negative("-9223372036854775808", json!(i64::MIN))]
#[case::decimal("0.1", json!(0.1))]
#[case::fifteen_digits("0.123456789012345", json!(0.123_456_789_012_345))]
#[case::integer_as_decimal("1.0", json!(1.0))]
#[case::exponent("1e30", json!(1e30))]
#[case::power_of_two("9007199254740992", json!(9_007_199_254_740_992_u64))]
#[case::smallest("5e-324", json!(5e-324))]
#[case::negative_zero("-0", json!(-0.0))]
#[case::trailing_zeros("1.5000000000000000000000000", json!(1.5))]
#[case::zero_of_any_size("0e99999999999999999999", json!(0.0))]
fn what_a_double_holds_is_not_noted(#[case] text: &str, #[case] value: Value) {
    let parsed = read(&format!("[{text}]"), Format::Json).unwrap();
    assert_eq!(parsed.value, json!([value]));
    assert_eq!(parsed.rounded, []);
}

/// Numbers that a double would change, and whether the value holds them all the same.
#[rstest]
#[case::beyond_53_bits("9007199254740993", true)]
#[case::negative_beyond_53_bits("-9007199254740993", true)]
#[case::largest_of_64_bits("18446744073709551615", true)]
#[case::beyond_64_bits("18446744073709551617", false)]
#[case::thirty_digits("123456789012345678901234567890", false)]
#[case::long_fraction("0.12345678901234567890", false)]
#[case::fraction_of_a_large_number("9007199254740993.5", false)]
#[case::too_small("1e-400", false)]
#[case::subnormal("4e-324", false)]
fn what_a_double_would_change_is_noted(#[case] text: &str, #[case] exact: bool) {
    for (document, format) in [
        (format!("{{\"a\": [0, {text}]}}"), Format::Json),
        (format!("a:\n  - 0\n  - {text}\n"), Format::Yaml),
    ] {
        let parsed = read(&document, format).unwrap();
        let [noted] = &parsed.rounded[..] else {
            panic!("{format:?}: {:?}", parsed.rounded);
        };
        assert_eq!(noted.pointer.as_str(), "/a/1");
        assert_eq!(noted.text, text, "as it is written");
        assert_eq!(noted.exact, exact, "{format:?}");
    }
}

#[test]
fn a_noted_number_of_64_bits_keeps_its_value() {
    let parsed = read("[9007199254740993]", Format::Json).unwrap();
    assert_eq!(parsed.value[0].as_u64(), Some(9_007_199_254_740_993));
}

/// Of equal members the last counts, and so do its numbers alone.
#[rstest]
#[case::replaced(r#"{"a": 1e-400, "a": 1}"#, &[])]
#[case::replacing(r#"{"a": 1, "a": 1e-400}"#, &["/a"])]
#[case::both(r#"{"a": 1e-400, "a": 2e-400}"#, &["/a"])]
#[case::within_what_is_replaced(r#"{"a": {"b": [1e-400]}, "a": 1, "aa": 1e-400}"#, &["/aa"])]
#[case::twice_within(r#"{"a": {"b": 1, "b": 1e-400}, "a": {"b": 2}}"#, &[])]
#[case::within_both(r#"{"a": {"b": 1e-400}, "a": {"b": 1, "b": 2e-400}}"#, &["/a/b"])]
#[case::after(r#"[{"a": 1, "a": 2}, {"a": 1e-400}]"#, &["/1/a"])]
fn a_number_that_was_replaced_is_not_noted(#[case] text: &str, #[case] places: &[&str]) {
    let parsed = read(text, Format::Json).unwrap();
    let noted = parsed.rounded.iter().map(|number| number.pointer.as_str());
    assert_eq!(noted.collect::<Vec<_>>(), places);
}

#[rstest]
fn an_integer_is_one_by_value(
    #[values(
        "1",
        "1.0",
        "1e0",
        "10e-1",
        "-0",
        "0.0",
        "1E+2",
        "12345678901234567890123",
        "100e-2"
    )]
    text: &str,
) {
    assert!(is_integer(text));
}

#[rstest]
fn a_fraction_is_none(#[values("1.5", "1e-1", "1e-400", "-0.5", "10e-2")] text: &str) {
    assert!(!is_integer(text));
}
