"""How does text get into a field, and is it really there? (web.md, "Text")

Each kind of field has one way that makes trusted events and, where there is none, a setter that says
so. Everything a field cannot hold is refused before anything is typed; everything typed is read back.
"""

from __future__ import annotations

from typing import Any

from surefoot.drivers.web.act.aim import Place, ask, place_of
from surefoot.drivers.web.act.choice import choose
from surefoot.drivers.web.act.entering import Field, enter
from surefoot.drivers.web.act.handing import handed_over
from surefoot.drivers.web.act.keyboard import send_chord
from surefoot.drivers.web.act.outcome import Entered
from surefoot.drivers.web.act.pointer import finish
from surefoot.drivers.web.act.refusals import refusal
from surefoot.drivers.web.act.segments import keystrokes
from surefoot.drivers.web.pages.page import Page
from surefoot.drivers.web.see import FrameGone
from surefoot.errors import SurefootError
from surefoot.tree import Node

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
    facts = await ask(place, node, "inspect", text)
    _refuse(node, facts, text)
    if facts["kind"] == "select":
        return await choose(page, node, place, facts, text)
    field = Field(page, place, node, facts)
    if field.kind == "segments":
        return await _segments(field, facts["type"], text, facts["accepts"])
    if field.kind == "setter":
        return await _set(field, text, facts["accepts"])
    return await enter(field, text, delay_ms=delay_ms)


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


def utf16_length(text: str) -> int:
    """Length as ``maxlength`` counts it: UTF-16 code units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


async def _segments(field: Field, kind: str, text: str, wanted: str) -> Entered:
    """A date or time: typed segment by segment, else set (which makes untrusted events)."""
    with field.watched():
        # Each digit of a year makes another date: the page hears of the last one, as from a picker.
        await field.focus("parts" if kind == "date" else None)
        try:
            strokes = keystrokes(kind, wanted, await _order(field.place))
            for index, chord in enumerate(strokes or (), 1):
                if index == len(strokes or ()):
                    await field.last()
                    field.sent = True
                await finish(send_chord(field.page, chord))
            if strokes and (await field.held())[0] == wanted:
                return field.entered(wanted, wanted)
        except SurefootError as error:
            return field.unread(error)
        return await _set(field, text, wanted)


async def _set(field: Field, text: str, wanted: str) -> Entered:
    answer = await handed_over(field.page, ask(field.place, field.node, "setValue", text))
    if answer is None:
        return field.unread_behind_dialog(trusted=False)
    value = str(answer["value"])
    same = value == wanted or (field.kind == "setter" and value.lower() == text.lower())
    return field.entered(value, value if same else wanted, trusted=False)


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
