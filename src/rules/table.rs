//! The catalogue as a table.
use super::catalogue::Rule;
/// Every rule.
pub static RULES: &[Rule] = &[];
