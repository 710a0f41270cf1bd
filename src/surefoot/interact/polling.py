"""The one wait loop: look, ask, sleep, until satisfied or out of time.

Every wait of the project runs through :func:`poll_until`: the ``wait`` command, a replayed step's
readiness, landmark guards. It rides out captures that judged the screen unreadable and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from surefoot.errors import CaptureUnreadable
from surefoot.interact.capture import Purpose, observe
from surefoot.session import Session
from surefoot.tree import Observation

PAUSES_MS = (20.0, 30.0, 50.0, 80.0, 100.0)
"""Pauses between looks; the last one repeats. On an unchanged screen a look is a cheap question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Polled:
    """How a wait ended. ``observation`` is the last readable one; ``unreadable`` the last verdict,
    set when no look at all was readable or when the very last one was not."""

    satisfied: bool
    waited_ms: int
    polls: int
    observation: Observation | None
    unreadable: CaptureUnreadable | None
    ever_readable: bool


async def poll_until(
    session: Session,
    satisfied: Callable[[Observation], bool],
    *,
    timeout_ms: float,
    first: Purpose = "poll",
) -> Polled:
    """Look at least once and last at the deadline. ``first`` says what the first look counts as.

    Raises what the driver raises but content verdicts, at once (``DIALOG_PENDING``, ``driver_lost``).
    """
    clock = session.clock
    started = clock.now_ms()
    polls = 0
    observation: Observation | None = None
    unreadable: CaptureUnreadable | None = None
    purpose = first
    while True:
        polls += 1
        try:
            observation = await observe(session, purpose=purpose)
            unreadable = None
        except CaptureUnreadable as verdict:
            unreadable = verdict
        purpose = "poll"
        now = clock.now_ms()
        done = unreadable is None and observation is not None and satisfied(observation)
        left = timeout_ms - (now - started)
        if done or left <= 0:
            return Polled(
                satisfied=done,
                waited_ms=round(now - started),
                polls=polls,
                observation=observation,
                unreadable=unreadable,
                ever_readable=observation is not None,
            )
        await clock.sleep(min(PAUSES_MS[min(polls, len(PAUSES_MS)) - 1], left))
