"""The executable steps of one script, before any variable is filled in (seed 0012, decision 4)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from msgspec import Struct

from surefoot.identity import Evidence
from surefoot.plan.digest import plan_digest
from surefoot.plan.step import PlanStep
from surefoot.script import FlagValue, ScriptIssue


class Plan(Struct, frozen=True, kw_only=True, dict=True):
    """What one replay will do. ``platform`` and ``target`` are the effective ones (not the header's).

    ``context`` and ``env`` are the script's own header; ``warnings`` refuse nothing.
    """

    path: str
    platform: str | None
    target: str | None
    steps: tuple[PlanStep, ...]
    context: Mapping[str, str] = {}
    env: Mapping[str, str] = {}
    heal_complete: bool = False
    warnings: tuple[ScriptIssue, ...] = ()

    @cached_property
    def digest(self) -> str:
        """``planDigest``: 64 lower-case hex digits; the same whatever values the variables have."""
        return plan_digest(self.platform, self.target, self.steps)


class BoundStep(Struct, frozen=True, kw_only=True):
    """A step with its variables filled in, ready to dispatch.

    ``used`` are the variables whose values went in (not defaults), for redaction. The step itself
    keeps the placeholders: what is recorded again, or shown, comes from ``step``.
    """

    step: PlanStep
    positionals: tuple[str, ...]
    flags: Mapping[str, FlagValue]
    used: Mapping[str, str] = {}

    @property
    def command(self) -> str:
        return self.step.command

    @property
    def evidence(self) -> Evidence | None:
        return self.step.evidence
