"""Repair: a replay that records what works, healed by performing the drifted step once.

Seed 0012, decision 6: ``ARMED`` before step 1 (R1), ``COMPLETE`` when the plan reached its end, then
``COMMITTED`` by whatever ends the session (:mod:`surefoot.recording.repair_end`). The transaction lives
on the session and in the ledger, never in a request's flags (R7).
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import msgspec

from surefoot.compose import capture_conflict
from surefoot.errors import ErrorCode, SurefootError, invalid_args
from surefoot.plan import Plan
from surefoot.recording.authoring import CLOSE
from surefoot.recording.lines import script_text
from surefoot.recording.publication import check_target
from surefoot.script import CommandGrammar
from surefoot.session import (
    OUT_OF_BAND,
    ActionRecord,
    RepairLedger,
    RepairOwner,
    RepairRecord,
    Session,
    reached,
)


class RepairState(StrEnum):
    ARMED = "ARMED"
    COMPLETE = "COMPLETE"
    COMMITTED = "COMMITTED"
    ABORTED = "ABORTED"


@dataclass(frozen=True, slots=True)
class Standing:
    """Where the plan stands: ``ordinal`` is the step that was begun last and is not known to be done.

    ``since`` is how many actions the session had then; ``mutates`` is whether the step changes the app.
    """

    ordinal: int
    since: int
    mutates: bool


class Repair:
    """The repair transaction of one session. ``record`` is what the ledger holds of it."""

    kind: str = "repair"

    def __init__(self, ledger: RepairLedger, record: RepairRecord, plan: Plan, watermark: int) -> None:
        self.ledger = ledger
        self.record = record
        self.plan = plan
        self.watermark = watermark
        self.state = RepairState.ARMED
        self.standing = Standing(ordinal=1, since=watermark, mutates=True)
        self.refusal: SurefootError | None = None

    @property
    def active(self) -> bool:
        """Whether actions enter the healed script now."""
        return self.state is RepairState.ARMED

    @property
    def in_progress(self) -> bool:
        """Whether it is neither committed nor aborted."""
        return self.state in (RepairState.ARMED, RepairState.COMPLETE)

    @property
    def target(self) -> Path:
        return Path(self.record.target)

    def attach(self, session: Session | None) -> None:
        """The session is this repair's from now on, as soon as the first step opened it."""
        if session is not None and self.active:
            session.recording = self

    def begin(self, ordinal: int, session: Session | None, *, mutates: bool) -> None:
        """Step ``ordinal`` is about to run: everything before it is done."""
        self.attach(session)
        since = self.watermark if session is None else len(session.actions)
        self.standing = Standing(ordinal=ordinal, since=since, mutates=mutates)
        reached("step.begun")

    def admit(self, plan: Plan, ordinal: int, session: Session) -> None:
        """Refuse a continuation that would repeat a step or miss one (R2). ``INVALID_ARGS``.

        At the step that stands, always; past it only when an action was recorded since that can stand
        for it: one that changes the app for a step that does, never a reading without ``--record``.
        """
        if not self.active:
            raise _over(self, session)
        if plan.digest != self.plan.digest:
            raise invalid_args(
                f"session {session.name} repairs another script, {self.record.script}.",
                hint="Go on with that one, or end the repair with `surefoot close`.",
                reason="repair_other_plan",
                script=self.record.script,
            )
        standing = self.standing
        if ordinal not in (standing.ordinal, standing.ordinal + 1):
            raise invalid_args(
                f"a repair goes on at step {standing.ordinal}, or past it once it was done by hand: "
                f"--from {ordinal} would {'repeat' if ordinal < standing.ordinal else 'skip'} steps.",
                hint=f"Use --from {standing.ordinal} or --from {standing.ordinal + 1}.",
                reason="repair_out_of_order",
                ordinal=standing.ordinal,
            )
        if ordinal == standing.ordinal + 1 and not self._corrected(session):
            raise uncorrected(standing.ordinal)

    def _corrected(self, session: Session) -> bool:
        fitting = healed(session.actions.records[self.standing.since :])
        return any(
            one.provenance == OUT_OF_BAND and (one.mutates or not self.standing.mutates)
            for one in fitting
        )

    def complete(self, session: Session, grammar: CommandGrammar) -> None:
        """The plan is through: write the healed script into the ledger, whole; nothing is published.

        ``repair_complete`` for one that is over already (its session was closed under a run that did
        not hear it). What else it raises leaves the transaction open: ``target_not_portable`` and
        ``ref_not_portable`` (R4), ``open_missing`` (R5), ``too_many_actions``, ``repair_not_kept``.
        """
        if not self.active:
            raise _over(self, session)
        end = len(self.plan.steps) + (1 if self.plan.steps[-1].command != "close" else 0)
        self.standing = Standing(ordinal=end, since=len(session.actions), mutates=True)
        reached("plan.ended")
        try:
            text, count = self._text(session, grammar)
        except SurefootError as error:
            self.refusal = error
            raise
        self.keep(msgspec.structs.replace(self.record, state="COMPLETE", text=text, actions=count))
        self.state = RepairState.COMPLETE
        self.refusal = None
        reached("complete")

    def _text(self, session: Session, grammar: CommandGrammar) -> tuple[str, int]:
        if session.actions.dropped:
            raise SurefootError(
                ErrorCode.COMMAND_FAILED,
                f"the session performed more than {len(session.actions)} actions, too many to save.",
                hint="End the repair with `surefoot close`; nothing is saved.",
                details={"reason": "too_many_actions"},
            )
        records = [*healed(session.actions.records[self.watermark :]), CLOSE]
        if records[0].command != "open":
            raise SurefootError(
                ErrorCode.COMMAND_FAILED,
                "the healed script would not begin with an open, so no fresh session could replay it.",
                hint="End the repair with `surefoot close`, then start it again.",
                details={"reason": "open_missing"},
            )
        text = script_text(
            self.target,
            session.platform,
            records,
            grammar,
            context=self.plan.context,
            env=self.plan.env,
            healed=True,
        )
        return text, len(records)

    def keep(self, record: RepairRecord) -> None:
        """Put the record on disk, then here. ``COMMAND_FAILED`` ``repair_not_kept``."""
        try:
            self.ledger.write(record)
        except OSError as problem:
            raise SurefootError(
                ErrorCode.COMMAND_FAILED,
                f"the repair cannot be kept on disk: {problem.strerror or problem}.",
                hint="Free the disk of the state directory, then try again.",
                details={"reason": "repair_not_kept"},
            ) from problem
        self.record = record


