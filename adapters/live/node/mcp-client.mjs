// mcp-client, a small client on top of @modelcontextprotocol/sdk. It speaks no 2026-07-28.
import { MCPClient } from "mcp-client";

import { drive, installed } from "./sessions.mjs";

await drive(installed("mcp-client"), async ({ url, ...command }) => {
  const client = new MCPClient({ name: "mcp-conform-driver", version: "1.0.0" });
  await client.connect(url ? { type: "httpStream", url: url.href } : { type: "stdio", ...command });
  return {
    list: () => client.getAllTools(),
    call: (name, args) => client.callTool({ name, arguments: args }),
    close: () => client.close(),
  };
});
