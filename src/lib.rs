//! mcp-conform
pub mod protocol;
pub mod source;
