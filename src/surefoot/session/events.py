"""``events.ndjson``: an append-only log with absolute cursors that rotates (contracts.md, "Events").

Observing cannot change an outcome: :meth:`EventLog.append` never raises; what could not be written
is counted in ``lost``.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import msgspec

from surefoot.wire import Event, EventEntry, EventsData

FILE_NAME = "events.ndjson"
MAX_FILE_BYTES = 1 << 20
KEPT_FILES = 3
"""Rotated files kept beside the live one (``events.1.ndjson`` is the newest of them)."""
MAX_READ = 1_000

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(EventEntry).decode


def _unix_ms() -> int:
    return time.time_ns() // 1_000_000


class EventLog:
    """One session's log on disk. Opening an existing one continues its cursors."""

    def __init__(
        self,
        directory: Path,
        *,
        now_unix_ms: Callable[[], int] = _unix_ms,
        max_file_bytes: int = MAX_FILE_BYTES,
    ) -> None:
        self._path = directory / FILE_NAME
        self._now = now_unix_ms
        self._max = max_file_bytes
        self._fd: int | None = None
        self._size = 0
        self.lost = 0
        self._cursor = self._last_cursor()

    @property
    def cursor(self) -> int:
        """The cursor of the last entry; 0 for an empty log."""
        return self._cursor

    def append(self, event: Event) -> None:
        """Write one entry. Never raises and never waits for a reader."""
        self._cursor += 1
        try:
            line = _encode(EventEntry(cursor=self._cursor, at=self._now(), event=event)) + b"\n"
            self._rotate_for(len(line))
            fd = self._open()
            written = os.write(fd, line)
            self._size += written
            if written != len(line):
                self.lost += 1
        except (OSError, ValueError, TypeError):
            self.lost += 1

    def read(self, after: int = 0, limit: int = MAX_READ) -> EventsData:
        """Entries with a cursor above ``after``, oldest first, at most ``limit``."""
        limit = max(1, min(limit, MAX_READ))
        entries = [entry for entry in self._since(after) if entry.cursor > after][:limit]
        gap = bool(entries) and entries[0].cursor > after + 1
        return EventsData(events=tuple(entries), next=entries[-1].cursor if entries else after, gap=gap)

    def close(self) -> None:
        """Release the file; the log stays readable and can be appended to again."""
        if self._fd is not None:
            with suppress(OSError):
                os.close(self._fd)
            self._fd = None

    def _rotated(self, number: int) -> Path:
        return self._path.with_name(f"events.{number}.ndjson")

    def _open(self) -> int:
        if self._fd is None:
            flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
            self._fd = os.open(self._path, flags, 0o600)
            self._size = os.fstat(self._fd).st_size
            if self._size and os.pread(self._fd, 1, self._size - 1) != b"\n":
                self._size += os.write(self._fd, b"\n")  # after a line cut short by a crash
        return self._fd

    def _rotate_for(self, incoming: int) -> None:
        self._open()
        if not self._size or self._size + incoming <= self._max:
            return
        self.close()
        for number in range(KEPT_FILES, 1, -1):
            with suppress(FileNotFoundError):
                os.replace(self._rotated(number - 1), self._rotated(number))
        with suppress(FileNotFoundError):
            os.replace(self._path, self._rotated(1))
        self._size = 0

    def _since(self, after: int) -> list[EventEntry]:
        """All entries from the newest file that reaches back to ``after``, oldest first."""
        found: list[EventEntry] = []
        for path in (self._path, *(self._rotated(n) for n in range(1, KEPT_FILES + 1))):
            found = [*_entries(path), *found]
            if found and found[0].cursor <= after + 1:
                break
        return found

    def _last_cursor(self) -> int:
        for path in (self._path, *(self._rotated(n) for n in range(1, KEPT_FILES + 1))):
            cursors = [entry.cursor for entry in _entries(path)]
            if cursors:
                return max(cursors)
        return 0


def _entries(path: Path) -> Iterator[EventEntry]:
    try:
        data = path.read_bytes()
    except OSError:
        return
    for line in data.splitlines():
        with suppress(msgspec.DecodeError):  # a line cut short by a crash
            yield _decode(line)
