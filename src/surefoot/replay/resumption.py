"""Taking a plan up again: what a divergence promises, and what a resume must prove (decision 4).

The watermark is what a divergence leaves on its session: whoever resumes past the failed step must have
recorded a corrective action since. It is bound to the very plan and ordinal, and lost with the session.
"""

from __future__ import annotations

from collections.abc import Mapping

from surefoot.errors import invalid_args
from surefoot.plan import Plan, Way, check_resume, resume_point
from surefoot.recording import holds_repair, repair_of, uncorrected
from surefoot.session import ResumeWatermark, Session
from surefoot.wire import RepairHint, ResumeData

WAYS: Mapping[RepairHint, Way] = {
    "record-and-heal": "past",
    "state-repair": "at",
    "caution": "either",
    "manual": "either",
}


def report_resume(plan: Plan, failed: int, hint: RepairHint, session: Session | None) -> ResumeData:
    """``resume`` of the divergence at step ``failed``; the session is left its watermark, or none.

    ``repair_session_held`` is set where the session carries a repair transaction that is not through,
    whatever the flags of this request were (R7).
    """
    point = resume_point(plan.steps, failed, WAYS[hint], session_live=session is not None)
    if session is not None:
        session.resume = None
        if point.watermark is not None:
            session.resume = ResumeWatermark(
                plan_digest=plan.digest,
                ordinal=point.watermark,
                corrections=session.actions.corrections,
            )
    return ResumeData(
        allowed=point.allowed,
        from_=point.ordinal,
        plan_digest=plan.digest,
        reason=point.reason,
        alternate_from=point.alternate,
        repair_session_held=holds_repair(session),
    )


def admit_resume(plan: Plan, ordinal: int, digest: str, session: Session | None) -> None:
    """Refuse a resume that is not safe, before any action.

    ``INVALID_ARGS`` with the reasons of :func:`~surefoot.plan.check_resume`, ``resume_past_end`` (only
    the very session and plan that diverged at the last step may finish past it) and
    ``corrective_action_missing`` (nothing was recorded since that could stand for the failed step). A
    session under repair admits by its transaction alone (:meth:`~surefoot.recording.Repair.admit`).
    """
    check_resume(plan, ordinal, digest)
    repair = repair_of(session)
    if repair is not None and session is not None and repair.in_progress:
        repair.admit(plan, ordinal, session)
        return
    mark = None if session is None else session.resume
    if mark is not None and mark.plan_digest != plan.digest:
        mark = None
    if ordinal == len(plan.steps) + 1 and (mark is None or mark.ordinal != ordinal):
        raise invalid_args(
            f"--from {ordinal} lies past the last step, and no divergence of this session there "
            "says that its intent can be performed by hand.",
            hint="Replay the whole script, or resume at `resume.from` of its divergence.",
            reason="resume_past_end",
        )
    if mark is None or session is None or ordinal < mark.ordinal:
        return
    if session.actions.corrections <= mark.corrections:
        raise uncorrected(mark.ordinal - 1)
