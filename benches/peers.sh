#!/usr/bin/env bash
# The audit and its peers on one log, side by side: parsing alone, Ajv, jsonschema-rs. The runs are
# interleaved, and processor time is compared, so that a busy machine spoils no ratio.
#
#   benches/peers.sh [ROUNDS]        wants ../shared/perf, or MCP_CONFORM_SHARED; cargo, node, python3
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${1:-5}

target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
perf=$(realpath "${MCP_CONFORM_SHARED:-../shared}/perf")
peers=$target/peers
mkdir -p "$peers"

# The generator walks sets, whose order hangs on Python's hash seed.
[ -s "$peers/results.jsonl" ] || (cd "$peers" && PYTHONHASHSEED=0 python3 "$perf/gen.py" 600 200000)
if [ ! -d "$peers/node_modules/ajv" ]; then
    (cd "$peers" && npm install --silent --no-audit --no-fund --prefix . ajv ajv-formats @cfworker/json-schema)
fi
install -m 644 "$perf/ajv.mjs" "$peers/ajv.mjs"
if [ ! -x "$peers/venv/bin/python" ]; then
    python3 -m venv "$peers/venv"
    "$peers/venv/bin/pip" install --quiet jsonschema-rs
fi
cargo build --release --bin mcp-conform
bench=$(cargo build --release --bench audit --message-format=json | python3 -c '
import json, sys
for message in map(json.loads, sys.stdin):
    if message.get("executable") and message["target"]["kind"] == ["bench"]:
        print(message["executable"])')
program=$target/release/mcp-conform

PROGRAM=$program BENCH=$bench PEERS=$peers PERF=$perf ROUNDS=$rounds \
    python3 benches/peers.py
