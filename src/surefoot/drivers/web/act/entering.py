"""How is text typed into a field that can take it, and what is there afterwards?

It is put in at once where that is enough, and typed key by key where the field wants keys or hands the
focus on to the next box. The field is read back; where the page took it away meanwhile, that text
went into it is proven by its ``input`` event.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Iterator
from typing import Any

from surefoot.drivers.keys import NAMED, Chord, character
from surefoot.drivers.web.act.aim import Place, ask, disarm, new_token
from surefoot.drivers.web.act.gate import Verdict
from surefoot.drivers.web.act.keyboard import BATCH, send_chord, strike_all
from surefoot.drivers.web.act.outcome import Entered
from surefoot.drivers.web.act.pointer import finish
from surefoot.drivers.web.act.refusals import refusal
from surefoot.drivers.web.act.script import invoke
from surefoot.drivers.web.pages.page import Page
from surefoot.drivers.web.see import FrameGone
from surefoot.errors import SurefootError
from surefoot.tree import Node

RETRY_LIMIT = 4000
"""Characters up to which a differing field is typed again key by key."""
INSERT_DEADLINE = 30.0
DIALOG = "a dialog opened: not read back"
GONE = "text was entered, and the field is gone: not read back"
ONWARD = "the page moved on while typing: the text is in {count} fields"


class Field:
    """A field that text goes into: the one a handle names, or the focused one (number 0)."""

    def __init__(self, page: Page, place: Place, node: Node | None, facts: dict[str, Any]) -> None:
        self.page = page
        self.place = place
        self.node = node
        self.kind = str(facts["kind"])
        self.line = not facts["multiline"]
        self.secret = bool(facts["password"])
        self.token = new_token()
        self.verdict = Verdict({"input": 1})
        self.sent = False
        """Whether all that is to go into it has been handed to the browser."""

    async def focus(self, where: str | None) -> str:
        """Focus it, put the caret at its ``end`` or select ``all``; what it holds.

        With ``parts`` the page hears of what goes in from the :meth:`last` stroke only.
        """
        answer = await ask(self.place, self.node, "ready", where, self.token)
        if not answer["focused"]:
            raise refusal("not_delivered", self.node, why="the element did not take the focus")
        return str(answer["value"])

    async def last(self) -> None:
        """What follows completes the value."""
        await ask(self.place, self.node, "last")

    async def held(self) -> list[str]:
        """What it holds, and then what the fields hold that text went on to from there."""
        answer = await ask(self.place, self.node, "value")
        return [str(answer["value"]), *answer["onward"]]

    def same(self, value: str, text: str) -> bool:
        """Whether it holds the text; a rich field may end in the line break that holds it open."""
        value = value.replace("\r\n", "\n")
        if self.kind == "rich":
            plain = text.replace("\u00a0", " ")
            return value == plain or value.rstrip("\n") == plain.rstrip("\n")
        return value == text

    def entered(self, value: str, text: str, *, fields: int = 1, **how: Any) -> Entered:
        """The proven outcome, or ``text_mismatch`` with what is there instead (never of a secret)."""
        if not self.same(value, text):
            stopped = self.verdict.blocked
            if stopped is None:
                error = refusal("text_mismatch", self.node)
            else:
                error = refusal("focus_left", self.node, focusMovedTo=stopped["by"])
            error.details["actual"] = None if self.secret else value
            error.details["retried"] = how.get("retried", False)
            raise error
        warnings = (ONWARD.format(count=fields),) if fields > 1 else ()
        return Entered(
            value=None if self.secret else value, secret=self.secret, warnings=warnings, **how
        )

    def unread(self, error: SurefootError, *, retried: bool = False) -> Entered:
        """What is known when it cannot be read back; ``error`` itself where nothing is, or where the
        dialog it tells of opened before everything was sent."""
        if error.reason == "dialog_open" and self.sent:
            return self.unread_behind_dialog(retried=retried)
        if error.reason == "node_detached" and self.verdict.complete:
            return Entered(value=None, secret=self.secret, retried=retried, warnings=(GONE,))
        if error.reason == "dialog_open":
            error.details["typed"] = True if self.verdict.complete else None
        raise error

    def unread_behind_dialog(self, **how: Any) -> Entered:
        """Everything was handed over, and a dialog that opened hides what came of it."""
        return Entered(value=None, secret=self.secret, warnings=(DIALOG,), **how)

    @contextlib.contextmanager
    def watched(self) -> Iterator[None]:
        """Hear, while the block runs, that text goes into it."""
        with self.page.listening(self.token, self.verdict.hear):
            try:
                yield
            finally:
                disarm((self.place.frame,), self.token)


async def enter(
    field: Field, text: str, *, append: bool = False, boxes: bool = False, delay_ms: int = 0
) -> Entered:
    """Type ``text`` in place of what the field holds, or at its end, and prove it.

    ``boxes`` says that the text is longer than the field and goes on in the ones after it.
    """
    with field.watched():
        before = await field.focus("end" if append else "all")
        if append and field.line:  # some fields have no caret to place
            await finish(send_chord(field.page, Chord(NAMED["end"])))
        wanted = before + text if append else text
        retried = False
        try:
            await _type(field, text, boxes, delay_ms)
            held = await field.held()
            there = field.same(held[0], wanted) or field.same("".join(held), wanted)
            if not (there or delay_ms or boxes) and len(wanted) <= RETRY_LIMIT:
                retried = True
                held = await _again(field, held[0] if append else None, before, text)
        except SurefootError as error:
            await field.verdict.settled(0.05)
            return field.unread(error, retried=retried)
        if field.same(held[0], wanted):
            return field.entered(held[0], wanted, retried=retried)
        return field.entered("".join(held), wanted, fields=len(held), retried=retried)


async def _type(field: Field, text: str, boxes: bool, delay_ms: int) -> None:
    if boxes:
        await _into_boxes(field, text, delay_ms)
    elif delay_ms and text:
        await _strike(field, text, delay_ms)
    else:
        field.sent = True
        await field.page.call("Input.insertText", {"text": text}, deadline=INSERT_DEADLINE)


async def _again(field: Field, now: str | None, before: str, text: str) -> list[str]:
    """A second time, by keys: only the text where nothing of it arrived, else everything."""
    field.sent = False
    if now == before:
        await _strike(field, text)
    else:
        if await field.focus("all"):
            await finish(send_chord(field.page, Chord(NAMED["backspace"])))
        await _strike(field, text if now is None else before + text)
    return await field.held()


async def _strike(field: Field, text: str, delay_ms: int = 0) -> None:
    """By keys, ``delay_ms`` or some keys at a time; no further once one was stopped."""
    step = 1 if delay_ms else BATCH
    for begin in range(0, len(text), step):
        if begin:
            await asyncio.sleep(delay_ms / 1000)
        if field.verdict.blocked is not None:
            return
        field.sent = begin + step >= len(text)
        await strike_all(field.page, text[begin : begin + step])


async def _into_boxes(field: Field, text: str, delay_ms: int) -> None:
    """Character by character, and on to the next box as soon as the page has moved there.

    Ends early at a box that is full and keeps the focus.
    """
    for index, char in enumerate(text):
        if index:
            await asyncio.sleep(delay_ms / 1000)
            try:
                if not json.loads(await field.place.frame.evaluate(invoke("goesOn"), promise=True)):
                    return
            except FrameGone:
                raise refusal("node_detached", field.node) from None
        field.sent = index + 1 == len(text)
        await finish(send_chord(field.page, character(char)))
