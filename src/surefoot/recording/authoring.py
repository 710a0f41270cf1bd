"""Authoring: a session that is recorded into a script from its first ``open`` to its ``close``.

contracts.md, "Authoring recordings": ``ARMED`` only by a new session's first ``open --save-script``;
a second successful ``open`` makes it ``ABORTED``, which is terminal; ``PUBLISHED`` by the close of an
armed recording. A publication that fails leaves it armed and retryable.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

from surefoot.errors import ErrorCode, SurefootError, invalid_args
from surefoot.recording.lines import script_text
from surefoot.recording.publication import check_target, publish
from surefoot.script import CommandGrammar
from surefoot.session import ActionRecord, Session
from surefoot.wire import SavedData

CLOSE = ActionRecord(command="close")


class AuthoringState(StrEnum):
    ARMED = "ARMED"
    ABORTED = "ABORTED"
    PUBLISHED = "PUBLISHED"


class Authoring:
    """The authoring recording of one session; ``target`` is absolute."""

    kind = "authoring"

    def __init__(self, target: Path, *, force: bool) -> None:
        self.target = target
        self.force = force
        self.state = AuthoringState.ARMED

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


def refuse_unarmed(session: Session) -> None:
    """``close --save-script`` without a live recording: refused before anything is torn down."""
    recording = authoring_of(session)
    if recording is not None and recording.active:
        return
    state = "never armed" if recording is None else recording.state.value
    raise invalid_args(
        f"session {session.name!r} has no recording to save ({state}).",
        hint="Record from the start: `surefoot open <url> --save-script[=path]`. "
        "A plain `surefoot close` still ends this session.",
        reason="recording_not_armed",
        state=state,
    )


def publish_closing(
    session: Session, grammar: CommandGrammar, *, target: Path | None = None, force: bool = False
) -> SavedData | None:
    """Publish an armed recording, ending with ``close``, before the session is torn down.

    ``None`` when nothing is armed. Whatever it raises leaves the session open and the recording armed.
    """
    recording = authoring_of(session)
    if recording is None or not recording.active:
        return None
    if session.actions.dropped:
        raise SurefootError(
            ErrorCode.COMMAND_FAILED,
            f"the session performed more than {len(session.actions)} actions, too many to save.",
            hint="End it without a script: `surefoot close --no-record`.",
            details={"reason": "too_many_actions"},
        )
    path = target or recording.target
    records = [*session.actions.records, CLOSE]
    publish(
        path,
        script_text(path, session.platform, records, grammar),
        force=force or recording.force,
    )
    recording.state = AuthoringState.PUBLISHED
    return SavedData(path=str(path), session=session.name, actions=len(records))
