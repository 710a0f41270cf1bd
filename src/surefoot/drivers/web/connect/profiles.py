"""Where does a browser keep its files, and who clears up after a killed daemon?

Each browser gets a directory of its own below ``<state_dir>/browser``, held by a file lock for as
long as its daemon lives. A directory nobody holds is left over from a daemon that was killed: it is
swept when the next browser starts.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path

PREFIX = "profile-"
LOCK = ".held"


class Profile:
    """A temporary profile directory, held until :meth:`remove`."""

    def __init__(self, path: Path, lock_fd: int) -> None:
        self.path = path
        self._lock_fd = lock_fd

    def remove(self) -> None:
        """Delete it and let go; idempotent."""
        if self._lock_fd < 0:
            return
        fd, self._lock_fd = self._lock_fd, -1
        shutil.rmtree(self.path, ignore_errors=True)
        if self.path.exists():  # a child of the browser was still writing: once more
            shutil.rmtree(self.path, ignore_errors=True)
        os.close(fd)


def root(state_dir: str) -> Path:
    """The directory all temporary profiles of a state directory live in."""
    return Path(state_dir) / "browser"


def acquire(state_dir: str) -> Profile:
    """Sweep what killed daemons left, then make and hold a fresh profile directory."""
    base = root(state_dir)
    base.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _exclusive(base):
        _sweep(base)
        path = base / f"{PREFIX}{secrets.token_hex(4)}"
        path.mkdir(mode=0o700)
        fd = os.open(path / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        (path / "tmp").mkdir(mode=0o700)
    return Profile(path, fd)


def sweep(state_dir: str) -> int:
    """Remove every profile directory that no living daemon holds; how many were removed."""
    base = root(state_dir)
    if not base.is_dir():
        return 0
    with _exclusive(base):
        return _sweep(base)


def _sweep(base: Path) -> int:
    removed = 0
    for path in base.glob(f"{PREFIX}*"):
        try:
            fd = os.open(path / LOCK, os.O_RDWR | os.O_CLOEXEC)
        except FileNotFoundError:
            fd = -1
        try:
            if fd >= 0:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            continue  # a living daemon's
        else:
            shutil.rmtree(path, ignore_errors=True)
            removed += not path.exists()
        finally:
            if fd >= 0:
                os.close(fd)
    return removed


@contextlib.contextmanager
def _exclusive(base: Path) -> Iterator[None]:
    """One process at a time makes or sweeps: a directory is never seen before its lock is held."""
    fd = os.open(base / ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        yield
    finally:
        os.close(fd)
