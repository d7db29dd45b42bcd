#!/usr/bin/env bash
# Runs the README's two commands, as they are printed there.
set -euo pipefail
cd "$(dirname "$0")/.."
commands=$(awk '/^```sh$/ {inside = 1; next} /^```$/ {if (inside) exit} inside' README.md)
[ "$(printf '%s\n' "$commands" | wc -l)" -eq 2 ] || { echo "README: two commands come first" >&2; exit 1; }
printf '%s\n' "$commands" | while IFS= read -r command; do
    printf '$ %s\n' "$command"
    bash -euo pipefail -c "$command" </dev/null
done
