"""How is text appended to whatever has the focus, and is it there? (``type``)"""

from __future__ import annotations

import json
from typing import Any

from surefoot.drivers.web.act.keyboard import focused, send_chord, strike_all
from surefoot.drivers.web.act.keys import NAMED, Chord
from surefoot.drivers.web.act.outcome import Entered
from surefoot.drivers.web.act.pointer import finish
from surefoot.drivers.web.act.refusals import refusal
from surefoot.drivers.web.act.script import invoke
from surefoot.drivers.web.act.text import INSERT_DEADLINE, RETRY_LIMIT, utf16_length
from surefoot.drivers.web.pages.frames import PageFrame
from surefoot.drivers.web.pages.page import Page
from surefoot.drivers.web.see import FrameGone
from surefoot.errors import ErrorCode, SurefootError

FOCUSED = "document.hasFocus() ? __surefootAct.focusedField() : 'null'"


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

    What has the focus but is no field (a canvas, a list) gets the keys; nothing can be read back then.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    await focused(page)
    frame, field = await _focused(page)
    if field["kind"] in ("none", "select", "setter", "segments"):
        await strike_all(page, text, delay_ms)
        return Entered(value=None, warnings=("the focused element is no text field: not read back",))
    _refuse(field, text)
    before = str((await _place(frame, "end"))["value"])
    if not field["multiline"]:
        await finish(send_chord(page, Chord(NAMED["end"])))
    wanted = before + text
    retried = False
    try:
        if delay_ms:
            await strike_all(page, text, delay_ms)
        else:
            await page.call("Input.insertText", {"text": text}, deadline=INSERT_DEADLINE)
        value = await _value(frame)
        if not _same(value, wanted) and len(wanted) <= RETRY_LIMIT and not delay_ms:
            retried = True
            if value != before:
                await _place(frame, "all")
                await strike_all(page, wanted)
            else:
                await strike_all(page, text)
            value = await _value(frame)
    except SurefootError as error:
        if error.reason != "dialog_open":
            raise
        return Entered(value=None, retried=retried, warnings=("a dialog opened: not read back",))
    if not _same(value, wanted):
        mismatch = refusal("text_mismatch", None)
        mismatch.details["actual"] = None if field["password"] else value
        mismatch.details["retried"] = retried
        raise mismatch
    return Entered(value=None if field["password"] else value, retried=retried)


def _same(value: str, wanted: str) -> bool:
    value = value.replace("\r\n", "\n")
    return value == wanted or value.rstrip("\n") == wanted.replace("\u00a0", " ").rstrip("\n")


def _refuse(field: dict[str, Any], text: str) -> None:
    if field["blocked"]:
        raise refusal(field["blocked"], None)
    if field["readonly"]:
        raise refusal("readonly", None)
    if not field["multiline"] and "\n" in text:
        raise refusal("bad_value", None, why="it has one line only")
    limit = field["maxlength"]
    length = utf16_length(str(field["value"]) + text)
    if limit is not None and length > limit:
        raise refusal("maxlength", None, max=limit, length=length)


async def _focused(page: Page) -> tuple[PageFrame, dict[str, Any]]:
    """The innermost document with the focus, and what is focused there."""
    for frame in reversed(page.frames()):
        if frame.context is None:
            continue
        try:
            field = json.loads(await frame.evaluate(FOCUSED))
        except FrameGone:
            continue
        if field is not None and not field.get("frame"):
            return frame, field
    raise no_focus()


async def _place(frame: PageFrame, where: str) -> dict[str, Any]:
    try:
        answer: dict[str, Any] = json.loads(await frame.evaluate(invoke("focusedPlace", where)))
    except FrameGone:
        raise no_focus() from None
    if "fail" in answer:
        raise refusal("node_detached", None)
    return answer


async def _value(frame: PageFrame) -> str:
    try:
        answer = json.loads(await frame.evaluate(invoke("focusedValue")))
    except FrameGone:
        raise refusal("node_detached", None) from None
    if "fail" in answer:
        raise refusal("node_detached", None)
    return str(answer["value"])
