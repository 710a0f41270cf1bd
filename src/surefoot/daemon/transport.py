"""One caller's connection: frames in, requests out to the router, answers back.

Everything is bounded: frame sizes, requests at once, how long half a frame may take. A caller that
goes away takes its requests with it.
"""

from __future__ import annotations

import asyncio
import errno
import os
from collections.abc import Mapping
from contextlib import suppress
from typing import Protocol

import msgspec

from surefoot import __version__
from surefoot.commands import error_body
from surefoot.daemon.requests import ArgvTask, CallTask, Host, Request
from surefoot.daemon.tooling import McpTask
from surefoot.errors import ErrorCode
from surefoot.wire import (
    FROM_CALLER,
    HEADER,
    MAX_REQUEST_BYTES,
    PROTOCOL,
    Ack,
    Kind,
    ProtocolError,
    Reply,
    decode_header,
    decode_identity,
    encode_frame,
)

MAX_CONNECTIONS = 128
MAX_REQUESTS = 64
"""Requests of one connection at once."""

FIRST_ATTACHED = 1 << 31
"""Requests that begin inside another one are numbered from here; callers count from 1."""

FRAME_S = 30.0
"""How long the first frame, or the rest of a frame that has begun, may take."""


_TASKS: Mapping[Kind, type[ArgvTask | CallTask | McpTask]] = {
    Kind.ARGV: ArgvTask,
    Kind.CALL: CallTask,
    Kind.MCP: McpTask,
}


class ConnectionHost(Host, Protocol):
    """What a connection asks of the daemon around it."""

    def make_way(self, connection: Connection) -> bool:
        """Another version asks. True: nothing is open, and the daemon is leaving for it."""
        ...


class Connection:
    """The frames of one connection. ``lease`` is the id it owns sessions' captures under."""

    def __init__(
        self,
        host: ConnectionHost,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        lease: str,
    ) -> None:
        self.lease = lease
        self.leased = False
        self.crowded = False
        self._host = host
        self._reader = reader
        self._writer = writer
        self._requests: dict[int, Request] = {}
        self._attached = 0

    @property
    def busy(self) -> bool:
        return any(request.busy for request in self._requests.values())

    async def serve(self) -> None:
        """Read until the caller leaves; then end what it left behind."""
        try:
            await self._read()
        except ProtocolError as error:
            await self._refuse(error)
        except (OSError, EOFError, TimeoutError):
            pass
        finally:
            for request in list(self._requests.values()):
                request.cancel()
            tasks = [request.task for request in self._requests.values() if request.task is not None]
            if tasks:
                await asyncio.wait(tasks)
            if self.leased:
                await self._host.service.released(self.lease)
            self.close()

    def close(self) -> None:
        """Close after what was written has gone out."""
        self._writer.close()

    async def _read(self) -> None:
        async with asyncio.timeout(FRAME_S):
            head = await self._reader.readexactly(HEADER.size)
        while True:
            kind, number, length = decode_header(head, FROM_CALLER, MAX_REQUEST_BYTES)
            async with asyncio.timeout(FRAME_S):
                payload = await self._reader.readexactly(length)
            await self._take(kind, number, payload)
            head = await self._reader.readexactly(1)
            async with asyncio.timeout(FRAME_S):
                head += await self._reader.readexactly(HEADER.size - 1)

    async def _take(self, kind: Kind, number: int, payload: bytes) -> None:
        if kind is Kind.HELLO:
            await self.send(Kind.ACK, number, _ACK)
            return
        request = self._requests.get(number)
        if kind in _TASKS:
            if request is not None:
                raise _broken(number, "its number is in use")
            await self._begin(kind, number, payload)
        elif request is not None:
            request.take(kind, payload)

    async def _begin(self, kind: Kind, number: int, payload: bytes) -> None:
        protocol, version = decode_identity(kind, payload)
        same = protocol == PROTOCOL and version == __version__
        if not same and self._host.make_way(self):
            await self.send(Kind.LEAVING, number)
            return
        request = _TASKS[kind](self, self._host, number)
        request.other_version = None if same else version
        request.other_protocol = protocol != PROTOCOL
        self._requests[number] = request
        await self.send(Kind.ACK, number, _ACK)
        too_many = len(self._requests) > MAX_REQUESTS or self.crowded
        request.task = asyncio.create_task(self._run(request, payload, too_many))

    def attach(self, request: Request) -> None:
        self._attached += 1
        request.number = FIRST_ATTACHED + self._attached % FIRST_ATTACHED
        self._requests[request.number] = request

    def detach(self, request: Request) -> None:
        self._requests.pop(request.number, None)

    async def _run(self, request: Request, payload: bytes, too_many: bool) -> None:
        try:
            await request.run(payload, too_many)
        except OSError:
            pass  # the caller is gone; there is nobody to answer
        except Exception as error:
            problem = self._host.router.unexpected("the answer of a request", error)
            with suppress(OSError):
                await request.fail(problem)
        finally:
            self._requests.pop(request.number, None)

    async def _refuse(self, error: ProtocolError) -> None:
        """Say why before hanging up; a peer that sent garbage may not read it."""
        number = error.details.get("request", 0)
        body = msgspec.json.encode(Reply(success=False, error=error_body(error, self._host.log_path)))
        try:
            async with asyncio.timeout(FRAME_S):
                await self.send(Kind.STDERR, number, f"error {error.code}: {error.message}\n".encode())
                await self.send(Kind.REPLY, number, body)
                await self.send(Kind.EXIT, number, b"2")
        except (OSError, TimeoutError):
            return

    async def send(self, kind: Kind, number: int, payload: bytes = b"") -> None:
        """Write one frame and wait for room. Raises ``ConnectionError`` when the caller is gone."""
        if self._writer.is_closing():
            raise ConnectionResetError(errno.ECONNRESET, "the caller is gone")
        self._writer.write(encode_frame(kind, number, payload))
        await self._writer.drain()


_ACK = msgspec.json.encode(Ack(protocol=PROTOCOL, version=__version__, pid=os.getpid()))


def _broken(number: int, why: str) -> ProtocolError:
    return ProtocolError(
        ErrorCode.INVALID_ARGS,
        f"Request {number} cannot begin: {why}.",
        details={"reason": "bad_frame", "request": number},
    )
