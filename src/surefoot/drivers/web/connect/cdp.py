"""How do calls and events travel to a browser? One connection, many sessions, a deadline on each call.

The DevTools protocol in flattened mode: JSON messages with an optional ``sessionId``. Nothing here
waits for ever: a call ends by its answer, its deadline, the end of its session (crash, detach), a
dialog that blocks its page, or the end of the connection, each as its own typed error.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

import msgspec

from surefoot.errors import ErrorCode, SurefootError

log = logging.getLogger(__name__)

CALL_DEADLINE = 15.0
"""Seconds a call may take when its caller names no other bound."""

Params = Mapping[str, Any]
EventHandler = Callable[[str, dict[str, Any]], None]


class CdpError(Exception):
    """The browser answered a call with an error (message text is the only stable part)."""

    def __init__(self, method: str, code: int, message: str) -> None:
        super().__init__(f"{method}: {message}")
        self.method = method
        self.code = code
        self.message = message

    GONE = (
        "Cannot find context",
        "uniqueContextId not found",
        "Execution context was destroyed",
        "Inspected target navigated or closed",
        "Session with given id not found",
        "No frame for given id",
        "Cannot find default execution context",
        "No frame with given id",
        "Frame with the given id was not found",
        "Could not find object with given id",
        "Not attached to an active page",
        "No target with given id",
        "Frame corresponds to an OOP iframe",
    )

    @property
    def gone(self) -> bool:
        """Whether the document or target the call spoke to no longer exists.

        "Target navigated" and "context not found" share a code with other faults, so the text decides.
        """
        return any(text in self.message for text in self.GONE)


class Transport(Protocol):
    """Carries whole messages both ways; calls the connection back on each message and at the end."""

    def send(self, message: bytes) -> None: ...

    def close(self) -> None: ...


class _Incoming(msgspec.Struct):
    id: int | None = None
    method: str | None = None
    params: msgspec.Raw = msgspec.Raw()
    result: msgspec.Raw = msgspec.Raw()
    error: dict[str, Any] | None = None
    sessionId: str = ""  # noqa: N815 - the protocol's own spelling


class _Pending:
    __slots__ = ("future", "method", "session_id")

    def __init__(self, future: asyncio.Future[msgspec.Raw], session_id: str, method: str) -> None:
        self.future = future
        self.session_id = session_id
        self.method = method


def lost_error(why: str) -> SurefootError:
    """The browser is gone: the error every call of every page then raises."""
    return SurefootError(
        ErrorCode.COMMAND_FAILED,
        f"The browser is gone: {why}.",
        hint="Run `surefoot open <url>` again; it starts a new browser.",
        details={"reason": "driver_lost"},
    )


def deadline_error(what: str, seconds: float) -> SurefootError:
    """A call that had no answer within its deadline."""
    return SurefootError(
        ErrorCode.TIMEOUT,
        f"The page gave no answer to {what} within {seconds:g} s.",
        details={"reason": "driver_deadline", "call": what, "timeoutMs": round(seconds * 1000)},
    )


_decode = msgspec.json.Decoder(_Incoming)
_encode = msgspec.json.Encoder()


def decode_value(raw: msgspec.Raw) -> dict[str, Any]:
    """One message part as a dict; an absent one is empty."""
    data = bytes(raw)
    value = msgspec.json.decode(data) if data else {}
    return value if isinstance(value, dict) else {}


def _mended(data: bytes) -> bytes:
    """A message with lone surrogates or broken UTF-8 in page-given text replaced."""
    text = json.dumps(json.loads(data.decode("utf-8", "replace")), ensure_ascii=False)
    return text.encode("utf-8", "replace")


class Connection:
    """One connection to a browser. Synchronous in, futures out; owned by its ``Browser``."""

    def __init__(self) -> None:
        self._transport: Transport | None = None
        self._pending: dict[int, _Pending] = {}
        self._handlers: dict[str, EventHandler] = {}
        self._next_id = 0
        self._lost: str | None = None
        self.on_lost: Callable[[], None] | None = None

    def bind(self, transport: Transport) -> None:
        self._transport = transport

    @property
    def lost(self) -> str | None:
        """Why the connection ended; ``None`` while it lives."""
        return self._lost

    # -- calls -------------------------------------------------------------------------------

    def start(self, method: str, params: Params | None = None, session_id: str = "") -> Answer:
        """Send a call without waiting: calls started in a row are pipelined, in order."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[msgspec.Raw] = loop.create_future()
        if self._lost is not None or self._transport is None:
            future.set_exception(lost_error(self._lost or "it is not connected"))
            future.exception()
            return Answer(future, method)
        self._next_id += 1
        call_id = self._next_id
        self._pending[call_id] = _Pending(future, session_id, method)
        message: dict[str, Any] = {"id": call_id, "method": method, "params": params or {}}
        if session_id:
            message["sessionId"] = session_id
        self._transport.send(_encode.encode(message))
        return Answer(future, method)

    async def call(
        self,
        method: str,
        params: Params | None = None,
        session_id: str = "",
        deadline: float = CALL_DEADLINE,
    ) -> dict[str, Any]:
        """Send a call and wait for its result.

        Raises :class:`CdpError` for the browser's own refusal, ``TIMEOUT driver_deadline``,
        ``driver_lost``, or whatever :meth:`fail` was given for the call's session.
        """
        return await self.start(method, params, session_id).result(deadline)

    def fail(
        self, session_ids: Iterable[str], error: Callable[[], BaseException], keep: str = ""
    ) -> None:
        """End every pending call of these sessions with a fresh ``error()``.

        A pending call whose method starts with ``keep`` (when given) stays.
        """
        ids = set(session_ids)
        for call_id, pending in list(self._pending.items()):
            if pending.session_id in ids and not (keep and pending.method.startswith(keep)):
                del self._pending[call_id]
                _set_exception(pending.future, error())

    # -- events ------------------------------------------------------------------------------

    def subscribe(self, session_id: str, handler: EventHandler) -> None:
        """Give every event of a session (``""``: the browser's own) to one synchronous handler."""
        self._handlers[session_id] = handler

    def unsubscribe(self, session_id: str) -> None:
        self._handlers.pop(session_id, None)

    # -- from the transport ------------------------------------------------------------------

    def on_message(self, data: bytes) -> None:
        """One whole message. Never raises: a faulty handler must not cost the messages behind it."""
        try:
            self._dispatch(data)
        except Exception:
            log.exception("a browser message could not be handled (%d bytes)", len(data))

    def _dispatch(self, data: bytes) -> None:
        try:
            message = _decode.decode(data)
        except msgspec.DecodeError:
            message = _decode.decode(_mended(data))
        if message.id is not None:
            pending = self._pending.pop(message.id, None)
            if pending is None:
                return
            if message.error is not None:
                code, text = message.error.get("code", 0), str(message.error.get("message", ""))
                _set_exception(pending.future, CdpError(pending.method, int(code), text))
            elif not pending.future.done():
                pending.future.set_result(message.result)
        elif message.method is not None:
            handler = self._handlers.get(message.sessionId)
            if handler is not None:
                handler(message.method, decode_value(message.params))

    def on_end(self, why: str) -> None:
        """The transport ended; idempotent."""
        if self._lost is not None:
            return
        self._lost = why
        pending, self._pending = self._pending, {}
        for entry in pending.values():
            _set_exception(entry.future, lost_error(why))
        if self.on_lost is not None:
            self.on_lost()

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()
        self.on_end("it was closed")


class Answer:
    """The answer to one call that is on its way."""

    __slots__ = ("future", "method")

    def __init__(self, future: asyncio.Future[msgspec.Raw], method: str) -> None:
        self.future = future
        self.method = method

    async def result(self, deadline: float = CALL_DEADLINE) -> dict[str, Any]:
        """Wait for it; a cancelled or timed-out wait forgets the call, the page stays usable."""
        try:
            async with asyncio.timeout(deadline):
                return decode_value(await self.future)
        except TimeoutError:
            raise deadline_error(self.method, deadline) from None

    @property
    def done(self) -> bool:
        return self.future.done()


def _set_exception(future: asyncio.Future[msgspec.Raw], error: BaseException) -> None:
    """Fail a future that perhaps nobody awaits, without a warning at its collection."""
    if not future.done():
        future.set_exception(error)
        with contextlib.suppress(BaseException):
            future.exception()
