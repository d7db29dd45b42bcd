"""langchain-mcp-adapters: MCP tools as LangChain tools. It stands on the first generation of the Python SDK."""
from contextlib import asynccontextmanager

from langchain_mcp_adapters.client import MultiServerMCPClient

from sessions import NOTHING, Connected, ToolError, drive


@asynccontextmanager
async def connect(target):
    if target[0].startswith("http://"):
        server = {"transport": "streamable_http", "url": target[0]}
    else:
        server = {"transport": "stdio", "command": target[0], "args": target[1:]}
    client = MultiServerMCPClient({"server": server})
    listed = {}

    async def tools():
        found = await client.get_tools()  # every page
        listed.update((tool.name, tool) for tool in found)
        return found

    # As an agent would run it, once the model has asked for it. Each call is a session of its own.
    async def call(name, arguments):
        message = await listed[name].ainvoke({"type": "tool_call", "id": "call-1", "name": name, "args": arguments})
        if message.status == "error":
            raise ToolError(message.content)
        return message.artifact["structured_content"] if message.artifact else NOTHING

    yield Connected(None, tools, call)


drive("langchain-mcp-adapters", connect)
