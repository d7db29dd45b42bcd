//! Properties that hold for generated documents and payloads, whatever they are.
//!
//! The default run is small. `MCP_CONFORM_CASES=100000 cargo test --release --test properties` is
//! the long one: so many values against two engines, and as many documents in proportion.

#[path = "properties/definitions.rs"]
mod definitions;
#[path = "properties/documents.rs"]
mod documents;
#[path = "properties/payloads.rs"]
mod payloads;
#[path = "properties/schemas.rs"]
mod schemas;
mod support;

/// How many cases to run where `few` is the usual number: `MCP_CONFORM_CASES` is the number of
/// values, and everything else keeps its proportion to the usual 8,000 of them.
pub fn cases(few: usize) -> usize {
    let asked = std::env::var("MCP_CONFORM_CASES")
        .ok()
        .and_then(|text| text.parse::<usize>().ok());
    asked.map_or(few, |asked| (few * asked).div_ceil(8_000))
}
