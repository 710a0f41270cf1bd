"""Has the page come to rest after an action? (web.md, "Settle")

Quiet for N ms counted from the later of the last change and the action itself, no finite animation
running, the document complete, no navigation begun, no request the action began still open; at the
hard cap it gives up and says why. Endless spinners and idle frame loops do not hold it up.
"""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

from surefoot.drivers.protocol import SettleOutcome, SettlePolicy
from surefoot.drivers.web.act.script import invoke
from surefoot.drivers.web.pages.frames import PageFrame
from surefoot.drivers.web.pages.page import Page
from surefoot.drivers.web.see import FrameGone
from surefoot.errors import SurefootError

SHORTEST_POLL = 0.01
LONGEST_POLL = 0.1
FRAME_DEADLINE = 2.0


async def settle(page: Page, policy: SettlePolicy, action: float) -> SettleOutcome:
    """Wait for rest after what was done at ``action`` (``time.monotonic``).

    An open dialog is rest: nothing moves until it is answered. Raises what ends the page (crash, loss).
    """
    began = time.monotonic()
    polls = 0
    why: str | None = None
    quiet_s = policy.quiet_ms / 1000
    while True:
        if page.dialog is not None:
            return SettleOutcome(settled=True, waited_ms=_ms(began), polls=polls)
        page.check()
        polls += 1
        why, wait = await _unrest(page, quiet_s, action)
        left = policy.timeout_ms / 1000 - (time.monotonic() - began)
        if why is None:
            return SettleOutcome(settled=True, waited_ms=_ms(began), polls=polls)
        if left <= 0:
            return SettleOutcome(settled=False, waited_ms=_ms(began), polls=polls, why=why)
        await asyncio.sleep(max(0.001, min(wait, left)))


async def _unrest(page: Page, quiet_s: float, action: float) -> tuple[str | None, float]:
    """What keeps the page busy now (``None``: nothing), and when to ask again (s)."""
    if page.navigating:
        return "a navigation is under way", LONGEST_POLL / 2
    requests = page.requests.begun_since(action)
    if requests:
        return f"a request is still open: {requests[0].url[:200]}", SHORTEST_POLL * 2
    frames = [frame for frame in page.frames() if frame.context is not None]
    if not frames:
        return "there is no document yet", SHORTEST_POLL
    states = await asyncio.gather(*(_state(frame) for frame in frames))
    if page.dialog is not None:
        return None, 0
    since = min(time.monotonic() - action, time.monotonic() - page.requests.last_end)
    for frame, state in zip(frames, states, strict=True):
        if state is None:
            if frame.parent is None:
                return "the page gave no answer", SHORTEST_POLL
            continue  # a frame that hangs or went away does not hold up the page
        if frame.parent is None and state["ready"] != "complete":
            return "the document is still loading", SHORTEST_POLL * 2
        if state["animating"]:
            return "an animation is running", SHORTEST_POLL * 2
        since = min(since, state["since"] / 1000)
    if since < quiet_s:
        return "the content keeps changing", max(SHORTEST_POLL, min(LONGEST_POLL, quiet_s - since))
    return None, 0


async def _state(frame: PageFrame) -> dict[str, Any] | None:
    try:
        answer = await frame.evaluate(invoke("quiet"), deadline=FRAME_DEADLINE)
    except FrameGone:
        return None
    except SurefootError as error:
        if error.reason in ("driver_deadline", "dialog_open"):
            return None
        raise
    state: dict[str, Any] = json.loads(answer)
    return state


def _ms(began: float) -> int:
    return round((time.monotonic() - began) * 1000)
