#!/usr/bin/env bash
# Installs the real clients, each beside its driver, and certifies them over the wire, two at a time.
#   adapters/live/run.sh                    all of them, each against its baseline where it has one
#   adapters/live/run.sh client-v2 rmcp     these
#   adapters/live/run.sh --over http rmcp   on one transport
#   adapters/live/run.sh --gate wire rmcp   at one gate; may be given again
#   adapters/live/run.sh --timeout 9 rmcp   seconds without a sign of life; 3 where nothing is said, as in
#                                           the baselines
#   adapters/live/run.sh --update rmcp      writes the baselines anew; the reasons are yours to fill in
set -euo pipefail
# Paths are those of the repository, so that a certificate's commands run from its root, anywhere.
cd "$(dirname "$0")/../.."
here=adapters/live
program=${MCP_CONFORM:-target/release/mcp-conform}
place=target/live
# Those that take longest come first, so that none is left alone at the end.
all=(fastmcp-v4 mcp-v2 langchain-mcp mcp-v1 client-v2 sdk-v1 ai-sdk mcp-client rmcp)

# The command that starts the driver of a client, in the array `driver`.
driver_of() {
    case $1 in
        sdk-v1 | client-v2 | ai-sdk | mcp-client) driver=(node "$place/node/$1.mjs") ;;
        mcp-v1 | mcp-v2 | fastmcp-v4 | langchain-mcp) driver=("$place/$1/bin/python" "$here/python/$1.py") ;;
        rmcp) driver=("$place/rust/debug/mcp-conform-driver-rmcp") ;;
        *) echo "no client is named $1; there are: ${all[*]}" >&2 && return 2 ;;
    esac
}

# Node looks for packages beside the file that imports them, so the drivers move in with theirs.
install_node() {
    mkdir -p "$place/node"
    cp "$here"/node/*.mjs "$place/node/"
    cmp -s "$here/node/package-lock.json" "$place/node/node_modules/.installed" && return
    cp "$here"/node/package*.json "$place/node/"
    npm ci --prefix "$place/node" --silent --no-audit --no-fund
    cp "$here/node/package-lock.json" "$place/node/node_modules/.installed"
}

install_python() {
    local wanted=$here/python/requirements/$1.txt
    cmp -s "$wanted" "$place/$1/installed.txt" && return
    python3 -m venv --clear "$place/$1"
    "$place/$1/bin/pip" install --quiet --disable-pip-version-check -r "$wanted"
    cp "$wanted" "$place/$1/installed.txt"
}

install() {
    case ${driver[0]} in
        node) install_node ;;
        *python) install_python "$1" ;;
        *) cargo build --quiet --locked --manifest-path "$here/rust/Cargo.toml" --target-dir "$place/rust" ;;
    esac
}

# One client on one transport. The report goes to a file of its own, and to the terminal if it is bad news.
certify() {
    local name=$1 transport=$2
    local title=$name-$transport
    local baseline=$here/baselines/$title.yaml certificate=$place/certificates/$title.json
    local options=(--live --transport "$transport" --sessions-on-stdin --timeout "$timeout" "${gates[@]}")
    driver_of "$name"
    if [[ -n $update ]]; then
        options+=(--write-baseline "$baseline")
    elif [[ -f $baseline ]]; then
        options+=(--baseline "$baseline")
    fi
    local code=0
    "$program" certify "${options[@]}" --format json --output "$certificate" -- "${driver[@]}" \
        >"$place/certificates/$title.log" 2>&1 || code=$?
    if [[ $code -eq 0 ]]; then
        echo "$title: as expected"
    elif [[ $code -eq 1 && ! -f $baseline ]]; then
        echo "$title: diverges, and has no baseline; see $certificate"
    else
        echo "$title: exit code $code" >&2
        tail -n 40 "$place/certificates/$title.log" >&2
        return 1
    fi
}

update=
gates=()
timeout=3
transports=(stdio http)
while [[ ${1:-} == --* ]]; do
    case $1 in
        --update) update=yes ;;
        --over) transports=("${2:?--over wants stdio or http}") && shift ;;
        --gate) gates+=(--gate "${2:?--gate wants one}") && shift ;;
        --timeout) timeout=${2:?--timeout wants seconds} && shift ;;
        *) echo "no option is named $1" >&2 && exit 2 ;;
    esac
    shift
done
[[ $# -gt 0 ]] || set -- "${all[@]}"

# What installs shares folders, and is done one after the other.
mkdir -p "$place/certificates" "$here/baselines"
for name in "$@"; do
    driver_of "$name"
    install "$name"
done

failed=0
running=0
for name in "$@"; do
    for transport in "${transports[@]}"; do
        certify "$name" "$transport" &
        running=$((running + 1))
        if [[ $running -ge 2 ]]; then
            wait -n || failed=1
            running=$((running - 1))
        fi
    done
done
while [[ $running -gt 0 ]]; do
    wait -n || failed=1
    running=$((running - 1))
done
"$program" certify --compare "$place"/certificates/*.json \
    --output "$place/scoreboard.md" --output "$place/scoreboard.html"
echo "side by side: $place/scoreboard.html"
exit "$failed"
