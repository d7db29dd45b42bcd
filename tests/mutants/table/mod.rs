//! The mutants, by what they are wrong about.

mod answers;
mod audits;
mod definitions;
mod dialects;
mod keywords;
mod listings;
mod reading;
mod results;
mod text;

use crate::mutant::Mutant;

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
        group("Dialects and formats", dialects::mutants()),
        group("Results", results::mutants()),
        group("Definitions", definitions::mutants()),
        group(
            "Listings and what is remembered of them",
            listings::mutants(),
        ),
        group("JSON as text, and numbers", text::mutants()),
        group("Recorded calls", audits::mutants()),
        group("What an answer says beside yes and no", answers::mutants()),
    ]
}
