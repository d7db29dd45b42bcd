"""mcp, the first generation of the Python SDK. It speaks no 2026-07-28."""
from contextlib import asynccontextmanager

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

from sessions import NOTHING, Connected, ToolError, drive


@asynccontextmanager
async def connect(target):
    if target[0].startswith("http://"):
        transport = streamable_http_client(target[0])
    else:
        transport = stdio_client(StdioServerParameters(command=target[0], args=target[1:]))
    async with transport as (read, write, *_), ClientSession(read, write) as session:
        server = await session.initialize()

        async def tools():
            page = await session.list_tools()
            found = page.tools
            while page.nextCursor is not None:
                page = await session.list_tools(cursor=page.nextCursor)
                found += page.tools
            return found

        async def call(name, arguments):
            result = await session.call_tool(name, arguments)
            if result.isError:
                raise ToolError(result.content)
            return result.structuredContent if "structuredContent" in result.model_fields_set else NOTHING

        yield Connected(server.protocolVersion, tools, call)


drive("mcp", connect)
