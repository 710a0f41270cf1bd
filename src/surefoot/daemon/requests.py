"""One request of one connection: what its handler sees of the caller, and how it is answered."""

from __future__ import annotations

import asyncio
import errno
import os
from collections.abc import Mapping
from typing import Protocol

from surefoot import __version__
from surefoot.commands import Caller, CallerKind, Terminal, json_text, reply, wants_json
from surefoot.daemon.lanes import Running
from surefoot.daemon.router import Interrupted, Router
from surefoot.daemon.service import Done, Printed, Service
from surefoot.errors import ErrorCode, SurefootError, invalid_args
from surefoot.wire import (
    CHUNK_BYTES,
    MAX_REPLY_BYTES,
    ArgvRequest,
    Call,
    Kind,
    Reply,
    decode_argv,
    decode_call,
)

EXIT_INTERRUPTED = 130


class Host(Protocol):
    """What a request asks of the daemon around it."""

    @property
    def router(self) -> Router: ...

    @property
    def service(self) -> Service: ...

    @property
    def log_path(self) -> str: ...

    async def before_answer(self, running: Running | None) -> None:
        """Hold back the answer of the request that ends the daemon until everything is closed."""
        ...


class Link(Protocol):
    """What a request asks of its connection."""

    lease: str
    leased: bool

    def attach(self, request: Request) -> None:
        """Give a request that began inside another one a number, and the frames that carry it."""
        ...

    def detach(self, request: Request) -> None: ...

    async def send(self, kind: Kind, number: int, payload: bytes = b"") -> None: ...


class Request(Caller):
    """One request in flight, and the caller its handler sees."""

    def __init__(self, link: Link, host: Host, number: int) -> None:
        self.number = number
        self.task: asyncio.Task[None] | None = None
        self.other_version: str | None = None
        self.other_protocol = False
        self._link = link
        self._host = host
        self._running: Running | None = None
        self._cancelled = False
        self._file: asyncio.Future[bytes | int] | None = None
        self._kind: CallerKind = "cli"
        self._cwd = "/"
        self._env: Mapping[str, str] = {}
        self._terminal = Terminal()

    @property
    def busy(self) -> bool:
        """Whether the caller waits for something now."""
        return True

    @property
    def kind(self) -> CallerKind:
        return self._kind

    @property
    def cwd(self) -> str:
        return self._cwd

    @property
    def env(self) -> Mapping[str, str]:
        return self._env

    @property
    def terminal(self) -> Terminal:
        return self._terminal

    @property
    def lease(self) -> str | None:
        return self._link.lease if self._link.leased else None

    async def run(self, payload: bytes, too_many: bool) -> None:
        raise NotImplementedError

    async def fail(self, error: SurefootError) -> None:
        """Answer plainly where answering properly has failed."""
        raise NotImplementedError

    def cancel(self) -> None:
        """The caller wants it ended, or is gone."""
        self._cancelled = True
        if self._file is not None and not self._file.done():
            self._file.set_exception(ConnectionAbortedError("the caller takes no more part"))
        if self._running is not None:
            self._running.cancel("cancelled")

    def take(self, kind: Kind, payload: bytes) -> None:
        """A frame that belongs to this request."""
        if kind is Kind.CANCEL:
            self.cancel()
        elif self._file is not None and not self._file.done():
            number = int(payload) if payload.isdigit() and len(payload) < 6 else errno.EIO
            self._file.set_result(payload if kind is Kind.FILE else number)

    def admitted(self, running: Running) -> None:
        self._running = running
        if self._cancelled:
            running.cancel("cancelled")

    def check(self, too_many: bool) -> None:
        if self.other_version is not None and self.other_protocol:
            raise version_mismatch(self.other_version)
        if too_many:
            raise SurefootError(
                ErrorCode.COMMAND_FAILED,
                "The daemon serves as many requests as it can.",
                hint="Wait for one to end.",
                details={"reason": "too_many_requests"},
            )

    async def serve(self, call: Call) -> Done | SurefootError:
        if self.other_version is not None and not _for_any_version(call):
            return version_mismatch(self.other_version)
        outcome = await self._host.router.serve(call, self, self.admitted)
        await self._host.before_answer(self._running)
        return outcome

    async def read_file(self, path: str, max_bytes: int) -> bytes:
        while self._file is not None:
            await asyncio.wait({self._file})
        if self._cancelled:
            raise ConnectionAbortedError("the caller takes no more part")
        self._file = asyncio.get_running_loop().create_future()
        try:
            name = os.fsencode(path)
            if b"\0" in name:
                raise _unreadable(path, errno.ENOENT)
            await self._link.send(Kind.WANT_FILE, self.number, b"%d\0%s" % (max_bytes, name))
            answer = await self._file
        finally:
            self._file = None
        if isinstance(answer, int):
            raise _unreadable(path, answer)
        if len(answer) > max_bytes:
            raise invalid_args(
                f"{path} is longer than {max_bytes} bytes.",
                hint="Split it.",
                reason="file_too_large",
                path=path,
                limit=max_bytes,
            )
        return answer

    async def emit(self, data: object, text: str) -> None:
        raise NotImplementedError


