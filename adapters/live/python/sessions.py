"""What the drivers in this folder share: where the targets come from, one call for each tool, and the lines."""
import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

# Nothing here speaks TLS, and for each session httpx would read the certificates of all the world's
# authorities: four fifths of what a session costs. It reads this one, which is nobody's.
os.environ.setdefault("SSL_CERT_FILE", str(Path(__file__).with_name("nobody.pem")))

NOTHING = object()  # no structured content: null is a value like another


class ToolError(Exception):
    """The tool's own error, which the app got as such."""


@dataclass
class Connected:
    """A client of the real package, as an app would hold it."""

    protocol: str | None
    tools: Callable[[], Awaitable[list]]  # the tools of every page: name and description
    call: Callable[[str, dict], Awaitable]  # the structured content that the app gets, or NOTHING


Connect = Callable[[list[str]], AbstractAsyncContextManager[Connected]]


def show(line: dict) -> None:
    print(json.dumps(line), flush=True)


def told(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):  # what a task group collected: the first says enough
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}"[:2000]


def arguments_in(description: str | None) -> dict:
    """The harness says what to send in the tool's description; a tool without that is called with nothing."""
    try:
        value = json.loads(description or "{}")
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


async def called(client: Connected, tool) -> dict:
    try:
        value = await client.call(tool.name, arguments_in(tool.description))
    except ToolError as error:
        return {"outcome": "tool-error", "message": told(error)}
    except Exception as error:
        return {"outcome": "error", "message": told(error)}
    return {"outcome": "value"} if value is NOTHING else {"outcome": "value", "delivered": json.dumps(value)}


async def session(connect: Connect, target: list[str], patience: float | None, end: dict) -> None:
    listed = False
    try:
        async with asyncio.timeout(patience) as clock, connect(target) as client:
            if client.protocol is not None:
                end["protocol"] = client.protocol
            tools = await client.tools()
            listed = True
            for tool in tools:
                show({"tool": tool.name, **await called(client, tool)})
                if patience is not None:
                    clock.reschedule(asyncio.get_running_loop().time() + patience)
    except (Exception, asyncio.CancelledError) as error:
        # A session that cannot be closed is over all the same, and what it showed is printed.
        if clock.expired():
            end["late"] = True
        elif not listed:
            end["error"] = told(error)
        print(told(error), file=sys.stderr)


def drive(package: str, connect: Connect) -> None:
    """Runs the sessions: the one on the command line, or one for each line on stdin."""
    about = {"name": package, "version": version(package), "language": "Python"}
    given = sys.argv[1:]
    on_stdin = given[:1] == ["--sessions-on-stdin"]
    for task in map(json.loads, sys.stdin) if on_stdin else [{"target": given}]:
        end = {"end": True, "client": about}
        patience = task.get("patience_ms")
        asyncio.run(session(connect, task["target"], patience and patience / 1000, end))
        show(end)
