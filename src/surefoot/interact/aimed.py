"""An element on its way to being pressed: looked at again where it may have become another thing.

A list that reuses its nodes makes another row of one when it is scrolled, or whenever its data changes.
The driver tells (``brought_into_view``) before anything is sent.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import msgspec

from surefoot.drivers import Delivery, Gesture
from surefoot.errors import ErrorCode, SurefootError
from surefoot.interact.describe import name_of
from surefoot.interact.guards import POINTER, guard_target
from surefoot.interact.locate import locate
from surefoot.interact.model import ActOptions, ElementTarget, RefTarget, Resolved
from surefoot.interact.patience import Patience
from surefoot.interact.resolve import look_again
from surefoot.session import Session

LOOKS = 6
"""How often an element is looked for again that does not stay in view or does not stay the same."""
AS_SEEN = (3, 2, 2, 2, 2, 1)
"""What must be as it was seen (``Gesture.as_seen``), by how many looks found that what had changed is
no matter of the element's: only one that was the same five times needs nothing more than its place."""


@dataclass(slots=True)
class Aimed:
    """An element that is acted on, and found again where the driver had to bring it into view first: a
    list that reuses its nodes may have made another row of the one that was resolved."""

    session: Session
    target: ElementTarget
    options: ActOptions
    resolved: Resolved
    acted: bool = False

    async def act(
        self, gesture: Gesture, first: Callable[[], Awaitable[Delivery]] | None = None
    ) -> Delivery:
        """``first`` is another way to send it, for the element that was resolved."""
        patience = Patience(self.session, self.options.readiness_ms)
        looks = 0
        unharmed = 0  # looks that found what had changed to be no matter of the element's
        while looks < LOOKS:
            asking = msgspec.structs.replace(gesture, as_seen=AS_SEEN[unharmed])
            try:
                if first is not None:
                    direct, first = first, None
                    return await direct()
                delivery = await self.session.app.pointer(self.resolved.node, asking)
                self.acted = True
                return delivery
            except SurefootError as error:
                if error.reason != "brought_into_view":
                    if not await self._passes(error, patience):
                        raise
                    self.resolved = await locate(self.session, self.target, self.options, POINTER)
                    continue
            looks += 1
            same = await look_again(self.session, self.target, self.resolved)
            if same is not None:
                unharmed += 1
                guard_target(same, self.session.refs, POINTER)
            elif self.acted:
                raise self._changed()
            self.resolved = same or await locate(self.session, self.target, self.options, POINTER)
        raise SurefootError(
            ErrorCode.COMMAND_FAILED,
            f"{name_of(self.resolved.observation, self.resolved.node)} does not stay in view.",
            hint="Nothing was pressed. Scroll to it: `surefoot scroll down --until <selector>`.",
            details={"reason": "moving"},
        )

    async def _passes(self, error: SurefootError, patience: Patience) -> bool:
        """Whether a replayed step may try again what the live element refused before anything was sent.
        A ref is gone with its frame."""
        if self.acted or isinstance(self.target, RefTarget):
            return False
        return await patience.passes(error, self.resolved)

    def _changed(self) -> SurefootError:
        """In a series what was acted on is not looked for elsewhere: the page has answered."""
        return SurefootError(
            ErrorCode.ELEMENT_NOT_FOUND,
            f"{name_of(self.resolved.observation, self.resolved.node)} is not what it was any more.",
            details={"reason": "target_changed"},
        )
