"""Is a daemon there, and if not, start exactly one (architecture.md, decision 4).

Readiness is a reply, never a connect. Two locks decide everything, and the kernel drops both with
their owner: ``daemon.lock`` is held by the living daemon, ``start.lock`` by whoever starts one. A
socket file that nobody answers on proves nothing by itself.
"""

from __future__ import annotations

import fcntl
import json
import os
import select
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import msgspec

from surefoot.errors import ErrorCode, SurefootError
from surefoot.wire import (
    FROM_DAEMON,
    HEADER,
    Ack,
    Kind,
    StatePaths,
    decode_header,
    encode_frame,
    prepare,
)

REPLY_MS = 10_000
"""How long a daemon may take to say that it is there."""

LEAST_MS = 500
"""A request's own bound below this still gives a daemon that lives the time to say so."""

START_MS = 30_000
"""How long starting one may take in all, waiting for a predecessor to leave included."""

KILL_MS = 5_000
RESET_COMMAND = "surefoot daemon stop"
POLL_S = 0.01


class NoDaemonError(Exception):
    """Nobody listens, or whoever did is on its way out; nothing ran."""


def reply_ms(env: Mapping[str, str], timeout_ms: int | None = None) -> int:
    """``SUREFOOT_DAEMON_TIMEOUT`` (milliseconds), else :data:`REPLY_MS`; no longer than the request's
    own ``timeout_ms``, but at least :data:`LEAST_MS`."""
    given = env.get("SUREFOOT_DAEMON_TIMEOUT", "")
    sound = given.isdecimal() and given.isascii() and len(given) < 9
    silence = max(1, int(given)) if sound else REPLY_MS
    return silence if timeout_ms is None else min(silence, max(LEAST_MS, timeout_ms))


def connect(paths: StatePaths, timeout_s: float) -> socket.socket:
    """A connection to the daemon of these paths, which belongs to this user.

    Raises :class:`NoDaemonError`, or ``COMMAND_FAILED`` reason ``daemon_foreign``.
    """
    link = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        link.settimeout(timeout_s)
        link.connect(os.fspath(paths.socket))
        owner = peer_uid(link)
        if owner is not None and owner != os.getuid():
            raise foreign(paths)
    except OSError as error:
        link.close()
        raise NoDaemonError(error.strerror) from error
    except SurefootError:
        link.close()
        raise
    return link


def peer_uid(link: socket.socket) -> int | None:
    """The user at the other end of a Unix socket; ``None`` where the system does not say."""
    if not hasattr(socket, "SO_PEERCRED"):
        return None
    size = struct.calcsize("3i")
    _, uid, _ = struct.unpack("3i", link.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size))
    return int(uid)


def ping(paths: StatePaths, timeout_ms: int = REPLY_MS) -> Ack:
    """Who answers. Raises :class:`NoDaemonError`, or ``TIMEOUT`` reason ``daemon_unresponsive``."""
    with connect(paths, timeout_ms / 1000) as link:
        try:
            link.sendall(encode_frame(Kind.HELLO, 0))
            kind, _, length = decode_header(_exactly(link, HEADER.size), FROM_DAEMON, 4096)
            payload = _exactly(link, length)
        except TimeoutError:
            raise unresponsive(paths, timeout_ms) from None
        except OSError as error:
            raise NoDaemonError(error.strerror) from error
    if kind is not Kind.ACK:
        raise NoDaemonError("it answered something else")
    return msgspec.json.decode(payload, type=Ack)


