"""Fragment capture: a reusable body recorded inside a live session, behind a verified landmark.

Seed 0020, "Recording UX" and "Fragment artifact and lifecycle ownership". The capture has a buffer of
its own, whose first record is the entry guard; the session's action log goes on beside it. ``ARMED``
once the guard is proven, ``PUBLISHED`` by a save alone, ``ABORTED`` by an abort, by what ends the
session, and by the end of the connection that owns the capture. It never opens or closes a session, and
it excludes an ordinary recording and a repair of the same session.
"""

from __future__ import annotations

import os
from enum import StrEnum
from pathlib import Path

from surefoot.compose import (
    Closure,
    FragmentSafe,
    SessionState,
    capture_conflict,
    fragment_identity,
    preflight,
)
from surefoot.errors import ErrorCode, SurefootError, invalid_args
from surefoot.identity import TargetEvidence
from surefoot.recording.authoring import authoring_of
from surefoot.recording.echo import Echoes
from surefoot.recording.lines import fragment_text
from surefoot.recording.publication import check_target, publish
from surefoot.recording.repair import repair_of
from surefoot.recording.scoring import StepLog
from surefoot.recording.target import recorded_targets
from surefoot.script import CommandGrammar
from surefoot.session import MAX_ACTIONS, ActionRecord, Session
from surefoot.tree import Node, Observation
from surefoot.wire import Published

START = "session fragment start"
ANEW = "Begin one: `surefoot session fragment start <path> --entry <selector>`."


class FragmentState(StrEnum):
    ARMED = "ARMED"
    PUBLISHED = "PUBLISHED"
    ABORTED = "ABORTED"


_SESSION_STATES: dict[FragmentState, SessionState] = {
    FragmentState.ARMED: "fragment_armed",
    FragmentState.PUBLISHED: "fragment_published",
    FragmentState.ABORTED: "fragment_aborted",
}


class FragmentCapture:
    """The capture of one fragment. ``target`` is absolute; ``records`` begin with the entry guard.

    ``lease`` is the connection that owns it: its end aborts the capture. ``None``: a one-shot command
    started it, and nothing but the session's end does.
    """

    kind = "fragment"

    def __init__(self, target: Path, guard: ActionRecord, *, force: bool, lease: str | None) -> None:
        self.target = target
        self.force = force
        self.lease = lease
        self.state = FragmentState.ARMED
        self.ended_by: str | None = None
        self.records: list[ActionRecord] = [guard]
        self.dropped = 0
        self.steps = StepLog()

    @property
    def active(self) -> bool:
        """Whether actions enter the fragment now."""
        return self.state is FragmentState.ARMED

    @property
    def exists(self) -> bool:
        """Whether something is at the target now."""
        return os.path.lexists(self.target)

    def keep(self, record: ActionRecord) -> None:
        """One more step of the body; past the bound it is counted, and no save takes the rest."""
        if len(self.records) >= MAX_ACTIONS:
            self.dropped += 1
        else:
            self.records.append(record)


def fragment_of(session: Session | None) -> FragmentCapture | None:
    """The session's fragment capture, whatever its state."""
    if session is not None and isinstance(session.recording, FragmentCapture):
        return session.recording
    return None


def refuse_armed(session: Session | None, operation: str) -> None:
    """``fragment_capture_conflict`` where a capture is armed and ``operation`` would overlap it."""
    capture = fragment_of(session)
    if capture is not None and capture.active:
        raise capture_conflict("fragment_armed", operation)


def refuse_captured(session: Session | None, operation: str) -> None:
    """``fragment_capture_conflict`` where the session's journey is, or was, a fragment's: no ordinary
    publication may say it a second time."""
    capture = fragment_of(session)
    if capture is not None:
        raise capture_conflict(_SESSION_STATES[capture.state], operation)


def entry_guard(
    session: Session, selector: str, found: tuple[Observation, Node], timeout_ms: int
) -> ActionRecord:
    """Local step 1: ``wait <selector> <timeout>`` with the landmark's evidence.

    Raises ``INVALID_ARGS`` ``fragment_entry_guard``, with ``problem`` ``no_identity`` (neither id nor
    label), ``secret`` (what names it is a hidden text) or ``unverifiable``.
    """
    echoes = Echoes(session.hidden.texts)
    _, bare = recorded_targets("wait", [found], "post_resolution")
    if bare is None:
        raise _unguarded(selector, "no_identity", "has neither an id nor a label that proves a screen")
    _, evidence = recorded_targets("wait", [found], "post_resolution", echoes)
    if not isinstance(evidence, TargetEvidence):
        raise _unguarded(selector, "secret", "is named by a text that this session keeps secret")
    if evidence.verification != "verified":
        raise _unguarded(selector, "unverifiable", "has no evidence that a replay could verify")
    return ActionRecord(
        command="wait",
        positionals=(echoes.in_selector(selector), str(timeout_ms)),
        evidence=evidence,
    )


def refuse_overlap(session: Session) -> None:
    """What a new capture may not overlap: an armed recording, a repair that is not over, another
    capture. ``INVALID_ARGS`` ``fragment_capture_conflict``."""
    authoring, repair = authoring_of(session), repair_of(session)
    if authoring is not None and authoring.active:
        raise capture_conflict("recording_armed", START)
    if repair is not None and repair.in_progress:
        raise capture_conflict("repair_armed", START)
    refuse_armed(session, START)


