"""How is something dragged from one element to another so that both really took part?

Pages listen either to the pointer or to the browser's own drag and drop. The press is guarded like any
press; if the browser then begins a drag of its own, its events are sent at the destination instead,
and only a drop that the destination accepted is a success.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import Any

from surefoot.drivers.protocol import Point
from surefoot.drivers.web.act.aim import GATE_TTL_MS, aim, ask, disarm, new_token, place_of
from surefoot.drivers.web.act.gate import REPORT_WAIT, Verdict
from surefoot.drivers.web.act.pointer import INPUT_DEADLINE, finish, mouse
from surefoot.drivers.web.act.refusals import refusal
from surefoot.drivers.web.act.script import invoke
from surefoot.drivers.web.pages.frames import PageFrame
from surefoot.drivers.web.pages.page import Page
from surefoot.drivers.web.see import FrameGone
from surefoot.errors import SurefootError
from surefoot.tree import Node

STEP_MS = 16
ARM_WAIT = 0.15
NOT_TAKEN = "it accepted no drop (its dragover was not taken)"
CANCELLED = "the page cancelled the browser's own drag: only the pointer was moved"
DIALOG = "a dialog opened before the drag ended"


async def drag(
    page: Page, source: Node | Point, destination: Node | Point, ms: int
) -> tuple[Point, list[str]]:
    """Press at the source, move, release at the destination; where it was let go, and what to say.

    Raises the refusals of a press for either end; ``not_delivered`` when the source never got the
    press or cancelled the drag, and when the destination is no longer under the pointer (it is then let
    go at the source) or accepted no drop.
    """
    end = await _spot(page, destination, scroll=True)
    start = await _spot(page, source, scroll=isinstance(destination, Point))
    # The source may have scrolled the destination away: it is asked again, where it is now.
    end = await _spot(page, destination, scroll=False)
    if isinstance(source, Node):
        target = await aim(page, source, mode="down", scroll=False, ttl_ms=GATE_TTL_MS + ms)
        start, token, frames = Point(target.x, target.y), target.token, target.armed
    else:
        token = new_token()
        frames = tuple(frame for frame in page.frames() if frame.context is not None)
        await _everywhere(frames, invoke("arm", token, "any", GATE_TTL_MS + ms))
    try:
        if isinstance(destination, Node):
            place = place_of(page, destination)
            others = tuple(frame for frame in frames if frame is not place.frame)
            await _everywhere(others, invoke("onto", None, 0, token))
            await ask(place, destination, "onto", token)
        verdict = Verdict({"mousedown": 1})
        with page.listening(token, verdict.hear):
            return end, await _Drag(page, source, destination, verdict).run(start, end, ms)
    finally:
        disarm(frames, token)


async def _spot(page: Page, at: Node | Point, *, scroll: bool) -> Point:
    if isinstance(at, Point):
        return at
    target = await aim(page, at, enabled=False, scroll=scroll)
    disarm(target.armed, target.token)
    return Point(target.x, target.y)


async def _everywhere(frames: tuple[PageFrame, ...], expression: str) -> None:
    """Tell all frames; one that hangs is not waited for."""
    answers = [frame.start(expression).future for frame in frames]
    if answers:
        await asyncio.wait(answers, timeout=ARM_WAIT)


class _Drag:
    """One drag under way: what was pressed, what the gates report, the browser's own drag if any."""

    def __init__(
        self, page: Page, source: Node | Point, destination: Node | Point, verdict: Verdict
    ) -> None:
        self._page = page
        self._source = source
        self._destination = destination
        self._verdict = verdict
        self._let_go = False
        self._native: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()

    async def run(self, start: Point, end: Point, ms: int) -> list[str]:
        """The whole gesture, proven; what is worth saying of it."""
        page, verdict = self._page, self._verdict
        page.on_drag = lambda data: None if self._native.done() else self._native.set_result(data)
        await page.call("Input.setInterceptDrags", {"enabled": True})
        try:
            await self._gesture(start, end, ms)
            await verdict.settled()
        except SurefootError as error:
            await verdict.settled(0.05)
            if error.reason != "dialog_open" or not verdict.complete or not self._let_go:
                raise
            return [DIALOG]
        finally:
            page.on_drag = None
            page.start("Input.setInterceptDrags", {"enabled": False})
        blocked = verdict.blocked or {}
        if not verdict.seen["mousedown"]:
            raise refusal("not_delivered", _named(self._source, "The source"), by=blocked.get("by"))
        if self._native.done() and blocked.get("at") == "drop":
            raise self._missed("the drop went to another element", by=blocked.get("by"))
        if self._native.done() and not verdict.seen["drop"]:
            raise self._missed(NOT_TAKEN)
        return [CANCELLED] if verdict.seen["dragcancelled"] else []

    def _missed(self, why: str | None = None, **facts: Any) -> SurefootError:
        to = _named(self._destination, "The destination")
        return refusal("not_delivered", to, phase="release", why=why, **facts)

    async def _gesture(self, start: Point, end: Point, ms: int) -> None:
        page = self._page
        await finish(
            [
                mouse(page, "mouseMoved", start.x, start.y),
                mouse(page, "mousePressed", start.x, start.y, button="left", buttons=1, clickCount=1),
            ]
        )
        release = start
        try:
            await self._move(start, end, ms)
            if await self._is_native():
                await self._drop(end)
            elif self._verdict.seen["dragrefused"]:
                await finish([mouse(page, "mouseMoved", start.x, start.y, button="left", buttons=1)])
                raise refusal(
                    "not_delivered", _named(self._source, "The source"), why="it cancelled its own drag"
                )
            elif not await self._is_under(end):
                await finish([mouse(page, "mouseMoved", start.x, start.y, button="left", buttons=1)])
                raise self._missed("it is no longer under the pointer")
            release = end
        finally:
            last = mouse(page, "mouseReleased", release.x, release.y, button="left", clickCount=1)
        self._let_go = True
        await finish([last])

    async def _move(self, start: Point, end: Point, ms: int) -> None:
        """To the end in small steps, or until the browser begins a drag of its own."""
        steps = max(2, ms // STEP_MS)
        for index in range(1, steps + 1):
            part = index / steps
            x = start.x + (end.x - start.x) * part
            y = start.y + (end.y - start.y) * part
            moved = mouse(self._page, "mouseMoved", x, y, button="left", buttons=1)
            # A drag of the browser's own holds the answer to the move that began it.
            either: set[asyncio.Future[Any]] = {moved.future, self._native}
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED, timeout=INPUT_DEADLINE)
            if self._native.done():
                return
            await moved.result(INPUT_DEADLINE)
            if ms:
                await asyncio.sleep(ms / 1000 / steps)

    async def _is_native(self) -> bool:
        """Whether the browser drags by itself; it does not where the page cancelled ``dragstart``."""
        seen = self._verdict.seen
        if not self._native.done() and seen["dragstart"]:
            self._verdict.expect("dragdecided")
            await self._verdict.settled()
            if not (seen["dragcancelled"] or seen["dragrefused"]):
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(asyncio.shield(self._native), REPORT_WAIT)
        return self._native.done()

    async def _drop(self, end: Point) -> None:
        self._verdict.expect("drop")
        # The second dragOver goes to what the page has put under the pointer in answer to the first.
        for kind in ("dragEnter", "dragOver", "dragOver", "drop"):
            self._let_go = kind == "drop"
            await self._page.call(
                "Input.dispatchDragEvent",
                {"type": kind, "x": end.x, "y": end.y, "data": self._native.result()},
                deadline=INPUT_DEADLINE,
            )

    async def _is_under(self, point: Point) -> bool:
        """Whether the destination is under the point still (top frame only: frames were proven)."""
        if not isinstance(self._destination, Node):
            return True
        place = place_of(self._page, self._destination)
        if place.frame.parent is not None:
            return True
        try:
            answer = await place.frame.evaluate(
                invoke("under", place.document, place.number, point.x, point.y)
            )
        except FrameGone:
            return False
        return json.loads(answer) is True


def _named(end: Node | Point, otherwise: str) -> Node | str:
    return end if isinstance(end, Node) else otherwise
