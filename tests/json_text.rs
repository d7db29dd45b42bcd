//! The JSON reader against `JSONTestSuite`: `y_` is read, `n_` refused with a position, `i_` either
//! way but never a crash.

mod support;

use mcp_conform::source::{Format, Limits, Source};

#[test]
fn the_reader_agrees_with_json_test_suite() {
    let Some(folder) = support::shared("peers/json-parsing/test_parsing") else {
        return;
    };
    let limits = Limits::default();
    let mut counts = [0, 0, 0];
    let mut wrong = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let bytes = std::fs::read(&path).unwrap();
        let length = bytes.len();
        let source = Source::from_bytes(name.as_str(), bytes, Format::Json, &limits);
        let parsed = source.parse(&limits);
        match (&name[..2], &parsed) {
            ("y_", Ok(_)) => counts[0] += 1,
            ("n_", Err(fault)) => {
                counts[1] += 1;
                let (line, column) = source.position(fault.span.start);
                assert!(
                    line >= 1 && column >= 1 && fault.span.start <= length,
                    "{name}"
                );
                assert!(!fault.message.is_empty(), "{name}");
            }
            ("i_", _) => counts[2] += 1,
            _ => wrong.push(format!("{name}: {:?}", parsed.err())),
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(counts, [95, 188, 35], "the suite as it was in 2026");
}
