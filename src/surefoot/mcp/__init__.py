"""The tool server: one MCP tool a command, refs remembered and pinned, everything bounded.

The official SDK takes over a second to import, so it is loaded by the first connection that needs it,
in a thread, and never by a command or by the daemon's start. The daemon hands in what runs a call
(:class:`ToolHost`) and one client's messages (:class:`Channel`)::

    await serve(host, channel)
"""

from __future__ import annotations

import asyncio
import importlib

from surefoot.errors import ErrorCode, SurefootError
from surefoot.mcp.bounds import MAX_STRUCTURED_BYTES, MAX_TEXT_BYTES, bounded_data, bounded_text
from surefoot.mcp.issued import issued_refs
from surefoot.mcp.pins import Pins
from surefoot.mcp.tools import (
    COMMON_OPTIONS,
    INSTRUCTIONS,
    Answered,
    Channel,
    Follow,
    Outcome,
    Steps,
    Tool,
    Toolbox,
    ToolHost,
)

__all__ = [
    "COMMON_OPTIONS",
    "INSTRUCTIONS",
    "MAX_STRUCTURED_BYTES",
    "MAX_TEXT_BYTES",
    "Answered",
    "Channel",
    "Follow",
    "Outcome",
    "Pins",
    "Steps",
    "Tool",
    "ToolHost",
    "Toolbox",
    "bounded_data",
    "bounded_text",
    "issued_refs",
    "serve",
]


async def serve(host: ToolHost, channel: Channel) -> None:
    """Serve one client until its channel ends.

    Raises ``UNSUPPORTED_OPERATION`` reason ``mcp_missing`` where the SDK is not installed.
    """
    try:
        module = await asyncio.to_thread(importlib.import_module, "surefoot.mcp.server")
    except ImportError as error:
        raise SurefootError(
            ErrorCode.UNSUPPORTED_OPERATION,
            f"The MCP server needs the package mcp ({error}).",
            hint="Install it: pip install 'surefoot[mcp]'; then run `surefoot daemon stop`.",
            details={"reason": "mcp_missing"},
        ) from error
    await module.run(Toolbox(host), channel)
