"""What kind of failure a step's error is: of its target binding, or of the action (decision 4).

An annotated step that is verified before its dispatch fails by its binding where the selector matches
nothing, where the identity is not provably here, and where the screen could not be read at all;
anything else is ``action-failure``. The cause is always the error itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from surefoot.errors import CaptureUnreadable, ErrorCode, SurefootError
from surefoot.identity import Evidence, Refused
from surefoot.plan import BoundStep
from surefoot.recording import Phase
from surefoot.replay.verification import BindingRefused, TargetCheck
from surefoot.tree import Observation
from surefoot.wire import DivergenceKind, Endpoint

_MISSING = frozenset({"selector_not_found", "ref_label_not_found"})
_UNSEEN = frozenset({"capture_sparse", "capture_truncated"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A step that did not succeed. ``binding`` is set where its target binding refused it, with the
    capture that was judged in ``judged`` and the endpoint it speaks of."""

    step: BoundStep
    cause: SurefootError
    reason: str | None = None
    binding: Refused | None = None
    judged: Observation | None = None
    endpoint: Endpoint | None = None

    @property
    def kind(self) -> DivergenceKind:
        return "action-failure" if self.binding is None else self.binding.classification

    @property
    def evidence(self) -> Evidence | None:
        return self.step.evidence


def classify(
    step: BoundStep,
    cause: SurefootError,
    checks: Sequence[TargetCheck],
    phase: Phase,
    latest: Observation | None,
) -> Failure:
    """The failure behind an error. ``latest`` is what the step last saw."""
    refused = cause if isinstance(cause, BindingRefused) else None
    if refused is None and checks and phase == "pre_dispatch":
        refused = _binding(cause, checks, latest)
    reason = cause.reason
    if reason in _MISSING and refused is not None and refused.reason in _UNSEEN:
        reason = refused.reason
    if refused is None:
        return Failure(step=step, cause=cause, reason=reason)
    return Failure(
        step=step,
        cause=cause,
        reason=reason,
        binding=refused.refused,
        judged=refused.observation,
        endpoint=refused.endpoint,
    )


def unexpected(error: Exception) -> SurefootError:
    """An error of our own as the cause of a divergence: told, never swallowed (row B096)."""
    return SurefootError(
        ErrorCode.UNKNOWN,
        f"The step broke inside surefoot ({type(error).__name__}).",
        details={"reason": "internal_error"},
    )


def _binding(
    cause: SurefootError, checks: Sequence[TargetCheck], latest: Observation | None
) -> BindingRefused | None:
    check = _meant(cause, checks)
    if isinstance(cause, CaptureUnreadable):
        return check.unreadable("capture_unreadable")
    sparse = latest is not None and (latest.quality != "ok" or not len(latest.tree))
    if cause.reason == "capture_sparse" or (cause.reason in _MISSING and sparse):
        return check.unreadable("capture_sparse")
    if cause.reason in _MISSING and latest is not None and latest.truncated:
        return check.unreadable("capture_truncated")
    if cause.reason in _MISSING:
        return check.missing()
    return None


def _meant(cause: SurefootError, checks: Sequence[TargetCheck]) -> TargetCheck:
    """Of two endpoints the one the error names: the source is resolved first."""
    named = cause.details.get("target")
    for check in checks:
        if isinstance(named, str) and check.text == named:
            return check
    return checks[0]
