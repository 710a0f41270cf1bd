"""One observation of a page: every frame walked once, joined into one tree (web.md, "Seeing").

``unchanged`` answers from the frames' counters and fingerprints alone, so that an unchanged screen
costs no second capture (web.md, requirement 3).
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence

from surefoot.drivers.web.see.assembly import Assembly, parse_epoch
from surefoot.drivers.web.see.decode import FrameCapture, decode_capture
from surefoot.drivers.web.see.host import Frame, FrameGone, FrameHost
from surefoot.drivers.web.see.ids import TEST_ID_ATTRIBUTES
from surefoot.drivers.web.see.script import walker_source
from surefoot.errors import CaptureUnreadable
from surefoot.tree import Observation

MAX_FRAMES = 200
"""Frames walked in one observation; the nodes of further ones say that they were not."""

_MISSING = '"walker-missing"'


async def capture(host: FrameHost, *, test_ids: Sequence[str] = TEST_ID_ATTRIBUTES) -> Observation:
    """See the whole page once, at full depth.

    ``test_ids`` are the attributes looked at before the DOM id, in order (identity.md, 2).
    Rects are CSS px of the top viewport. Raises ``CaptureUnreadable`` with verdict ``navigating``
    (a navigation is under way, or began during the walk) or ``empty_document`` (there is a
    document, and nothing is in it), and whatever the host raises.
    """
    frames = list(host.frames())
    if host.navigating or not frames:
        raise CaptureUnreadable("navigating", "The page is navigating; nothing can be read yet.")
    expression = f"__surefoot.capture({json.dumps({'testIds': list(test_ids)})})"
    walked, ignored = frames[:MAX_FRAMES], frames[MAX_FRAMES:]
    if len(walked) == 1:  # (gathering takes turns of the loop)
        answers = [await _read(walked[0], expression)]
    else:
        answers = await asyncio.gather(*(_read(frame, expression) for frame in walked))
    top = answers[0]
    if isinstance(top, str):
        raise CaptureUnreadable("navigating", "The page navigated while it was read.")
    if top is None or (len(top.num) <= 1 and not top.title):
        if frames[0].url.startswith("chrome-error:"):
            raise CaptureUnreadable(
                "empty_document",
                "The browser shows its own error page: what was opened last could not be loaded.",
                hint="Run `surefoot open <url>` with another address, or `surefoot back`.",
            )
        raise CaptureUnreadable("empty_document", f"The document at {_where(frames[0])} is empty.")
    owners = await _owners(walked[1:])
    assembly = Assembly(walked, answers, owners)
    await assembly.cover()
    return assembly.observation(top, ignored)


async def unchanged(host: FrameHost, observation: Observation) -> bool:
    """Whether a capture now would show the same screen: one small question to each frame seen.

    ``False`` whenever in doubt: a frame is gone, a document was replaced, or an animation runs.
    """
    if host.navigating:
        return False
    frames = {frame.id: frame for frame in host.frames()}
    seen = parse_epoch(observation.epoch)
    if not seen or any(frame_id not in frames for frame_id in seen):
        return False
    expression = f"globalThis.__surefoot ? __surefoot.state() : {_MISSING}"
    try:
        states = await asyncio.gather(*(frames[frame_id].evaluate(expression) for frame_id in seen))
    except FrameGone:
        return False
    return all(
        now == before and not now.endswith("*")
        for now, before in zip(states, seen.values(), strict=True)
    )


async def _read(frame: Frame, expression: str) -> FrameCapture | str | None:
    """One frame's capture; ``None`` without a root element; a reason when it cannot be read."""
    guarded = f"globalThis.__surefoot ? {expression} : {_MISSING}"
    try:
        answer = await frame.evaluate(guarded)
        if answer == _MISSING.strip('"'):
            answer = await frame.evaluate(f"{walker_source()}\n{expression}")
        seen = decode_capture(answer)
        closed = await frame.closed_hosts(seen.hosts) if seen is not None and seen.hosts else ()
        if closed:  # these are marked from now on
            seen = decode_capture(
                await frame.evaluate(f"__surefoot.closed({json.dumps(list(closed))}), {expression}")
            )
        return seen
    except FrameGone:
        return "frame is navigating or gone"


async def _owners(frames: Sequence[Frame]) -> dict[str, int]:
    async def owner(frame: Frame) -> int | None:
        try:
            return await frame.owner()
        except FrameGone:
            return None

    numbers = await asyncio.gather(*(owner(frame) for frame in frames)) if frames else ()
    return {frame.id: n for frame, n in zip(frames, numbers, strict=True) if n is not None}


def _where(frame: Frame) -> str:
    return frame.url or "this address"
