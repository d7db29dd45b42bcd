//! What several tests share.
#![allow(dead_code)]

use std::path::{Path, PathBuf};

/// The project's folder.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A folder of data that the project tests itself against but does not carry: the published
/// schemas, `JSONTestSuite`, the JSON Schema Test Suite. `MCP_CONFORM_SHARED` names its parent,
/// else `../shared` is tried. Where it is missing the caller says so on stderr and returns.
pub fn shared(folder: &str) -> Option<PathBuf> {
    let parent = std::env::var_os("MCP_CONFORM_SHARED")
        .map_or_else(|| root().join("../shared"), PathBuf::from);
    let path = parent.join(folder);
    if path.is_dir() {
        return Some(path);
    }
    eprintln!(
        "SKIPPED: {} is not here; set MCP_CONFORM_SHARED",
        path.display()
    );
    None
}
