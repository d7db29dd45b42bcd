//! The rules: what each one is (the catalogue), how it looks (one function a rule), and the engine
//! that applies them, version by version, to the subjects of a document.

mod call_answer;
mod call_arguments;
mod catalogue;
mod context;
mod description_example;
mod description_members;
mod description_versions;
mod engine;
mod look;
mod meta;
mod policy_schemas;
mod result_content;
mod result_form;
mod result_request;
mod sample;
mod settings;
mod shape;
mod tool_header;
mod tool_members;
mod tool_root;
mod value;
#[rustfmt::skip]
#[allow(clippy::wildcard_imports)]
mod table;

pub use catalogue::{
    Basis, Check, Clause, Enforcement, Example, Examples, GateEffect, Level, Nature, Owner,
    Profile, Rule, Status, Surface,
};
pub use context::{Context, SchemaAt, TextView, ToolView};
pub use engine::{Checked, check, check_fault, check_within, findings};
pub use result_form::Form;
pub use settings::{Override, Settings};
pub use table::RULES;
pub use tool_header::{Mirror, mirrors};

/// The rule of this id.
pub fn find(id: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.id == id)
}
