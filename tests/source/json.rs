//! JSON: what is refused, where, and members that are named twice.

use mcp_conform::source::{FaultKind, Format, Limits, Source};
use rstest::rstest;
use serde_json::json;

use crate::read;

#[rstest]
#[case::nothing("", (1, 1))]
#[case::spaces(" \n ", (2, 2))]
#[case::trailing_comma("{\"a\": 1,}", (1, 9))]
#[case::missing_comma("[1 2]", (1, 4))]
#[case::missing_value("{\n  \"a\": \n}", (3, 1))]
#[case::single_quotes("{'a': 1}", (1, 2))]
#[case::bare_key("{a: 1}", (1, 2))]
#[case::comment("{} // none", (1, 4))]
#[case::not_a_number("{\"a\": NaN}", (1, 7))]
#[case::infinity("[-Infinity]", (1, 3))]
#[case::leading_zero("[012]", (1, 3))]
#[case::leading_plus("[+1]", (1, 2))]
#[case::bare_dot("[.5]", (1, 2))]
#[case::second_value("{}\n{}", (2, 1))]
#[case::byte_order_mark("\u{feff}{}", (1, 1))]
#[case::control_character("[\"a\u{1}\"]", (1, 4))]
#[case::unpaired_surrogate("{\"é\": \"\\ud800\"}", (1, 8))]
#[case::cut_emoji("{\"a\": \"ok \\ud83d\", \"b\": \"more of it\"}", (1, 11))]
#[case::low_surrogate_alone("[1, \"\\uDE00\"]", (1, 6))]
#[case::two_high_surrogates("[\"\\ud83d\\ud83d\\ude00 and more\"]", (1, 3))]
#[case::surrogate_in_a_key("{\"\\ud800\": 1}", (1, 3))]
#[case::unknown_escape("[\"\\x41\"]", (1, 3))]
#[case::cut_off("{\"a\": [1", (1, 9))]
fn a_fault_has_a_place(#[case] text: &str, #[case] place: (usize, usize)) {
    let (fault, found) = read(text, Format::Json).expect_err("a fault");
    assert_eq!(fault.kind, FaultKind::Syntax);
    assert_eq!(found, place, "{}", fault.message);
}

#[test]
fn bytes_that_are_no_text_are_a_fault_at_the_first() {
    let limits = Limits::default();
    let source = Source::from_bytes(
        "a",
        b"{\n\"a\": \"\xc3\x28\"}".to_vec(),
        Format::Json,
        &limits,
    );
    let fault = source.parse(&limits).expect_err("a fault");
    assert_eq!((fault.kind, fault.span.start), (FaultKind::Syntax, 8));
    assert_eq!(source.position(fault.span.start), (2, 7));
}

#[test]
fn depth_and_length_are_bounded() {
    let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    assert!(read(&nested(127), Format::Json).is_ok());
    let (fault, place) = read(&nested(128), Format::Json).expect_err("a fault");
    assert_eq!((fault.kind, place), (FaultKind::Bounds, (1, 128)));
    let limits = Limits { bytes: 8, depth: 2 };
    let judge = |text: &str| {
        let source = Source::from_bytes("a", text.as_bytes().to_vec(), Format::Json, &limits);
        source.parse(&limits).map(drop).map_err(|fault| fault.kind)
    };
    assert_eq!(judge("[[1,2]] "), Ok(()));
    assert_eq!(judge("[[1,2]]  "), Err(FaultKind::Bounds));
    assert_eq!(judge("[[[1]]]"), Err(FaultKind::Bounds));
}

#[test]
fn a_stream_is_read_no_further_than_the_bound() {
    let limits = Limits {
        bytes: 1_000,
        ..Limits::default()
    };
    let source = Source::read("-", std::io::repeat(b' '), Format::Json, &limits).unwrap();
    let fault = source.parse(&limits).expect_err("a fault");
    assert_eq!(fault.kind, FaultKind::Bounds);
    assert!(fault.message.contains("1000 bytes"), "{}", fault.message);
}

#[test]
fn a_number_without_a_double_is_out_of_bounds() {
    let (fault, place) = read("{\"a\": 1e400}", Format::Json).expect_err("a fault");
    assert_eq!((fault.kind, place), (FaultKind::Bounds, (1, 7)));
    let digits = format!("[{}]", "9".repeat(5_000));
    let (fault, _) = read(&digits, Format::Json).expect_err("a fault");
    assert!(fault.message.len() < 200, "{}", fault.message);
}

#[test]
fn a_member_that_is_named_again_is_noted_at_its_name() {
    let text = r#"{"a": 1, "b": {"x/y": 1, "x\/y": 2}, "\u0061": 3, "a": 4}"#;
    let parsed = read(text, Format::Json).unwrap();
    assert_eq!(parsed.value, json!({"a": 4, "b": {"x/y": 2}}));
    let found: Vec<_> = parsed
        .duplicates
        .iter()
        .map(|duplicate| (duplicate.pointer.as_str(), &text[duplicate.span.clone()]))
        .collect();
    let expected = [
        ("/b/x~1y", r#""x\/y""#),
        ("/a", r#""\u0061""#),
        ("/a", "\"a\""),
    ];
    assert_eq!(found, expected);
}

#[test]
fn equal_names_of_different_objects_are_no_duplicates() {
    let parsed = read(
        r#"[{"a": {"a": 1}}, {"a": 2, "A": 3, "a ": 4}]"#,
        Format::Json,
    )
    .unwrap();
    assert_eq!(parsed.duplicates, []);
}

#[test]
fn lines_are_read_one_by_one_and_a_damaged_one_takes_no_other_along() {
    let text = "{\"id\": 1}\n\n{\"id\": 2,}\r\n{\"id\": 3, \"id\": 4}\n";
    let parsed = read(text, Format::JsonLines).unwrap();
    assert_eq!(parsed.value, json!([{"id": 1}, null, {"id": 4}]));
    let source = Source::new("log", text, Format::JsonLines);
    assert_eq!(source.position(parsed.faults[0].span.start), (3, 10));
    assert_eq!(parsed.duplicates[0].pointer.as_str(), "/2/id");
}
