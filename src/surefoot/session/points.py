"""Named points of a repair transaction, so that a test can end the process exactly there.

Nothing watches them in a daemon: only code that imports this module can, no variable and no request.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

POINTS: Final = (
    "arm.begun",
    "arm.drafted",
    "armed",
    "step.begun",
    "step.done",
    "diverged",
    "resume.admitted",
    "plan.ended",
    "complete.drafted",
    "complete",
    "commit.begun",
    "commit.retargeted",
    "publish.drafted",
    "publish.linked",
    "published",
    "committed",
    "closed",
    "expired.drafted",
    "expired",
)
"""In the order a repair reaches them; the last two belong to one that is cut short. ``…drafted`` is a
temporary file that is not in its place yet."""

_watchers: list[Callable[[str], None]] = []


def reached(point: str) -> None:
    """The transaction is at this point. Costs nothing where nobody watches."""
    for watcher in _watchers:
        watcher(point)


@contextmanager
def watched(watcher: Callable[[str], None]) -> Iterator[None]:
    """Tell ``watcher`` of every point that is reached within the block (tests only)."""
    _watchers.append(watcher)
    try:
        yield
    finally:
        _watchers.remove(watcher)
