"""The look before an annotated step, right after a launch: the app may still be mounting.

Seed 0012, amendment 1385. Only this look is repeated, only for content verdicts and sparse captures,
and within bounds; mechanism failures end the step at once. What is decided afterwards is decided by the
step itself, on its own look.
"""

from __future__ import annotations

from surefoot.errors import CaptureUnreadable
from surefoot.interact import observe
from surefoot.session import Session

LAUNCH_DELAYS_MS = (250.0, 500.0, 1_000.0, 1_500.0, 2_250.0, 3_000.0, 3_500.0)
"""The pauses between looks (decisions.md): as many retries as there are pauses."""
LAUNCH_BUDGET_MS = 12_000.0
"""From the first look on, no pause goes past this; how long a look takes is not bounded here."""


async def ride_out_launch(session: Session) -> None:
    """Look until the screen is readable or the bounds are used up.

    Raises what the driver raises but content verdicts: the step is over then.
    """
    started = session.clock.now_ms()
    for delay in (*LAUNCH_DELAYS_MS, None):
        if session.app.dialog() is not None or await _readable(session):
            return
        left = LAUNCH_BUDGET_MS - (session.clock.now_ms() - started)
        if delay is None or left <= 0:
            return
        await session.clock.sleep(min(delay, left))


async def _readable(session: Session) -> bool:
    try:
        observation = await observe(session)
    except CaptureUnreadable:
        return False
    return observation.quality == "ok" and len(observation.tree) > 0
