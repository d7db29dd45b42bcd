#!/usr/bin/env python3
"""Audits logs of any size on Apache Spark: the program is piped over the partitions, and the
reports of the partitions are merged.

    spark-submit spark_audit.py --program mcp-conform --tools listing.json --out report.json LOG…

Program and listing must be on every worker under the same path. A partition is one shard: its
examples name it and the line within it. A session's call and its result must be in one partition,
so split transcripts by session; records stand each for themselves.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from pyspark.sql import SparkSession

# Everything fits, something does not, nothing was judged; all else is no report.
REPORTED = (0, 1, 4)


def audit(command):
    """A function that audits one partition and yields its report."""

    def shard(index, lines):
        name = f"part-{index:05}"
        child = subprocess.Popen(
            [*command, "-", "--stdin-name", name, "--threads", "1", "--format", "json"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        # The report comes when the input has ended, so writing first cannot block on reading.
        with child.stdin as stdin:
            for line in lines:
                stdin.write(line)
                stdin.write(b"\n")
        report = child.stdout.read()
        code = child.wait()
        if code not in REPORTED:
            raise RuntimeError(f"{name}: {command[0]} ended with {code}")
        yield name, report.decode()

    return shard


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("logs", nargs="+")
    parser.add_argument("--program", default="mcp-conform")
    parser.add_argument("--tools", required=True)
    parser.add_argument("--protocol", default="2026-07-28")
    parser.add_argument("--partitions", type=int, help="at least so many")
    parser.add_argument("--master", help="where to run; spark-submit knows better")
    parser.add_argument("--out", required=True, type=Path)
    arguments = parser.parse_args()

    builder = SparkSession.builder.appName("mcp-conform audit")
    # Only a line feed ends a line, as in the program itself.
    builder = builder.config("spark.hadoop.textinputformat.record.delimiter", "\n")
    if arguments.master:
        builder = builder.master(arguments.master)
    spark = builder.getOrCreate()
    command = [arguments.program, "audit", "--tools", arguments.tools, "--protocol", arguments.protocol]
    # Bytes, not text: a line that is no UTF-8 must arrive as it is, to be counted as damaged.
    lines = spark.sparkContext.textFile(",".join(arguments.logs), arguments.partitions, use_unicode=False)
    reports = sorted(lines.mapPartitionsWithIndex(audit(command)).collect())
    spark.stop()

    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for name, report in reports:
            paths.append(Path(folder, f"{name}.json"))
            paths[-1].write_text(report)
        merge = [arguments.program, "audit", "--format", "json", "--merge", *map(str, paths)]
        merged = subprocess.run(merge, stdout=subprocess.PIPE, check=False)
    if merged.returncode not in REPORTED:
        sys.exit(merged.returncode)
    arguments.out.write_bytes(merged.stdout)
    whole = json.loads(merged.stdout)
    print(f"{len(reports)} partitions, {whole['records']} records, {whole['doesNotFit']} do not fit")
    sys.exit(merged.returncode)


if __name__ == "__main__":
    main()
