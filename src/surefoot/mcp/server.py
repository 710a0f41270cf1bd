"""The official SDK's server over one client's channel. Imported by :func:`surefoot.mcp.serve` only."""

from __future__ import annotations

import asyncio
import json
import logging
from base64 import b64encode
from collections.abc import Mapping
from typing import Any

import anyio
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp.shared.message import SessionMessage

from surefoot import __version__
from surefoot.mcp.tools import INSTRUCTIONS, Channel, Outcome, Tool, Toolbox, failed

META_UNTRUSTED = "surefoot/untrusted"

# Its records may hold what a caller entered; the daemon's log never does.
logging.getLogger("mcp").addHandler(logging.NullHandler())
logging.getLogger("mcp").propagate = False


async def run(toolbox: Toolbox, channel: Channel) -> None:
    """Serve until the channel ends; what still runs then is cancelled."""
    server = _server(toolbox)
    incoming, read = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    write, outgoing = anyio.create_memory_object_stream[SessionMessage](0)
    owed = _Owed(channel)
    async with anyio.create_task_group() as group:
        group.start_soon(_receive, channel, incoming, owed)
        group.start_soon(_send, channel, outgoing, owed)
        await server.run(read, write, server.create_initialization_options())
        group.cancel_scope.cancel()


class _Owed:
    """The requests of the client that are not answered yet."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._ids: set[types.RequestId] = set()

    def asked(self, message: types.JSONRPCMessage) -> None:
        if isinstance(message, types.JSONRPCRequest):
            self._ids.add(message.id)
        elif (
            isinstance(message, types.JSONRPCNotification)
            and message.method == "notifications/cancelled"
        ):
            self._ids.discard((message.params or {}).get("requestId", ""))
        self._channel.owes(len(self._ids))

    def answered(self, message: types.JSONRPCMessage) -> None:
        if isinstance(message, types.JSONRPCResponse | types.JSONRPCError) and message.id is not None:
            self._ids.discard(message.id)
        self._channel.owes(len(self._ids))


async def _receive(
    channel: Channel, incoming: MemoryObjectSendStream[SessionMessage | Exception], owed: _Owed
) -> None:
    async with incoming:
        while (line := await channel.receive()) is not None:
            try:
                message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
            except ValueError as error:
                await incoming.send(error)
                continue
            owed.asked(message)
            await incoming.send(SessionMessage(message))


async def _send(
    channel: Channel, outgoing: MemoryObjectReceiveStream[SessionMessage], owed: _Owed
) -> None:
    async with outgoing:
        async for item in outgoing:
            text = item.message.model_dump_json(by_alias=True, exclude_unset=True)
            await channel.send(text.encode())
            owed.answered(item.message)


def _server(toolbox: Toolbox) -> Server[dict[str, Any]]:
    listed = types.ListToolsResult(tools=[_tool(tool) for tool in toolbox.tools])

    async def list_tools(
        _context: ServerRequestContext[Any], _params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return listed

    async def call_tool(
        context: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        arguments: Mapping[str, Any] = params.arguments or {}

        async def follow(ordinal: int, command: str) -> None:
            await context.session.report_progress(ordinal, message=f"step {ordinal}: {command}")

        try:
            outcome = await toolbox.call(params.name, arguments, follow)
        except (asyncio.CancelledError, MCPError):
            raise
        except Exception as problem:
            outcome = failed(problem)
        if outcome is None:
            what = json.dumps(params.name[:80])
            raise MCPError(
                types.INVALID_PARAMS, f"there is no tool {what}{toolbox.nearest(params.name)}"
            )
        return _result(outcome)

    return Server(
        "surefoot",
        version=__version__,
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def _tool(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        description=tool.description,
        input_schema=tool.input_schema,
        annotations=types.ToolAnnotations(
            read_only_hint=tool.read_only, open_world_hint=tool.untrusted
        ),
    )


def _pictures(outcome: Outcome) -> list[types.ImageContent]:
    if outcome.image is None:
        return []
    return [types.ImageContent(data=b64encode(outcome.image).decode(), mime_type="image/png")]


def _result(outcome: Outcome) -> types.CallToolResult:
    return types.CallToolResult(
        content=[*_pictures(outcome), *(types.TextContent(text=text) for text in outcome.text)],
        structured_content=outcome.structured,
        is_error=outcome.is_error,
        _meta={META_UNTRUSTED: outcome.untrusted},
    )
