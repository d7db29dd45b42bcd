//! The program `mcp-conform`.

use std::process::ExitCode;

/// Documents, tapes and errors are many small pieces: system allocators spend a fifth of a run on them.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    mcp_conform::cli::run()
}
