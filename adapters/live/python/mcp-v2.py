"""mcp, the second generation of the Python SDK."""
from contextlib import asynccontextmanager

from mcp import Client, StdioServerParameters

from sessions import NOTHING, Connected, ToolError, drive


@asynccontextmanager
async def connect(target):
    on_http = target[0].startswith("http://")
    server = target[0] if on_http else StdioServerParameters(command=target[0], args=target[1:])
    async with Client(server) as client:

        async def tools():
            page = await client.list_tools()
            found = page.tools
            while page.next_cursor is not None:
                page = await client.list_tools(cursor=page.next_cursor)
                found += page.tools
            return found

        async def call(name, arguments):
            result = await client.call_tool(name, arguments)
            if result.is_error:
                raise ToolError(result.content)
            return result.structured_content if "structured_content" in result.model_fields_set else NOTHING

        yield Connected(client.protocol_version, tools, call)


drive("mcp", connect)
