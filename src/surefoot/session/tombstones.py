"""What a repair leaves on disk: the open transaction, or the tombstone of one that was cut short.

Seed 0012, decision 6, R7 and "Repair-session tombstone". One file a session key, replaced as a whole:
it says ``ARMED``, ``COMPLETE`` or ``EXPIRED`` and never two of them. No file: nothing is open, nothing
was lost. What is here is on disk before a caller is told.
"""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from surefoot.errors import ErrorCode, SurefootError
from surefoot.session.points import reached

TOMBSTONE_S = 24 * 60 * 60.0
"""How long a tombstone answers for its session key (decisions.md, timers)."""

TombstoneReason = Literal["daemon_lost", "idle", "shutdown", "browser_lost", "not_published"]

_WHY: dict[str, str] = {
    "daemon_lost": "the daemon ended before the repair was complete",
    "idle": "nobody used it for too long",
    "shutdown": "the daemon was stopped before the repair was complete",
    "browser_lost": "its browser or device is gone",
    "not_published": "its complete script could not be published",
}


class RepairOwner(Struct, frozen=True, kw_only=True):
    """Who started a repair: the user, and the directory the command ran in."""

    uid: int
    directory: str


class RepairRecord(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """One repair transaction, or what is left of it. Paths are absolute.

    ``restart`` is the command that starts the repair anew. ``token`` names the temporary file of its
    publication. ``text`` and ``actions`` are the whole healed script of a ``COMPLETE`` one; ``reason``,
    ``detail`` and ``expires_at`` (Unix seconds) belong to an ``EXPIRED`` one.
    """

    session: str
    state: Literal["ARMED", "COMPLETE", "EXPIRED"]
    owner: RepairOwner
    platform: str | None
    script: str
    plan_digest: str
    target: str
    restart: str
    token: str
    text: str | None = None
    actions: int = 0
    reason: TombstoneReason | None = None
    detail: str | None = None
    expires_at: float | None = None
    version: int = 1


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(RepairRecord).decode


class RepairLedger:
    """The records of one state directory. ``directory`` exists and is private (0700)."""

    def __init__(self, directory: Path, *, now: Callable[[], float] = time.time) -> None:
        self._directory = directory
        self._now = now

    def write(self, record: RepairRecord) -> None:
        """Put the record in the place of the key's last one; durable on return.

        Raises ``OSError``; the last record stands then.
        """
        place = self._place(record.session)
        draft = place.with_name(f".{place.name}.{secrets.token_hex(6)}.tmp")
        try:
            _write_durably(draft, _encode(record))
            reached("arm.drafted" if record.state == "ARMED" else f"{record.state.lower()}.drafted")
            os.replace(draft, place)
            _sync(self._directory)
        finally:
            with suppress(FileNotFoundError):
                draft.unlink()

    def read(self, session: str) -> RepairRecord | None:
        """The key's record, whatever its state; a file that is no record counts as none."""
        return _read(self._place(session))

    def remove(self, session: str) -> None:
        """Nothing is left of the key's repair. Idempotent, and never in the way of an end: a record
        that stays is settled by the next daemon."""
        with suppress(OSError):
            self._place(session).unlink()
            _sync(self._directory)

    def entomb(
        self, record: RepairRecord, reason: TombstoneReason, detail: str | None = None
    ) -> RepairRecord:
        """Leave a tombstone in the place of an open transaction."""
        tombstone = msgspec.structs.replace(
            record,
            state="EXPIRED",
            reason=reason,
            detail=detail,
            expires_at=self._now() + TOMBSTONE_S,
            text=None,
        )
        self.write(tombstone)
        reached("expired")
        return tombstone

    def tombstone(self, session: str) -> RepairRecord | None:
        """The key's tombstone, while it lasts. One that is over is taken away."""
        record = self.read(session)
        if record is None or record.state != "EXPIRED":
            return None
        if record.owner.uid != os.getuid() or self._now() >= (record.expires_at or 0.0):
            self.remove(session)
            return None
        return record

    def expired(self, session: str) -> SurefootError | None:
        """What a command on the key answers (``REPAIR_SESSION_EXPIRED``), if it has a tombstone."""
        record = self.tombstone(session)
        return None if record is None else expired_error(record)

    def records(self) -> Iterator[RepairRecord]:
        """Every record. Drafts that a crash left behind are taken away."""
        for place in sorted(self._directory.iterdir()):
            if place.suffix == ".tmp":
                with suppress(OSError):
                    place.unlink()
            elif (record := _read(place)) is not None:
                yield record

    def _place(self, session: str) -> Path:
        name = sha256(session.encode("utf-8", "surrogateescape")).hexdigest()
        return self._directory / f"{name}.json"


def expired_error(record: RepairRecord) -> SurefootError:
    """``REPAIR_SESSION_EXPIRED`` with the way to start again."""
    why = _WHY.get(record.reason or "", "it was cut short")
    detail = "" if record.detail is None else f" ({record.detail})"
    return SurefootError(
        ErrorCode.REPAIR_SESSION_EXPIRED,
        f"the repair of {record.script} in session {record.session!r} is over: {why}{detail}. "
        "Nothing of it was saved.",
        hint=f"Start it again from the original script: `{record.restart}`. "
        "Another --session NAME is free to use.",
        details={
            "reason": record.reason,
            "session": record.session,
            "script": record.script,
            "target": record.target,
            "owner": record.owner.directory,
            "restart": record.restart,
            "expiresAt": round((record.expires_at or 0.0) * 1000),
        },
    )


def _read(place: Path) -> RepairRecord | None:
    try:
        return _decode(place.read_bytes())
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None


def _write_durably(path: Path, data: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _sync(directory: Path) -> None:
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
