"""The step loop: bind, verify, act, one step after the other; the first refusal ends it.

A step runs through the very same handler as the command typed by hand (architecture.md, "The way of one
action"); what the replay adds are the seams of :mod:`surefoot.replay.verification` and its provenance.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

from msgspec import Struct

from surefoot.drivers import Clock
from surefoot.errors import SurefootError
from surefoot.plan import BoundStep, Plan, bind_step
from surefoot.recording import Phase
from surefoot.replay.divergence import divergence
from surefoot.replay.verification import StepSeams, checks_of, seams_of
from surefoot.script import CommandGrammar, Scope
from surefoot.session import ReplayStep


class StepExecutor(Protocol):
    """Runs one bound step through its command's own descriptor and handler."""

    def phase(self, step: BoundStep) -> Phase:
        """When the step's evidence is verified (``target_identity_verification``)."""
        ...

    async def execute(self, step: BoundStep, provenance: ReplayStep, seams: StepSeams) -> None:
        """Run it. Raises :class:`~surefoot.errors.SurefootError`."""
        ...


class Replayed(Struct, frozen=True, kw_only=True):
    """A run that reached its end. ``skipped_close`` says an authored last ``close`` was left out."""

    steps: int
    duration_ms: int
    skipped_close: bool = False


OnStep = Callable[[BoundStep, int], Awaitable[None]]
"""Told before each step runs: the step, and how many there are in all."""


async def run(
    plan: Plan,
    scope: Scope,
    grammar: CommandGrammar,
    executor: StepExecutor,
    *,
    clock: Clock,
    keep_session: bool = False,
    on_step: OnStep | None = None,
) -> Replayed:
    """Run the plan's steps in order; ``keep_session`` skips exactly an authored terminal ``close``.

    ``scope`` is what the caller brings; the script's ``env`` is added here, and each step's variables
    are filled in just before it runs. Raises ``REPLAY_DIVERGENCE`` for the first step that was
    refused or failed; the steps before it stay done, the session stays as it is.
    """
    started = clock.now_ms()
    inner = scope.within(plan.env)
    steps = plan.steps
    skipped = keep_session and bool(steps) and steps[-1].command == "close"
    if skipped:
        steps = steps[:-1]
    for step in steps:
        bound = bind_step(step, inner, grammar)
        if on_step is not None:
            await on_step(bound, len(plan.steps))
        try:
            await _run_step(plan, bound, executor)
        except SurefootError as cause:
            raise divergence(plan, bound, cause) from cause
    return Replayed(
        steps=len(steps), duration_ms=round(clock.now_ms() - started), skipped_close=skipped
    )


async def _run_step(plan: Plan, bound: BoundStep, executor: StepExecutor) -> None:
    phase = executor.phase(bound)
    checks = checks_of(bound) if phase != "none" else ()
    for check in checks:
        check.refuse_unverifiable()
    provenance = ReplayStep(
        plan_digest=plan.digest,
        ordinal=bound.step.ordinal,
        path=bound.step.source.path,
        line=bound.step.source.line,
    )
    await executor.execute(bound, provenance, seams_of(bound, checks, phase))
