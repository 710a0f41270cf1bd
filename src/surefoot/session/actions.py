"""The session's action log: what was done, in the form a recording turns into script lines."""

from __future__ import annotations

from dataclasses import dataclass

from surefoot.identity import TargetEvidence, TargetsEvidence
from surefoot.session.provenance import OUT_OF_BAND, Provenance

MAX_ACTIONS = 50_000
"""As many as a plan may hold (decisions.md, bounds)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedTarget:
    """An element target as a script can name it.

    ``chain`` is the selector chain in the writer's spelling; ``None`` when no selector denotes the
    element, ``problem`` then says why (the publication fails on it: a ref never reaches a file).
    ``label`` is the element's label, for messages.
    """

    chain: str | None
    label: str | None = None
    problem: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionRecord:
    """One successful action.

    ``positionals`` are the arguments *besides* the targets, in the command's order, already
    parameterised (``${NAME}``, never the literal behind it); ``flags`` are long names without dashes.
    ``observation_only`` actions enter a repair only when ``forced`` (``--record``).
    """

    command: str
    targets: tuple[RecordedTarget, ...] = ()
    positionals: tuple[str, ...] = ()
    flags: tuple[tuple[str, str | int | bool], ...] = ()
    evidence: TargetEvidence | TargetsEvidence | None = None
    provenance: Provenance = OUT_OF_BAND
    observation_only: bool = False
    forced: bool = False
    warnings: tuple[str, ...] = ()


class ActionLog:
    """Successful actions in order. It never refuses: past the bound it counts what it dropped,
    and a publication refuses instead (``dropped > 0``)."""

    def __init__(self) -> None:
        self.records: list[ActionRecord] = []
        self.dropped = 0

    def append(self, record: ActionRecord) -> int:
        """Keep the record; its ordinal, from 1 (0 when it was dropped)."""
        if len(self.records) >= MAX_ACTIONS:
            self.dropped += 1
            return 0
        self.records.append(record)
        return len(self.records)

    def __len__(self) -> int:
        return len(self.records)
