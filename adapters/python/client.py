"""What an MCP client checks before and after a call, on the jsonschema package."""
import json
from functools import cache
from pathlib import Path

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError
from jsonschema.validators import validator_for
from jsonschema_specifications import REGISTRY  # the published meta-schemas, and no network
from referencing.exceptions import Unresolvable

# The shapes of MCP's own objects. A client that is built on an SDK has types instead.
SHAPES = json.loads((Path(__file__).parents[1] / "protocol.json").read_text("utf-8"))["$defs"]


class Rejected(Exception):
    def __init__(self, reason, **where):
        self.reason, self.where = reason, where


def compiled(schema):
    dialect = schema.get("$schema", Draft202012Validator.META_SCHEMA["$id"])
    # Without a default of None, the package reads an unknown dialect as the newest.
    kind = validator_for({"$schema": dialect}, default=None) if isinstance(dialect, str) else None
    if kind is None:
        raise Rejected("dialect-unsupported")
    try:
        kind.check_schema(schema)
    except SchemaError:
        raise Rejected("schema-invalid")
    return kind(schema, registry=REGISTRY)


def judge(validator, value, reason):
    try:
        error = next(validator.iter_errors(value), None)
    except Unresolvable:  # a reference is followed when a value gets there, not before
        raise Rejected("ref-unresolved")
    if error is not None:
        steps = [str(step).replace("~", "~0").replace("/", "~1") for step in error.absolute_path]
        keyword = error.validator or "false"  # the schema `false` has no keyword
        raise Rejected(reason, at="".join("/" + step for step in steps), keyword=keyword)


@cache
def shape(name):
    return compiled({"$ref": f"#/$defs/{name}", "$defs": SHAPES})


def expect(name, value, reason="shape-invalid"):
    if not shape(name).is_valid(value):
        raise Rejected(reason)


def schema_of(tool, side, version):
    expect(f"{side}-{version}", tool.get(side), "schema-invalid")
    return compiled(tool[side])


def definition(version, tool):
    expect(f"tool-{version}", tool)
    for side in [side for side in ("inputSchema", "outputSchema") if side in tool]:
        schema_of(tool, side, version)


def arguments(version, tool, arguments):
    expect("arguments", arguments)
    judge(schema_of(tool, "inputSchema", version), arguments, "arguments-mismatch")


def structured(version, tool, result):
    """A failed call owes no value, and neither does one that still waits for input."""
    if "outputSchema" not in tool or result.get("isError") or "content" not in result:
        return
    validator = schema_of(tool, "outputSchema", version)
    if "structuredContent" not in result:
        raise Rejected("structured-missing")
    judge(validator, result["structuredContent"], "structured-mismatch")


def contract(version, schema, value):
    judge(compiled(schema), value, "structured-mismatch")


def branch(record, body):
    """The branch of the audit, and the body as it is judged there."""
    version, value = record["protocol"], body.get("structuredContent")
    if "structuredContent" not in body or (version < "2026-07-28" and not isinstance(value, dict)):
        return "missing", {name: body[name] for name in body if name != "structuredContent"}
    wraps = version == "2025-11-25" and record["metaIdTool"] and list(value) == ["result"]
    if wraps and isinstance(value["result"], dict):
        return "legacy_wrapper", {**body, "structuredContent": value["result"]}
    return "validate_root", body