@dataclass(frozen=True, slots=True, kw_only=True)
class Arming:
    """What ``replay --save-script`` asks for: absolute paths, and the command that starts it anew."""

    session: str
    script: Path
    target: Path
    directory: str
    restart: str


def default_healed(script: Path) -> Path:
    """Beside the original: ``login.ad`` is healed into ``login.healed.ad``."""
    stem = script.name.removesuffix(".ad")
    return script.with_name(f"{stem}.healed.ad")


def arm_repair(ledger: RepairLedger, asked: Arming, plan: Plan, session: Session | None) -> Repair:
    """Open the transaction, before step 1 and before anything is touched (R1).

    ``INVALID_ARGS``: ``initial_open_missing`` (R5), ``close_inside_script``, ``repair_active``,
    ``recording_active``, ``fragment_capture_conflict``, and what :func:`check_target` refuses.
    ``COMMAND_FAILED`` ``keep_alive_impossible``: the transaction could not outlive this request (R7). A
    tombstone of the session key is replaced.
    """
    _refuse_plan(plan)
    if session is not None:
        refuse_repairing(session)
        _refuse_recording(session)
    check_target(asked.target, force=False)
    record = RepairRecord(
        session=asked.session,
        state="ARMED",
        owner=RepairOwner(uid=os.getuid(), directory=asked.directory),
        platform=plan.platform,
        script=str(asked.script),
        plan_digest=plan.digest,
        target=str(asked.target),
        restart=asked.restart,
        token=secrets.token_hex(6),
    )
    watermark = 0 if session is None else len(session.actions)
    reached("arm.begun")
    try:
        ledger.write(record)
    except OSError as problem:
        raise SurefootError(
            ErrorCode.COMMAND_FAILED,
            "a repair must outlive the command that starts it, and the state directory takes no file: "
            f"{problem.strerror or problem}. No step was run.",
            hint="Free the disk, or choose another --state-dir.",
            details={"reason": "keep_alive_impossible"},
        ) from problem
    reached("armed")
    repair = Repair(ledger, record, plan, watermark)
    repair.attach(session)
    return repair


