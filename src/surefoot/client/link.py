"""The client's connection: many calls at once over one socket, and what ends them.

A connection owns a lease; when it goes, what the daemon holds for it alone goes too. A daemon that
falls silent is asked for a sign of life; without one the call fails in bounded time.
"""

from __future__ import annotations

import asyncio
import itertools
import os
from collections.abc import Mapping
from typing import TypeVar

import msgspec

from surefoot.client import launch
from surefoot.client.errors import error_from
from surefoot.client.files import read_for_daemon
from surefoot.errors import ErrorCode, SurefootError, invalid_args
from surefoot.wire import (
    FROM_DAEMON,
    HEADER,
    MAX_REPLY_BYTES,
    MAX_REQUEST_BYTES,
    CallRequest,
    Cost,
    ErrorBody,
    Kind,
    ProtocolError,
    StatePaths,
    decode_header,
    encode_frame,
)

R = TypeVar("R")
ATTEMPTS = 3


class RawReply(msgspec.Struct, rename="camel"):
    """A reply whose data is decoded later, into the type the method promises."""

    success: bool
    data: msgspec.Raw = msgspec.Raw(b"null")
    error: ErrorBody | None = None
    cost: Cost | None = None


class _Leaving(Exception):
    pass


class _Pending:
    def __init__(self) -> None:
        self.acked = False
        self.reply: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()


