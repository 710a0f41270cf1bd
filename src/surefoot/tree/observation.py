"""A tree plus what the capture says of itself: quality, viewport, windows, epoch."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from surefoot.tree.model import Page, Rect, ScrollExtent, Window
from surefoot.tree.tree import Tree

Quality = Literal["ok", "sparse"]


class Observation(Struct, frozen=True, kw_only=True):
    """One capture, always of the whole screen at full depth.

    Projections (``-i``, ``-d``, ``-s``) are made from it in the pure core, never by the driver.
    ``epoch`` identifies the content: two observations of one app with equal epochs show the same
    screen. ``quality`` is ``sparse`` when the platform answered but what it gave is too little to
    trust; a capture that could not be read at all is not an observation but an error
    (``CaptureUnreadable`` for a content verdict). ``notes`` are bounded human-readable remarks
    (e.g. replaced surrogates, nodes cut at the 100,000-node bound).
    """

    tree: Tree
    viewport: Rect
    epoch: str
    quality: Quality = "ok"
    page: Page | None = None
    windows: tuple[Window, ...] = ()
    scroll: ScrollExtent | None = None
    truncated: bool = False
    notes: tuple[str, ...] = ()