class ArgvTask(Request):
    """A command line: rendered here, printed there."""

    _json = False

    async def run(self, payload: bytes, too_many: bool) -> None:
        call: Call | None = None
        outcome: Done | SurefootError
        try:
            self._json = b"--json" in payload.split(b"\0")
            self.check(too_many)
            asked = decode_argv(payload)
            self._describe(asked)
            call = self._host.service.parse(asked.argv, asked.env)
            self._json = call.options.json
            outcome = await self.serve(call)
        except SurefootError as error:
            outcome = error
        except Exception as error:
            outcome = self._host.router.unexpected("the command line", error)
        printed = self._printed(call, outcome)
        for kind, data in ((Kind.STDOUT, printed.stdout), (Kind.STDERR, printed.stderr)):
            for at in range(0, len(data), CHUNK_BYTES):
                await self._link.send(kind, self.number, data[at : at + CHUNK_BYTES])
        await self._link.send(Kind.EXIT, self.number, b"%d" % printed.exit_code)

    async def fail(self, error: SurefootError) -> None:
        body = json_text(reply(error, log_path=self._host.log_path))
        text = body if self._json else f"error {error.code}: {error.message}\nhint: {error.hint}"
        kind = Kind.STDOUT if self._json else Kind.STDERR
        await self._link.send(kind, self.number, text.encode(errors="backslashreplace") + b"\n")
        await self._link.send(Kind.EXIT, self.number, b"1")

    def _describe(self, asked: ArgvRequest) -> None:
        self._cwd, self._env = asked.cwd, asked.env
        self._json = wants_json(asked.argv)
        self._terminal = Terminal(
            tty=asked.tty,
            columns=asked.columns or 80,
            color=asked.tty and not asked.env.get("NO_COLOR"),
        )

    def _printed(self, call: Call | None, outcome: Done | SurefootError) -> Printed:
        if isinstance(outcome, Interrupted):
            return Printed(stdout=b"", stderr=b"", exit_code=EXIT_INTERRUPTED)
        printed = self._render(call, outcome)
        if len(printed.stdout) > MAX_REPLY_BYTES:
            return self._render(call, _too_large(len(printed.stdout)))
        return printed

    def _render(self, call: Call | None, outcome: Done | SurefootError) -> Printed:
        return self._host.service.render(
            call, outcome, self._terminal, as_json=self._json, log_path=self._host.log_path
        )

    async def emit(self, data: object, text: str) -> None:
        line = (json_text(data) if self._json else text).encode(errors="backslashreplace")
        await self._link.send(Kind.STDOUT, self.number, line + b"\n")


class CallTask(Request):
    """A call of a programmatic surface: JSON back."""

    async def run(self, payload: bytes, too_many: bool) -> None:
        outcome: Done | SurefootError
        try:
            self.check(too_many)
            asked = decode_call(payload)
            self._kind, self._cwd, self._env = asked.kind, asked.cwd, asked.env
            self._link.leased = True
            outcome = await self.serve(asked.call)
        except SurefootError as error:
            outcome = error
        await self._link.send(Kind.REPLY, self.number, self._encode(outcome))

    async def fail(self, error: SurefootError) -> None:
        await self._link.send(Kind.REPLY, self.number, self._encode(error))

    def _encode(self, outcome: Done | SurefootError) -> bytes:
        if isinstance(outcome, Done):
            data = json_text(Reply(success=True, data=outcome.data, cost=outcome.cost)).encode()
            if len(data) <= MAX_REPLY_BYTES:
                return data
            outcome = _too_large(len(data))
        return json_text(reply(outcome, log_path=self._host.log_path)).encode()

    async def emit(self, data: object, text: str) -> None:  # noqa: ARG002
        await self._link.send(Kind.EVENT, self.number, json_text(data).encode())


_ANY_VERSION = frozenset({"close", "daemon status", "daemon stop", "session list"})


def _for_any_version(call: Call) -> bool:
    """What another version may ask, so that it can find out and clear the way."""
    return call.command in _ANY_VERSION


def version_mismatch(version: str) -> SurefootError:
    return SurefootError(
        ErrorCode.COMMAND_FAILED,
        f"The running daemon is surefoot {__version__}, this caller is {version}, "
        "and the daemon is in use.",
        hint="Close them (`surefoot session list`, `surefoot close`) or run `surefoot daemon stop`; "
        "the next command starts the right daemon.",
        details={"reason": "daemon_version_mismatch", "daemon": __version__, "caller": version},
    )


_FILE_REASONS: Mapping[int, tuple[str, str]] = {
    errno.ENOENT: ("file_not_found", "does not exist"),
    errno.ENOTDIR: ("file_not_found", "does not exist"),
    errno.EISDIR: ("not_a_file", "is not a file"),
    errno.ENXIO: ("not_a_file", "is not a file"),
}


def _unreadable(path: str, number: int) -> SurefootError:
    reason, what = _FILE_REASONS.get(
        number, ("file_unreadable", f"cannot be read: {os.strerror(number)}")
    )
    return invalid_args(f"{path} {what}.", hint="Check the path.", reason=reason, path=path)


def _too_large(size: int) -> SurefootError:
    return SurefootError(
        ErrorCode.COMMAND_FAILED,
        f"The answer has {size} bytes; the limit is {MAX_REPLY_BYTES}.",
        hint="Ask for less: `-d N` or `-s SELECTOR` bound a snapshot.",
        details={"reason": "reply_too_large", "bytes": size, "limit": MAX_REPLY_BYTES},
    )