class Link:
    """One lazily opened connection to the daemon of ``paths``."""

    def __init__(self, paths: StatePaths, env: Mapping[str, str]) -> None:
        self.paths = paths
        self._env = env
        self._numbers = itertools.count(1)
        self._pending: dict[int, _Pending] = {}
        self._opening = asyncio.Lock()
        self._writer: asyncio.StreamWriter | None = None
        self._listening: asyncio.Task[None] | None = None
        self._heard = 0.0
        self._answers: set[asyncio.Task[None]] = set()

    async def call(self, request: CallRequest, result: type[R]) -> tuple[R, Cost | None]:
        """Send the request and decode its answer. Raises ``SurefootError``.

        Cancelling this coroutine cancels the request in the daemon.
        """
        try:
            payload = msgspec.json.encode(request)
        except UnicodeEncodeError as error:
            at = error.object[error.start]
            raise invalid_args(
                f"A text of the call holds U+{ord(at):04X}, half of a character.",
                hint="Encode and decode it again with the right encoding.",
                reason="text_not_unicode",
            ) from None
        if len(payload) > MAX_REQUEST_BYTES:
            raise invalid_args(
                f"The request has {len(payload)} bytes; the limit is {MAX_REQUEST_BYTES}.",
                hint="Send less at once, for example through a file.",
                reason="frame_too_large",
            )
        silence_ms = launch.reply_ms(self._env, request.call.options.timeout_ms)
        for _ in range(ATTEMPTS):
            try:
                return _decode(await self._once(payload, silence_ms), result)
            except (_Leaving, launch.NoDaemonError):
                await self.disconnect()
        raise launch.start_failed(self.paths, f"it left {ATTEMPTS} times before it answered")

    async def disconnect(self) -> None:
        """Close the connection; the next call opens another. Idempotent."""
        writer, task = self._writer, self._listening
        self._writer = self._listening = None
        if writer is not None:
            writer.close()
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        for answer in list(self._answers):
            answer.cancel()
        if writer is not None:
            await asyncio.gather(writer.wait_closed(), return_exceptions=True)

    async def _once(self, payload: bytes, silence_ms: int) -> bytes:
        await self._open(silence_ms)
        number = next(self._numbers)
        pending = _Pending()
        self._pending[number] = pending
        try:
            await self._send(Kind.CALL, number, payload)
            return await self._answer(pending, silence_ms)
        except ConnectionError as error:
            raise (
                launch.lost(self.paths) if pending.acked else launch.NoDaemonError(str(error))
            ) from None
        except asyncio.CancelledError:
            if self._writer is not None and not pending.reply.done():
                self._writer.write(encode_frame(Kind.CANCEL, number))
            raise
        finally:
            del self._pending[number]

    async def _answer(self, pending: _Pending, silence_ms: int) -> bytes:
        """Wait for the reply. After a silence the daemon is asked once; a second one is the end."""
        loop = asyncio.get_running_loop()
        asked = False
        self._heard = loop.time()
        while not pending.reply.done():
            heard = self._heard
            await asyncio.wait({pending.reply}, timeout=silence_ms / 1000)
            if pending.reply.done():
                break
            if self._heard != heard:
                asked = False
            elif asked or not pending.acked:
                silent = launch.unresponsive(self.paths, silence_ms)
                self._fail(silent)
                raise silent
            else:
                asked = True
                await self._send(Kind.HELLO, 0)
        return pending.reply.result()

    async def _open(self, silence_ms: int) -> None:
        async with self._opening:
            if self._writer is not None and self._listening is not None and not self._listening.done():
                return
            await self.disconnect()
            await asyncio.to_thread(launch.ensure, self.paths, self._env, silence_ms=silence_ms)
            try:
                link = launch.connect(self.paths, silence_ms / 1000)
                link.setblocking(False)
                reader, self._writer = await asyncio.open_unix_connection(sock=link)
            except OSError as error:
                raise launch.NoDaemonError(str(error)) from error
            self._listening = asyncio.create_task(self._listen(reader, self._writer))

    async def _send(self, kind: Kind, number: int, payload: bytes = b"") -> None:
        writer = self._writer
        if writer is None or writer.is_closing():
            raise ConnectionResetError("the connection is closed")
        writer.write(encode_frame(kind, number, payload))
        await writer.drain()

    async def _listen(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                kind, number, length = decode_header(
                    await reader.readexactly(HEADER.size), FROM_DAEMON, MAX_REPLY_BYTES
                )
                payload = await reader.readexactly(length)
                self._heard = asyncio.get_running_loop().time()
                self._take(kind, self._pending.get(number), number, payload)
        except (OSError, EOFError):
            self._fail(ConnectionResetError("the daemon closed the connection"))
        except ProtocolError as error:
            self._fail(error)
        except asyncio.CancelledError:
            self._fail(ConnectionResetError("disconnected"))
            raise
        finally:
            writer.close()

    def _take(self, kind: Kind, pending: _Pending | None, number: int, payload: bytes) -> None:
        if pending is None or pending.reply.done():
            return
        if kind is Kind.ACK:
            pending.acked = True
        elif kind is Kind.REPLY:
            pending.reply.set_result(payload)
        elif kind is Kind.LEAVING:
            pending.reply.set_exception(_Leaving())
        elif kind is Kind.WANT_FILE:
            task = asyncio.create_task(self._give_file(number, payload))
            self._answers.add(task)
            task.add_done_callback(self._answers.discard)

    async def _give_file(self, number: int, payload: bytes) -> None:
        limit, _, path = payload.partition(b"\0")
        answer = await asyncio.to_thread(read_for_daemon, path, int(limit))
        try:
            if isinstance(answer, int):
                await self._send(Kind.NO_FILE, number, b"%d" % answer)
            else:
                await self._send(Kind.FILE, number, answer)
        except ConnectionError:
            return

    def _fail(self, error: Exception) -> None:
        for pending in self._pending.values():
            if not pending.reply.done():
                pending.reply.set_exception(error)
                pending.reply.exception()  # whoever waits gets it; nobody is told when nobody does


def _decode(payload: bytes, result: type[R]) -> tuple[R, Cost | None]:
    try:
        reply = msgspec.json.decode(payload, type=RawReply)
        if reply.success:
            return msgspec.json.decode(reply.data, type=result), reply.cost
    except msgspec.MsgspecError as error:
        raise SurefootError(
            ErrorCode.UNKNOWN,
            f"The daemon's answer cannot be read: {error}.",
            hint="Run `surefoot daemon stop`; the next call starts a daemon of this version.",
            details={"reason": "bad_reply"},
        ) from error
    raise (
        error_from(reply.error)
        if reply.error is not None
        else SurefootError(
            ErrorCode.UNKNOWN, "The daemon's answer names no error.", details={"reason": "bad_reply"}
        )
    )


def forwarded(env: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The variables that go with a request (surface.md, "Environment")."""
    return {
        name: value
        for name, value in env.items()
        if name.startswith(("SUREFOOT_", "AD_VAR_")) or name == "NO_COLOR"
    }
