// An adapter for mcp-conform. Copy it, and call your own code where this one calls client.mjs.
//
// One JSON object a line comes in on stdin, one goes out on stdout; stderr is yours. What is under
// test travels as JSON text inside strings, so that your parser is tested with the rest.
import { createRequire } from "node:module";
import vm from "node:vm";

import * as client from "./client.mjs";

const { version } = createRequire(import.meta.url)("ajv/package.json");
const about = {
  protocol: 1,
  implementation: { name: "node-ajv", version, language: "JavaScript", homepage: "https://ajv.js.org" },
  // Claim what your client does: the cases of other gates, versions and dialects are skipped.
  gates: ["definition", "listing", "arguments", "result", "audit", "handoff", "state"],
  versions: ["2025-06-18", "2025-11-25", "2026-07-28"],
  dialects: client.dialects,
};
const texts = ["tool", "tools", "arguments", "result", "record", "body", "schema", "value"];

function read(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new client.Rejected("other");
  }
}

// One verdict. Only a rejection rejects: whatever else is thrown is an error of the client.
function attempt(check) {
  try {
    return { verdict: "accept", ...check() };
  } catch (error) {
    const tooMuch = error instanceof RangeError || error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
    if (tooMuch) return { verdict: "reject", reason: "limit-exceeded" };
    if (!(error instanceof client.Rejected)) throw error;
    return { verdict: "reject", reason: error.reason, ...error.where };
  }
}

function listing(version, { tools }) {
  client.expect("listing", tools);
  const usable = (tool) => attempt(() => client.definition(version, { tool })).verdict === "accept";
  return { usable: tools.tools.filter(usable).map((tool) => tool.name) }; // one bad tool never costs the others
}

function result(version, { tool, result }) {
  client.expect(`result-${version}`, result);
  client.structured(version, { tool, result });
  if (!("structuredContent" in result) || result.isError) return {};
  return { delivered: JSON.stringify(result.structuredContent) }; // what the app gets to see
}

function audit(version, { tool, record, body }) {
  if (attempt(() => client.expect("record", record)).verdict === "reject") return { verdict: "reject", branch: "schema" };
  const [branch, judged] = client.branch(record, body);
  return { ...attempt(() => client.structured(version, { tool, result: judged })), branch };
}

const gates = {
  definition: client.definition,
  listing,
  arguments: client.args,
  result,
  audit,
  handoff: client.contract,
  state: client.contract,
};

// One pattern can block the event loop for good; the vm module can stop what runs under it.
const guarded = new vm.Script("run()");
const context = vm.createContext({});

function answer({ op, seq, gate, version, deadline_ms, ...given }) {
  if (op === "start") return about;
  // This client speaks stdio and has no headers to map. A skip says so, and is never a pass.
  if (version === "2026-07-28" && given.tool?.includes("x-mcp-header")) {
    return { skip: "x-mcp-header is for Streamable HTTP, and this client speaks stdio", seq };
  }
  const names = texts.filter((name) => name in given);
  context.run = () => gates[gate](version, Object.fromEntries(names.map((name) => [name, read(given[name])])));
  try {
    return { ...attempt(() => guarded.runInContext(context, { timeout: deadline_ms / 2 })), seq };
  } catch (bug) {
    return { error: String(bug), seq };
  }
}

// Not readline: it would break lines at U+2028 too, which JSON may hold.
let rest = "";
for await (const chunk of process.stdin.setEncoding("utf8")) {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop();
  for (const message of lines.map((line) => JSON.parse(line))) {
    if (message.op === "stop") process.exit();
    process.stdout.write(`${JSON.stringify(answer(message))}\n`);
  }
}
