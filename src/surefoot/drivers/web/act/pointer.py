"""How does a press land on the very element that was resolved, or not at all? (web.md, "Acting")"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Sequence
from typing import Any

from surefoot.drivers.protocol import Gesture, Point
from surefoot.drivers.web.act.aim import GATE_TTL_MS, Aim, aim, disarm, new_token
from surefoot.drivers.web.act.gate import Verdict
from surefoot.drivers.web.act.refusals import refusal
from surefoot.drivers.web.act.script import invoke
from surefoot.drivers.web.connect.cdp import Answer
from surefoot.drivers.web.pages.page import Page
from surefoot.drivers.web.see import FrameGone
from surefoot.errors import ErrorCode, SurefootError
from surefoot.tree import Node

INPUT_DEADLINE = 15.0
BUTTONS = {"left": 1, "right": 2, "middle": 4}
LAST_EVENT = {"left": "click", "right": "contextmenu", "middle": "auxclick"}
TAKEN = "the page captured the pointer: another element got the release and the click"
DIALOG = "a dialog opened before the press ended"
KEPT = "the check box or radio button it switches is {state} as before"
SWITCH_WAIT = 0.5
ATTEMPTS = 2
"""Aims a press gets: the gate stopped the first before the page saw anything, so a second is safe."""


def mouse(page: Page, kind: str, x: float, y: float, **more: Any) -> Answer:
    """Send one mouse event; always to the main session, which hit-tests through every frame."""
    return page.start("Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, **more})


def expected_events(gesture: Gesture) -> dict[str, int]:
    """The events that must reach the element before a gesture counts as delivered."""
    if gesture.kind == "hover":
        return {"mousemove": 1}
    expected = {"mousedown": gesture.count, LAST_EVENT[gesture.button]: gesture.count}
    if gesture.count == 2 and gesture.button == "left":
        expected["dblclick"] = 1
    return expected


async def press(page: Page, node: Node, gesture: Gesture) -> tuple[Point, list[str]]:
    """Act on exactly this node's element; where it was hit, and what is worth saying.

    Raises a refusal when nothing was sent, ``not_delivered`` when something was and the element did
    not get it, and never returns without the element having had its event.
    """
    for attempt in range(ATTEMPTS):
        ttl = GATE_TTL_MS + gesture.hold_ms * gesture.count
        target = await _aim(page, node, gesture, ttl, again=attempt > 0)
        verdict = Verdict(expected_events(gesture))
        try:
            with page.listening(target.token, verdict.hear):
                interrupted = await _send(page, target.x, target.y, gesture, verdict)
        finally:
            disarm(target.armed, target.token)
        if verdict.complete:
            kept = await _kept(page, target, gesture)
            return Point(target.x, target.y), [*([TAKEN] if verdict.taken else []), *kept]
        if interrupted is not None and not _began(verdict, gesture):
            if interrupted.reason == "dialog_open" and verdict.seen:
                return Point(target.x, target.y), [DIALOG] if gesture.kind == "press" else []
            raise interrupted
        if verdict.blocked is not None and verdict.blocked.get("changed"):
            raise refusal("brought_into_view", node)
        if verdict.blocked is not None and not verdict.seen["pointerdown"] and attempt + 1 < ATTEMPTS:
            continue
        return Point(target.x, target.y), [_judge(node, target, gesture, verdict, interrupted)]
    raise AssertionError("a press is judged in its last attempt")


async def _aim(page: Page, node: Node, gesture: Gesture, ttl: int, *, again: bool) -> Aim:
    """Aim; ``again``, after the pointer has moved there: what changed may have answered that, so an
    element that is another thing now is not looked for elsewhere."""
    as_seen = min(gesture.as_seen, 2) if again else gesture.as_seen
    try:
        return await aim(page, node, enabled=gesture.kind == "press", as_seen=as_seen, ttl_ms=ttl)
    except SurefootError as error:
        if again and error.reason == "brought_into_view":
            raise refusal("not_delivered", node) from error
        raise


async def _kept(page: Page, target: Aim, gesture: Gesture) -> list[str]:
    """What to say when a press that switches a check box or radio button left it as it was."""
    if (
        target.on is None
        or gesture.kind != "press"
        or gesture.button != "left"
        or gesture.count % 2 == 0
    ):
        return []
    place = target.place
    answer = place.frame.start(invoke("switched", place.document, place.number))
    answer.future.add_done_callback(lambda _done: page.stir())
    with contextlib.suppress(SurefootError, FrameGone):  # what it opened, or led to, is told elsewhere
        await page.until(lambda: answer.done or page.navigating or page.obstructed, SWITCH_WAIT)
        if answer.done and json.loads(await place.frame.finish(answer)) is target.on:
            return [KEPT.format(state="on" if target.on else "off")]
    return []


def _began(verdict: Verdict, gesture: Gesture) -> bool:
    return verdict.seen["mousedown" if gesture.kind == "press" else "mousemove"] > 0


def _judge(
    node: Node, target: Aim, gesture: Gesture, verdict: Verdict, interrupted: SurefootError | None
) -> str:
    """A press that did not run its whole course: what to say of it, or the error it is."""
    blocked = verdict.blocked
    if not _began(verdict, gesture):
        by = blocked.get("by") if blocked else None
        if verdict.seen["pointerdown"]:  # it had the beginning of the press, so this is no refusal
            raise refusal(
                "not_delivered", node, target.place.frame.id, by=by, phase="press", delivered=0
            )
        if blocked is not None:
            raise refusal("covered", node, target.place.frame.id, by=by)
        raise refusal("not_delivered", node)
    if interrupted is not None:
        if interrupted.reason == "dialog_open":
            return DIALOG
        if interrupted.reason == "tab_closed":
            return "the press closed its tab"
        raise interrupted
    if blocked is not None and blocked.get("mutated"):
        return "the page answered the press itself and changed before its release"
    raise refusal(
        "not_delivered",
        node,
        target.place.frame.id,
        by=blocked.get("by") if blocked else None,
        phase="release",
        delivered=verdict.seen[LAST_EVENT[gesture.button]],
        wanted=gesture.count,
    )


async def _send(
    page: Page, x: float, y: float, gesture: Gesture, verdict: Verdict
) -> SurefootError | None:
    """Send the gesture, pipelined; returns what cut it short (a dialog, the end of the tab)."""
    try:
        await finish(send_gesture(page, x, y, gesture))
        for index in range(gesture.count if gesture.hold_ms and gesture.kind == "press" else 0):
            await _held(page, x, y, gesture, gesture.nth + index)
        await verdict.settled()
    except SurefootError as error:
        if error.reason not in ("dialog_open", "tab_closed"):
            raise
        await verdict.settled(0.05)
        return error
    return None


def send_gesture(page: Page, x: float, y: float, gesture: Gesture) -> list[Answer]:
    """The whole gesture in one go: moved, then pressed and released ``count`` times (unless held)."""
    answers = [mouse(page, "mouseMoved", x, y)]
    if gesture.kind == "hover" or gesture.hold_ms:
        return answers
    button = {"button": gesture.button}
    for count in range(gesture.nth, gesture.nth + gesture.count):
        down = {"clickCount": count, "buttons": BUTTONS[gesture.button], **button}
        answers.append(mouse(page, "mousePressed", x, y, **down))
        answers.append(mouse(page, "mouseReleased", x, y, clickCount=count, **button))
    return answers


async def _held(page: Page, x: float, y: float, gesture: Gesture, count: int) -> None:
    button = {"button": gesture.button, "clickCount": count}
    await mouse(page, "mousePressed", x, y, buttons=BUTTONS[gesture.button], **button).result(
        INPUT_DEADLINE
    )
    try:
        await asyncio.sleep(gesture.hold_ms / 1000)
    finally:  # a cancelled long press lets go of the button
        released = mouse(page, "mouseReleased", x, y, **button)
    await released.result(INPUT_DEADLINE)


async def finish(answers: Sequence[Answer]) -> None:
    """Wait until the browser has worked off input that was sent."""
    for answer in answers:
        await answer.result(INPUT_DEADLINE)


async def press_at(page: Page, point: Point, gesture: Gesture) -> list[str]:
    """Act at a point, whatever is there; some document must report the event."""
    token = new_token()
    width, height = await viewport(page)
    if not (0 <= point.x < width and 0 <= point.y < height):
        raise SurefootError(
            ErrorCode.ELEMENT_OFFSCREEN,
            f"The point {point.x:g},{point.y:g} is outside the {width:g}x{height:g} viewport.",
            details={"reason": "offscreen", "viewport": {"width": width, "height": height}},
        )
    verdict = Verdict(expected_events(gesture))
    frames = [frame for frame in page.frames() if frame.context is not None]
    ttl = GATE_TTL_MS + gesture.hold_ms * gesture.count
    arming = [frame.start(invoke("arm", token, "any", ttl)) for frame in frames]
    await asyncio.wait([answer.future for answer in arming], timeout=0.15)
    with page.listening(token, verdict.hear):
        interrupted = await _send(page, point.x, point.y, gesture, verdict)
    disarm(frames, token)
    if verdict.complete:
        return []
    if interrupted is not None and interrupted.reason == "dialog_open" and verdict.seen:
        return [DIALOG] if gesture.kind == "press" else []
    if not _began(verdict, gesture):
        raise interrupted or refusal("not_delivered", "What lies there")
    return ["the press did not end as a click: the element changed or a dialog opened in between"]


async def viewport(page: Page) -> tuple[float, float]:
    """Width and height of the top viewport in CSS px."""
    top = page.tree.top
    if top is None:
        raise refusal("node_detached", None)
    try:
        width, height = json.loads(await top.evaluate(invoke("viewport")))
    except FrameGone:
        raise refusal("node_detached", None) from None
    return float(width), float(height)
