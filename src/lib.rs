//! Conformance of MCP tool schemas and structured results.

pub mod cli;
pub mod corpus;
pub mod diagnostic;
pub mod document;
pub mod gate;
pub mod protocol;
pub mod report;
pub mod rules;
pub mod schema;
pub mod source;
