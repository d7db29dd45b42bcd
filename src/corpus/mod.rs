//! What the program carries inside: the fixtures, so that rules can be explained anywhere, and the
//! suites, so that implementations can be certified anywhere.

mod fixtures;
mod generate;
mod load;
mod suite;
mod suites;
mod text;

pub use fixtures::{Fixture, fixture, fixtures};
pub use suite::{Case, Expectation, Expected, GateName, Input, Level, Suite};
pub use suites::{Corpus, Damaged, Identity};
pub use text::Text;
pub(crate) use text::write_string;
