"""What a replay tells of a composed step: its address and provenance, its resume, what to do next.

Seed 0020: no projection collapses a fragment's failure to a number of the whole run, and none is taken
to resume at. Decisions.md, "composed resume".
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from surefoot.compose import (
    Address,
    ComposedPlan,
    ResumeRequest,
    address_json,
    address_token,
    check_composed_resume,
    composed_resume_point,
    parse_token,
)
from surefoot.errors import invalid_args
from surefoot.plan import PlanSource
from surefoot.recording import holds_repair
from surefoot.replay.guidance import MAX_COMMAND_BYTES, WAYS
from surefoot.replay.resumption import WAYS as RESUME_WAYS
from surefoot.session import ResumeWatermark, Session
from surefoot.text import ellipsize
from surefoot.wire import AddressData, LineData, ProvenanceData, RepairHint, ResumeData

MAX_TOKEN_BYTES = 700
"""A longer token is not spelled out in a hint: it stands in the JSON."""
NAME_COLUMNS = 80


def step_token(plan: ComposedPlan, ordinal: int) -> str:
    """The token of the step at that place of the run (1-based)."""
    return address_token(plan.steps[ordinal - 1].address)


def address_data(plan: ComposedPlan, ordinal: int) -> AddressData:
    """Its address on the wire."""
    return _wire(plan.steps[ordinal - 1].address)


def provenance_data(plan: ComposedPlan, ordinal: int, cut: Callable[[str], str]) -> ProvenanceData:
    """Where it and the includes on the way to it were written; ``cut`` bounds a path."""
    where = plan.steps[ordinal - 1].provenance

    def line(source: PlanSource) -> LineData:
        return LineData(path=cut(source.path), line=source.line)

    return ProvenanceData(
        invocation_sources=tuple(map(line, where.invocation_sources)),
        step_source=line(where.step_source),
    )


def step_name(plan: ComposedPlan, ordinal: int) -> str:
    """``step 3 of fragments/auth.ad (line 10, included at flows/main.ad:12)``."""
    step = plan.steps[ordinal - 1]
    where = step.provenance
    path = ellipsize(where.step_source.path, NAME_COLUMNS)
    by = where.invocation_sources[-1:]
    included = f", included at {ellipsize(by[0].path, NAME_COLUMNS)}:{by[0].line}" if by else ""
    return f"step {step.address.local_step} of {path} (line {where.step_source.line}{included})"


def report_composed_resume(
    plan: ComposedPlan, ordinal: int, hint: RepairHint, session: Session | None
) -> ResumeData:
    """``resume`` of the divergence at that step; the session is left its watermark, or none."""
    point = composed_resume_point(plan, ordinal - 1, RESUME_WAYS[hint])
    if session is not None:
        session.resume = None
        if point.address is not None and plan.index[point.address] >= ordinal:
            session.resume = ResumeWatermark(
                plan_digest=plan.composition_digest,
                ordinal=plan.index[point.address] + 1,
                corrections=session.actions.corrections,
            )
    return ResumeData(
        allowed=point.allowed,
        composition_digest=plan.composition_digest,
        address=None if point.address is None else _wire(point.address),
        token=point.token,
        reason=point.reason,
        repair_session_held=holds_repair(session),
    )


def admit_composed_resume(plan: ComposedPlan, request: ResumeRequest, session: Session | None) -> int:
    """The place (0-based) where an admitted resume starts.

    ``INVALID_ARGS`` as :func:`~surefoot.compose.check_composed_resume` says, and
    ``corrective_action_missing`` where the divergence of this session asked for an action first.
    """
    at = check_composed_resume(plan, request)
    mark = None if session is None else session.resume
    if mark is None or session is None:
        return at
    asked = mark.plan_digest == plan.composition_digest and mark.ordinal <= at + 1
    if asked and session.actions.corrections <= mark.corrections:
        raise invalid_args(
            "Nothing was performed since the divergence that could stand for the step that is skipped.",
            hint="Do what the step meant (without --no-record), then resume; or replay the whole flow.",
            reason="corrective_action_missing",
        )
    return at


def composed_guidance(
    hint: RepairHint,
    resume: ResumeData,
    plan: ComposedPlan,
    ordinal: int,
    again: str | None,
    *,
    means: str | None = None,
) -> str:
    """The hint's text, a line each: ``means`` first. ``again`` is the caller's own command line without
    ``--from``."""
    lines = [means or WAYS[hint][0]]
    if not resume.allowed or resume.token is None or resume.address is None:
        reason = resume.reason or "the plan does not allow it"
        lines.append(f"No resume: {reason}. Replay the whole flow once the app is ready.")
        return "\n".join(lines)
    lines.append(_way(plan, ordinal, resume.token))
    lines.append(f"  {_command(again, resume)}")
    return "\n".join(lines)


def _way(plan: ComposedPlan, ordinal: int, token: str) -> str:
    """What has to be done before the flow can go on at the step of that token."""
    step = plan.steps[ordinal - 1].address.local_step
    skipped = plan.index[parse_token(token)] - ordinal
    if skipped < 0:
        return f"Bring the app to where step {step} starts (each command with --no-record), then run:"
    rest = f" and the {skipped} steps behind it" if skipped > 1 else ""
    rest = " and the step behind it" if skipped == 1 else rest
    return f"Do step {step}{rest} yourself, by a ref shown here, then run:"


def _command(again: str | None, resume: ResumeData) -> str:
    if again is None or len(again.encode()) > MAX_COMMAND_BYTES:
        again = "the same replay, and"
    token = resume.token or ""
    spelled = token if len(token) <= MAX_TOKEN_BYTES else "TOKEN (`resume.token` of --json)"
    return f"{again} --from {spelled} --composition-digest {resume.composition_digest}"


def _wire(address: Address) -> AddressData:
    return msgspec.convert(address_json(address), AddressData)
