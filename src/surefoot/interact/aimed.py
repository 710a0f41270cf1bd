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
from surefoot.interact.model import ActOptions, ElementTarget, Resolved
from surefoot.interact.resolve import look_again
from surefoot.session import Session

LOOKS = 6
"""How often an element is looked for again that does not stay in view or does not stay the same."""


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
        unharmed = 0  # looks that found what had changed to be no matter of the element's
        for look in range(LOOKS):
            asking = msgspec.structs.replace(gesture, as_seen=max(1, 3 - unharmed))
            try:
                if first is not None and look == 0:
                    return await first()
                delivery = await self.session.app.pointer(self.resolved.node, asking)
                self.acted = True
                return delivery
            except SurefootError as error:
                if error.reason != "brought_into_view":
                    raise
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
            hint="Scroll to it yourself with `surefoot scroll --until`; nothing was pressed.",
            details={"reason": "moving"},
        )

    def _changed(self) -> SurefootError:
        """In a series what was acted on is not looked for elsewhere: the page has answered."""
        return SurefootError(
            ErrorCode.ELEMENT_NOT_FOUND,
            f"{name_of(self.resolved.observation, self.resolved.node)} is not what it was any more.",
            details={"reason": "target_changed"},
        )
