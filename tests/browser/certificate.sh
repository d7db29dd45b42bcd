#!/usr/bin/env bash
# The HTML pages in headless Chromium, which is installed first where it is missing.
set -euo pipefail
cd "$(dirname "$0")/../.."
if ! command -v chromium >/dev/null; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null
fi
export MCP_CONFORM=${MCP_CONFORM:-$PWD/target/release/mcp-conform}
node --test --test-concurrency=1 tests/browser/certificate.mjs tests/browser/comparison.mjs
