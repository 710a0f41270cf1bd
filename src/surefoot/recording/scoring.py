"""What a recording keeps to say, when it is saved, how its steps would fare on a page that drifted.

Of each step only the capture it was resolved on, shared by the steps of one screen, and where its
element stands in it. When the captures grow past a bound, the steps so far are tried at once and
their captures let go. Nothing is sent to a page.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence

from surefoot.check import Manner, Robustness, Target, Trial, assess, merged
from surefoot.identity import IdentityView, TargetEvidence, TargetsEvidence, recorded_subject
from surefoot.recording.target import FILLS, PRESSES
from surefoot.selectors import Selector
from surefoot.session import ActionRecord
from surefoot.tree import Node, Observation, Tree

_MANNERS: Mapping[str, Manner] = {**dict.fromkeys(FILLS, "fill"), "scroll": "landmark"}
"""How a command takes its element where that is not how its kind does: a scroll ends at any match."""

MAX_KEPT_NODES = 60_000
BUDGET_S = 1.5
"""How long a save may spend on it in all; what is left over is counted as untried."""
EAGER_S = 0.2


class StepLog:
    """The steps of one armed recording that can be tried."""

    def __init__(self, *, max_nodes: int = MAX_KEPT_NODES) -> None:
        self._max = max_nodes
        self._trials: list[Trial] = []
        self._trees: dict[int, Tree] = {}
        self._done: list[Robustness] = []

    def keep(
        self,
        step: int,
        record: ActionRecord,
        resolved: Sequence[tuple[Observation, Node]],
        written: Selector | None,
        manner: Manner,
    ) -> None:
        """Keep a step: its elements with the captures they were resolved on.

        ``written`` is the selector the caller wrote, where the script keeps that one. What names no
        element (a wait for a text: whatever says it ends it) has none to lose and is left out.
        """
        parts = _parts(record)
        for at, (observation, node) in enumerate(resolved):
            tree = observation.tree
            if record.command in PRESSES:
                node = recorded_subject(IdentityView(tree), node)
            selector = record.targets[at].chain.selector if at < len(record.targets) else written
            evidence = parts[at] if at < len(parts) else None
            if selector is None and evidence is None:
                continue
            self._trials.append(
                Trial(
                    step=step,
                    command=record.command,
                    label=tree.labels[node.index] or None,
                    tree=tree,
                    at=node.index,
                    target=Target(
                        selector=selector,
                        evidence=evidence,
                        manner=_MANNERS.get(record.command, manner),
                    ),
                    windows=observation.windows,
                )
            )
            self._trees[id(tree)] = tree
        if sum(map(len, self._trees.values())) > self._max:
            self._done.append(assess(self._trials, _until(EAGER_S)))
            self._trials, self._trees = [], {}

    async def assess(self) -> Robustness:
        """Try what is left, in a thread: a large capture must not hold up other sessions."""
        trials = list(self._trials)
        rest = await asyncio.to_thread(assess, trials, _until(BUDGET_S))
        return merged([*self._done, rest])


class _until:  # noqa: N801 -- reads as a condition
    def __init__(self, seconds: float) -> None:
        self._ends = time.monotonic() + seconds

    def __call__(self) -> bool:
        return time.monotonic() < self._ends


def _parts(record: ActionRecord) -> tuple[TargetEvidence, ...]:
    evidence = record.evidence
    if isinstance(evidence, TargetsEvidence):
        return (evidence.source, evidence.destination)
    return () if evidence is None else (evidence,)
