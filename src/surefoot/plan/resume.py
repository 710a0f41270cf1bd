"""Where a plan may be taken up again, and why not elsewhere (seed 0012, decision 4).

Resume reconstructs no state: what a skipped step would have produced, or a control flow half entered,
is not there. Pure preflight over the expanded plan; whether the app is in the right state, and whether
a correction was performed, is asked elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from surefoot.errors import invalid_args
from surefoot.plan.model import Plan
from surefoot.plan.step import PlanStep

Way = Literal["past", "at", "either"]
"""How a repair goes on: past the failed step (performed by hand), at it (the app was set right), or
either, which only the caller can decide."""

_DIGEST = re.compile(r"[0-9a-f]{64}")


class ResumeRefusal(Struct, frozen=True):
    """Why an ordinal cannot be resumed at; ``step`` is the ordinal of the step in the way."""

    reason: Literal["skipped_output_producer", "skipped_control_flow", "inside_control_flow"]
    step: int

    @property
    def message(self) -> str:
        return _MESSAGES[self.reason].format(self.step)


_MESSAGES = {
    "skipped_output_producer": "step {} produces values that later steps may use",
    "skipped_control_flow": "step {} belongs to a control flow that would be skipped",
    "inside_control_flow": "step {} is inside a control flow",
}


class ResumePoint(Struct, frozen=True, kw_only=True):
    """Where the continuation of a failed step starts; ``alternate`` is only given with ``allowed``.

    ``reason`` says why resuming at ``ordinal`` is not allowed. ``watermark`` is the ordinal from
    which on a resume must prove that a corrective action was performed, where there is one.
    """

    ordinal: int
    allowed: bool
    reason: str | None = None
    alternate: int | None = None
    watermark: int | None = None


def resume_refusal(steps: Sequence[PlanStep], ordinal: int) -> ResumeRefusal | None:
    """Why ``--from ordinal`` is not safe for this plan; ``None`` when it is.

    ``ordinal`` is 1 to ``len(steps) + 1``; the last one is the empty tail, which skips everything.
    """
    if ordinal == 1:
        return None
    for step in steps[: ordinal - 1]:
        if step.produces_output:
            return ResumeRefusal("skipped_output_producer", step.ordinal)
        if step.in_control_flow:
            return ResumeRefusal("skipped_control_flow", step.ordinal)
    if ordinal <= len(steps) and steps[ordinal - 1].in_control_flow:
        return ResumeRefusal("inside_control_flow", ordinal)
    return None


def resume_point(
    steps: Sequence[PlanStep], failed: int, way: Way, *, session_live: bool
) -> ResumePoint:
    """The continuation to report for the step with ordinal ``failed``.

    Whatever the way, who goes on past the failed step must prove that it was performed. The empty tail
    (``failed`` was the last step) is authorised only by a watermark, which only a live
    session can hold; without one it is withheld.
    """
    past = failed + 1
    is_tail = past == len(steps) + 1
    if way == "past":
        refusal = resume_refusal(steps, past)
        if refusal is not None:
            return ResumePoint(ordinal=past, allowed=False, reason=refusal.message)
        if is_tail and not session_live:
            return ResumePoint(
                ordinal=past, allowed=False, reason="no session is left that could have performed it"
            )
        return ResumePoint(ordinal=past, allowed=True, watermark=past)
    refusal = resume_refusal(steps, failed)
    if refusal is not None:
        return ResumePoint(ordinal=failed, allowed=False, reason=refusal.message)
    open_past = resume_refusal(steps, past) is None and (session_live or not is_tail)
    if not open_past:
        return ResumePoint(ordinal=failed, allowed=True)
    if way == "at":
        return ResumePoint(ordinal=failed, allowed=True, watermark=None if is_tail else past)
    return ResumePoint(ordinal=failed, allowed=True, alternate=past, watermark=past)


def check_resume(plan: Plan, ordinal: int, digest: str) -> None:
    """Refuse a resume this plan does not allow, before any action. ``INVALID_ARGS``, reasons:

    ``plan_digest_malformed``, ``plan_digest_mismatch``, ``from_out_of_range``, or the preflight's
    (:class:`ResumeRefusal`).
    """
    if _DIGEST.fullmatch(digest) is None:
        raise invalid_args(
            "--plan-digest is 64 lower-case hex digits.",
            hint="Copy `resume.planDigest` from the divergence.",
            reason="plan_digest_malformed",
        )
    if digest != plan.digest:
        raise invalid_args(
            "The plan is not the one that diverged: the script changed (a comment or blank line added "
            "above a step counts, for it moves the step), or its path, platform or target did.",
            hint="Replay the whole script again; its divergence will carry the new digest.",
            reason="plan_digest_mismatch",
            expectedDigest=digest,
            actualDigest=plan.digest,
        )
    if not 1 <= ordinal <= len(plan.steps) + 1:
        raise invalid_args(
            f"--from {ordinal} is out of range: the plan has {len(plan.steps)} steps.",
            hint="Use `resume.from` of the divergence; it counts steps, not lines.",
            reason="from_out_of_range",
            steps=len(plan.steps),
        )
    refusal = resume_refusal(plan.steps, ordinal)
    if refusal is not None:
        raise invalid_args(
            f"Cannot resume at step {ordinal}: {refusal.message}.",
            hint="Replay the whole script.",
            reason=refusal.reason,
            step=refusal.step,
        )
