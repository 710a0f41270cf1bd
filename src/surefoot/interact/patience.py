"""What keeps a replayed step from its element and passes by itself (contracts.md, "Waits in replay").

A recording was made by someone who saw a dialog come in and pressed when it stood; a replay looks
earlier. Within a step's patience a disabled element may be enabled, one without area or not shown yet
may show, and a screen on the move may come to rest. What covers an element on a screen at rest, or
keeps it off the screen, is told at once, as live.
"""

from __future__ import annotations

from surefoot.drivers import SettlePolicy
from surefoot.errors import SurefootError
from surefoot.interact.model import Resolved
from surefoot.session import Session

PAUSE_MS = 50.0
QUIET_MS = 50
"""How long a screen must have been quiet to be at rest."""
PASSING = frozenset({"disabled", "inert", "zero_size"})
"""Refusals that are waited for as long as the patience lasts."""
OF_A_MOMENT = frozenset({"covered", "no_pointer", "offscreen", "moving"})
"""Refusals that a screen at rest decides; the element that is not visible yet is waited for."""


class Patience:
    """How long one step may still wait; it starts when it is made."""

    def __init__(self, session: Session, ms: float) -> None:
        self._session = session
        self._started = session.clock.now_ms()
        self._ms = ms
        self._rested = False
        self.polls = 0

    @property
    def waited_ms(self) -> int:
        return round(self._session.clock.now_ms() - self._started)

    @property
    def left_ms(self) -> float:
        return max(0.0, self._ms - (self._session.clock.now_ms() - self._started))

    async def passes(self, error: SurefootError, resolved: Resolved) -> bool:
        """Wait for what refused the element; whether another look may find it gone."""
        left = self.left_ms
        if left <= 0 or error.reason not in PASSING | OF_A_MOMENT:
            return False
        if error.reason in PASSING or not resolved.node.visible:
            await self._session.clock.sleep(min(PAUSE_MS, left))
            return True
        if self._rested:
            return False
        policy = SettlePolicy(quiet_ms=QUIET_MS, timeout_ms=max(1, round(left)))
        outcome = await self._session.app.settle(policy)
        self.polls += outcome.polls
        self._session.cost.polls += outcome.polls
        self._rested = outcome.settled
        return True
