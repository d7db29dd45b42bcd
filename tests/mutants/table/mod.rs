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
