"""An adapter for mcp-conform. Copy it, and call your own code where this one calls client.py.

One JSON object a line comes in on stdin, one goes out on stdout; stderr is yours. What is under
test travels as JSON text inside strings, so that your parser is tested with the rest.
"""
import json
import signal
import sys
from importlib.metadata import version

import client

DRAFTS = ("draft/2020-12", "draft/2019-09", "draft-07", "draft-06", "draft-04")
ABOUT = {
    "protocol": 1,
    "implementation": {"name": "python-jsonschema", "version": version("jsonschema"), "language": "Python",
                       "homepage": "https://github.com/python-jsonschema/jsonschema"},
    # Claim what your client does: the cases of other gates, versions and dialects are skipped.
    "gates": ["definition", "listing", "arguments", "result", "audit", "handoff", "state"],
    "versions": ["2025-06-18", "2025-11-25", "2026-07-28"],
    "dialects": [f"https://json-schema.org/{draft}/schema" for draft in DRAFTS],
}
TEXTS = ("tool", "tools", "arguments", "result", "record", "body", "schema", "value")


def read(text):
    try:
        # NaN and Infinity, which Python would read, are no JSON: int() refuses them.
        return json.loads(text, parse_constant=int)
    except ValueError:
        raise client.Rejected("other")


def attempt(check, *given, **named):
    """One verdict. Only a rejection rejects: whatever else is raised is an error of the client."""
    try:
        return {"verdict": "accept", **(check(*given, **named) or {})}
    except client.Rejected as no:
        return {"verdict": "reject", "reason": no.reason, **no.where}
    except (RecursionError, TimeoutError):
        return {"verdict": "reject", "reason": "limit-exceeded"}


def listing(version, tools):
    client.expect("listing", tools)
    good = [tool for tool in tools["tools"] if attempt(client.definition, version, tool)["verdict"] == "accept"]
    return {"usable": [tool["name"] for tool in good]}  # one bad tool never costs the others


def result(version, tool, result):
    client.expect(f"result-{version}", result)
    client.structured(version, tool, result)
    if "structuredContent" in result and not result.get("isError"):
        return {"delivered": json.dumps(result["structuredContent"])}  # what the app gets to see


def audit(version, tool, record, body):
    if attempt(client.expect, "record", record)["verdict"] == "reject":
        return {"verdict": "reject", "branch": "schema"}
    branch, judged = client.branch(record, body)
    return {**attempt(client.structured, version, tool, judged), "branch": branch}


def too_long(*_):
    raise TimeoutError


GATES = {"definition": client.definition, "listing": listing, "arguments": client.arguments, "result": result,
         "audit": audit, "handoff": client.contract, "state": client.contract}


def run(gate, version, **texts):
    return GATES[gate](version, **{name: read(text) for name, text in texts.items()})


def answer_to(message):
    gate, version = message["gate"], message["version"]
    # This client speaks stdio and has no headers to map. A skip says so, and is never a pass.
    if version == "2026-07-28" and "x-mcp-header" in message.get("tool", ""):
        return {"skip": "x-mcp-header is for Streamable HTTP, and this client speaks stdio"}
    try:
        return attempt(run, gate, version, **{name: message[name] for name in TEXTS if name in message})
    except Exception as bug:
        return {"error": repr(bug)}


signal.signal(signal.SIGALRM, too_long)
for line in sys.stdin.buffer:
    message = json.loads(line)
    if message["op"] == "start":
        answer = ABOUT
    elif message["op"] == "run":
        # One pattern can keep Python's `re` busy for years: half of the deadline is enough.
        signal.setitimer(signal.ITIMER_REAL, message["deadline_ms"] / 2000)
        answer = {**answer_to(message), "seq": message["seq"]}
        signal.setitimer(signal.ITIMER_REAL, 0)
    else:
        break
    print(json.dumps(answer), flush=True)
