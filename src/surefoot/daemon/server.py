"""The daemon's life: its lock, its socket, its idle end, its orderly end (decision 4)."""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
import secrets
import socket
import struct
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime

from surefoot import __version__
from surefoot.daemon.diagnostics import Diagnostics
from surefoot.daemon.lanes import GRACE_S, Running
from surefoot.daemon.router import Router
from surefoot.daemon.service import Service
from surefoot.daemon.transport import MAX_CONNECTIONS, Connection
from surefoot.errors import ErrorCode, SurefootError
from surefoot.wire import DaemonStatus, StatePaths, prepare

IDLE_EXIT_MS = 10 * 60 * 1000
"""With nothing open and nobody connected for this long, the daemon leaves."""

LOCK_S = 20.0
"""How long a new daemon waits for its predecessor to finish closing."""

CLOSE_S = 10.0
BACKLOG = 128


class HeldLock:
    """The lock of one state directory, held as long as this process lives."""

    def __init__(self, paths: StatePaths) -> None:
        self._paths = paths
        self._number: int | None = None

    def acquire(self, patience_s: float = LOCK_S) -> None:
        """Take it. Raises ``COMMAND_FAILED`` reason ``daemon_start_failed`` when it stays taken.

        The kernel drops the lock of a dead process, so who gets it knows that nobody else lives here.
        """
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        number = os.open(self._paths.lock, flags, 0o600)
        ends = time.monotonic() + patience_s
        while True:
            try:
                fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
                self._number = number
                return
            except BlockingIOError:
                if time.monotonic() > ends:
                    os.close(number)
                    raise SurefootError(
                        ErrorCode.COMMAND_FAILED,
                        "another daemon holds the state directory and does not leave",
                        details={"reason": "daemon_start_failed"},
                    ) from None
                time.sleep(0.02)

    def release(self) -> None:
        if self._number is not None:
            os.close(self._number)
            self._number = None


