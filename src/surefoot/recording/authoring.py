"""Authoring: a session that is recorded into a script from its first ``open`` on.

contracts.md, "Authoring recordings" (0016): ``ARMED`` only by a new session's first ``open
--save-script``; a second successful ``open`` makes it ``ABORTED``; ``close`` and ``session
save-script`` make it ``PUBLISHED``. Both are terminal until the session ends. A publication that fails
leaves it armed and retryable. What a save is refused for (:func:`admit_save`) is asked before anything
is written and, for a ``close``, before anything that runs is ended.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

from surefoot.errors import ErrorCode, SurefootError, invalid_args
from surefoot.identity import TargetEvidence
from surefoot.recording.lines import script_text
from surefoot.recording.publication import check_target, publish
from surefoot.recording.scoring import StepLog
from surefoot.script import CommandGrammar
from surefoot.session import ActionRecord, Session
from surefoot.wire import Published, SavedData

CLOSE = ActionRecord(command="close")
WITHOUT = "End the session without a script: `surefoot close --no-record`."


class AuthoringState(StrEnum):
    ARMED = "ARMED"
    ABORTED = "ABORTED"
    PUBLISHED = "PUBLISHED"


_OVER = {
    AuthoringState.ABORTED: "a second `open` ended it",
    AuthoringState.PUBLISHED: "it was saved already",
}


class Authoring:
    """The authoring recording of one session; ``target`` is absolute."""

    kind = "authoring"

    def __init__(self, target: Path, *, force: bool) -> None:
        self.target = target
        self.force = force
        self.state = AuthoringState.ARMED
        self.steps = StepLog()

    @property
    def active(self) -> bool:
        """Whether actions are being captured into a script now."""
        return self.state is AuthoringState.ARMED

    def abort(self) -> None:
        """A second ``open``: a script holds exactly one, so this recording is over for good."""
        if self.active:
            self.state = AuthoringState.ABORTED


def default_target(cwd: Path, stamp: str) -> Path:
    """Where ``--save-script`` without a path goes, in the caller's directory."""
    return cwd / f"surefoot-{stamp}.ad"


def arm(session: Session, target: Path, *, force: bool = False) -> Authoring:
    """Arm a new session before its first action is recorded. Raises what ``check_target`` raises."""
    check_target(target, force=force)
    session.recording = recording = Authoring(target, force=force)
    return recording


def authoring_of(session: Session) -> Authoring | None:
    """The session's authoring recording, whatever its state."""
    return session.recording if isinstance(session.recording, Authoring) else None


def refuse_unarmed(session: Session) -> Authoring:
    """The armed recording a save was asked of; ``INVALID_ARGS`` ``recording_not_armed`` without one.

    ``details.state`` says which: ``never armed``, ``ABORTED``, ``PUBLISHED``, or the kind of another
    recording that owns the session (``repair``).
    """
    recording = authoring_of(session)
    if recording is not None and recording.active:
        return recording
    state, why = "never armed", ""
    if recording is not None:
        state, why = recording.state.value, f": {_OVER[recording.state]}"
    elif session.recording is not None:
        state, why = session.recording.kind, f", but a {session.recording.kind} of its own"
    raise invalid_args(
        f"session {session.name!r} has no recording to save ({state}){why}.",
        hint="Record from the start: `surefoot open <url> --save-script[=path]`. "
        "A plain `surefoot close` still ends this session.",
        reason="recording_not_armed",
        state=state,
    )


class Save:
    """One save of an armed recording that nothing refuses any more: its place and its text."""

    def __init__(self, session: Session, recording: Authoring, path: Path, *, force: bool) -> None:
        self._session = session
        self._recording = recording
        self.path = path
        self._force = force
        self.records: tuple[ActionRecord, ...] = ()
        self.text = ""

    @property
    def steps(self) -> StepLog:
        """What is known of the captures its steps were recorded from."""
        return self._recording.steps

    def write(self) -> SavedData:
        """Publish it. Whatever it raises leaves the recording armed and the target as it was."""
        session, count = self._session, len(self.records)
        try:
            publish(self.path, self.text, force=self._force)
        except SurefootError as error:
            event = Published(kind="authoring", success=False, actions=count, reason=error.reason)
            session.events.append(event)
            raise
        self._recording.state = AuthoringState.PUBLISHED
        session.events.append(Published(kind="authoring", success=True, actions=count))
        return SavedData(path=str(self.path), session=session.name, actions=count)


def admit_save(
    session: Session,
    grammar: CommandGrammar,
    *,
    closing: bool,
    target: Path | None = None,
    force: bool = False,
) -> Save:
    """Everything a save can be refused for, in this order; nothing is touched.

    ``recording_not_armed``; ``too_many_actions``; ``open_missing``, ``open_repeated`` (a script holds
    exactly one initial ``open``); without ``closing``, ``destination_guard_missing``; what
    :func:`check_target` refuses; ``target_not_portable``. ``target`` is absolute, by default the armed
    one.
    """
    recording = refuse_unarmed(session)
    save = Save(session, recording, target or recording.target, force=force or recording.force)
    _refuse_dropped(session)
    _refuse_opens(session)
    if not closing:
        _refuse_unguarded(session)
    check_target(save.path, force=force or recording.force)
    save.records = (*session.actions.records, *([CLOSE] if closing else []))
    save.text = script_text(save.path, session.platform, save.records, grammar)
    return save


def closing_save(
    session: Session, grammar: CommandGrammar, *, target: Path | None = None, force: bool = False
) -> Save | None:
    """What the close of this session publishes: ``None`` where nothing is armed. As
    :func:`admit_save`; the script ends with ``close``."""
    recording = authoring_of(session)
    if recording is None or not recording.active:
        return None
    return admit_save(session, grammar, closing=True, target=target, force=force)


def _refuse_dropped(session: Session) -> None:
    if session.actions.dropped:
        raise SurefootError(
            ErrorCode.COMMAND_FAILED,
            f"the session performed more than {len(session.actions)} actions, too many to save.",
            hint=WITHOUT,
            details={"reason": "too_many_actions"},
        )


def _refuse_opens(session: Session) -> None:
    commands = [record.command for record in session.actions.records]
    if commands[:1] == ["open"] and commands.count("open") == 1:
        return
    missing = "open" not in commands[:1]
    raise SurefootError(
        ErrorCode.COMMAND_FAILED,
        "a script begins with its one open, and this session's "
        + ("was not recorded." if missing else "was followed by another."),
        hint=WITHOUT,
        details={"reason": "open_missing" if missing else "open_repeated"},
    )


def _refuse_unguarded(session: Session) -> None:
    """A script that goes on without a ``close`` must prove where it ends (contracts.md, 0016)."""
    last: ActionRecord | None = None
    for record in reversed(session.actions.records):
        if is_destination_guard(record):
            return
        if record.mutates:
            last = record
            break
    did = "the last action" if last is None else f"`{last.command}`, the last action"
    raise SurefootError(
        ErrorCode.COMMAND_FAILED,
        f"nothing recorded proves where the script ends: no wait for an element follows {did}.",
        hint="Wait for what shows that the last action worked, then save again: "
        "`surefoot wait 'label=\"Order confirmed\"'`.",
        details={
            "reason": "destination_guard_missing",
            "lastAction": None if last is None else last.command,
        },
    )


def is_destination_guard(record: ActionRecord) -> bool:
    """A selector wait with ``verified`` landmark evidence (seed 0012, amendment 1349)."""
    evidence = record.evidence
    return (
        record.command == "wait"
        and isinstance(evidence, TargetEvidence)
        and evidence.verification == "verified"
    )
