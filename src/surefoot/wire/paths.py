"""Where a daemon lives: its state directory, its socket and its logs, the same for every surface.

The thin command repeats :func:`default_state_dir` because it imports nothing of ours; a test holds
the two together.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Container, Mapping
from pathlib import Path

import platformdirs
from msgspec import Struct

from surefoot.errors import ErrorCode, SurefootError, invalid_args

STATE_DIR_VARIABLE = "SUREFOOT_STATE_DIR"

OWN_NAMES = frozenset(
    (
        *("run", "sessions", "repairs", "browser", "downloads"),
        *("daemon.sock", "daemon.lock", "start.lock", "daemon.json", "daemon.new"),
        *("daemon.log", *(f"daemon.log.{number}" for number in range(1, 10))),
    )
)
"""What a state directory and its run directory hold when nobody else uses them."""

MAX_SOCKET_PATH = 100
"""Bytes; ``sun_path`` holds 108 on Linux and 104 on macOS, its NUL included."""


class StatePaths(Struct, frozen=True):
    """The files of one daemon. Everything below ``run`` is private to the user."""

    state: Path

    @property
    def run(self) -> Path:
        """The 0700 directory of the lock, the log and (where it fits) the socket."""
        return self.state / "run"

    @property
    def socket_dir(self) -> Path:
        """``run``, or a short directory named by a hash of it where the path would be too long."""
        if len(os.fsencode(self.run / "daemon.sock")) <= MAX_SOCKET_PATH:
            return self.run
        digest = hashlib.sha256(os.fsencode(self.run)).hexdigest()[:20]
        return _short_base() / f"surefoot-{os.getuid()}-{digest}"

    @property
    def socket(self) -> Path:
        return self.socket_dir / "daemon.sock"

    @property
    def lock(self) -> Path:
        """Held by the living daemon, all its life."""
        return self.run / "daemon.lock"

    @property
    def start_lock(self) -> Path:
        """Held by whoever is starting a daemon."""
        return self.run / "start.lock"

    @property
    def info(self) -> Path:
        """JSON of the daemon: ``pid``, ``version``, ``startedAt``. For people; nothing trusts it."""
        return self.run / "daemon.json"

    @property
    def log(self) -> Path:
        return self.run / "daemon.log"


def _short_base() -> Path:
    """Not taken from the environment: every caller of one user must arrive at the same place."""
    runtime = Path(f"/run/user/{os.getuid()}")
    try:
        return runtime if runtime.stat().st_uid == os.getuid() else Path("/tmp")
    except OSError:
        return Path("/tmp")


def default_state_dir() -> Path:
    """The user's state directory for surefoot on this system."""
    return Path(platformdirs.user_state_dir("surefoot", appauthor=False))


def state_paths(explicit: str | None, env: Mapping[str, str], cwd: str) -> StatePaths:
    """The paths a caller means: ``--state-dir``, else ``SUREFOOT_STATE_DIR``, else the default.

    A relative directory is taken from ``cwd``. Raises ``INVALID_ARGS`` for an empty ``--state-dir``.
    """
    if explicit == "":
        raise invalid_args("--state-dir is empty.", reason="empty_state_dir")
    chosen = explicit or env.get(STATE_DIR_VARIABLE) or str(default_state_dir())
    return StatePaths(Path(os.path.realpath(os.path.join(cwd, chosen))))


def prepare(paths: StatePaths) -> None:
    """Create what is missing, private to the user, and refuse a place that is not safe.

    Raises ``COMMAND_FAILED`` with reason ``state_dir_insecure`` (another user owns it or could
    replace what is in it) or ``state_dir_unusable``.
    """
    try:
        paths.state.mkdir(mode=0o700, parents=True, exist_ok=True)
        for private in dict.fromkeys((paths.state, paths.run, paths.socket_dir)):
            private.mkdir(mode=0o700, exist_ok=True)
            _check_place(private)
            close_to_others(private, OWN_NAMES)
    except OSError as error:
        raise SurefootError(
            ErrorCode.COMMAND_FAILED,
            f"The state directory {paths.state} cannot be used: {error.strerror}.",
            hint=f"Name another one with --state-dir or {STATE_DIR_VARIABLE}.",
            details={"reason": "state_dir_unusable", "path": str(paths.state)},
        ) from error


def _check_place(directory: Path) -> None:
    info = directory.lstat()
    if not stat.S_ISDIR(info.st_mode):
        raise _insecure(directory, "is not a directory")
    if info.st_uid != os.getuid():
        raise _insecure(directory, "belongs to another user")
    if info.st_mode & stat.S_ISVTX:
        raise _insecure(directory, "is shared between users")


def close_to_others(directory: Path, own_names: Container[str]) -> None:
    """Make a directory 0700 that holds nothing but ``own_names``; one that holds more keeps its mode.

    A home, a project, ``/``: whoever names one as a state directory does not ask for its mode to be
    changed. Raises ``COMMAND_FAILED`` ``state_dir_insecure`` where others may write into such a one.
    """
    mode = stat.S_IMODE(directory.stat().st_mode)
    if mode == 0o700:
        return
    with os.scandir(directory) as entries:
        foreign = next((entry.name for entry in entries if entry.name not in own_names), None)
    if foreign is None:
        directory.chmod(0o700)
    elif mode & 0o022:
        raise _insecure(directory, "holds other files too and others may write into it")


def _insecure(directory: Path, why: str) -> SurefootError:
    return SurefootError(
        ErrorCode.COMMAND_FAILED,
        f"The state directory {directory} {why}.",
        hint=f"Name another one with --state-dir or {STATE_DIR_VARIABLE}.",
        details={"reason": "state_dir_insecure", "path": str(directory)},
    )
