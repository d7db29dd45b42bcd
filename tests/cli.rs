//! The program through its real binary.

#[path = "cli/check.rs"]
mod check;
#[path = "cli/config.rs"]
mod config;
#[path = "cli/formats.rs"]
mod formats;
#[path = "cli/inputs.rs"]
mod inputs;
#[path = "cli/output.rs"]
mod output;
#[path = "cli/program.rs"]
mod program;
#[path = "cli/rules.rs"]
mod rules;
mod support;
