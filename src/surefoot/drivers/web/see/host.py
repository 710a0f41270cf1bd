"""What seeing needs of the browser connection: frames one can evaluate in, and nothing else.

The driver implements these protocols; :mod:`surefoot.drivers.web.see` never speaks the DevTools
protocol itself (web.md, "Seeing"; requirement 2).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

WALKER_WORLD = "surefoot"
"""Name of the isolated world every evaluation of a :class:`Frame` runs in."""


class FrameGone(Exception):
    """The frame navigated, was removed, or lost its execution context during the call.

    Raised by :meth:`Frame.evaluate` and :meth:`Frame.owner`. For the top frame the capture turns it
    into ``CaptureUnreadable("navigating")``; for a child frame its node says it is ``opaque``.
    """


class Frame(Protocol):
    """One frame of the page. ``id`` is the protocol's frame id; it is the first half of a handle."""

    @property
    def id(self) -> str: ...

    @property
    def parent(self) -> str | None:
        """The parent frame's id; ``None`` for the top frame."""
        ...

    @property
    def url(self) -> str: ...

    @property
    def origin(self) -> str:
        """The security origin (``https://shop.example``), ``""`` when opaque."""
        ...

    @property
    def separate(self) -> bool:
        """Whether the frame has a session of its own (cross-origin, out of process)."""
        ...

    async def evaluate(self, expression: str) -> str:
        """Evaluate in this frame's isolated world ``WALKER_WORLD``; the expression yields a string.

        Returns that string (``Runtime.evaluate`` with ``returnByValue``). Has a deadline of its own.
        Raises :class:`FrameGone`, or the driver's typed errors (dialog open, crashed, lost, deadline).
        """
        ...

    async def closed_hosts(self, numbers: Sequence[int]) -> Sequence[int]:
        """Which of the elements with these numbers have a closed shadow root.

        Only the protocol tells: ``Runtime.evaluate`` with deep serialization, ``includeShadowTree:
        all``. Raises as :meth:`evaluate` does.
        """
        ...

    async def owner(self) -> int | None:
        """The number of this frame's owner element in the parent frame's world, ``None`` for the top.

        ``DOM.getFrameOwner(frameId)`` on the parent's session, ``DOM.resolveNode`` into the parent's
        isolated world, then ``__surefoot.number(this)``. An owner never changes while both documents
        live, so the driver may remember it per (frame id, parent execution context). Called only
        after the walker was installed in the parent frame. ``None`` also when it cannot be told.
        """
        ...


class FrameHost(Protocol):
    """The page as seeing knows it."""

    def frames(self) -> Sequence[Frame]:
        """All live frames, parents before children, the top frame first. Empty while there is none."""
        ...

    @property
    def navigating(self) -> bool:
        """Whether a navigation of the top frame has begun and not yet committed."""
        ...
