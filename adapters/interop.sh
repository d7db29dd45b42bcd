#!/usr/bin/env bash
# Installs the reference adapters and certifies each against its baseline: what a library does
# differently today must be what its baseline explains, no more and no less.
set -euo pipefail
cd "$(dirname "$0")"
program=${MCP_CONFORM:-../target/release/mcp-conform}

python3 -m venv .venv
.venv/bin/pip install --quiet --disable-pip-version-check -r python/requirements.txt
npm ci --prefix node --silent --no-audit --no-fund
cargo build --release --locked --quiet --manifest-path rust/Cargo.toml --target-dir rust/target

report=$(mktemp)
trap 'rm -f "$report"' EXIT
failed=0
certify() {
    local name=$1
    shift
    # A quiet machine needs no second of these ten; a busy one must not turn slow into silent.
    if "$program" certify --timeout 10 --baseline "$name/baseline.yaml" --output "$report" -- "$@"; then
        echo "$name: as its baseline has it"
    else
        cat "$report"
        echo "$name: not as its baseline has it" >&2
        failed=1
    fi
}
certify python .venv/bin/python python/adapter.py
certify node node node/adapter.mjs
certify rust rust/target/release/mcp-conform-adapter-rust-boon
exit "$failed"
