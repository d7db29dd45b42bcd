//! The representation that the audit judges: what it takes for JSON, what the engine says of it,
//! and the order in which lines are delivered.

mod support;

#[path = "audit_tape/conformance.rs"]
mod conformance;
#[path = "audit_tape/grammar.rs"]
mod grammar;
#[path = "audit_tape/judge.rs"]
mod judge;
#[path = "audit_tape/stream.rs"]
mod stream;
#[path = "audit_tape/values.rs"]
mod values;
