//! What benchmarks have in common.

use std::process::{Command, Stdio};

/// The audit workload's listing of 600 tools, where `../shared/perf` or `MCP_CONFORM_SHARED` leads to
/// its generator.
pub fn listing_of_600() -> Option<String> {
    let root = env!("CARGO_MANIFEST_DIR");
    let shared = std::env::var("MCP_CONFORM_SHARED").unwrap_or(format!("{root}/../shared"));
    let script = std::fs::canonicalize(format!("{shared}/perf/gen.py")).ok()?;
    let folder = tempfile::tempdir().ok()?;
    let status = Command::new("python3")
        .arg(script)
        .args(["600", "1"])
        .current_dir(&folder)
        .stdout(Stdio::null())
        .status()
        .ok()?;
    let text = std::fs::read_to_string(folder.path().join("tools.json")).ok()?;
    status.success().then_some(text)
}
