"""How far did a scroll really move the content, and is there more? (measured, never assumed)"""

from __future__ import annotations

import json

from surefoot.drivers.protocol import Direction, ScrollOutcome
from surefoot.drivers.web.act.aim import ask, place_of
from surefoot.drivers.web.act.refusals import refusal
from surefoot.drivers.web.act.script import invoke
from surefoot.drivers.web.pages.page import Page
from surefoot.drivers.web.see import FrameGone
from surefoot.tree import Node


async def scroll(page: Page, node: Node | None, direction: Direction, pixels: float) -> ScrollOutcome:
    """Scroll the node's nearest container that can move that way, or the page."""
    if node is not None:
        found = await ask(place_of(page, node), node, "scroll", direction, pixels, promise=True)
    else:
        top = page.tree.top
        if top is None:
            raise refusal("node_detached", None)
        try:
            answer = await top.evaluate(invoke("scroll", None, None, direction, pixels), promise=True)
        except FrameGone:
            raise refusal("node_detached", None) from None
        found = json.loads(answer)
    return ScrollOutcome(
        moved_x=float(found["x"]), moved_y=float(found["y"]), at_edge=bool(found["edge"])
    )