def repair_of(session: Session | None) -> Repair | None:
    """The session's repair transaction, whatever its state."""
    if session is not None and isinstance(session.recording, Repair):
        return session.recording
    return None


def holds_repair(session: Session | None) -> bool:
    """Whether the session is kept for a repair that is not through (``repairSessionHeld``)."""
    repair = repair_of(session)
    return repair is not None and repair.active


def refuse_repairing(session: Session) -> None:
    """A whole replay on a session under repair would record its steps a second time (R2)."""
    repair = repair_of(session)
    if repair is None or not repair.in_progress:
        return
    if not repair.active:
        raise _over(repair, session)
    standing = repair.standing.ordinal
    raise invalid_args(
        f"session {session.name} is repairing {repair.record.script}; it stands at step {standing}.",
        hint=f"Go on with `surefoot replay … --from {standing}` or, once the step was done by hand, "
        f"--from {standing + 1}. To start again run `surefoot close` first; nothing is saved then.",
        reason="repair_active",
        ordinal=standing,
    )


def refuse_save(session: Session, what: str) -> None:
    """``session save-script`` is no part of a repair (contracts.md, 0016)."""
    repair = repair_of(session)
    if repair is not None:
        raise invalid_args(
            f"session {session.name} is under repair, and {what} is not for repairs.",
            hint="`surefoot close` ends the repair and saves it once it is complete.",
            reason="repair_active",
            state=repair.state.value,
        )


def uncorrected(ordinal: int) -> SurefootError:
    """``corrective_action_missing``: whoever resumes past a step must have performed it."""
    return invalid_args(
        f"Step {ordinal} was not performed: no corrective action was recorded in this repair segment.",
        hint="Press the correct control by a ref of the divergence (without --no-record), or, if the "
        "corrective action is a reading, run it again with --record. Then resume.",
        reason="corrective_action_missing",
    )


def healed(records: Sequence[ActionRecord]) -> list[ActionRecord]:
    """The records that belong into a healed script: the provenance rule (amendment 1271).

    Left out is what only looks and was asked by the caller itself, unless it said ``--record``. A step
    of the plan that looks stays: the original checked it, so the healed script does.
    """
    return [record for record in records if not is_diagnostic(record)]


def is_diagnostic(record: ActionRecord) -> bool:
    """A reading the caller made to find its way (``isInteractiveObservation``)."""
    return record.observation_only and record.provenance == OUT_OF_BAND and not record.forced


def _refuse_plan(plan: Plan) -> None:
    commands = [step.command for step in plan.steps]
    if commands[:1] != ["open"]:
        raise invalid_args(
            f"{plan.path} does not begin with an open, so what it becomes could not replay alone.",
            hint="Put `open <url> --relaunch` before its first step.",
            reason="initial_open_missing",
        )
    if "close" in commands[:-1]:
        at = commands.index("close") + 1
        raise invalid_args(
            f"{plan.path} closes its session at step {at}, before its end; a repair keeps one session.",
            hint="Split the script there, and repair the parts.",
            reason="close_inside_script",
            step=at,
        )


def _refuse_recording(session: Session) -> None:
    recording = session.recording
    kind = recording.kind if recording is not None and recording.active else None
    if kind == "fragment":
        raise capture_conflict("fragment_armed", "replay --save-script")
    if kind is not None:
        raise invalid_args(
            f"session {session.name} is being recorded already ({kind}).",
            hint="End that first with `surefoot close`, or name another --session.",
            reason="recording_active",
        )


def _over(repair: Repair, session: Session) -> SurefootError:
    saved = repair.state is RepairState.COMPLETE
    return invalid_args(
        f"the repair in session {session.name} is {repair.state.value}: its plan is through.",
        hint=f"`surefoot close` publishes {repair.target}." if saved else "Run `surefoot close`.",
        reason="repair_complete",
        state=repair.state.value,
    )
