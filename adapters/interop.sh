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

# What an adapter hangs on costs a deadline each time, so the three are asked side by side.
reports=$(mktemp -d)
trap 'rm -rf "$reports"' EXIT
certify() {
    local name=$1
    shift
    if "$program" certify --baseline "$name/baseline.yaml" --output "$reports/$name" -- "$@"; then
        echo "$name: as its baseline has it"
    else
        cat "$reports/$name"
        echo "$name: not as its baseline has it" >&2
        return 1
    fi
}
certify python .venv/bin/python python/adapter.py &
certify node node node/adapter.mjs &
certify rust rust/target/release/mcp-conform-adapter-rust-boon &
failed=0
for _ in python node rust; do
    wait -n || failed=1
done
exit "$failed"
