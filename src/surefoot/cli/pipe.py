"""``surefoot mcp``: an MCP client's standard input and output, piped to the tool server in the daemon.

One JSON-RPC message a line on this side, one a frame on the other. The pipe reads of a message only
what it needs to outlive a daemon: a call that was running when it died is answered with
``daemon_lost``; the next message starts a daemon, repeats the client's handshake to it and goes on.
"""

from __future__ import annotations

import os
import selectors
import socket
import time
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from surefoot import __version__
from surefoot.cli import failure
from surefoot.client import files, launch
from surefoot.errors import SurefootError, invalid_args
from surefoot.wire import (
    FROM_DAEMON,
    HEADER,
    MAX_REPLY_BYTES,
    MAX_REQUEST_BYTES,
    PROTOCOL,
    ErrorBody,
    Kind,
    McpRequest,
    ProtocolError,
    Reply,
    StatePaths,
    decode_header,
    encode_frame,
)

NUMBER = 1
ATTEMPTS = 3
CHUNK = 256 * 1024
PARSE_ERROR, INTERNAL_ERROR = -32700, -32603
USAGE = "Usage: surefoot mcp [--session NAME] [--platform P] [--state-dir DIR]"

_FLAGS = {
    "--session": "SUREFOOT_SESSION",
    "--platform": "SUREFOOT_PLATFORM",
    "--state-dir": "SUREFOOT_STATE_DIR",
}
"""Flags of the pipe, and the variable each is for the calls that come through it."""


def settings(argv: Sequence[str], env: Mapping[str, str]) -> dict[str, str]:
    """The variables the calls get: the forwarded ones, and what the flags say.

    Raises ``INVALID_ARGS`` for anything else on the command line.
    """
    found = {
        name: value
        for name, value in env.items()
        if name.startswith(("SUREFOOT_", "AD_VAR_")) and name != "SUREFOOT_CLI_REASON"
    }
    words = iter(argv)
    seen = False
    for word in words:
        flag, equals, value = word.partition("=")
        if word == "mcp" and not seen:
            seen = True
        elif flag in _FLAGS:
            given = value if equals else next(words, "")
            if not given:
                raise invalid_args(f"{flag} needs a value.", hint=USAGE)
            found[_FLAGS[flag]] = given
        else:
            raise invalid_args(f"surefoot mcp takes no {word[:80]!r}.", hint=USAGE)
    return found


def run(paths: StatePaths, cwd: str, env: dict[str, str]) -> int:
    """Serve until standard input ends; the exit code."""
    request = McpRequest(protocol=PROTOCOL, version=__version__, cwd=cwd, env=env)
    return Pipe(paths, msgspec.json.encode(request), launch.reply_ms(env) / 1000).run()


class _Message(Struct):
    """What the pipe reads of a JSON-RPC message."""

    id: int | str | UnsetType | None = UNSET
    method: str | None = None
    params: Raw = Raw(b"null")


class _Cancelled(Struct, rename="camel"):
    request_id: int | str | None = None


class _Asked:
    """A request of the client that is not answered yet."""

    def __init__(self, method: str, line: bytes) -> None:
        self.method = method
        self.line = line
        self.tries = 0
        self.acked = False

    @property
    def may_have_run(self) -> bool:
        """Whether the end of its daemon leaves open what became of it."""
        return self.method == "tools/call" and self.acked


class _GoneError(Exception):
    """The daemon's end of the connection closed."""


