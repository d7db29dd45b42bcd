//! The mutants, by what they are wrong about.

use crate::mutant::Mutant;

mod answers;
mod audits;
mod definitions;
mod dialects;
mod exactness;
mod keywords;
mod likeness;
mod listings;
mod memory;
mod objects;
mod reading;
mod refusals;
mod results;
mod shapes;
mod sources;
mod strings;
mod text;

/// Why generation does not reach what is wrong about a result, or about arguments as a whole.
const SHAPES: &str = "what surrounds a value is damaged in other ways";
/// Why it does not reach what is wrong about a definition.
const DEFINITIONS: &str = "definitions are damaged in other ways";
/// Why it does not reach what is wrong about values under certain tools.
const TOOLS: &str = "no value is drawn for a tool of that kind";

/// A group of mutants, as the page lists them.
pub struct Group {
    /// What they are wrong about.
    pub title: &'static str,
    /// The mutants.
    pub mutants: Vec<Mutant>,
}

/// Every mutant.
pub fn groups() -> Vec<Group> {
    let group = |title, mutants| Group { title, mutants };
    vec![
        group("Keywords that are ignored", keywords::mutants()),
        group("Keywords that are read otherwise", reading::mutants()),
        group("Strings", strings::mutants()),
        group("Values taken for others", likeness::mutants()),
        group("Members of objects", objects::mutants()),
        group("Dialects and formats", dialects::mutants()),
        group("What a result owes", results::mutants()),
        group("Where a value and its schema are from", sources::mutants()),
        group("The shape of results and arguments", shapes::mutants()),
        group("Definitions that nobody may use", definitions::mutants()),
        group("Definitions that are in order", refusals::mutants()),
        group("Listings", listings::mutants()),
        group("What is remembered of a listing", memory::mutants()),
        group("Text that is no JSON", text::mutants()),
        group(
            "Numbers and names as they are written",
            exactness::mutants(),
        ),
        group("Recorded calls", audits::mutants()),
        group("What an answer says beside yes and no", answers::mutants()),
    ]
}
