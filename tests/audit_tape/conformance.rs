//! The tape keeps the judge that the engine asks of a representation.

use jsonschema::json::conformance::{assert_conformance, document};
use mcp_conform::audit::{Arena, Parser};

#[test]
fn the_tape_is_a_conforming_representation() {
    let text = document().to_string();
    let mut parser = Parser::default();
    let doc = parser.parse(text.as_bytes()).expect("the document is JSON");
    assert_conformance::<Arena>(&doc.root());
}
