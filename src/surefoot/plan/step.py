"""One step of a plan."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from surefoot.identity import Evidence
from surefoot.script import FlagValue, Template

FOCUS_COMMANDS = frozenset({"type", "key"})
"""Commands without a target of their own whose evidence is of the focused node (identity.md, 5)."""


class PlanSource(Struct, frozen=True, kw_only=True):
    """Where a step was written: path relative to the caller's root (POSIX), 1-based line."""

    path: str
    line: int


class PlanStep(Struct, frozen=True, kw_only=True):
    """One executable step; every step carries its own source (decisions.md, seams).

    ``ordinal`` is 1-based. ``positionals`` and string flags are templates: ``${…}`` is filled in by
    :func:`~surefoot.plan.bind_step` when the step runs. ``targets`` are the positionals that are
    element targets, ``target_flags`` the flags that are. ``columns`` and ``text`` (the physical line)
    serve excerpts. ``produces_output`` and ``in_control_flow`` are what a resume has to refuse to skip.
    """

    ordinal: int
    command: str
    positionals: tuple[Template, ...]
    flags: Mapping[str, FlagValue]
    evidence: Evidence | None
    source: PlanSource
    column: int = 1
    targets: tuple[int, ...] = ()
    target_flags: tuple[str, ...] = ()
    columns: tuple[int, ...] = ()
    text: str = ""
    produces_output: bool = False
    in_control_flow: bool = False
