//! The program `mcp-conform`.

use std::process::ExitCode;

fn main() -> ExitCode {
    mcp_conform::cli::run()
}
