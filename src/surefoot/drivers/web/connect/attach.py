"""How is a browser spoken to that the user runs? (``--cdp URL``: a websocket, never closed by us)"""

from __future__ import annotations

import asyncio
import json
import urllib.error
import urllib.request
from typing import Any, Protocol
from urllib.parse import urlsplit

from surefoot.drivers.admission import check_cdp
from surefoot.drivers.web.connect.cdp import Connection
from surefoot.errors import ErrorCode, SurefootError

CONNECT_DEADLINE = 10.0


class _Socket(Protocol):
    async def send(self, message: str) -> None: ...

    async def close(self) -> None: ...

    def __aiter__(self) -> Any: ...


class SocketTransport:
    """Messages over a websocket; sends are queued, so that calls stay pipelined and in order."""

    def __init__(self, socket: _Socket, connection: Connection) -> None:
        self._socket = socket
        self._connection = connection
        self._queue: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._tasks = (asyncio.ensure_future(self._sending()), asyncio.ensure_future(self._receiving()))
        connection.bind(self)

    def send(self, message: bytes) -> None:
        self._queue.put_nowait(message)

    async def _sending(self) -> None:
        try:
            while (message := await self._queue.get()) is not None:
                await self._socket.send(message.decode())
        except Exception:
            self._connection.on_end("its connection broke")
        await self._socket.close()

    async def _receiving(self) -> None:
        try:
            async for message in self._socket:
                self._connection.on_message(message if isinstance(message, bytes) else message.encode())
        except Exception:
            self._connection.on_end("its connection broke")
        self._connection.on_end("its connection ended")
        self._queue.put_nowait(None)

    def close(self) -> None:
        self._queue.put_nowait(None)


async def connect(url: str) -> Connection:
    """Connect to a running browser's debugging address (``http://host:port`` or ``ws://…``).

    Raises ``INVALID_ARGS`` for another kind of address, ``DEVICE_NOT_FOUND`` when nothing answers.
    """
    check_cdp(url, launches=False)
    try:
        from websockets.asyncio.client import connect as open_socket
    except ImportError:
        raise SurefootError(
            ErrorCode.DEVICE_NOT_FOUND,
            "Attaching to a browser needs the websockets package.",
            hint="Install it: pip install 'surefoot[web]'",
            details={"reason": "missing_package", "package": "websockets"},
        ) from None
    try:
        address = (
            url if urlsplit(url).scheme in ("ws", "wss") else await asyncio.to_thread(_endpoint, url)
        )
        async with asyncio.timeout(CONNECT_DEADLINE):
            socket = await open_socket(address, max_size=None, compression=None, proxy=None)
    except (OSError, ValueError, TimeoutError, urllib.error.URLError) as error:
        raise _no_answer(url) from error
    except Exception as error:  # the package's own handshake errors share no useful base
        raise _no_answer(url) from error
    connection = Connection()
    SocketTransport(socket, connection)
    return connection


def _endpoint(url: str) -> str:
    """The websocket address the browser itself names at ``/json/version``."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(url.rstrip("/") + "/json/version", timeout=CONNECT_DEADLINE) as answer:
        address = json.loads(answer.read(65536))["webSocketDebuggerUrl"]
    if not isinstance(address, str):
        raise ValueError("no debugger address")
    return address


def _no_answer(url: str) -> SurefootError:
    return SurefootError(
        ErrorCode.DEVICE_NOT_FOUND,
        f"No browser answers at {url}.",
        hint="Start one with --remote-debugging-port=9222 and a --user-data-dir of its own.",
        details={"reason": "cdp_unreachable", "cdp": url},
    )
