"""Who performed an action: the caller itself, or a running replay on its behalf.

Seed 0012, decision 6, amendment 1271 (``internal.replayPlanStep``). These are plain objects of the
daemon, not wire types: no decoder builds them, and :class:`~surefoot.wire.Call` has no field for one.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OutOfBand:
    """The caller asked for it directly."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayStep:
    """A step of a running plan. ``ordinal`` counts from 1 in the expanded plan; ``address`` is the
    owner-local name of a composed step (seed 0020)."""

    plan_digest: str
    ordinal: int
    path: str
    line: int
    address: str | None = None


Provenance = OutOfBand | ReplayStep

OUT_OF_BAND = OutOfBand()
