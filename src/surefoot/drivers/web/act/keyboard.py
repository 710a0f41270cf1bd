"""How are keys struck, and did the page get them?"""

from __future__ import annotations

import asyncio
import contextlib

from surefoot.drivers.keys import Chord, character
from surefoot.drivers.web.act.aim import disarm, new_token
from surefoot.drivers.web.act.gate import REPORT_WAIT, Verdict
from surefoot.drivers.web.act.keys import events
from surefoot.drivers.web.act.pointer import INPUT_DEADLINE, finish
from surefoot.drivers.web.act.refusals import refusal
from surefoot.drivers.web.act.script import invoke
from surefoot.drivers.web.connect.cdp import Answer
from surefoot.drivers.web.pages.frames import PageFrame
from surefoot.drivers.web.pages.page import Page
from surefoot.drivers.web.see import FrameGone
from surefoot.errors import SurefootError

KEY_TTL_MS = 5000
FOCUS_DEADLINE = 3.0
CLOSE_POLLS = 3
CLOSE_POLL = 0.02
PICKING = "the open list of the focused field takes the keys; its choice shows when it is closed"
FOCUS = "Press or focus what is to get the key first; `surefoot snapshot -i` shows what has the focus."
BATCH = 16
"""Characters whose events are sent before the first is waited for."""


def send_chord(page: Page, chord: Chord) -> list[Answer]:
    return [page.start("Input.dispatchKeyEvent", event) for event in events(chord)]


async def focused(page: Page) -> None:
    """Let a fresh document give the focus to the field that asks for it (``autofocus``)."""
    top = page.tree.top
    if top is not None:
        with contextlib.suppress(FrameGone):
            await top.evaluate(invoke("autofocused"), promise=True, deadline=FOCUS_DEADLINE)


async def strike(page: Page, chord: Chord) -> list[str]:
    """Strike one chord at whatever has the focus; some document must report the keydown.

    The open list of a field lies above the page and takes the keys, which no document hears of then:
    that it was open is the proof. Raises ``not_delivered`` when neither is so.
    """
    await focused(page)
    token = new_token()
    verdict = Verdict({"keydown": 1})
    frames = [frame for frame in page.frames() if frame.context is not None]
    arming = [frame.start(invoke("arm", token, "keys", KEY_TTL_MS)) for frame in frames]
    if arming:
        await asyncio.wait([answer.future for answer in arming], timeout=0.15)
    page.check()
    picker = await _picker(frames, arming)
    interrupted: SurefootError | None = None
    with page.listening(token, verdict.hear):
        try:
            await finish(send_chord(page, chord))
            await verdict.settled(REPORT_WAIT if picker is None else 0.05)
        except SurefootError as error:
            if error.reason not in ("dialog_open", "tab_closed"):
                raise
            interrupted = error
            await verdict.settled(0.05)
    disarm(frames, token)
    if verdict.complete:
        return []
    if picker is not None and interrupted is None:
        return [PICKING] if await _picking(picker) else []
    raise interrupted or refusal("not_delivered", None, why="no document heard of the key", hint=FOCUS)


async def _picker(frames: list[PageFrame], armed: list[Answer]) -> PageFrame | None:
    """The frame whose focused field has its list open, by what arming the gates answered."""
    for frame, answer in zip(frames, armed, strict=True):
        with contextlib.suppress(FrameGone, SurefootError):
            if answer.done and await frame.finish(answer) == "true":
                return frame
    return None


async def _picking(frame: PageFrame) -> bool:
    """Whether the list is still open; one that closes takes a moment."""
    for _ in range(CLOSE_POLLS):
        try:
            if await frame.evaluate(invoke("picking")) != "true":
                return False
        except (FrameGone, SurefootError):  # what the choice set off has taken the page away
            return False
        await asyncio.sleep(CLOSE_POLL)
    return True


async def strike_all(page: Page, text: str, delay_ms: int = 0) -> None:
    """Type text key by key; a ``delay_ms`` goes between the strokes."""
    if delay_ms:
        for index, char in enumerate(text):
            if index:
                await asyncio.sleep(delay_ms / 1000)
            await finish(send_chord(page, character(char)))
        return
    for begin in range(0, len(text), BATCH):
        answers: list[Answer] = []
        for char in text[begin : begin + BATCH]:
            answers += send_chord(page, character(char))
        for answer in answers:
            await answer.result(INPUT_DEADLINE)
