"""Runs the peers of peers.sh round by round and prints the median of each beside the others."""

import json
import os
import statistics
import subprocess
import time

program, bench, peers, perf = (os.environ[name] for name in ("PROGRAM", "BENCH", "PEERS", "PERF"))
log, tools = f"{peers}/results.jsonl", f"{peers}/tools.json"
tenfold = f"{peers}/results10.jsonl"
with open(log, "rb") as lines:
    text = lines.read()
records = text.count(b"\n")
if not os.path.exists(tenfold):
    with open(tenfold, "wb") as out:
        for _ in range(10):
            out.write(text)
del text

audit = [program, "audit", "--tools", tools, "--format", "json"]
commands = {
    "parse": [bench, "parse", log],
    "value-valid": [bench, "value-valid", log, tools],
    "audit": [*audit, "--threads", "1", log],
    "audit, two threads": [*audit, "--threads", "2", log],
    "audit, tenfold": [*audit, "--threads", "1", tenfold],
    "jsonschema-rs": [f"{peers}/venv/bin/python", f"{perf}/pyval.py", "rs", log, tools],
    "ajv": ["node", f"{peers}/ajv.mjs", "ajv", log, tools],
}


def run(command):
    """Processor time, wall time and peak memory (MB) of a command, and its standard output."""
    start = time.perf_counter()
    child = subprocess.Popen(command, cwd=peers, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    output = child.stdout.read().decode()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in (0, 1):
        raise SystemExit(f"{command[0]} ended with {child.returncode}")
    return usage.ru_utime + usage.ru_stime, time.perf_counter() - start, usage.ru_maxrss / 1024, output


found = {name: [] for name in commands}
invalid = {}
for number in range(int(os.environ["ROUNDS"])):
    for name, command in commands.items():
        # The slow ones do not need many rounds.
        if number < 2 or name.startswith(("parse", "audit", "value")):
            *figures, output = run(command)
            found[name].append(figures)
            if name.startswith("audit"):
                invalid[name] = json.loads(output)["doesNotFit"] / (10 if "tenfold" in name else 1)
            elif "invalid=" in output:
                invalid[name] = int(output.split("invalid=")[1].split()[0])

assert len(set(invalid.values())) == 1, f"the peers disagree: {invalid}"
median = {name: [statistics.median(column) for column in zip(*rows)] for name, rows in found.items()}
print(f"{records} records, {next(iter(invalid.values())):.0f} do not fit, as every peer says; medians of whole processes, start and compilation included\n")
print(f"{'':20} {'CPU s':>8} {'µs/record':>10} {'of parse':>9} {'wall s':>8} {'peak MB':>8}")
for name, (cpu, wall, memory) in median.items():
    lines = records * (10 if "tenfold" in name else 1)
    ratio = cpu / lines / (median["parse"][0] / records)
    print(f"{name:20} {cpu:8.3f} {cpu / lines * 1e6:10.2f} {ratio:9.2f} {wall:8.3f} {memory:8.0f}")
one, two, ten = median["audit"], median["audit, two threads"], median["audit, tenfold"]
print()
print(f"audit against parsing alone:  {one[0] / median['parse'][0]:.2f} of its CPU time")
print(f"against the engine on values: {median['value-valid'][0] / one[0]:.1f} times as fast")
print(f"against jsonschema-rs:        {median['jsonschema-rs'][0] / one[0]:.1f} times as fast")
print(f"against Ajv:                  {median['ajv'][0] / one[0]:.1f} times as fast")
print(f"two threads against one:      {one[1] / two[1]:.2f} times as fast")
print(f"ten times the records:        {ten[1] / one[1]:.2f} times the time, {ten[2] / one[2]:.2f} times the memory")
