"""How is text appended to whatever has the focus, and is it there? (``type``)"""

from __future__ import annotations

import json
from typing import Any

from surefoot.drivers.web.act.aim import Place
from surefoot.drivers.web.act.entering import INSERT_DEADLINE, Field, enter
from surefoot.drivers.web.act.keyboard import focused, strike_all
from surefoot.drivers.web.act.outcome import Entered
from surefoot.drivers.web.act.refusals import refusal
from surefoot.drivers.web.act.text import utf16_length
from surefoot.drivers.web.pages.frames import PageFrame
from surefoot.drivers.web.pages.page import Page
from surefoot.drivers.web.see import FrameGone, walker_source
from surefoot.errors import ErrorCode, SurefootError

FOCUSED = "document.hasFocus() ? __surefootAct.focusedField() : 'null'"
NO_FIELD = "Keys go there with `surefoot key`; `surefoot fill <target> <value>` sets other values."
UNREAD = "the focused element is no text field: not read back"


def no_focus() -> SurefootError:
    """Nothing has the focus that could take text."""
    return SurefootError(
        ErrorCode.COMMAND_FAILED,
        "Nothing that takes text has the focus.",
        hint="Press the field first, or use `surefoot fill <target> <text>`.",
        details={"reason": "no_focus"},
    )


async def append(page: Page, text: str, delay_ms: int = 0) -> Entered:
    """Type at the end of the focused field and read it back.

    Text that is longer than a short box goes on in the boxes after it, where the page moves the focus
    there. ``no_focus`` or ``not_editable``, before any key, where the focused element takes no text: a
    blank would press a button.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    await focused(page)
    frame, facts = await _focused(page)
    field = Field(page, Place(frame, "", 0), None, facts)
    if field.kind == "opaque":
        return await _unseen(field, text)
    boxes = _refuse(facts, text)
    if field.kind == "keys":
        await strike_all(page, text, delay_ms)
        return Entered(value=None, warnings=(UNREAD,))
    return await enter(field, text, append=True, boxes=boxes, delay_ms=delay_ms)


async def _unseen(field: Field, text: str) -> Entered:
    """Into a field in a closed shadow root, if there is one: text without keys presses nothing else."""
    with field.watched():
        await field.focus(None)
        field.sent = True
        try:
            await field.page.call("Input.insertText", {"text": text}, deadline=INSERT_DEADLINE)
        except SurefootError as error:
            return field.unread(error)
        await field.verdict.settled()
    if not field.verdict.complete:
        raise _not_editable()
    return Entered(value=None, secret=True, warnings=(UNREAD,))


def _not_editable() -> SurefootError:
    return refusal("not_editable", None, hint=NO_FIELD)


def _refuse(facts: dict[str, Any], text: str) -> bool:
    """Refuse what the field cannot hold; whether the text needs the boxes after it."""
    if facts["blocked"]:
        raise refusal(facts["blocked"], None)
    if facts["kind"] not in ("text", "rich", "keys"):
        raise _not_editable()
    if facts["readonly"]:
        raise refusal("readonly", None)
    if not facts["multiline"] and "\n" in text:
        raise refusal("bad_value", None, why="it has one line only")
    limit, held = facts["maxlength"], utf16_length(facts["value"])
    length = held + utf16_length(text)
    if limit is None or length <= limit:
        return False
    if held >= limit or length > limit + facts["roomAfter"]:
        raise refusal("maxlength", None, max=limit, length=length)
    return True


async def _focused(page: Page) -> tuple[PageFrame, dict[str, Any]]:
    """The innermost document with the focus, and what is focused there."""
    for frame in reversed(page.frames()):
        if frame.context is None:
            continue
        try:
            if not await frame.evaluate("globalThis.__surefoot?.document ?? ''"):
                await frame.evaluate(walker_source())  # nobody has looked at this document yet
            facts = json.loads(await frame.evaluate(FOCUSED))
        except FrameGone:
            continue
        if facts is not None and not facts.get("frame"):
            return frame, facts
    raise no_focus()
