// @modelcontextprotocol/sdk, the first generation of the TypeScript SDK. It speaks no 2026-07-28.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

import { drive, installed } from "./sessions.mjs";

async function list(client) {
  const tools = [];
  let cursor;
  do {
    const page = await client.listTools({ cursor });
    tools.push(...page.tools);
    cursor = page.nextCursor;
  } while (cursor);
  return tools;
}

await drive(installed("@modelcontextprotocol/sdk"), async ({ url, ...command }) => {
  const client = new Client({ name: "mcp-conform-driver", version: "1.0.0" });
  const transport = url ? new StreamableHTTPClientTransport(url) : new StdioClientTransport(command);
  await client.connect(transport);
  return {
    protocol: transport.protocolVersion,
    list: () => list(client),
    call: (name, args) => client.callTool({ name, arguments: args }),
    close: () => client.close(),
  };
});
