#!/usr/bin/env bash
# Tries spark_audit.py: Spark in local mode with two workers must count what the program counts
# alone. Wants java and python3; installs pyspark below the target folder, and builds the program
# unless PROGRAM names one.
set -euo pipefail
cd "$(dirname "$0")/.."
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
folder=$target/spark
mkdir -p "$folder"
if [ ! -x "$folder/venv/bin/spark-submit" ]; then
    python3 -m venv "$folder/venv"
    "$folder/venv/bin/pip" install --quiet pyspark
fi
program=${PROGRAM:-$target/release/mcp-conform}
[ -n "${PROGRAM:-}" ] || cargo build --release --bin mcp-conform

# A log of a few MiB with records of every verdict, and damage.
python3 - "$folder" <<'PYTHON'
import json, sys
folder = sys.argv[1]
schema = {"type": "object", "properties": {"total": {"type": "integer"}}, "required": ["total"]}
tools = [{"name": name, "inputSchema": {"type": "object"}, "outputSchema": schema} for name in ("sum", "count")]
with open(f"{folder}/listing.json", "w") as out:
    json.dump({"tools": tools}, out)
with open(f"{folder}/log.jsonl", "wb") as out:
    for number in range(60_000):
        tool = ("sum", "count", "lost")[number % 3]
        value = {"total": number if number % 7 else str(number)}
        record = {"tool": tool, "server": f"s{number % 5}", "result": {"content": [], "structuredContent": value}}
        if number % 11 == 0:
            record["record"] = {"tool": tool, "protocol": "2025-11-25", "metaIdTool": True}
            record["result"]["structuredContent"] = {"result": value}
        out.write(json.dumps(record).encode() + b"\n")
        if number % 10_007 == 0:
            out.write(b'{"tool":"\xff\n\n')
PYTHON

"$program" audit "$folder/log.jsonl" --tools "$folder/listing.json" --format json > "$folder/alone.json" || [ $? -eq 1 ]
PYSPARK_PYTHON=$folder/venv/bin/python SPARK_LOCAL_IP=127.0.0.1 \
    "$folder/venv/bin/python" scripts/spark_audit.py --master 'local[2]' --partitions 6 \
    --program "$program" --tools "$folder/listing.json" --out "$folder/spark.json" \
    "$folder/log.jsonl" || [ $? -eq 1 ]

# The same but for where examples stand: a partition counts lines of its own.
python3 - "$folder" <<'PYTHON'
import json, sys
def counts(name):
    report = json.load(open(f"{sys.argv[1]}/{name}.json"))
    for kind in report["counts"]:
        kind.pop("examples", None)
    return report
alone, spark = counts("alone"), counts("spark")
assert alone == spark, "the counts differ"
print(f"equal: {alone['records']} records, {alone['doesNotFit']} do not fit, {alone['damaged']} damaged")
PYTHON