def arm_fragment(
    session: Session,
    capture: FragmentCapture,
    grammar: CommandGrammar,
    is_fragment_safe: FragmentSafe,
) -> FragmentCapture:
    """Arm it. Raises, with nothing armed, what :func:`refuse_overlap`, :func:`check_target` (but for a
    target that exists: a save says that) and the guard's own check as a fragment raise."""
    refuse_overlap(session)
    check_target(capture.target, force=True)
    _body(session, capture, grammar, is_fragment_safe)
    session.recording = capture
    return capture


def abort_fragment(session: Session | None, why: str) -> FragmentCapture | None:
    """Discard an armed capture; nothing is published. The capture, where there was one."""
    capture = fragment_of(session)
    if session is None or capture is None or not capture.active:
        return None
    capture.state = FragmentState.ABORTED
    capture.ended_by = why
    session.events.append(
        Published(kind="fragment", success=False, actions=len(capture.records), reason=why)
    )
    return capture


def release_fragment(session: Session, lease: str) -> None:
    """The connection ``lease`` is gone: so is the capture that it owns. The session stays."""
    capture = fragment_of(session)
    if capture is not None and capture.lease == lease:
        abort_fragment(session, "connection_ended")


def refuse_not_capturing(session: Session) -> FragmentCapture:
    """The armed capture a save or an abort was asked of; ``INVALID_ARGS`` ``fragment_not_armed``.

    ``details.state`` is ``never armed``, ``PUBLISHED`` or ``ABORTED``; ``endedBy`` says what ended it.
    """
    capture = fragment_of(session)
    if capture is not None and capture.active:
        return capture
    state = "never armed" if capture is None else capture.state.value
    ended = None if capture is None else capture.ended_by
    raise invalid_args(
        f"session {session.name} captures no fragment ({state}{f': {ended}' if ended else ''}).",
        hint=ANEW,
        reason="fragment_not_armed",
        state=state,
        endedBy=ended,
    )


class FragmentSave:
    """One save that nothing refuses any more: its place, its text and the digest that pins it."""

    def __init__(self, session: Session, capture: FragmentCapture, text: str, digest: str) -> None:
        self._session = session
        self._capture = capture
        self.text = text
        self.digest = digest
        self.force = capture.force

    @property
    def path(self) -> Path:
        return self._capture.target

    @property
    def actions(self) -> int:
        return len(self._capture.records)

    @property
    def steps(self) -> StepLog:
        """What is known of the captures its steps were recorded from."""
        return self._capture.steps

    def write(self) -> None:
        """Publish it. Whatever it raises leaves the capture armed and the target as it was.

        ``fragment_not_armed`` where the capture's connection ended since the save was admitted.
        """
        refuse_not_capturing(self._session)
        session, count = self._session, self.actions
        try:
            publish(self.path, self.text, force=self.force)
        except SurefootError as error:
            event = Published(kind="fragment", success=False, actions=count, reason=error.reason)
            session.events.append(event)
            raise
        self._capture.state = FragmentState.PUBLISHED
        session.events.append(Published(kind="fragment", success=True, actions=count))


def admit_fragment_save(
    session: Session,
    grammar: CommandGrammar,
    is_fragment_safe: FragmentSafe,
    *,
    force: bool = False,
) -> FragmentSave:
    """Everything a save can be refused for, in this order; the capture stays armed.

    ``fragment_not_armed``; ``too_many_actions``; what :func:`check_target` refuses; what
    :func:`~surefoot.recording.script_text` does; a body that is no sound fragment, as a preflight of
    its callers would say it.
    """
    capture = refuse_not_capturing(session)
    if capture.dropped:
        raise SurefootError(
            ErrorCode.COMMAND_FAILED,
            f"the capture holds more than {len(capture.records)} actions, too many to save.",
            hint="Record a shorter journey: `surefoot session fragment abort`, then start again.",
            details={"reason": "too_many_actions"},
        )
    check_target(capture.target, force=force or capture.force)
    text, digest = _body(session, capture, grammar, is_fragment_safe)
    save = FragmentSave(session, capture, text, digest)
    save.force = force or capture.force
    return save


def _body(
    session: Session,
    capture: FragmentCapture,
    grammar: CommandGrammar,
    is_fragment_safe: FragmentSafe,
) -> tuple[str, str]:
    """The fragment's text and digest, read back and found sound."""
    text = fragment_text(capture.target, session.platform, capture.records, grammar)
    found = preflight(Closure(str(capture.target), text.encode("utf-8"), grammar, is_fragment_safe))
    found.raise_first()
    return text, fragment_identity(found.graph.units[found.graph.root]).digest


def _unguarded(selector: str, problem: str, why: str) -> SurefootError:
    return invalid_args(
        f"{selector} {why}. Nothing was armed.",
        hint="Take an element that names the screen, such as its heading: "
        "--entry 'role=heading label=\"Sign in\"'.",
        reason="fragment_entry_guard",
        problem=problem,
        selector=selector,
    )
