"""How is an option of a ``<select>`` chosen so that the page sees what a person would do?

A single choice is made by keys in the opened list: one trusted ``input`` and one ``change``. A list
that does not open, and a multiple one, are set, and that is said.
"""

from __future__ import annotations

import asyncio
from typing import Any

from surefoot.drivers.keys import NAMED, Chord
from surefoot.drivers.protocol import Gesture
from surefoot.drivers.web.act.aim import Place, ask
from surefoot.drivers.web.act.entering import Field
from surefoot.drivers.web.act.handing import handed_over
from surefoot.drivers.web.act.keyboard import send_chord
from surefoot.drivers.web.act.outcome import Entered
from surefoot.drivers.web.act.pointer import finish, press
from surefoot.drivers.web.act.refusals import refusal
from surefoot.drivers.web.pages.page import Page
from surefoot.errors import SurefootError
from surefoot.tree import Node

OPEN_POLLS = 10
POLL = 0.02
MOST_STEPS = 500
"""Arrow keys struck at most; a longer way is set instead."""
MAX_TOLD = 8
"""Options a message names; the details name twenty."""


async def choose(page: Page, node: Node, place: Place, field: dict[str, Any], text: str) -> Entered:
    """Select the option called ``text`` (label first, then value); see :func:`_names` where several
    may be."""
    options = field["options"]
    names = _names(options, text) if field["multiple"] else [text]
    wanted = sorted({_find(node, options, name) for name in names})
    label = "\n".join(options[index]["label"] for index in wanted)
    if [option["index"] for option in options if option["selected"]] == wanted:
        return Entered(value=label)
    the_list = Field(page, place, node, field)
    if not field["multiple"]:
        done = await _by_keys(node, the_list, options, wanted[0])
        if done is not None:
            return done
    answer = await handed_over(page, ask(place, node, "setOptions", wanted))
    if answer is None:
        return the_list.unread_behind_dialog(trusted=False)
    if answer["selected"] != wanted:
        error = refusal("text_mismatch", node)
        error.details["actual"] = "\n".join(options[index]["label"] for index in answer["selected"])
        raise error
    return Entered(value=label, trusted=False)


async def take(page: Page, node: Node, place: Place, index: int) -> bool:
    """Choose the option at ``index`` of the list at ``place``; whether it was done with trusted events.

    ``node`` is the option that was asked for. Raises as :func:`choose` does.
    """
    field = await ask(place, node, "inspect", None)
    if field["blocked"]:
        raise refusal(field["blocked"], node)
    options = field["options"]
    if options[index]["disabled"]:
        raise refusal("disabled", node)
    if options[index]["selected"] and not field["multiple"]:
        return True
    owner = Node(index=0, parent=-1, depth=0, role="combobox", handle=place.handle)
    if not field["multiple"] and await _by_keys(
        owner, Field(page, place, owner, field), options, index
    ):
        return True
    kept = [option["index"] for option in options if option["selected"] and field["multiple"]]
    wanted = sorted({*kept, index})
    answer = await handed_over(page, ask(place, node, "setOptions", wanted))
    if answer is not None and answer["selected"] != wanted:
        raise refusal("not_delivered", node)
    return False


def _names(options: list[dict[str, Any]], text: str) -> list[str]:
    """The options a text names of a list that holds several: one a line, or with commas between them,
    as its value shows them, unless one is called so; none for an empty text."""
    known = {option[key] for option in options for key in ("label", "value")}
    if not text and text not in known:
        return []
    if "\n" in text or " ".join(text.split()) in known or text in known:
        return text.split("\n")
    return [name.strip() for name in text.split(",")]


def _find(node: Node, options: list[dict[str, Any]], name: str) -> int:
    wanted = " ".join(name.split())
    for key in ("label", "value"):
        found = [option for option in options if option[key] == (wanted if key == "label" else name)]
        if len({option["value"] for option in found}) > 1:
            raise refusal("bad_value", node, why=f"{len(found)} options are called {name!r}")
        usable = [option for option in found if not option["disabled"]]
        if usable:
            return int(usable[0]["index"])
        if found:
            raise refusal("bad_value", node, why=f"the option {name!r} is disabled")
    known = [option["label"] for option in options[:20]]
    has = ", ".join(map(repr, known[:MAX_TOLD])) + (", …" if len(options) > MAX_TOLD else "")
    why = (
        f"it has no option {name!r}, only {has}"
        if known
        else f"it has no option {name!r}, and no other"
    )
    raise refusal("bad_value", node, why=why, options=known)


async def _by_keys(
    node: Node, field: Field, options: list[dict[str, Any]], wanted: int
) -> Entered | None:
    """Open the list, walk to the option, take it. ``None`` when the list could not be opened."""
    usable = [option["index"] for option in options if not option["disabled"]]
    now = next((option["index"] for option in options if option["selected"]), -1)
    steps = usable.index(wanted) - (usable.index(now) if now in usable else -1)
    if abs(steps) > MOST_STEPS:
        return None
    try:
        await press(field.page, node, Gesture())
    except SurefootError as error:
        if error.reason not in ("covered", "no_pointer", "offscreen", "zero_size", "moving"):
            raise
        return None
    with field.watched():
        try:
            return await _walk(field, steps, options[wanted])
        except SurefootError as error:
            await field.verdict.settled(0.05)
            return field.unread(error)


async def _walk(field: Field, steps: int, option: dict[str, Any]) -> Entered | None:
    for _ in range(OPEN_POLLS):
        if (await ask(field.place, field.node, "chosen", field.token))["open"]:
            break
        await asyncio.sleep(POLL)
    else:
        return None
    arrow = Chord(NAMED["arrowdown" if steps > 0 else "arrowup"])
    for _ in range(abs(steps)):
        await finish(send_chord(field.page, arrow))
    field.sent = True
    await finish(send_chord(field.page, Chord(NAMED["enter"])))
    for _ in range(OPEN_POLLS):
        answer = await ask(field.place, field.node, "chosen")
        if answer["selected"] == [option["index"]]:
            return Entered(value=option["label"])
        await asyncio.sleep(POLL)
    return None
