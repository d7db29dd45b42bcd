//! mcp-conform
pub mod protocol;
pub mod schema;
pub mod source;
