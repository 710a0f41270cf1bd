"""How a repair ends: committed by any teardown of a complete one, aborted by any other (decision 6).

The ledger is the commit record: while it says ``COMPLETE`` somebody still has to publish, and whoever
starts the next daemon does (decisions.md, "crash of the daemon").
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from surefoot.errors import SurefootError, invalid_args
from surefoot.recording.publication import check_target, draft_of, publish
from surefoot.recording.repair import Repair, RepairState, repair_of
from surefoot.session import RepairLedger, RepairRecord, Session, TombstoneReason, reached
from surefoot.wire import Published, SavedData


class RepairEnding:
    """What an explicit close does with the session's repair, once :meth:`write` is called."""

    def __init__(self, session: Session, repair: Repair, target: Path | None, *, keep: bool) -> None:
        self._session = session
        self._repair = repair
        self._target = target
        self._keep = keep

    def write(self) -> SavedData | None:
        """Publish a complete repair, discard any other. What it raises leaves both as they were."""
        repair = self._repair
        if repair.state is RepairState.COMPLETE and self._keep:
            return commit(self._session, repair, self._target)
        if repair.in_progress:
            abort(repair)
            self._session.warn(self._discarded())
        return None

    def _discarded(self) -> str:
        repair = self._repair
        if self._keep and repair.refusal is not None:
            return f"The repair was not saved: {repair.refusal.message}"
        if self._keep:
            at, total = repair.standing.ordinal, len(repair.plan.steps)
            return f"The repair was not complete (it stood at step {at} of {total}): nothing was saved."
        return "The repair was discarded (--no-record): nothing was saved."


def closing_repair(
    session: Session, *, target: Path | None, force: bool, keep: bool = True
) -> RepairEnding | None:
    """What the close of this session does with its repair, if it has one; nothing is touched.

    ``target`` retargets a complete one; without ``keep`` (``--no-record``) even that is discarded.
    ``INVALID_ARGS``: ``force_not_for_repairs``, and what :func:`check_target` refuses.
    """
    repair = repair_of(session)
    if repair is None:
        return None
    if force:
        raise invalid_args(
            "--force is not for repairs: a healed script never replaces a file.",
            hint="Remove the file, or choose another path: `surefoot close --save-script=<path>`.",
            reason="force_not_for_repairs",
        )
    if keep and repair.state is RepairState.COMPLETE:
        check_target(target or repair.target, force=False)
    return RepairEnding(session, repair, target, keep=keep)


def commit(session: Session, repair: Repair, target: Path | None = None) -> SavedData | None:
    """Publish a complete repair, once: ``None`` for one that is committed already.

    A retarget is on disk before anything is published, so that a crash never publishes twice. Raises
    what :func:`publish` raises; the repair is ``COMPLETE`` and at its old target then.
    """
    if repair.state is not RepairState.COMPLETE:
        return None
    reached("commit.begun")
    before = repair.record
    if target is not None and target != repair.target:
        repair.keep(msgspec.structs.replace(before, target=str(target)))
        reached("commit.retargeted")
    record = repair.record
    try:
        publish_record(record)
    except SurefootError as error:
        session.events.append(
            Published(kind="repair", success=False, actions=record.actions, reason=error.reason)
        )
        if record is not before:
            repair.keep(before)
        raise
    repair.state = RepairState.COMMITTED
    repair.ledger.remove(record.session)
    reached("committed")
    session.events.append(Published(kind="repair", success=True, actions=record.actions))
    return SavedData(path=record.target, session=session.name, actions=record.actions)


def abort(repair: Repair) -> None:
    """Discard the slice; nothing is published, nothing is left."""
    repair.ledger.remove(repair.record.session)
    repair.state = RepairState.ABORTED


def end_repair(session: Session, why: TombstoneReason) -> None:
    """The session ends unasked: commit iff complete, else leave a tombstone. Never raises."""
    repair = repair_of(session)
    if repair is None:
        return
    if repair.state is RepairState.COMPLETE:
        try:
            commit(session, repair)
        except SurefootError as error:
            _entomb(repair, "not_published", error.message)
    elif repair.state is RepairState.ARMED:
        _entomb(repair, why, None if repair.refusal is None else repair.refusal.message)


def recover(ledger: RepairLedger) -> Sequence[str]:
    """What a daemon that died left open, settled before the first request; a line for the log each."""
    said: list[str] = []
    for record in list(ledger.records()):
        if record.state == "ARMED":
            with suppress(OSError):
                ledger.entomb(record, "daemon_lost")
                said.append(f"repair session={record.session} expired: the last daemon was lost")
        elif record.state == "COMPLETE":
            said.append(_recover_complete(ledger, record))
        else:
            ledger.tombstone(record.session)
    return said


def publish_record(record: RepairRecord) -> None:
    """Publish the persisted slice by an exclusive link."""
    assert record.text is not None
    publish(Path(record.target), record.text, token=record.token)
    reached("published")


def _recover_complete(ledger: RepairLedger, record: RepairRecord) -> str:
    target = Path(record.target)
    with suppress(OSError):
        draft_of(target, record.token).unlink()
    try:
        if not _is_published(target, record.text or ""):
            publish_record(record)
        ledger.remove(record.session)
        return f"repair session={record.session} published"
    except SurefootError as error:
        with suppress(OSError):
            ledger.entomb(record, "not_published", error.message)
        return f"repair session={record.session} not published: {error.reason}"


def _is_published(target: Path, text: str) -> bool:
    """Whether the daemon died between the link and its note of it."""
    try:
        return target.is_file() and target.read_bytes() == text.encode("utf-8")
    except OSError:
        return False


def _entomb(repair: Repair, why: TombstoneReason, detail: str | None) -> None:
    repair.state = RepairState.ABORTED
    with suppress(OSError):  # the record says ARMED then, and the next daemon leaves the tombstone
        repair.ledger.entomb(repair.record, why, detail)
