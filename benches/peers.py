"""Runs the peers of peers.sh round by round and prints the median of each beside the others."""

import json
import os
import shutil
import statistics
import subprocess
import time

program, bench, peers, perf = (os.environ[name] for name in ("PROGRAM", "BENCH", "PEERS", "PERF"))
log, tools = f"{peers}/results.jsonl", f"{peers}/tools.json"
tenfold = f"{peers}/results10.jsonl"
empty = f"{peers}/empty.jsonl"
open(empty, "wb").close()
# Nothing large is held here: a child starts with the peak memory of its parent.
with open(log, "rb") as lines:
    records = sum(1 for _ in lines)
if not os.path.exists(tenfold):
    with open(f"{tenfold}.part", "wb") as out:
        for _ in range(10):
            with open(log, "rb") as lines:
                shutil.copyfileobj(lines, out)
    os.rename(f"{tenfold}.part", tenfold)

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
    if child.returncode not in (0, 1, 4):
        raise SystemExit(f"{command[0]} ended with {child.returncode}")
    return usage.ru_utime + usage.ru_stime, time.perf_counter() - start, usage.ru_maxrss / 1024, output


found = {name: [] for name in commands}
starts = {name: [] for name in commands}
invalid = {}
for number in range(int(os.environ["ROUNDS"])):
    for name, command in commands.items():
        # The slow ones do not need many rounds.
        if number >= 2 and name in ("jsonschema-rs", "ajv"):
            continue
        *figures, output = run(command)
        found[name].append(figures)
        if name.startswith("audit"):
            invalid[name] = json.loads(output)["doesNotFit"] / (10 if "tenfold" in name else 1)
        elif "invalid=" in output:
            invalid[name] = int(output.split("invalid=")[1].split()[0])
        # What it takes to start, and to compile the schemas.
        idle = [empty if word in (log, tenfold) else word for word in command]
        starts[name].append(run(idle)[0])

assert len(set(invalid.values())) == 1, f"the peers disagree: {invalid}"
median = {name: [statistics.median(column) for column in zip(*rows)] for name, rows in found.items()}
each = {}
for name, (cpu, *_) in median.items():
    lines = records * (10 if "tenfold" in name else 1)
    each[name] = (cpu - statistics.median(starts[name])) / lines * 1e6
print(f"{records} records, of which {invalid['audit']:.0f} do not fit, as every peer says; medians\n")
print(f"{'':20} {'CPU s':>8} {'start s':>8} {'µs/record':>10} {'of parse':>9} {'wall s':>8} {'peak MB':>8}")
for name, (cpu, wall, memory) in median.items():
    start, ratio = statistics.median(starts[name]), each[name] / each["parse"]
    print(f"{name:20} {cpu:8.2f} {start:8.2f} {each[name]:10.2f} {ratio:9.2f} {wall:8.2f} {memory:8.0f}")
one, two, ten = median["audit"], median["audit, two threads"], median["audit, tenfold"]
print("\nby CPU time for a record, start and compilation aside:")
print(f"audit against parsing alone:  {each['audit'] / each['parse']:.2f} of its time")
for name in ("value-valid", "jsonschema-rs", "ajv"):
    print(f"against {name + ':':21} {each[name] / each['audit']:.1f} times as fast")
print("by wall time of the whole process:")
print(f"two threads against one:      {one[1] / two[1]:.2f} times as fast")
print(f"ten times the records:        {ten[1] / one[1]:.2f} times the time, {ten[2] / one[2]:.2f} times the memory")
