"""What looking costs: full captures, cheap polls, observations reused unchanged."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class CostCounters:
    """Counts since the session opened; a request's cost is the difference of two marks.

    ``captures`` are full captures for an interaction or a read; ``polls`` are the looks of waits,
    settles and readiness; ``reused`` counts captures that an unchanged observation saved.
    """

    captures: int = 0
    polls: int = 0
    reused: int = 0

    def mark(self) -> CostCounters:
        """A copy to subtract later."""
        return CostCounters(self.captures, self.polls, self.reused)

    def since(self, mark: CostCounters) -> CostCounters:
        return CostCounters(
            self.captures - mark.captures, self.polls - mark.polls, self.reused - mark.reused
        )
