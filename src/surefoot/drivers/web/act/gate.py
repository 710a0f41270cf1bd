"""Did the input reach the element? What the gate in the page reported, and what may be concluded.

A report travels through a binding, not through the answer to a call: a press that navigates, opens
a dialog or closes its tab still gets its report out before the document is gone.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

REPORT_WAIT = 0.5
"""Seconds a report may lag behind the browser's acknowledgement of the input."""


class Verdict:
    """The reports for one gesture. ``seen`` counts events that reached the element, by type."""

    def __init__(self, expected: dict[str, int]) -> None:
        self.expected = expected
        self.seen: Counter[str] = Counter()
        self.blocked: dict[str, Any] | None = None
        self.taken = False
        """Whether the page captured the pointer, so that another element got the rest of the press."""
        self._enough = asyncio.Event()

    def hear(self, report: dict[str, Any]) -> None:
        if report["k"] == "seen":
            self.seen[report["e"]] += 1
            self.taken |= bool(report.get("taken"))
        elif self.blocked is None:
            self.blocked = report
        if self.complete or self.blocked is not None:
            self._enough.set()

    def expect(self, kind: str) -> None:
        """Wait for an event of this kind as well."""
        self.expected = {**self.expected, kind: 1}
        if not self.complete:
            self._enough.clear()

    @property
    def complete(self) -> bool:
        """Whether every event a whole gesture consists of reached the element."""
        return all(self.seen[kind] >= count for kind, count in self.expected.items())

    async def settled(self, seconds: float = REPORT_WAIT) -> None:
        """Wait for the last report, but not for one that will not come."""
        if self.complete or self.blocked is not None:
            return
        try:
            async with asyncio.timeout(seconds):
                await self._enough.wait()
        except TimeoutError:
            return