def _exactly(link: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        more = link.recv(size - len(data))
        if not more:
            raise NoDaemonError("the connection was closed")
        data += more
    return data


def ensure(
    paths: StatePaths, env: Mapping[str, str] = os.environ, *, silence_ms: int | None = None
) -> Ack:
    """A daemon that answered within ``silence_ms`` (:func:`reply_ms`), started if there was none.

    Raises ``COMMAND_FAILED`` with reason ``daemon_start_failed``, ``state_dir_insecure`` or
    ``state_dir_unusable``; ``TIMEOUT`` with reason ``daemon_unresponsive``.
    """
    prepare(paths)
    ends = time.monotonic() + START_MS / 1000
    answer = reply_ms(env) if silence_ms is None else silence_ms
    try:
        return ping(paths, answer)
    except NoDaemonError:
        pass
    with _locked(paths.start_lock, ends, paths):
        try:
            return ping(paths, answer)
        except NoDaemonError:
            _spawn(paths, env, ends)
        try:
            return ping(paths, answer)
        except NoDaemonError as error:
            raise start_failed(paths, f"it said it was ready and then: {error}") from error


@contextmanager
def _locked(path: Path, ends: float, paths: StatePaths) -> Iterator[None]:
    number = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        while True:
            try:
                fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > ends:
                    raise start_failed(paths, "another command has been starting it too long") from None
                time.sleep(POLL_S)
        yield
    finally:
        os.close(number)


def _spawn(paths: StatePaths, env: Mapping[str, str], ends: float) -> None:
    """Start a detached daemon and wait for its word, which comes through a pipe."""
    ear, low = os.pipe()
    # Where a caller has closed its standard streams, a pipe may get one of their numbers.
    mouth = fcntl.fcntl(low, fcntl.F_DUPFD_CLOEXEC, 3)
    os.close(low)
    command = [sys.executable, "-P", "-m", "surefoot.daemon", os.fspath(paths.state), str(mouth)]
    inherited = {name: value for name, value in env.items() if not _is_forwarded(name)}
    idle = env.get("SUREFOOT_IDLE_EXIT")
    if idle:
        inherited["SUREFOOT_IDLE_EXIT"] = idle
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW
        log = os.open(paths.log, flags, 0o600)
        try:
            # The shell leaves at once, so the daemon is nobody's child and never a zombie of ours.
            subprocess.run(
                ["/bin/sh", "-c", '"$@" &', "sh", *command],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=(mouth,),
                env=inherited,
                start_new_session=True,
                check=True,
            )
        finally:
            os.close(log)
            os.close(mouth)
        word = _hear(ear, ends)
    except OSError as error:
        raise start_failed(paths, str(error)) from error
    finally:
        os.close(ear)
    if word is None:
        raise start_failed(paths, "it did not become ready in time")
    if word != b"ready\n":
        raise start_failed(paths, word.decode(errors="replace").strip() or "it ended while starting")


def _hear(ear: int, ends: float) -> bytes | None:
    """What the daemon says until it closes its end; ``None`` when time runs out."""
    heard = b""
    waiting = select.poll()  # a caller may hold more descriptors than select() can name
    waiting.register(ear, select.POLLIN)
    while True:
        if not waiting.poll(max(0.0, ends - time.monotonic()) * 1000):
            return None
        data = os.read(ear, 4096)
        if not data:
            return heard
        heard += data


def _is_forwarded(name: str) -> bool:
    """Variables that belong to a request, so that the first caller's do not stick to the daemon."""
    return name.startswith(("AD_VAR_", "SUREFOOT_")) or name == "NO_COLOR"


def holder(paths: StatePaths) -> int | None:
    """The process that holds these paths: a daemon that lives, whether it answers or not."""
    try:
        number = os.open(paths.lock, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return None
    except BlockingIOError:
        return _recorded_pid(paths)
    finally:
        os.close(number)


def _recorded_pid(paths: StatePaths) -> int | None:
    try:
        pid = json.loads(paths.info.read_text())["pid"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return pid if isinstance(pid, int) and pid > 1 else None


def end(
    paths: StatePaths, env: Mapping[str, str] = os.environ, *, silence_ms: int | None = None
) -> tuple[int | None, bool]:
    """End the daemon that holds these paths, by force if it must be: its pid, and whether it was.

    Waits until it is gone. Raises ``TIMEOUT`` ``daemon_unresponsive`` if it outlives that.
    """
    pid = holder(paths)
    if pid is None:
        return None, False
    patience = reply_ms(env) if silence_ms is None else silence_ms
    for number, patience_ms in ((signal.SIGTERM, patience), (signal.SIGKILL, KILL_MS)):
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            return pid, number is signal.SIGKILL
        ends = time.monotonic() + patience_ms / 1000
        while time.monotonic() < ends:
            if holder(paths) != pid:
                return pid, number is signal.SIGKILL
            time.sleep(POLL_S)
    raise unresponsive(paths, patience + KILL_MS)


def unresponsive(paths: StatePaths, waited_ms: int) -> SurefootError:
    """The daemon is there and says nothing."""
    pid = holder(paths)
    who = f"The daemon (pid {pid})" if pid else "The daemon"
    details = {
        "reason": "daemon_unresponsive",
        "waitedMs": waited_ms,
        "socket": os.fspath(paths.socket),
    }
    return SurefootError(
        ErrorCode.TIMEOUT,
        f"{who} accepted the connection and did not answer within {waited_ms} ms.",
        hint=f"Run `{RESET_COMMAND}` to end it, by force if needed; the next command starts a new one.",
        details=details | ({"pid": pid} if pid else {}),
    )


def start_failed(paths: StatePaths, why: str) -> SurefootError:
    """No daemon could be started."""
    return SurefootError(
        ErrorCode.COMMAND_FAILED,
        f"The daemon could not be started: {why}.",
        hint=f"Read {paths.log}; `{RESET_COMMAND}` ends a daemon that is stuck.",
        details={"reason": "daemon_start_failed"},
    )


def foreign(paths: StatePaths) -> SurefootError:
    """Another user listens where our daemon should."""
    return SurefootError(
        ErrorCode.COMMAND_FAILED,
        f"The daemon at {paths.socket} belongs to another user.",
        hint="Name a state directory of your own with SUREFOOT_STATE_DIR.",
        details={"reason": "daemon_foreign"},
    )


def lost(paths: StatePaths) -> SurefootError:
    """The daemon took the request and went away."""
    return SurefootError(
        ErrorCode.COMMAND_FAILED,
        "The daemon ended while it ran this command; whether it took effect is not known.",
        hint=f"Look before you repeat it: `surefoot session list`. The log is {paths.log}.",
        details={"reason": "daemon_lost"},
    )
