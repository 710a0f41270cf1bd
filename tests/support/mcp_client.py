"""The official MCP client, speaking to the installed ``surefoot mcp`` as an agent's host would."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from mcp import ClientSession, StdioServerParameters, stdio_client
from mcp_types import CallToolResult, TextContent
from tests.support.command import SUREFOOT, environment


class Agent:
    """One client: ``await agent.ok("press", target="@e3")``."""

    def __init__(self, session: ClientSession) -> None:
        self.session = session

    async def call(self, tool: str, **arguments: Any) -> CallToolResult:
        return await self.session.call_tool(tool, arguments)

    async def ok(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The structured content of a success."""
        result = await self.call(tool, **arguments)
        assert not result.is_error, text_of(result)
        return structured(result)

    async def refused(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The error of a failure."""
        result = await self.call(tool, **arguments)
        assert result.is_error, text_of(result)
        return structured(result)

    async def ref(self, role: str, label: str, nth: int = 0) -> str:
        """The plain ref of the n-th such element on the screen now, as JSON shows it."""
        nodes = (await self.ok("snapshot", interactive=True))["nodes"]
        found = [one for one in nodes if (one["role"], one.get("label")) == (role, label)]
        return f"@{found[nth]['ref']}"


@asynccontextmanager
async def agent(
    state: Path, cwd: Path, *flags: str, env: Mapping[str, str] | None = None
) -> AsyncIterator[Agent]:
    """A connected client; its server process ends with it."""
    server = StdioServerParameters(
        command=str(SUREFOOT),
        args=["mcp", *flags],
        env=environment(state, **(env or {})),
        cwd=cwd,
    )
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        yield Agent(session)


def structured(result: CallToolResult) -> dict[str, Any]:
    body = result.structured_content
    assert isinstance(body, dict)
    return body


def text_of(result: CallToolResult) -> str:
    """The first text: what a terminal would show."""
    first = result.content[0]
    assert isinstance(first, TextContent)
    return first.text


def reason(error: Mapping[str, Any]) -> str | None:
    """The machine reason of an error."""
    found = error.get("details", {}).get("reason")
    return found if isinstance(found, str) else None
