"""Native dialogs: read, waited for, answered on request only, never by themselves (rows B131, B133)."""

from __future__ import annotations

from surefoot.drivers import Delivery
from surefoot.errors import ErrorCode, SurefootError
from surefoot.interact.act import DEFAULT
from surefoot.interact.aftermath import watch
from surefoot.interact.capture import open_dialog
from surefoot.interact.dispatch import send
from surefoot.interact.model import ActOptions, Interaction
from surefoot.interact.polling import PAUSES_MS
from surefoot.interact.response import respond
from surefoot.session import Session
from surefoot.text import normalize, truncate_utf8
from surefoot.wire import DialogData

MAX_MESSAGE_BYTES = 256
_ARTICLE = {"alert": "an", "beforeunload": "a", "confirm": "a"}


async def answer_dialog(
    session: Session,
    accept: bool,
    text: str | None = None,
    options: ActOptions = DEFAULT,
    *,
    expected: str | None = None,
) -> Interaction:
    """Accept or dismiss the open dialog; the answer names it (``answered``) and what is open now.

    Raises ``COMMAND_FAILED`` ``no_dialog``; with ``expected`` (a replayed step's recorded message)
    ``dialog_mismatch`` for another message; ``no_prompt`` for a ``text`` only a prompt could take.
    Nothing is answered then.
    """
    dialog = open_dialog(session)
    if dialog is None:
        raise _no_dialog("No dialog is open.")
    if expected is not None and dialog_message(expected) != dialog_message(dialog.message):
        raise SurefootError(
            ErrorCode.COMMAND_FAILED,
            f"The open dialog says {dialog.message[:200]!r}, not {expected[:200]!r}.",
            hint="Look at it with `surefoot dialog get`; nothing was answered.",
            details={
                "reason": "dialog_mismatch",
                "expected": expected,
                "dialog": {"kind": dialog.kind, "message": dialog.message},
            },
        )
    if text is not None and dialog.kind != "prompt":
        raise SurefootError(
            ErrorCode.COMMAND_FAILED,
            f"The open dialog is {_ARTICLE[dialog.kind]} {dialog.kind}, which takes no text.",
            hint="Answer it without one: `surefoot dialog accept`; nothing was answered.",
            details={
                "reason": "no_prompt",
                "dialog": {"kind": dialog.kind, "message": dialog.message},
            },
        )
    await send(session, lambda: session.app.answer_dialog(accept, text))
    delivery = Delivery()
    after = await watch(session, options, delivery, None)
    return respond(session, "dialog", None, delivery, after, answered=dialog)


def dialog_message(message: str) -> str:
    """What a recording keeps of a dialog, and a replay compares: normalised, 256 bytes at most."""
    return truncate_utf8(normalize(message), MAX_MESSAGE_BYTES)


async def wait_dialog(session: Session, timeout_ms: float = 10_000) -> DialogData:
    """The open dialog, waited for if need be. ``TIMEOUT`` ``dialog_missing`` when none opens."""
    started = session.clock.now_ms()
    polls = 0
    while True:
        polls += 1
        dialog = open_dialog(session)
        if dialog is not None:
            return dialog
        left = timeout_ms - (session.clock.now_ms() - started)
        if left <= 0:
            raise SurefootError(
                ErrorCode.TIMEOUT,
                f"No dialog opened within {timeout_ms:g} ms.",
                details={"reason": "dialog_missing", "waitedMs": round(timeout_ms), "polls": polls},
            )
        await session.clock.sleep(min(PAUSES_MS[min(polls, len(PAUSES_MS)) - 1], left))


def current_dialog(session: Session) -> DialogData:
    """The open dialog. ``COMMAND_FAILED`` ``no_dialog`` when there is none."""
    dialog = open_dialog(session)
    if dialog is None:
        raise _no_dialog("No dialog is open.")
    return dialog


def _no_dialog(message: str) -> SurefootError:
    return SurefootError(
        ErrorCode.COMMAND_FAILED,
        message,
        hint="Run `surefoot dialog wait` to wait for one.",
        details={"reason": "no_dialog"},
    )
