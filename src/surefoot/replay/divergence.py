"""From a step that failed to the ``REPLAY_DIVERGENCE`` its caller gets (seed 0012, decision 4).

The error that stopped the step is never masked: it is the report's cause and the exception's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from surefoot.compose import ComposedPlan
from surefoot.errors import ErrorCode, SurefootError
from surefoot.plan import Plan
from surefoot.replay.composed import (
    composed_guidance,
    report_composed_resume,
    step_name,
    step_token,
)
from surefoot.replay.failure import Failure
from surefoot.replay.guidance import guidance, meaning
from surefoot.replay.redaction import variables_used
from surefoot.replay.repair_hint import repair_hint
from surefoot.replay.report import Draft, finish
from surefoot.replay.resumption import report_resume
from surefoot.replay.screen import READS, Sight, look
from surefoot.replay.suggestions import parts_of, suggest
from surefoot.script import Scope
from surefoot.selectors import Selector, parse_selector
from surefoot.session import Session, looks_like_ref
from surefoot.wire import Divergence, DivergenceSeen, Level


@dataclass(frozen=True, slots=True, kw_only=True)
class Reporting:
    """How this run tells of a divergence: at what level, and the caller's own command line without
    ``--from`` (``again``), for the commands of the hint."""

    level: Level = "default"
    again: str | None = None


async def diverged(
    plan: Plan,
    scope: Scope,
    failure: Failure,
    session: Session | None,
    how: Reporting,
    composed: ComposedPlan | None = None,
    warnings: Sequence[str] = (),
) -> SurefootError:
    """The error to raise for a failed step. Looks once; publishes the refs it shows.

    ``details``: ``divergence`` (the report), ``reason`` and, where the step waited, ``readiness``;
    ``warnings`` of the steps before it, where there are any.
    """
    step = failure.step.step
    sight = await look(session, reads=step.command in READS, recorded=parts_of(failure.evidence))
    report = _report(plan, scope, failure, session, sight, how, composed)
    if session is not None:
        session.events.append(
            DivergenceSeen(
                kind=report.kind,
                step=step.ordinal,
                address=None if composed is None else step_token(composed, step.ordinal),
            )
        )
    details: dict[str, object] = {
        "reason": failure.reason or report.kind.replace("-", "_"),
        "divergence": msgspec.to_builtins(report),
    }
    if "readiness" in failure.cause.details:
        details["readiness"] = failure.cause.details["readiness"]
    if warnings:
        details["warnings"] = list(warnings)
    did = "failed" if failure.binding is None else "did not run"
    means = meaning(report.repair_hint, report.kind, report.cause)
    return SurefootError(
        ErrorCode.REPLAY_DIVERGENCE,
        f"{_name(plan, report, composed, step.ordinal)} {did}: {report.cause.message}",
        hint=guidance(
            report.repair_hint,
            report.resume,
            step.ordinal,
            how.again,
            means=means,
            by_ref=bool(step.targets),
        )
        if composed is None
        else composed_guidance(
            report.repair_hint, report.resume, composed, step.ordinal, how.again, means=means
        ),
        details=details,
    )


def _name(plan: Plan, report: Divergence, composed: ComposedPlan | None, ordinal: int) -> str:
    """The step in the message: of a composition by its owner's own count, never by the run's."""
    if composed is not None:
        return step_name(composed, ordinal)
    where = f"{report.step.source.path}:{report.step.source.line}"
    return f"step {ordinal} of {len(plan.steps)} ({where})"


def _report(
    plan: Plan,
    scope: Scope,
    failure: Failure,
    session: Session | None,
    sight: Sight,
    how: Reporting,
    composed: ComposedPlan | None,
) -> Divergence:
    step = failure.step.step
    hint = repair_hint(failure.kind, failure.evidence, sight.observation, failure.endpoint)
    observation = sight.observation
    suggested = (
        [] if observation is None else suggest(observation, _selectors(failure), failure.evidence)
    )
    draft = Draft(
        plan=plan,
        failure=failure,
        sight=sight,
        suggested=suggested,
        hint=hint,
        resume=report_resume(plan, step.ordinal, hint, session)
        if composed is None
        else report_composed_resume(composed, step.ordinal, hint, session),
        values=[
            *variables_used(plan, step.ordinal, scope.values),
            *(() if session is None else session.hidden.marks),
        ],
        level=how.level,
        composed=composed,
    )
    return finish(draft, session)


def _selectors(failure: Failure) -> list[Selector]:
    """The selectors the step names its targets by."""
    step = failure.step
    texts = [step.positionals[at] for at in step.step.targets]
    texts += [str(step.flags[name]) for name in step.step.target_flags if name in step.flags]
    return [parse_selector(text) for text in texts if not looks_like_ref(text)]
