"""All sessions of a daemon by name, their directories, and when an idle one is over."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Container, Iterator
from pathlib import Path

from surefoot.drivers import App, Clock, SystemClock
from surefoot.errors import ErrorCode, SurefootError
from surefoot.session.events import EventLog
from surefoot.session.hidden import HiddenTexts, ShadowedTexts
from surefoot.session.names import admit_name
from surefoot.session.session import Session
from surefoot.session.tombstones import RepairLedger
from surefoot.wire import OWN_NAMES, close_to_others

IDLE_MS = 30 * 60 * 1000.0
"""A session nobody used for this long may be closed (decisions.md, timers)."""

REPAIR_IDLE_MS = 2 * 60 * 60 * 1000.0
"""A session under repair waits longer: its work is not saved yet."""

Tombstones = Callable[[str], SurefootError | None]
"""What to raise instead of a plain ``SESSION_NOT_FOUND`` for a name that died with unsaved work."""


def prepare_directory(path: Path, own_names: Container[str] | None = None) -> Path:
    """Create ``path`` with 0700 (also when it exists with a wider mode); return it.

    With ``own_names`` one that holds anything else keeps its mode.
    Raises ``COMMAND_FAILED`` reason ``state_dir_unsafe`` for a symlink, a file or another's directory.
    """
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    status = os.lstat(path)
    if path.is_symlink() or status.st_uid != os.getuid():
        raise SurefootError(
            ErrorCode.COMMAND_FAILED,
            f"{path} is a link or belongs to another user.",
            hint="Choose another --state-dir.",
            details={"reason": "state_dir_unsafe"},
        )
    if own_names is not None:
        close_to_others(path, own_names)
    elif status.st_mode & 0o077:
        os.chmod(path, 0o700)
    return path


class SessionStore:
    """The daemon's sessions. ``state_dir/sessions/<name>/`` holds what a session keeps on disk, and
    ``repairs`` what must outlive them. ``wall_clock`` gives Unix seconds.

    ``shadowed`` is what the daemon's own log must not hold, of all sessions it ever had.
    """

    def __init__(
        self,
        state_dir: Path,
        *,
        clock: Clock | None = None,
        tombstones: Tombstones | None = None,
        wall_clock: Callable[[], float] = time.time,
    ) -> None:
        self.clock: Clock = clock or SystemClock()
        self.shadowed = ShadowedTexts()
        self._root = prepare_directory(prepare_directory(state_dir, OWN_NAMES) / "sessions")
        self.repairs = RepairLedger(prepare_directory(state_dir / "repairs"), now=wall_clock)
        self.tombstones: Tombstones = tombstones or self.repairs.expired
        self._sessions: dict[str, Session] = {}

    def __iter__(self) -> Iterator[Session]:
        return iter(list(self._sessions.values()))

    def __len__(self) -> int:
        return len(self._sessions)

    def directory(self, name: str) -> Path:
        """The session's directory (0700), created when missing. ``INVALID_ARGS`` for a bad name."""
        return prepare_directory(self._root / admit_name(name))

    def add(self, name: str, platform: str, app: App) -> Session:
        """A new session for an app that was just opened. ``ValueError`` when the name is taken."""
        if name in self._sessions:
            raise ValueError(f"session {name!r} is already open")
        directory = self.directory(name)
        now = self.clock.now_ms()
        session = Session(
            name=name,
            platform=platform,
            app=app,
            directory=directory,
            events=EventLog(directory),
            clock=self.clock,
            hidden=HiddenTexts(self.shadowed),
            opened_at_ms=now,
            last_used_ms=now,
        )
        self._sessions[name] = session
        return session

    def find(self, name: str) -> Session | None:
        """The live session of that name. ``INVALID_ARGS`` for a name that cannot be one."""
        return self._sessions.get(admit_name(name))

    def get(self, name: str) -> Session:
        """The live session of that name, marked as used now.

        Raises what its tombstone says, else ``SESSION_NOT_FOUND``.
        """
        session = self.find(name)
        if session is None:
            raise self.tombstones(name) or SurefootError(
                ErrorCode.SESSION_NOT_FOUND,
                f"No session {name!r} is open.",
                details={"session": name},
            )
        session.last_used_ms = self.clock.now_ms()
        return session

    def remove(self, name: str) -> None:
        """Forget a session whose app was closed; its event log stays on disk."""
        session = self._sessions.pop(name, None)
        if session is not None:
            session.events.close()

    def events(self, name: str) -> EventLog:
        """The event log of a live session, or of one that is over but left its log.

        Raises ``SESSION_NOT_FOUND`` when there is neither.
        """
        session = self.find(name)
        if session is not None:
            return session.events
        directory = self._root / name
        if not directory.is_dir():
            raise SurefootError(
                ErrorCode.SESSION_NOT_FOUND,
                f"No session {name!r} is open and none left a log.",
                details={"session": name},
            )
        return EventLog(directory)

    def idle(self) -> list[Session]:
        """Sessions unused for :data:`IDLE_MS`, under repair :data:`REPAIR_IDLE_MS`; the daemon closes
        them."""
        now = self.clock.now_ms()
        return [s for s in self._sessions.values() if now - s.last_used_ms >= _patience_ms(s)]


def _patience_ms(session: Session) -> float:
    recording = session.recording
    under_repair = recording is not None and recording.kind == "repair" and recording.active
    return REPAIR_IDLE_MS if under_repair else IDLE_MS
