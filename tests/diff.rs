//! `diff`: what the changes between two versions do to callers, through the real binary.

mod support;

#[path = "diff/changes.rs"]
mod changes;
#[path = "support/program.rs"]
mod program;
