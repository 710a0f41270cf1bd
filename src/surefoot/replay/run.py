"""The step loop: bind, verify, act, one step after the other; the first refusal ends it.

A step runs through the very same handler as the command typed by hand (architecture.md, "The way of one
action"); what the replay adds are the seams of :mod:`surefoot.replay.verification` and its provenance.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

from msgspec import Struct

from surefoot.compose import ComposedPlan, address_token
from surefoot.drivers import Clock
from surefoot.errors import SurefootError
from surefoot.plan import BoundStep, Plan, bind_step
from surefoot.recording import Phase
from surefoot.replay.divergence import Reporting, diverged
from surefoot.replay.failure import classify, unexpected
from surefoot.replay.launch import ride_out_launch
from surefoot.replay.renamed import renamed
from surefoot.replay.verification import StepSeams, TargetCheck, checks_of, seams_of
from surefoot.script import CommandGrammar, Scope
from surefoot.session import ReplayStep, Session


class StepExecutor(Protocol):
    """Runs one bound step through its command's own descriptor and handler."""

    def phase(self, step: BoundStep) -> Phase:
        """When the step's evidence is verified (``target_identity_verification``)."""
        ...

    def session(self) -> Session | None:
        """The session the steps run in, while it is open."""
        ...

    async def execute(self, step: BoundStep, provenance: ReplayStep, seams: StepSeams) -> None:
        """Run it. Raises :class:`~surefoot.errors.SurefootError`."""
        ...


class Replayed(Struct, frozen=True, kw_only=True):
    """A run that reached its end. ``skipped_close`` says an authored last ``close`` was left out;
    ``warnings`` tell of steps that acted on what is called otherwise than it was."""

    steps: int
    duration_ms: int
    skipped_close: bool = False
    warnings: tuple[str, ...] = ()


OnStep = Callable[[BoundStep, int], Awaitable[None]]
"""Told before each step runs: the step, and how many there are in all."""


async def run(
    plan: Plan,
    scope: Scope,
    grammar: CommandGrammar,
    executor: StepExecutor,
    *,
    clock: Clock,
    start: int = 1,
    keep_session: bool = False,
    on_step: OnStep | None = None,
    reporting: Reporting | None = None,
    composed: ComposedPlan | None = None,
) -> Replayed:
    """Run the plan's steps in order from the ordinal ``start`` on (an admitted resume); one past the
    last runs nothing. ``keep_session`` skips exactly an authored terminal ``close``.

    ``scope`` is what the caller brings; the script's ``env`` is added here, and each step's variables
    are filled in just before it runs. Raises ``REPLAY_DIVERGENCE`` for the first step that was
    refused or failed, whatever failed; the steps before it stay done, the session stays as it is.
    ``composed`` is the composition whose course the plan is: its steps are told by their addresses.
    """
    started = clock.now_ms()
    inner = scope.within(plan.env)
    left = executor.session()
    if left is not None:
        left.resume = None
    skipped = keep_session and bool(plan.steps) and plan.steps[-1].command == "close"
    steps = plan.steps[start - 1 : -1 if skipped else None]
    warnings: list[str] = []
    for step in steps:
        bound = bind_step(step, inner, grammar)
        if on_step is not None:
            await on_step(bound, len(plan.steps))
        await _run_step(plan, inner, bound, executor, reporting or Reporting(), composed, warnings)
    return Replayed(
        steps=len(steps),
        duration_ms=round(clock.now_ms() - started),
        skipped_close=skipped,
        warnings=tuple(warnings),
    )


async def _run_step(
    plan: Plan,
    scope: Scope,
    bound: BoundStep,
    executor: StepExecutor,
    how: Reporting,
    composed: ComposedPlan | None,
    warnings: list[str],
) -> None:
    phase: Phase = "none"
    checks: tuple[TargetCheck, ...] = ()
    try:
        phase = executor.phase(bound)
        checks = checks_of(bound) if phase != "none" else ()
        await _act(plan, bound, executor, phase, checks, composed)
    except Exception as error:  # whatever it is: a step that failed is a divergence (row B096)
        cause = error if isinstance(error, SurefootError) else unexpected(error)
        session = executor.session()
        latest = None if session is None else session.observation
        failure = classify(bound, cause, checks, phase, latest)
        raise await diverged(plan, scope, failure, session, how, composed, warnings) from error
    warnings += renamed(plan, scope, bound, checks, executor.session(), composed)


async def _act(
    plan: Plan,
    bound: BoundStep,
    executor: StepExecutor,
    phase: Phase,
    checks: tuple[TargetCheck, ...],
    composed: ComposedPlan | None,
) -> None:
    for check in checks:
        check.refuse_unverifiable()
    session = executor.session()
    if checks and phase == "pre_dispatch" and session is not None:
        await ride_out_launch(session)
    ordinal = bound.step.ordinal
    provenance = ReplayStep(
        plan_digest=plan.digest if composed is None else composed.composition_digest,
        ordinal=ordinal,
        path=bound.step.source.path,
        line=bound.step.source.line,
        address=None if composed is None else address_token(composed.steps[ordinal - 1].address),
    )
    await executor.execute(bound, provenance, seams_of(bound, checks, phase))
