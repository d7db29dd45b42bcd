//! What the program carries inside: the fixtures, so that rules can be explained anywhere.

mod fixtures;

pub use fixtures::{Fixture, fixture, fixtures};
