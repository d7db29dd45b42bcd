// A careless client for certificate.mjs: it looks at no schema, and its name is no good either.
const about = {
  protocol: 1,
  implementation: { name: "careless </script><b> & co", version: "0.1.0", language: "JavaScript", homepage: "javascript:alert(1)" },
  gates: ["definition", "result"],
  versions: ["2025-06-18", "2025-11-25", "2026-07-28"],
  dialects: ["https://json-schema.org/draft/2020-12/schema"],
};

function verdict({ gate, tool, result }) {
  if (gate === "definition") return JSON.parse(tool).inputSchema?.type === "object";
  return Array.isArray(JSON.parse(result).content);
}

function answer(message) {
  if (message.op === "start") return about;
  try {
    return { seq: message.seq, verdict: verdict(message) ? "accept" : "reject" };
  } catch {
    return { seq: message.seq, verdict: "reject", reason: "other" };
  }
}

let rest = "";
for await (const chunk of process.stdin.setEncoding("utf8")) {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop();
  for (const message of lines.map((line) => JSON.parse(line))) {
    if (message.op === "stop") process.exit();
    process.stdout.write(`${JSON.stringify(answer(message))}\n`);
  }
}
