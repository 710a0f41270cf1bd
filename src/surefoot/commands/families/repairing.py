"""The half of ``replay`` that repairs: arm before step 1, follow each step, complete at the end.

Seed 0012, decision 6. What a transaction is and may do is :mod:`surefoot.recording`'s; here it meets
the request.
"""

from __future__ import annotations

import shlex
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from surefoot.commands.context import Context
from surefoot.commands.families.common import absolute
from surefoot.commands.families.shapes import ReplayArgs
from surefoot.commands.language.script_grammar import SCRIPT_GRAMMAR
from surefoot.commands.language.spelling import refused
from surefoot.commands.running.steps import CommandStepExecutor
from surefoot.errors import SurefootError
from surefoot.plan import BoundStep, Plan
from surefoot.recording import (
    Arming,
    Repair,
    abort,
    arm_repair,
    default_healed,
    refuse_repairing,
    repair_of,
)
from surefoot.replay import StepSeams, admit_resume
from surefoot.session import ReplayStep, Session, reached
from surefoot.wire import RepairData


class RepairingExecutor(CommandStepExecutor):
    """Runs the steps of a repair: the session is the transaction's as soon as it is open."""

    def __init__(self, context: Context, platform: str | None, root: str, repair: Repair) -> None:
        super().__init__(context, platform, root)
        self._repair = repair

    def session(self) -> Session | None:
        """The session the steps run in, under repair from its first step on."""
        session = super().session()
        self._repair.attach(session)
        return session

    async def begin(self, step: BoundStep, _total: int) -> None:
        """Told before each step (``replay.OnStep``)."""
        descriptor, args = self._admit(step)
        mutates = descriptor.recording_effect(args) == "mutates"
        self._repair.begin(step.step.ordinal, self.session(), mutates=mutates)

    async def execute(self, step: BoundStep, provenance: ReplayStep, seams: StepSeams) -> None:
        """As it is, and told of where it ended."""
        await super().execute(step, provenance, seams)
        reached("step.done")


def admit_replay(context: Context, args: ReplayArgs, plan: Plan, again: str) -> Repair | None:
    """Everything that can refuse this replay for the sake of a repair; then the repair it runs under.

    A whole replay of a session under repair is refused (R2); ``--from`` continues its transaction
    without naming it (R7); ``--save-script`` opens one. ``again`` is the caller's command line.
    """
    session = context.store.find(context.session)
    if args.save_script:
        _refuse_unrecorded(context, "--save-script")
        return arm_repair(context.store.repairs, _arming(context, args, again), plan, session)
    if args.from_ is not None and args.plan_digest is not None:
        admit_resume(plan, int(args.from_), args.plan_digest, session)
        reached("resume.admitted")
    elif session is not None:
        refuse_repairing(session)
    repair = repair_of(session)
    if repair is None or not repair.active:
        return None
    _refuse_unrecorded(context, "--from")
    return repair


@asynccontextmanager
async def under_repair(repair: Repair | None, executor: CommandStepExecutor) -> AsyncIterator[None]:
    """The run of a repair: completed at its end; given up where it left no session that could go on."""
    if repair is None:
        yield
        return
    try:
        yield
        session = executor.session()
        if session is not None:
            repair.complete(session, SCRIPT_GRAMMAR)
    except SurefootError:
        reached("diverged")
        raise
    finally:
        if repair.active and executor.session() is None:
            abort(repair)


def repair_data(repair: Repair | None) -> RepairData | None:
    """How the transaction stands, for the answer of a replay that reached its end."""
    if repair is None:
        return None
    return RepairData(
        state="ARMED" if repair.active else "COMPLETE",
        path=repair.record.target,
        actions=repair.record.actions,
    )


def _arming(context: Context, args: ReplayArgs, again: str) -> Arming:
    script = Path(absolute(context, args.file))
    given = isinstance(args.save_script, str)
    target = Path(absolute(context, str(args.save_script))) if given else default_healed(script)
    flag = f"--save-script={shlex.quote(str(args.save_script))}" if given else "--save-script"
    return Arming(
        session=context.session,
        script=script,
        target=target,
        directory=context.caller.cwd,
        restart=f"{again} {flag}",
    )


def _refuse_unrecorded(context: Context, flag: str) -> None:
    if context.options.no_record:
        raise refused(
            f"{flag} of a repair and --no-record exclude each other: its steps are what is recorded",
            given="--no-record",
            hint="Leave --no-record out; it is for single actions that only set the app right.",
            reason="record_conflict",
        )
