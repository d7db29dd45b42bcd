// What an MCP client checks before and after a call, on Ajv.
import { readFileSync } from "node:fs";

import Ajv, { MissingRefError } from "ajv";
import Ajv2020 from "ajv/dist/2020.js";

// The shapes of MCP's own objects. A client that is built on an SDK has types instead.
const shapesFile = new URL("../protocol.json", import.meta.url);
const shapes = JSON.parse(readFileSync(shapesFile, "utf8")).$defs;

const options = {
  strict: false, // a server's schema may hold keywords that Ajv does not know
  validateFormats: false, // `format` is an annotation
  ownProperties: true, // what every object inherits, "constructor" say, is not in the value
};
const engines = {
  "json-schema.org/draft/2020-12/schema": { Engine: Ajv2020, checker: new Ajv2020(options) },
  "json-schema.org/draft-07/schema": { Engine: Ajv, checker: new Ajv(options) },
};
export const dialects = Object.keys(engines).map((dialect) => `https://${dialect}`);

export class Rejected extends Error {
  constructor(reason, where = {}) {
    super(reason);
    Object.assign(this, { reason, where });
  }
}

function compiled({ $schema: dialect = dialects[0], ...schema }) {
  const known = typeof dialect === "string" && engines[dialect.replace(/^https?:\/\//, "").replace(/#$/, "")];
  if (!known) throw new Rejected("dialect-unsupported");
  const { Engine, checker } = known;
  if (!checker.validateSchema(schema)) throw new Rejected("schema-invalid");
  try {
    // An engine that has seen another tool's schemas would find their `$id`s and resolve references with them.
    return new Engine({ ...options, validateSchema: false }).compile(schema);
  } catch (error) {
    throw new Rejected(error instanceof MissingRefError ? "ref-unresolved" : "schema-invalid");
  }
}

function judge(validate, value, reason) {
  if (validate(value)) return;
  // The branches' errors come before the anyOf that holds them; `if` only repeats its branch's.
  const { instancePath, keyword } = validate.errors.findLast((error) => error.keyword !== "if");
  throw new Rejected(reason, { at: instancePath, keyword });
}

const validators = new Map();
export function expect(name, value, reason = "shape-invalid") {
  if (!validators.has(name)) validators.set(name, compiled({ $ref: `#/$defs/${name}`, $defs: shapes }));
  if (!validators.get(name)(value)) throw new Rejected(reason);
}

function schemaOf(tool, side, version) {
  expect(`${side}-${version}`, tool[side], "schema-invalid");
  return compiled(tool[side]);
}

export function definition(version, { tool }) {
  expect(`tool-${version}`, tool);
  for (const side of ["inputSchema", "outputSchema"]) if (side in tool) schemaOf(tool, side, version);
}

export function args(version, { tool, arguments: value }) {
  expect("arguments", value);
  judge(schemaOf(tool, "inputSchema", version), value, "arguments-mismatch");
}

// A failed call owes no value, and neither does one that still waits for input.
export function structured(version, { tool, result }) {
  if (!("outputSchema" in tool) || result.isError || !("content" in result)) return;
  const validate = schemaOf(tool, "outputSchema", version);
  if (!("structuredContent" in result)) throw new Rejected("structured-missing");
  judge(validate, result.structuredContent, "structured-mismatch");
}

export function contract(version, { schema, value }) {
  judge(compiled(schema), value, "structured-mismatch");
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

// The branch of the audit, and the result as it is judged there.
export function branch({ protocol, metaIdTool }, { structuredContent: value, ...rest }) {
  if (value === undefined || (protocol < "2026-07-28" && !isObject(value))) return ["missing", rest];
  const wraps = protocol === "2025-11-25" && metaIdTool && Object.keys(value).join() === "result";
  if (wraps && isObject(value.result)) return ["legacy_wrapper", { ...rest, structuredContent: value.result }];
  return ["validate_root", { ...rest, structuredContent: value }];
}
