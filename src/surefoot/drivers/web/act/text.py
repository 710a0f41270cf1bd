"""How does text get into a field, and is it really there? (web.md, "Text")

Each kind of field has one way that makes trusted events and, where there is none, a setter that says
so. Everything a field cannot hold is refused before anything is typed; everything typed is read back.
"""

from __future__ import annotations

from typing import Any

from surefoot.drivers.web.act.aim import Place, ask, place_of
from surefoot.drivers.web.act.choice import choose
from surefoot.drivers.web.act.keyboard import send_chord, strike_all
from surefoot.drivers.web.act.keys import NAMED, Chord
from surefoot.drivers.web.act.outcome import Entered
from surefoot.drivers.web.act.pointer import finish
from surefoot.drivers.web.act.refusals import refusal
from surefoot.drivers.web.act.segments import keystrokes
from surefoot.drivers.web.pages.page import Page
from surefoot.drivers.web.see import FrameGone
from surefoot.errors import SurefootError
from surefoot.tree import Node

RETRY_LIMIT = 4000
"""Characters up to which a differing field is typed again key by key."""
INSERT_DEADLINE = 30.0
FORMS = {
    "color": "#ff8800",
    "date": "2026-03-14",
    "datetime-local": "2026-03-14T09:30",
    "month": "2026-03",
    "number": "12.5",
    "range": "12.5",
    "time": "09:30",
    "week": "2026-W11",
}
"""How a value of a field of this type is written (HTML, "value sanitization algorithm")."""


async def fill(page: Page, node: Node, text: str, delay_ms: int = 0) -> Entered:
    """Replace a field's content with ``text`` and prove it by reading it back."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    place = place_of(page, node)
    field = await ask(place, node, "inspect", text)
    _refuse(node, field, text)
    kind = field["kind"]
    if kind == "select":
        return await choose(page, node, place, field, text)
    if kind == "segments":
        return await _segments(page, node, place, field, text)
    if kind == "setter":
        value = (await ask(place, node, "setValue", text))["value"]
        return _checked(node, field, _same(kind, value, field["accepts"]), value, trusted=False)
    return await _typed(page, node, place, field, text, delay_ms)


def _refuse(node: Node, field: dict[str, Any], text: str) -> None:
    """What can be known beforehand is said before anything is typed."""
    kind, limit = field["kind"], field["maxlength"]
    if field["blocked"]:
        raise refusal(field["blocked"], node)
    if kind in ("none", "file"):
        hint = "upload" if kind == "file" else None
        raise refusal("not_editable", node, type=field["type"], use=hint)
    if field["readonly"]:
        raise refusal("readonly", node)
    if limit is not None and utf16_length(text) > limit:
        raise refusal("maxlength", node, max=limit, length=utf16_length(text))
    if kind == "text" and not field["multiline"] and "\n" in text:
        raise refusal("bad_value", node, why="it has one line only")
    accepts = field.get("accepts")
    if accepts is not None and text and not accepts:
        like = FORMS.get(field["type"])
        why = f"it is no {field['type']}" + (f" as {like} is one" if like else "")
        raise refusal("bad_value", node, why=why, type=field["type"], format=like)
    if accepts is not None and kind == "setter" and accepts.lower() != text.lower():
        raise refusal("bad_value", node, why=f"it would become {accepts!r}", type=field["type"])
    if kind == "segments" and not text and field["type"] is None:
        raise refusal("bad_value", node, why="it is empty")


async def _typed(
    page: Page, node: Node, place: Place, field: dict[str, Any], text: str, delay_ms: int
) -> Entered:
    await _focus(place, node, "all")
    retried = False
    try:
        if delay_ms and text:
            await strike_all(page, text, delay_ms)
        else:
            await page.call("Input.insertText", {"text": text}, deadline=INSERT_DEADLINE)
        value = await _read(place, node)
        if not _same(field["kind"], value, text) and 0 < len(text) <= RETRY_LIMIT and not delay_ms:
            retried = True
            before = await _focus(place, node, "all")
            if before["value"]:
                await finish(send_chord(page, Chord(NAMED["backspace"])))
            await strike_all(page, text)
            value = await _read(place, node)
    except SurefootError as error:
        if error.reason != "dialog_open":
            raise
        return Entered(value=None, retried=retried, warnings=("a dialog opened: not read back",))
    same = _same(field["kind"], value, text)
    return _checked(node, field, same, value, retried=retried)


def _checked(
    node: Node | None,
    field: dict[str, Any],
    same: bool,
    value: str,
    *,
    trusted: bool = True,
    retried: bool = False,
) -> Entered:
    """The entered value, or ``text_mismatch`` with what the field holds instead."""
    secret = bool(field.get("password"))
    if not same:
        error = refusal("text_mismatch", node)
        error.details["actual"] = None if secret else value
        error.details["retried"] = retried
        raise error
    return Entered(value=None if secret else value, trusted=trusted, retried=retried)


async def _focus(place: Place, node: Node, where: str) -> dict[str, Any]:
    answer = await ask(place, node, "ready", where)
    if not answer["focused"]:
        raise refusal("not_delivered", node, why="the element did not take the focus")
    return answer


async def _read(place: Place, node: Node | None) -> str:
    return str((await ask(place, node, "value"))["value"])


def _same(kind: str, value: str, text: str) -> bool:
    """Whether a field holds the text; a rich field may end in the line break that holds it open."""
    value = value.replace("\r\n", "\n")
    if kind == "rich":
        plain = text.replace("\u00a0", " ")
        return value == plain or value.rstrip("\n") == plain.rstrip("\n")
    return value == text or (kind == "setter" and value.lower() == text.lower())


def utf16_length(text: str) -> int:
    """Length as ``maxlength`` counts it: UTF-16 code units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


async def _segments(page: Page, node: Node, place: Place, field: dict[str, Any], text: str) -> Entered:
    """A date or time: typed segment by segment, else set (which makes untrusted events)."""
    wanted = field["accepts"]
    await _focus_only(place, node)
    order = await _order(place)
    strokes = keystrokes(field["type"], wanted, order)
    if strokes:
        for chord in strokes:
            await finish(send_chord(page, chord))
        value = await _read(place, node)
        if value == wanted:
            return _checked(node, field, True, value)
    value = (await ask(place, node, "setValue", text))["value"]
    return _checked(node, field, value == wanted, value, trusted=False)


async def _focus_only(place: Place, node: Node) -> None:
    answer = await ask(place, node, "focusField")
    if not answer["focused"]:
        raise refusal("not_delivered", node, why="the element did not take the focus")


async def _order(place: Place) -> str:
    """The order of a date's parts in the browser's language, e.g. ``mdy``."""
    expression = (
        "new Intl.DateTimeFormat(undefined, {dateStyle: 'short'}).formatToParts(0)"
        ".filter(p => p.type !== 'literal').map(p => p.type[0]).join('')"
    )
    try:
        return await place.frame.evaluate(expression)
    except FrameGone:
        return "mdy"
