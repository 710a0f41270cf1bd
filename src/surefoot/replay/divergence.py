"""What a refused step answers: the plan's place, the action, the cause (seed 0012, decision 4)."""

from __future__ import annotations

from typing import Any

from surefoot.errors import ErrorCode, SurefootError
from surefoot.plan import BoundStep, Plan
from surefoot.replay.verification import BindingRefused
from surefoot.text import single_line, truncate_utf8

MAX_FIELD_BYTES = 256


def divergence(plan: Plan, step: BoundStep, cause: SurefootError) -> SurefootError:
    """The ``REPLAY_DIVERGENCE`` of a step that was refused or failed. The cause is never masked."""
    where = f"{step.step.source.path}:{step.step.source.line}"
    kind = _kind(step, cause)
    details: dict[str, Any] = {
        "reason": cause.reason or kind.replace("-", "_"),
        "divergence": {
            "version": 1,
            "kind": kind,
            "step": {
                "index": step.step.ordinal,
                "source": {"path": step.step.source.path, "line": step.step.source.line},
            },
            "action": _bounded(step.command),
            "cause": {
                "code": cause.code.value,
                "message": _bounded(cause.message),
                **({"reason": cause.reason} if cause.reason else {}),
            },
            "resume": {"planDigest": plan.digest},
        },
    }
    if "readiness" in cause.details:
        details["readiness"] = cause.details["readiness"]
    return SurefootError(
        ErrorCode.REPLAY_DIVERGENCE,
        f"step {step.step.ordinal} of {len(plan.steps)} ({where}) did not run: {cause.message}",
        hint=cause.hint,
        details=details,
    )


def _kind(step: BoundStep, cause: SurefootError) -> str:
    if isinstance(cause, BindingRefused):
        return cause.refused.classification
    if cause.reason == "selector_not_found" and step.evidence is not None:
        return "selector-miss"
    return "action-failure"


def _bounded(text: str) -> str:
    return truncate_utf8(single_line(text), MAX_FIELD_BYTES)
