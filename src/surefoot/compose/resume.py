"""Where a composed plan may be taken up again, and why not elsewhere (seed 0020, "Stable addressing").

Root steps and the first step of an invocation, by address and matching composition digest; never by
number. Only the target fragment's own guard runs: the caller owns the state that skipped parents would
have made.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct

from surefoot.compose.address import (
    DIGEST,
    Address,
    RootOwner,
    address_json,
    address_token,
    parse_token,
)
from surefoot.compose.plan import ComposedPlan
from surefoot.compose.refusals import ResumeReason, resume_refused
from surefoot.errors import SurefootError, invalid_args
from surefoot.plan import Way

_NUMBER: Final = re.compile(r"[0-9]+")


class ResumeRequest(Struct, frozen=True, kw_only=True):
    """``--from`` with the one digest that came with it."""

    from_: str
    plan_digest: str | None = None
    composition_digest: str | None = None


class ComposedResumePoint(Struct, frozen=True, kw_only=True):
    """Where a failed step's continuation starts. ``reason`` says why there is none."""

    allowed: bool
    composition_digest: str
    address: Address | None = None
    reason: str | None = None

    @property
    def token(self) -> str | None:
        return None if self.address is None else address_token(self.address)


class _Refused(Exception):
    def __init__(self, reason: ResumeReason, problem: str, message: str) -> None:
        super().__init__(message)
        self.reason: ResumeReason = reason
        self.problem, self.message = problem, message


def check_composed_resume(plan: ComposedPlan, request: ResumeRequest) -> int:
    """The place among ``plan.steps`` (0-based) where the run starts.

    ``INVALID_ARGS``: ``composition_digest_malformed``; ``fragment_resume_mismatch`` for another
    composition or fragment; ``fragment_resume_unsupported`` for a number, ``--plan-digest``, no
    token, a nonzero iteration, a control path, an unreachable step, or a step inside a body;
    ``fragment_unsupported`` for another address version.
    """
    if request.composition_digest is not None and not DIGEST.fullmatch(request.composition_digest):
        raise invalid_args(
            "--composition-digest is sha256: and 64 lower-case hex digits.",
            hint="Copy `resume.compositionDigest` from the divergence.",
            reason="composition_digest_malformed",
        )
    address: Address | None = None
    try:
        _check_request(plan, request)
        address = _address(plan, request)
        return _place(plan, address)
    except _Refused as refused:
        raise _refusal(plan, request, refused, address) from None


def refuse_composed_resume_of_flat(request: ResumeRequest) -> None:
    """Raise for a composition digest that came with a flat script; return for any other request."""
    if request.composition_digest is not None:
        raise resume_refused(
            "fragment_resume_mismatch",
            "flat_script",
            "The script is no composition, so it has no composition digest.",
            given=request.from_,
            expected=request.composition_digest,
            current=None,
        )


def _check_request(plan: ComposedPlan, request: ResumeRequest) -> None:
    if request.composition_digest is None:
        problem = "plan_digest" if request.plan_digest is not None else "no_composition_digest"
        raise _Refused(
            "fragment_resume_unsupported",
            problem,
            "A composed plan resumes with --composition-digest, never with --plan-digest.",
        )
    if request.composition_digest != plan.composition_digest:
        raise _Refused(
            "fragment_resume_mismatch",
            "composition_digest",
            "The composition is not the one that diverged: a step, a pin or the order of its includes"
            " changed.",
        )
    if _NUMBER.fullmatch(request.from_):
        raise _Refused(
            "fragment_resume_unsupported",
            "numeric_from",
            "A composed plan has no step numbers to resume at; --from takes a token.",
        )


def _address(plan: ComposedPlan, request: ResumeRequest) -> Address:
    try:
        return parse_token(request.from_)
    except SurefootError as error:
        if error.reason == "fragment_resume_unsupported":
            raise _Refused("fragment_resume_unsupported", "token_malformed", error.message) from None
        error.details.update(
            {
                "expectedCompositionDigest": request.composition_digest,
                "currentCompositionDigest": plan.composition_digest,
            }
        )
        raise


def _place(plan: ComposedPlan, address: Address) -> int:
    if (
        isinstance(address.owner, RootOwner)
        and address.owner.composition_digest != plan.composition_digest
    ):
        raise _Refused(
            "fragment_resume_mismatch", "owner", "The token is an address of another composition."
        )
    if not address.is_first_round:
        raise _Refused(
            "fragment_resume_unsupported",
            "iteration",
            "Only a first iteration can be resumed at: what the ones before it did is not there.",
        )
    if address.control_path:
        raise _Refused(
            "fragment_resume_unsupported",
            "control_path",
            "A step inside a repeat or retry cannot be resumed at: whether it is reached is only known"
            " when it runs.",
        )
    at = plan.index.get(address)
    if at is None:
        raise _unknown(plan, address)
    if not plan.steps[at].resumable:
        raise _Refused(
            "fragment_resume_unsupported",
            "mid_body",
            f"Step {address.local_step} is inside a fragment's body: its entry guard proves the screen"
            " of step 1 only.",
        )
    return at


def _unknown(plan: ComposedPlan, address: Address) -> _Refused:
    for step in plan.steps:
        other = step.address
        if other.invocation_path == address.invocation_path and other.owner != address.owner:
            return _Refused(
                "fragment_resume_mismatch", "owner", "Another fragment stands at that call site now."
            )
    return _Refused(
        "fragment_resume_unsupported",
        "unreachable",
        "No step of the plan has this address.",
    )


def _refusal(
    plan: ComposedPlan, request: ResumeRequest, refused: _Refused, address: Address | None
) -> SurefootError:
    more: Mapping[str, Any] = {} if address is None else {"address": address_json(address)}
    return resume_refused(
        refused.reason,
        refused.problem,
        refused.message,
        given=request.from_,
        expected=request.composition_digest,
        current=plan.composition_digest,
        **more,
    )


def composed_resume_point(plan: ComposedPlan, at: int, way: Way) -> ComposedResumePoint:
    """The continuation to report for the step at ``at`` (0-based) that failed.

    ``past``: its intent was performed by hand, so it goes on behind it
    (:meth:`ComposedPlan.next_point`). ``at``: the app was set right, so it is tried again, where a
    resume may start there. ``either`` is the caller's choice, told as ``at`` where that is possible.
    """
    step = plan.steps[at]
    digest = plan.composition_digest
    if way != "past" and step.resumable:
        return ComposedResumePoint(allowed=True, composition_digest=digest, address=step.address)
    if way == "at":
        return ComposedResumePoint(
            allowed=False,
            composition_digest=digest,
            reason="the step is inside a fragment's body, which can only be entered at its first step",
        )
    later = plan.next_point(at)
    if later is None:
        return ComposedResumePoint(
            allowed=False, composition_digest=digest, reason="no step of the root is left behind it"
        )
    return ComposedResumePoint(
        allowed=True, composition_digest=digest, address=plan.steps[later].address
    )