@dataclass(eq=False)
class Daemon:
    """One daemon for one state directory. Call :meth:`run` with its lock held."""

    paths: StatePaths
    service: Service
    diagnostics: Diagnostics
    idle_exit_ms: int = IDLE_EXIT_MS
    connections: set[Connection] = field(default_factory=set)
    router: Router = field(init=False)

    def __post_init__(self) -> None:
        self.router = Router(
            self.service, self.diagnostics, status=self.status, stop=lambda: self.stop("asked to")
        )
        self._started_at = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        self._stop = asyncio.Event()
        self._closed = asyncio.Event()
        self._stopper: Running | None = None
        self._last_use = time.monotonic()
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def log_path(self) -> str:
        return os.fspath(self.paths.log)

    def status(self) -> DaemonStatus:
        return DaemonStatus(
            pid=os.getpid(),
            version=__version__,
            started_at=self._started_at,
            sessions=self.service.open_sessions(),
            browser_pid=self.service.browser_pid(),
            state_dir=os.fspath(self.paths.state),
            log_path=self.log_path,
        )

    def write_info(self) -> None:
        """Say who holds the lock (0600)."""
        info = {"pid": os.getpid(), "version": __version__, "startedAt": self._started_at}
        draft = self.paths.info.with_suffix(".new")
        draft.unlink(missing_ok=True)
        number = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(number, "w") as stream:
            json.dump(info, stream)
        os.replace(draft, self.paths.info)

    async def run(self, ready: Callable[[], None]) -> None:
        """Serve until stopped or idle, then close everything. ``ready`` is called when it listens."""
        prepare(self.paths)
        self.write_info()
        await self.service.start()
        listener = self._listen()
        server = await asyncio.start_unix_server(self._accept, sock=listener)
        mine = os.stat(self.paths.socket).st_ino
        self.diagnostics.note(f"ready version={__version__} pid={os.getpid()}")
        ready()
        try:
            await self._watch(mine)
        finally:
            server.close()
            self._unlink_socket(mine)
            await self._shut_down()

    def stop(self, why: str) -> None:
        """Begin the orderly end; idempotent."""
        if not self._stop.is_set():
            self.diagnostics.note(f"stopping: {why}")
            self.router.stopping = True
            self._stop.set()

    def make_way(self, connection: Connection) -> bool:
        """Leave for another version when that harms nobody (row B120)."""
        others = any(other is not connection and other.leased for other in self.connections)
        if self.router.running or self.service.open_sessions() or others or connection.busy:
            return False
        self.stop("another version asked, and nothing is open")
        return True

    async def before_answer(self, running: Running | None) -> None:
        """The answer to ``daemon stop`` comes when there is nothing left to stop."""
        if self._stop.is_set() and running is not None and running.command == "daemon stop":
            await self._closed.wait()

    def _listen(self) -> socket.socket:
        """A fresh socket, 0600 before anybody can connect. With the lock held, an old one is dead."""
        path = self.paths.socket
        path.unlink(missing_ok=True)
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listener.bind(os.fspath(path))
        os.chmod(path, 0o600)
        listener.listen(BACKLOG)
        listener.setblocking(False)
        return listener

    def _unlink_socket(self, mine: int) -> None:
        try:
            if os.stat(self.paths.socket).st_ino == mine:
                self.paths.socket.unlink()
        except OSError:
            return

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not _same_user(writer.get_extra_info("socket")):
            self.diagnostics.note("refused a connection of another user")
            writer.transport.abort()
            return
        connection = Connection(self, reader, writer, secrets.token_hex(8))
        connection.crowded = len(self.connections) >= MAX_CONNECTIONS
        self.connections.add(connection)
        task = asyncio.create_task(self._serve(connection))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, connection: Connection) -> None:
        try:
            await connection.serve()
        except Exception as error:
            self.router.unexpected("a connection", error)
        finally:
            self.connections.discard(connection)
            self._last_use = time.monotonic()

    async def _watch(self, mine: int) -> None:
        """Tidy up now and then; leave when idle, or when the socket is not ours any more."""
        interval = min(max(self.idle_exit_ms / 5000, 0.02), 5.0)
        while not self._stop.is_set():
            try:
                async with asyncio.timeout(interval):
                    await self._stop.wait()
            except TimeoutError:
                await self._tidy(mine)

    async def _tidy(self, mine: int) -> None:
        try:
            await self.service.tidy()
        except Exception as error:
            self.router.unexpected("closing idle sessions", error)
        try:
            if os.stat(self.paths.socket).st_ino != mine:
                self.stop("another socket took this one's place")
        except OSError:
            self.stop("the socket is gone")
        if self.service.open_sessions() or self.connections or self.router.running:
            self._last_use = time.monotonic()
        elif (time.monotonic() - self._last_use) * 1000 >= self.idle_exit_ms:
            self.stop("idle")

    async def _shut_down(self) -> None:
        """Answer what runs, close sessions and drivers, then let the last answers out."""
        self.router.stopping = True
        self._stop.set()
        stoppers = {one for one in self.router.running if one.command == "daemon stop"}
        for running in list(self.router.running - stoppers):
            running.cancel("daemon_stopping")
        await self._drained(lambda: not (self.router.running - stoppers), GRACE_S + 0.5)
        try:
            async with asyncio.timeout(CLOSE_S):
                await self.service.close()
        except TimeoutError:
            self.diagnostics.note("closing took too long; left what did not answer")
        except Exception as error:
            self.router.unexpected("closing", error)
        self._closed.set()
        await self._drained(lambda: not any(one.busy for one in self.connections), 2.0)
        for connection in list(self.connections):
            connection.close()
        await self._drained(lambda: not self._tasks, 1.0)
        self.paths.info.unlink(missing_ok=True)
        if self.paths.socket_dir != self.paths.run:
            with suppress(OSError):
                self.paths.socket_dir.rmdir()
        self.diagnostics.note("stopped")

    @staticmethod
    async def _drained(done: Callable[[], bool], seconds: float) -> None:
        ends = time.monotonic() + seconds
        while not done() and time.monotonic() < ends:  # noqa: ASYNC110
            await asyncio.sleep(0.005)


def _same_user(link: socket.socket) -> bool:
    """Whether the caller is this user. The 0700 directory already says so; the kernel confirms it."""
    if not hasattr(socket, "SO_PEERCRED"):
        return True
    size = struct.calcsize("3i")
    _, uid, _ = struct.unpack("3i", link.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size))
    return bool(uid == os.getuid())
