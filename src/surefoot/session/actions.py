"""The session's action log: what was done, in the form a recording turns into script lines."""

from __future__ import annotations

from dataclasses import dataclass

from surefoot.identity import TargetEvidence, TargetsEvidence
from surefoot.selectors import Chain
from surefoot.session.provenance import OUT_OF_BAND, Provenance

MAX_ACTIONS = 50_000
"""As many as a plan may hold (decisions.md, bounds)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedTarget:
    """An element target as a script can name it: always by a selector, never by a ref.

    ``chain`` says itself whether it denotes just this element (``chain.is_exact``); one that does not
    needs evidence to be replayed, or fails the publication. ``label`` is for messages.
    """

    chain: Chain
    label: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionRecord:
    """One successful action.

    ``positionals`` are the arguments *besides* the targets, in the command's order, already
    parameterised (``${NAME}``, never the literal behind it); ``flags`` are long names without dashes.
    ``target_at`` is how many positionals stand before the first target (``get text <target>``: 1).
    ``observation_only`` actions enter a repair only when ``forced`` (``--record``). ``mutates`` is
    whether the command's ``recording_effect`` for these arguments is to change the app.
    """

    command: str
    targets: tuple[RecordedTarget, ...] = ()
    positionals: tuple[str, ...] = ()
    target_at: int = 0
    flags: tuple[tuple[str, str | int | bool], ...] = ()
    evidence: TargetEvidence | TargetsEvidence | None = None
    provenance: Provenance = OUT_OF_BAND
    observation_only: bool = False
    mutates: bool = False
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

    @property
    def corrections(self) -> int:
        """How many of them could stand for a script's step: not a look nobody asked to keep."""
        kept = sum(1 for record in self.records if record.forced or not record.observation_only)
        return kept + self.dropped
