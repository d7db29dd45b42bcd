//! Certificates side by side.

#[path = "support/certify.rs"]
mod certifying;
mod support;

#[path = "compare/data.rs"]
mod data;
#[path = "compare/formats.rs"]
mod formats;
#[path = "compare/program.rs"]
mod program;
#[path = "compare/sample.rs"]
mod sample;
