// What the drivers in this folder share: where the targets come from, one call for each tool, and the lines.
import { readFileSync } from "node:fs";

const print = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
const told = (error) => String(error?.message ?? error).slice(0, 2000);

/** A package as it is installed here. Not every package lets its package.json be imported. */
export function installed(name) {
  const { version } = JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, import.meta.url), "utf8"));
  return { name, version, language: "JavaScript" };
}

// The harness says what to send in the tool's description; a tool without that is called with nothing.
function argumentsIn(description) {
  try {
    const value = JSON.parse(description);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}

async function called(client, { name, description }) {
  try {
    const result = await client.call(name, argumentsIn(description));
    if (result.isError) return { outcome: "tool-error", message: told(result.content?.[0]?.text ?? "") };
    return { outcome: "value", delivered: JSON.stringify(result.structuredContent) }; // undefined is left out
  } catch (error) {
    return { outcome: "error", message: told(error) };
  }
}

class GaveUp extends Error {}

// What the app is still waiting for when it gives up is left behind, and nothing of it is printed.
function within(patience, doing) {
  if (patience === undefined) return doing;
  let timer;
  const late = new Promise((_, reject) => (timer = setTimeout(reject, patience, new GaveUp())));
  return Promise.race([doing, late]).finally(() => clearTimeout(timer));
}

async function session(about, connect, { target: [first, ...rest], patience_ms: patience }) {
  const end = { end: true, client: about };
  let client;
  try {
    const target = first.startsWith("http://") ? { url: new URL(first) } : { command: first, args: rest };
    client = await within(patience, connect(target));
    end.protocol = client.protocol;
    for (const tool of await within(patience, client.list())) {
      print({ tool: tool.name, ...(await within(patience, called(client, tool))) });
    }
  } catch (error) {
    if (error instanceof GaveUp) end.late = true;
    else end.error = told(error);
  }
  // A session that cannot be closed is over all the same, and what it showed is printed.
  if (client) await within(patience, client.close()).catch((error) => console.error(error));
  print(end);
}

// Not readline: it would break lines at U+2028 too, which JSON may hold.
async function* tasks() {
  let rest = "";
  for await (const chunk of process.stdin.setEncoding("utf8")) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop();
    for (const line of lines) yield JSON.parse(line);
  }
}

/**
 * Runs the sessions. `connect({url} | {command, args})` gives `{protocol, list, call, close}`: `list()` the
 * tools of every page, `call(name, args)` an MCP result or a rejection, just as an app would get them.
 */
export async function drive(about, connect) {
  const given = process.argv.slice(2);
  const all = given[0] === "--sessions-on-stdin" ? tasks() : [{ target: given }];
  for await (const task of all) await session(about, connect, task);
  process.exit();
}
