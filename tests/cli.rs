//! The program through its real binary.

#[path = "cli/catalogue.rs"]
mod catalogue;
#[path = "cli/check.rs"]
mod check;
#[path = "cli/config.rs"]
mod config;
#[path = "cli/conversations.rs"]
mod conversations;
#[path = "cli/formats.rs"]
mod formats;
#[path = "cli/inputs.rs"]
mod inputs;
#[path = "cli/output.rs"]
mod output;
#[path = "cli/profiles.rs"]
mod profiles;
#[path = "cli/program.rs"]
mod program;
#[path = "cli/recorded.rs"]
mod recorded;
#[path = "cli/rules.rs"]
mod rules;
mod support;
#[path = "cli/team.rs"]
mod team;
