"""How is a browser started and spoken to without a port? Two pipes and a process handle.

``--remote-debugging-pipe``: the browser reads its fd 3 and writes its fd 4, JSON messages with a NUL
behind each (web.md, "Which browser, which pipe"). ``os.posix_spawn`` file actions set the two
descriptors up; a ``pidfd`` tells the exit. When this process dies, however it dies, the pipe closes
and the browser with all its children ends by itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import signal
import sys
from collections.abc import Mapping, Sequence

from surefoot.drivers.web.connect.cdp import Connection

READ_CHUNK = 1 << 20
PIPE_SIZE = 1 << 20
MESSAGE_LIMIT = 512 << 20
"""Bytes of one message at most; past it the connection ends rather than the daemon's memory."""


class PipeTransport:
    """NUL-separated messages over two descriptors, without blocking the event loop."""

    def __init__(self, read_fd: int, write_fd: int, connection: Connection) -> None:
        self._read_fd = read_fd
        self._write_fd = write_fd
        self._connection = connection
        self._loop = asyncio.get_running_loop()
        self._parts: list[bytes] = []
        self._size = 0
        self._outgoing = bytearray()
        self._closed = False
        os.set_blocking(read_fd, False)
        os.set_blocking(write_fd, False)
        self._loop.add_reader(read_fd, self._readable)
        connection.bind(self)

    def send(self, message: bytes) -> None:
        if self._closed:
            return
        idle = not self._outgoing
        self._outgoing += message
        self._outgoing.append(0)
        if idle:
            self._flush()
            if self._outgoing and not self._closed:
                self._loop.add_writer(self._write_fd, self._writable)

    def _flush(self) -> None:
        try:
            sent = os.write(self._write_fd, self._outgoing)
            del self._outgoing[:sent]
        except BlockingIOError:
            pass
        except OSError as error:
            self._end(f"its pipe broke ({error.strerror})")

    def _writable(self) -> None:
        self._flush()
        if not self._outgoing and not self._closed:
            self._loop.remove_writer(self._write_fd)

    def _readable(self) -> None:
        try:
            chunk = os.read(self._read_fd, READ_CHUNK)
        except BlockingIOError:
            return
        except OSError as error:
            self._end(f"its pipe broke ({error.strerror})")
            return
        if not chunk:
            self._end("its process ended")
            return
        *whole, rest = chunk.split(b"\0")
        if whole:
            self._parts.append(whole[0])
            whole[0] = b"".join(self._parts)
            self._parts.clear()
            self._size = 0
        if rest:
            self._parts.append(rest)
            self._size += len(rest)
            if self._size > MESSAGE_LIMIT:
                self._end("it sent a message without bounds")
                return
        for message in whole:
            self._connection.on_message(message)

    def _end(self, why: str) -> None:
        self.close()
        self._connection.on_end(why)

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        self._loop.remove_reader(self._read_fd)
        self._loop.remove_writer(self._write_fd)
        os.close(self._read_fd)
        os.close(self._write_fd)


class Process:
    """A spawned browser process: its exit as a future, its end as a method."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._loop = asyncio.get_running_loop()
        self.exited: asyncio.Future[int] = self._loop.create_future()
        self._pidfd = os.pidfd_open(pid) if hasattr(os, "pidfd_open") else -1
        self._poll: asyncio.TimerHandle | None = None
        if self._pidfd >= 0:
            self._loop.add_reader(self._pidfd, self._reap)
        else:
            self._poll_exit()

    def _poll_exit(self) -> None:
        self._reap()
        if not self.exited.done():
            self._poll = self._loop.call_later(0.05, self._poll_exit)

    def _reap(self) -> None:
        if self.exited.done():
            return
        try:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
        except ChildProcessError:
            pid, status = self.pid, 0
        if pid == 0:
            return
        if self._pidfd >= 0:
            self._loop.remove_reader(self._pidfd)
            os.close(self._pidfd)
            self._pidfd = -1
        self.exited.set_result(os.waitstatus_to_exitcode(status))

    def kill(self) -> None:
        """SIGKILL to exactly this process, while it is still ours to name."""
        if not self.exited.done():
            with contextlib.suppress(ProcessLookupError):
                if self._pidfd >= 0 and sys.platform == "linux":
                    signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)
                else:
                    os.kill(self.pid, signal.SIGKILL)

    async def wait(self, grace: float) -> None:
        """Wait for the exit; after ``grace`` seconds the process is killed and reaped."""
        try:
            async with asyncio.timeout(grace):
                await asyncio.shield(self.exited)
        except TimeoutError:
            self.kill()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(5):
                    await asyncio.shield(self.exited)


def spawn(
    argv: Sequence[str], log_path: str, connection: Connection, env: Mapping[str, str]
) -> Process:
    """Start a browser with its debugging pipe bound to ``connection``; its output goes to a file.

    Raises ``OSError`` when the program cannot be started.
    """
    fds: list[int] = []
    try:
        browser_in, our_out = _high_pipe(fds)
        our_in, browser_out = _high_pipe(fds)
        actions = [
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, log_path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600),
            (os.POSIX_SPAWN_DUP2, 1, 2),
            (os.POSIX_SPAWN_DUP2, browser_in, 3),
            (os.POSIX_SPAWN_DUP2, browser_out, 4),
        ]
        # A group of its own: a Ctrl-C in the terminal reaches the daemon, which closes the browser.
        pid = os.posix_spawn(argv[0], list(argv), dict(env), file_actions=actions, setpgroup=0)
    except BaseException:
        for fd in fds:
            os.close(fd)
        raise
    os.close(browser_in)
    os.close(browser_out)
    PipeTransport(our_in, our_out, connection)
    return Process(pid)


def _high_pipe(opened: list[int]) -> tuple[int, int]:
    """A close-on-exec pipe clear of the descriptors 0-4 that the child's file actions write to."""
    ends = []
    for fd in os.pipe():
        try:
            ends.append(fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 10))
        finally:
            os.close(fd)
        opened.append(ends[-1])
    if hasattr(fcntl, "F_SETPIPE_SZ"):
        with contextlib.suppress(OSError):
            fcntl.fcntl(ends[0], fcntl.F_SETPIPE_SZ, PIPE_SIZE)
    return ends[0], ends[1]
