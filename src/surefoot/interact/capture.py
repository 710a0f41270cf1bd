"""The one place that looks at the screen: reuses an unchanged observation, counts what it cost."""

from __future__ import annotations

from typing import Literal

from surefoot.errors import ErrorCode, SurefootError
from surefoot.session import Session
from surefoot.tree import Observation
from surefoot.wire import DialogData

Purpose = Literal["capture", "poll"]


async def observe(
    session: Session, *, fresh: bool = False, purpose: Purpose = "capture"
) -> Observation:
    """The screen as it is now; it becomes the session's latest observation.

    The latest one is returned as it is when the app says that nothing changed since (web.md,
    requirement 3), unless ``fresh``; a sparse one is never taken to be all there is. Captures of waits
    and readiness count as polls. Raises what the driver raises: ``CaptureUnreadable``,
    ``DIALOG_PENDING``, ``app_crashed``, ``driver_lost``, ...
    """
    latest = session.observation
    reusable = latest is not None and latest.quality == "ok" and not fresh
    if latest is not None and reusable and await session.app.unchanged(latest):
        if purpose == "capture":
            session.cost.reused += 1
        else:
            session.cost.polls += 1
        return latest
    if purpose == "capture":
        session.cost.captures += 1
    else:
        session.cost.polls += 1
    observation = await session.app.observe()
    session.observation = observation
    session.hidden.follow(observation.tree)
    return observation


def unseen_part(observation: Observation) -> str | None:
    """Why what the observation does not show may be there all the same; ``None`` where it shows all.

    A sparse capture, and one that a bound cut, say nothing of absence, nor that a match is the only
    one.
    """
    if observation.quality != "ok":
        return "the platform showed too little to trust"
    if observation.truncated:
        return "; ".join(observation.notes) or "the capture is cut at its bound"
    return None


def unseen_note(observation: Observation | None) -> str:
    """A sentence for a message that says something was not found; empty where all of it was seen."""
    why = None if observation is None else unseen_part(observation)
    return f" Not everything was seen: {why}." if why is not None else ""


def refuse_absence(observation: Observation, what: str) -> None:
    """``COMMAND_FAILED`` ``capture_truncated`` (or ``capture_sparse``) where that nothing seen matches
    ``what`` does not say that nothing does."""
    why = unseen_part(observation)
    if why is not None:
        raise SurefootError(
            ErrorCode.COMMAND_FAILED,
            f"Nothing seen matches {what}, but not everything was seen: {why}.",
            hint="Check for something that shows instead (`surefoot is visible`, `surefoot wait`), or "
            "act until less is on the page.",
            details={
                "reason": "capture_truncated" if observation.quality == "ok" else "capture_sparse",
                "target": what,
                "notes": list(observation.notes),
            },
        )


def open_dialog(session: Session) -> DialogData | None:
    """The native dialog open right now, with the command that answers it."""
    dialog = session.app.dialog()
    if dialog is None:
        return None
    return DialogData(
        kind=dialog.kind,
        message=dialog.message,
        default=dialog.default,
        url=dialog.url,
        next="surefoot dialog accept" if dialog.kind == "alert" else "surefoot dialog accept|dismiss",
    )


def refuse_pending_dialog(session: Session) -> None:
    """``DIALOG_PENDING`` when a dialog is open: nothing can be acted on, nothing was done."""
    dialog = open_dialog(session)
    if dialog is not None:
        raise SurefootError(
            ErrorCode.DIALOG_PENDING,
            f"A dialog ({dialog.kind}) is open: {dialog.message[:200]!r}.",
            details={
                "reason": "dialog_open",
                "dialog": {"kind": dialog.kind, "message": dialog.message},
            },
        )
