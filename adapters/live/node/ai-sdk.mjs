// @ai-sdk/mcp, the client of Vercel's AI SDK: tools are objects of the SDK, each with its own `execute`.
import { createMCPClient } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport as StdioTransport } from "@ai-sdk/mcp/mcp-stdio";

import { drive, installed } from "./sessions.mjs";

await drive(installed("@ai-sdk/mcp"), async ({ url, ...command }) => {
  const transport = url ? { type: "http", url: url.href } : new StdioTransport(command);
  const client = await createMCPClient({ transport });
  let tools = {};
  return {
    protocol: client.initializeResult.protocolVersion,
    list: async () => {
      tools = await client.tools(); // every page
      return Object.entries(tools).map(([name, { description }]) => ({ name, description }));
    },
    // As generateText would run it, once the model has asked for it.
    call: (name, args) => tools[name].execute(args, { toolCallId: "call-1", messages: [] }),
    close: () => client.close(),
  };
});
