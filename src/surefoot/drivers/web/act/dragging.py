"""How is something dragged from one element to another so that both really took part?

Pages listen either to the pointer or to the browser's own drag and drop. The press is guarded like any
press; if the browser then begins a drag of its own, its events are sent at the destination instead.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any

from surefoot.drivers.protocol import Point
from surefoot.drivers.web.act.aim import GATE_TTL_MS, Place, aim, disarm, place_of
from surefoot.drivers.web.act.gate import Verdict
from surefoot.drivers.web.act.pointer import INPUT_DEADLINE, finish, mouse
from surefoot.drivers.web.act.refusals import refusal
from surefoot.drivers.web.act.script import invoke
from surefoot.drivers.web.pages.frames import PageFrame
from surefoot.drivers.web.pages.page import Page
from surefoot.drivers.web.see import FrameGone
from surefoot.tree import Node

STEP_MS = 16
DRAG_START_WAIT = 0.1


async def drag(page: Page, source: Node | Point, destination: Node | Point, ms: int) -> Point:
    """Press at the source, move, release at the destination; where it was let go.

    Raises the refusals of a press for either end; ``not_delivered`` when the source never got the
    press, or the destination is no longer under the pointer (it is then let go at the source).
    """
    end = await _spot(page, destination, scroll=True)
    start = await _spot(page, source, scroll=isinstance(destination, Point))
    # The source may have scrolled the destination away: it is asked again, where it is now.
    end = await _spot(page, destination, scroll=False)
    verdict = Verdict({"mousedown": 1})
    token: str | None = None
    frames: tuple[PageFrame, ...] = ()
    if isinstance(source, Node):
        target = await aim(page, source, mode="down", scroll=False, ttl_ms=GATE_TTL_MS + ms)
        start, token, frames = Point(target.x, target.y), target.token, target.armed
    native: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
    page.on_drag = lambda data: None if native.done() else native.set_result(data)
    await page.call("Input.setInterceptDrags", {"enabled": True})
    try:
        if token is None:
            await _gesture(page, start, end, ms, native, destination)
        else:
            with page.listening(token, verdict.hear):
                await _gesture(page, start, end, ms, native, destination)
                await verdict.settled()
            if not verdict.complete:
                by = (verdict.blocked or {}).get("by")
                raise refusal("not_delivered", source if isinstance(source, Node) else None, by=by)
    finally:
        page.on_drag = None
        page.start("Input.setInterceptDrags", {"enabled": False})
        if token is not None:
            disarm(frames, token)
    return end


async def _spot(page: Page, at: Node | Point, *, scroll: bool) -> Point:
    if isinstance(at, Point):
        return at
    target = await aim(page, at, enabled=False, scroll=scroll)
    disarm(target.armed, target.token)
    return Point(target.x, target.y)


async def _gesture(
    page: Page,
    start: Point,
    end: Point,
    ms: int,
    native: asyncio.Future[dict[str, Any]],
    destination: Node | Point,
) -> None:
    await finish(
        [
            mouse(page, "mouseMoved", start.x, start.y),
            mouse(page, "mousePressed", start.x, start.y, button="left", buttons=1, clickCount=1),
        ]
    )
    steps = max(2, ms // STEP_MS)
    released = False
    try:
        for index in range(1, steps + 1):
            part = index / steps
            x = start.x + (end.x - start.x) * part
            y = start.y + (end.y - start.y) * part
            moved = mouse(page, "mouseMoved", x, y, button="left", buttons=1)
            # A drag of the browser's own holds the answer to the move that began it.
            either: set[asyncio.Future[Any]] = {moved.future, native}
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED, timeout=INPUT_DEADLINE)
            if native.done():
                await _native_drop(page, end, native.result())
                released = True
                return
            await moved.result(INPUT_DEADLINE)
            if ms:
                await asyncio.sleep(ms / 1000 / steps)
        if isinstance(destination, Node) and not await _is_under(place_of(page, destination), end):
            await finish([mouse(page, "mouseMoved", start.x, start.y, button="left", buttons=1)])
            raise refusal("not_delivered", destination, phase="release")
        await finish([mouse(page, "mouseReleased", end.x, end.y, button="left", clickCount=1)])
        released = True
    finally:
        if not released:
            mouse(page, "mouseReleased", start.x, start.y, button="left", clickCount=1)


async def _native_drop(page: Page, end: Point, data: dict[str, Any]) -> None:
    for kind in ("dragEnter", "dragOver", "drop"):
        await page.call(
            "Input.dispatchDragEvent",
            {"type": kind, "x": end.x, "y": end.y, "data": data},
            deadline=INPUT_DEADLINE,
        )
    await finish([mouse(page, "mouseReleased", end.x, end.y, button="left", clickCount=1)])


async def _is_under(place: Place, point: Point) -> bool:
    """Whether the destination is still under the point (top frame only: frames were proven before)."""
    if place.frame.parent is not None:
        return True
    try:
        answer = await place.frame.evaluate(
            invoke("under", place.document, place.number, point.x, point.y)
        )
    except FrameGone:
        return False
    return json.loads(answer) is True
