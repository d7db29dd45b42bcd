//! What the program carries inside: the fixtures, so that rules can be explained anywhere, and the
//! suites, so that implementations can be certified anywhere.

mod coverage;
mod export;
mod fixtures;
mod generate;
mod json_schema;
mod load;
mod scaffold;
mod session;
mod strength;
mod suite;
mod suites;
mod text;
mod words;

pub use coverage::{Coverage, Tried};
pub use export::line;
pub use fixtures::{Fixture, fixture, fixtures, profiles_of};
pub use json_schema::JsonSchemaSuite;
pub use scaffold::{fixture as new_fixture, suite as new_suite};
pub use session::{Ask, Session, SessionAnswer, SessionStage, Transport};
pub use strength::{FEW, Reliance, STRENGTH_FILE, Strength, Weakness};
pub use suite::{Case, Expectation, Input, Suite};
pub use suites::{Corpus, Damaged, Identity};
pub use text::Text;
pub(crate) use text::write_string;
pub use words::{Expected, GateName, Level};
