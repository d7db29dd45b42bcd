"""fastmcp's client, which stands on the second generation of the Python SDK."""
from contextlib import asynccontextmanager

from fastmcp import Client
from fastmcp.client.transports import StdioTransport
from fastmcp.exceptions import ToolError as FastMcpToolError

from sessions import NOTHING, Connected, ToolError, drive


@asynccontextmanager
async def connect(target):
    on_http = target[0].startswith("http://")
    # Kept alive, which is the default, the server would outlive its session.
    server = target[0] if on_http else StdioTransport(target[0], target[1:], keep_alive=False)
    async with Client(server) as client:

        async def call(name, arguments):
            try:
                result = await client.call_tool(name, arguments)
            except FastMcpToolError as error:
                raise ToolError(str(error)) from error
            return NOTHING if result.structured_content is None else result.structured_content

        yield Connected(client.protocol_version, client.list_tools, call)  # list_tools walks every page


drive("fastmcp", connect)
