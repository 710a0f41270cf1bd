"""Where on the screen does one very element take the hit, and is the gate armed for it?

The first two steps of web.md's acting sequence: the element's own document scrolls it into view, tries
points of its boxes and sees its rect equal in two frames; then each frame above proves that the
owner of the frame below takes the hit there, so that nothing lying over a frame is pressed instead.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Iterable
from typing import Any, Literal

from msgspec import Struct

from surefoot.drivers.web.act.refusals import refusal
from surefoot.drivers.web.act.script import invoke
from surefoot.drivers.web.connect.cdp import CdpError
from surefoot.drivers.web.pages.frames import PageFrame
from surefoot.drivers.web.pages.page import Page
from surefoot.drivers.web.see import FrameGone
from surefoot.errors import SurefootError
from surefoot.tree import Node

PATIENCE_MS = 1500
"""How long an element may keep moving before it is refused."""
GATE_TTL_MS = 3000
"""How long an armed gate waits for its gesture before it gives up by itself."""
BYSTANDER_WAIT = 0.15
"""Seconds to wait for frames that are not on the way to the element to close their gates."""
AIM_DEADLINE = 10.0

Mode = Literal["node", "down", "keys"]


class Place(Struct, frozen=True):
    """An element's own place: its frame and the number it has in that frame's document."""

    frame: PageFrame
    document: str
    number: int

    @property
    def handle(self) -> str:
        return f"{self.frame.id}:{self.document}.{self.number}"


class Aim(Struct, frozen=True, kw_only=True):
    """A proven point in CSS px of the top viewport, and the token its gate reports under."""

    x: float
    y: float
    token: str
    place: Place
    armed: tuple[PageFrame, ...]
    on: bool | None = None
    """The present state of the check box or radio button that a press here switches."""


def new_token() -> str:
    return secrets.token_hex(8)


def place_of(page: Page, node: Node) -> Place:
    """Where a node's handle leads. ``ELEMENT_NOT_FOUND node_detached`` when its frame is gone."""
    frame_id, _, rest = node.handle.rpartition(":")
    document, _, number = rest.partition(".")
    frame = page.tree.get(frame_id)
    if frame is None or not number.isdigit():
        raise refusal("node_detached", node)
    return Place(frame, document, int(number))


async def ask(
    place: Place, node: Node | None, function: str, *arguments: object, **kw: Any
) -> dict[str, Any]:
    """Call the acting script on an element; its refusals, and a vanished document, come out typed."""
    expression = invoke(function, place.document, place.number, *arguments)
    try:
        answer = await place.frame.evaluate(expression, **kw)
    except FrameGone:
        raise refusal("node_detached", node) from None
    parsed: dict[str, Any] = json.loads(answer)
    reason = parsed.pop("fail", None)
    if reason is not None:
        raise refusal(reason, node, place.frame.id, **parsed)
    return parsed


async def aim(
    page: Page,
    node: Node,
    *,
    mode: Mode = "node",
    enabled: bool = True,
    scroll: bool = True,
    as_seen: int = 0,
    ttl_ms: int = GATE_TTL_MS,
) -> Aim:
    """Prove a point of the node's element and arm the gates of every frame.

    Raises the refusals of :mod:`~surefoot.drivers.web.act.refusals`; nothing was sent then. An element
    that is not as it was seen, as far as :class:`~surefoot.drivers.Gesture` ``as_seen`` asks, is one.
    """
    place = place_of(page, node)
    token = new_token()
    options = {
        "token": token,
        "mode": mode,
        "ttl": ttl_ms,
        "scroll": scroll,
        "enabled": enabled,
        "patience": PATIENCE_MS,
        "asSeen": as_seen,
    }
    found = await ask(place, node, "aim", options, promise=True, deadline=AIM_DEADLINE)
    x, y = float(found["x"]), float(found["y"])
    armed = [place.frame]
    frame = place.frame
    while frame.parent is not None:
        x, y, frame = await _through(page, node, frame, x, y, options)
        armed.append(frame)
    others = [other for other in page.frames() if other not in armed]
    if others:
        mode_of_others = "any" if found.get("frameElement") else "none"
        await _close_bystanders(others, token, mode_of_others, ttl_ms)
    return Aim(x=x, y=y, token=token, place=place, armed=(*armed, *others), on=found["on"])


async def _through(
    page: Page, node: Node, frame: PageFrame, x: float, y: float, options: dict[str, Any]
) -> tuple[float, float, PageFrame]:
    """From a point in a frame to the same point in its parent, where the frame must take the hit."""
    parent = page.tree.get(frame.parent)
    try:
        number = await frame.owner()
        document = await parent.evaluate("globalThis.__surefoot?.document ?? ''") if parent else ""
    except FrameGone:
        raise refusal("node_detached", node) from None
    if parent is None or number is None:
        raise refusal("node_detached", node)
    owner = Place(parent, document, number)
    found = await ask(owner, node, "host", x, y, options, promise=True, deadline=AIM_DEADLINE)
    return float(found["x"]), float(found["y"]), parent


async def _close_bystanders(frames: list[PageFrame], token: str, mode: str, ttl_ms: int) -> None:
    """Nothing may be hit in any other frame, should one slide over the point in the last moment.

    A frame that does not answer in time cannot be waited for: the hit test already excluded it.
    """
    expression = invoke("arm", token, mode, ttl_ms)
    answers = [frame.start(expression) for frame in frames if frame.context is not None]

    async def closed() -> None:
        for answer in answers:
            try:
                await answer.result(1.0)
            except (CdpError, SurefootError):
                continue

    try:
        async with asyncio.timeout(BYSTANDER_WAIT):
            await closed()
    except TimeoutError:
        return


def disarm(frames: Iterable[PageFrame], token: str) -> None:
    """Take the gates down again, without waiting for it."""
    for frame in frames:
        if frame.context is not None and not frame.removed:
            frame.start(invoke("disarm", token))
