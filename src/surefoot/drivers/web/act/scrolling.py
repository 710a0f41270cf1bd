"""How far did a scroll really move the content, and is there more? (measured, never assumed)"""

from __future__ import annotations

import json
from typing import Any

from surefoot.drivers.protocol import Direction, ScrollOutcome
from surefoot.drivers.web.act.aim import ask, new_token, place_of
from surefoot.drivers.web.act.handing import handed_over
from surefoot.drivers.web.act.refusals import refusal
from surefoot.drivers.web.act.script import invoke
from surefoot.drivers.web.pages.page import Page
from surefoot.drivers.web.see import FrameGone
from surefoot.tree import Node


async def _scrolled(
    page: Page, node: Node | None, direction: Direction, pixels: float, token: str
) -> dict[str, Any]:
    if node is not None:
        return await ask(place_of(page, node), node, "scroll", direction, pixels, token, promise=True)
    top = page.tree.top
    if top is None:
        raise refusal("node_detached", None)
    try:
        answer = await top.evaluate(
            invoke("scroll", None, None, direction, pixels, token), promise=True
        )
    except FrameGone:
        raise refusal("node_detached", None) from None
    found: dict[str, Any] = json.loads(answer)
    return found


async def scroll(page: Page, node: Node | None, direction: Direction, pixels: float) -> ScrollOutcome:
    """Scroll the node's nearest container that can move that way, or the page."""
    token = new_token()
    told: list[dict[str, Any]] = []
    with page.listening(token, told.append):
        found = await handed_over(page, _scrolled(page, node, direction, pixels, token))
    if found is None and not told:
        page.check()
    found = found or told[0]  # measured before the page heard of it and opened a dialog
    return ScrollOutcome(
        moved_x=float(found["x"]), moved_y=float(found["y"]), at_edge=bool(found["edge"])
    )
