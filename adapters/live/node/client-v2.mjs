// @modelcontextprotocol/client, the second generation of the TypeScript SDK.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

import { drive, installed } from "./sessions.mjs";

await drive(installed("@modelcontextprotocol/client"), async ({ url, ...command }) => {
  // Without `auto` this client speaks 2025 alone; an app that wants the newest version asks for it so.
  const options = { versionNegotiation: { mode: "auto" } };
  const client = new Client({ name: "mcp-conform-driver", version: "1.0.0" }, options);
  await client.connect(url ? new StreamableHTTPClientTransport(url) : new StdioClientTransport(command));
  return {
    protocol: client.getNegotiatedProtocolVersion(),
    list: async () => (await client.listTools()).tools, // every page
    call: (name, args) => client.callTool({ name, arguments: args }),
    close: () => client.close(),
  };
});