class Pipe:
    """One MCP client, and its connection to whichever daemon lives."""

    def __init__(
        self, paths: StatePaths, hello: bytes, patience_s: float, stdin: int = 0, stdout: int = 1
    ) -> None:
        self._paths = paths
        self._hello = hello
        self._patience_s = patience_s
        self._stdin = stdin
        self._stdout = stdout
        self._selector = selectors.PollSelector()  # takes a file as standard input, too
        self._typed = b""
        self._link: socket.socket | None = None
        self._heard = b""
        self._heard_at = 0.0
        self._poked = False
        self._asked: dict[int | str, _Asked] = {}
        self._unread: deque[_Asked | None] = deque()
        self._handshake: list[bytes] = []
        self._repeated: int | str | None = None

    def run(self) -> int:
        """Until the client leaves: 0; 1 where a line of it is too long to be one."""
        self._selector.register(self._stdin, selectors.EVENT_READ)
        try:
            while True:
                for key, _ in self._selector.select(self._patience()):
                    if key.fd != self._stdin:
                        self._hear()
                        continue
                    data = self._typed_now()
                    if not data:
                        return 0
                    self._type(data)
                    if len(self._typed) > MAX_REQUEST_BYTES:
                        return 1
                self._watch()
        except BrokenPipeError:
            return 0
        finally:
            self._drop()
            self._selector.close()

    # The client's side.

    def _typed_now(self) -> bytes:
        try:
            return os.read(self._stdin, CHUNK)
        except OSError:  # there is no standard input
            return b""

    def _type(self, data: bytes) -> None:
        *lines, self._typed = (self._typed + data).split(b"\n")
        for line in lines:
            if line.strip():
                self._take(line)

    def _take(self, line: bytes) -> None:
        try:
            message = msgspec.json.decode(line, type=_Message)
        except (msgspec.MsgspecError, ValueError):
            self._say(None, error={"code": PARSE_ERROR, "message": "not a JSON-RPC message"})
            return
        again = list(self._handshake)
        if message.method is not None and isinstance(message.id, int | str):
            self._asked[message.id] = _Asked(message.method, line)
            if message.method == "initialize":
                self._handshake = [line]
                again = []
        elif message.method == "notifications/initialized":
            self._handshake[1:] = [line]
        elif message.method == "notifications/cancelled":
            self._forget(message.params)
        self._send([line], again)

    def _forget(self, params: Raw) -> None:
        """A cancelled request gets no answer."""
        try:
            cancelled = msgspec.json.decode(params, type=_Cancelled).request_id
        except msgspec.MsgspecError:
            return
        if cancelled is not None:
            self._asked.pop(cancelled, None)

    def _say(self, number: int | str | None, **body: Any) -> None:
        self._write(msgspec.json.encode({"jsonrpc": "2.0", "id": number, **body}))

    def _write(self, message: bytes) -> None:
        view = memoryview(message + b"\n")
        while view:
            view = view[os.write(self._stdout, view) :]

    # The daemon's side.

    def _send(self, lines: Sequence[bytes], handshake: Sequence[bytes]) -> None:
        """Send messages, over a new connection (and after the handshake) where there is none."""
        try:
            for _ in range(ATTEMPTS):
                try:
                    if self._link is None:
                        self._connect(handshake)
                    for line in lines:
                        self._input(line)
                    return
                except (OSError, launch.NoDaemonError):
                    self._drop()
                    lines = [*self._survivors(lines), *lines]
            raise launch.start_failed(self._paths, f"it left {ATTEMPTS} times before it answered")
        except SurefootError as error:
            self._fail(error)

    def _survivors(self, sending: Sequence[bytes]) -> list[bytes]:
        """Of what else waits: the calls are lost with their daemon, the rest is asked again."""
        others = {key: one for key, one in self._asked.items() if one.line not in sending}
        running = {key for key, asked in others.items() if asked.may_have_run}
        if running:
            self._fail(launch.lost(self._paths), only=running)
        return [asked.line for key, asked in others.items() if key not in running]

    def _connect(self, handshake: Sequence[bytes]) -> None:
        launch.ensure(self._paths)
        link = launch.connect(self._paths, self._patience_s)
        self._link = link
        self._heard = b""
        self._heard_at = time.monotonic()
        self._poked = False
        self._selector.register(link, selectors.EVENT_READ)
        self._frame(Kind.MCP, NUMBER, self._hello)
        for line in handshake:
            self._input(line)
        if handshake:
            number = msgspec.json.decode(handshake[0], type=_Message).id
            self._repeated = number if isinstance(number, int | str) else None

    def _input(self, line: bytes) -> None:
        """Hand a message on; the daemon says when it has read it, and before anything of it runs."""
        self._unread.append(next((one for one in self._asked.values() if one.line == line), None))
        self._frame(Kind.INPUT, NUMBER, line)

    def _frame(self, kind: Kind, number: int, payload: bytes = b"") -> None:
        if self._link is None:
            raise ConnectionResetError("not connected")
        self._link.sendall(encode_frame(kind, number, payload))

    def _hear(self) -> None:
        if self._link is None:
            return
        try:
            data = self._link.recv(CHUNK)
            if not data:
                raise _GoneError
            self._heard += data
            self._heard_at = time.monotonic()
            self._poked = False
            self._read()
        except (OSError, _GoneError, ProtocolError):
            self._lost()

    def _read(self) -> None:
        while len(self._heard) >= HEADER.size:
            kind, number, length = decode_header(
                self._heard[: HEADER.size], FROM_DAEMON, MAX_REPLY_BYTES
            )
            end = HEADER.size + length
            if len(self._heard) < end:
                return
            payload, self._heard = self._heard[HEADER.size : end], self._heard[end:]
            self._serve(kind, number, payload)

    def _serve(self, kind: Kind, number: int, payload: bytes) -> None:
        if kind is Kind.MESSAGE:
            self._deliver(payload)
        elif kind is Kind.WANT_FILE:
            limit, _, path = payload.partition(b"\0")
            found = files.read_for_daemon(path, int(limit))
            if isinstance(found, int):
                self._frame(Kind.NO_FILE, number, b"%d" % found)
            else:
                self._frame(Kind.FILE, number, found)
        elif kind is Kind.ACK and number == NUMBER and not payload:
            read = self._unread.popleft()
            if read is not None:
                read.acked = True
        elif kind is Kind.LEAVING:
            self._lost()
        elif kind is Kind.REPLY:
            body = msgspec.json.decode(payload, type=Reply).error
            self._drop()
            if body is not None:
                self._fail(body)

    def _deliver(self, payload: bytes) -> None:
        message = msgspec.json.decode(payload, type=_Message)
        if message.method is None and isinstance(message.id, int | str):
            if message.id == self._repeated:  # the answer to a handshake the client has had answered
                self._repeated = None
                return
            if self._asked.pop(message.id, None) is None:
                return
        self._write(payload)

    def _lost(self) -> None:
        """The daemon died: what ran is lost, what only asked is asked again."""
        self._drop()
        self._survivors(())
        self._again()

    def _again(self) -> None:
        """Ask a new daemon what the old one has not answered, each a few times at most."""
        for asked in self._asked.values():
            asked.tries += 1
        spent = {key for key, asked in self._asked.items() if asked.tries >= ATTEMPTS}
        if spent:
            self._fail(launch.lost(self._paths), only=spent)
        waiting = [asked.line for asked in self._asked.values()]
        if waiting:
            repeated = self._handshake[:1] != waiting[:1]
            self._send(waiting, self._handshake if repeated else [])

    def _drop(self) -> None:
        if self._link is not None:
            self._selector.unregister(self._link)
            self._link.close()
        self._link = self._repeated = None
        self._unread.clear()

    def _patience(self) -> float | None:
        """Seconds to wait for the daemon before it is asked for a sign of life."""
        if self._link is None or not self._asked:
            return None
        return max(0.0, self._heard_at + self._patience_s - time.monotonic())

    def _watch(self) -> None:
        if self._link is None or not self._asked:
            self._heard_at = time.monotonic()
            return
        if time.monotonic() < self._heard_at + self._patience_s:
            return
        if self._poked:
            self._drop()
            self._fail(launch.unresponsive(self._paths, round(self._patience_s * 1000)))
            return
        self._poked = True
        self._heard_at = time.monotonic()
        try:
            self._frame(Kind.HELLO, 0)
        except OSError:
            self._lost()

    def _fail(self, error: SurefootError | ErrorBody, only: set[int | str] | None = None) -> None:
        """Answer what waits (or ``only`` that) with an error; a call gets it as its result."""
        body = error if isinstance(error, ErrorBody) else failure.body_of(error, self._paths)
        for number in list(self._asked if only is None else only):
            asked = self._asked.pop(number)
            if asked.method == "tools/call":
                self._say(number, result=_result(body))
            else:
                told = {"code": INTERNAL_ERROR, "message": body.message, "data": body}
                self._say(number, error=told)


def _result(body: ErrorBody) -> dict[str, Any]:
    """A tool result as the server makes it of an error."""
    return {
        "content": [{"type": "text", "text": failure.text_of(body)}],
        "structuredContent": body,
        "isError": True,
        "resultType": "complete",
    }
