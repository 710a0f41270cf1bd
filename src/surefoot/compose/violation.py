"""One reason not to run a composition: its rank, its place, and the error that tells it (seed 0020)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import Struct

from surefoot.compose.graph import CallSite
from surefoot.compose.model import REASONS, Rule
from surefoot.errors import ErrorCode, SurefootError

MAX_CHAIN: Final = 64
"""Stale ancestors an error names; ``chainCount`` says how many there are."""


class Place(Struct, frozen=True, kw_only=True):
    """Where the fault itself stands."""

    path: str
    line: int
    column: int = 1


class Violation(Struct, frozen=True, kw_only=True):
    """One reason not to run. ``site`` is the call site it is reported at; None speaks of the root.

    ``at`` is where the fault stands (in the child, for a fault of its body). ``problem`` is finer
    than the reason. ``chain`` are the sources to repin, leaf first. ``order`` is given where the place
    in document order is not that of ``site``.
    """

    rule: Rule
    message: str
    at: Place
    site: CallSite | None = None
    problem: str | None = None
    actual: str | None = None
    chain: tuple[str, ...] = ()
    excerpt: str | None = None
    extra: Mapping[str, Any] = {}
    order: int | None = None

    @property
    def reason(self) -> str:
        return REASONS[self.rule]

    @property
    def rank(self) -> tuple[int, int]:
        """The seed's order first, then that of the call sites."""
        if self.order is not None:
            return (self.rule, self.order)
        return (self.rule, self.site.order if self.site is not None else 0)

    @property
    def details(self) -> dict[str, Any]:
        """decisions.md, "preflight details"; ``line``, ``at``, ``problem`` and ``rule`` are beside
        them."""
        site = self.site
        include = site.include if site is not None else None
        details: dict[str, Any] = {
            "reason": self.reason,
            "rule": self.rule.name.lower(),
            "source": site.source if site is not None else self.at.path,
            "locator": include.locator if include is not None else None,
            "expectedDigest": include.expected if include is not None else None,
        }
        if self.actual is not None:
            details["actualDigest"] = self.actual
        if include is not None and include.call_site_id is not None:
            details["callSiteId"] = include.call_site_id
        details["line"] = include.line if include is not None else self.at.line
        details["at"] = {"path": self.at.path, "line": self.at.line, "column": self.at.column}
        if self.problem is not None:
            details["problem"] = self.problem
        details["chain"] = list(self.chain[:MAX_CHAIN])
        if len(self.chain) > MAX_CHAIN:
            details["chainCount"] = len(self.chain)
        return {**details, **self.extra}

    def error(self, path_of: Callable[[str], str] = str) -> SurefootError:
        """``INVALID_ARGS`` with the reason and these details; ``path_of`` spells the source in it."""
        where = f"{path_of(self.at.path)}:{self.at.line}:{self.at.column}"
        shown = "".join(f"\n  {line}" for line in (self.excerpt or "").split("\n") if line)
        return SurefootError(
            ErrorCode.INVALID_ARGS,
            f"{where}: {self.message}.{shown}",
            hint=f"Nothing was executed. {HINTS[self.rule]}",
            details=self.details,
        )


HINTS: Final[Mapping[Rule, str]] = {
    Rule.MISSING_SOURCE: "Put the fragment where the include names it, or correct the include.",
    Rule.UNSUPPORTED: "Correct the source, or record the fragment again.",
    Rule.SOURCE_BOUND: "Split the flow into several.",
    Rule.DEPTH_BOUND: "Include the deep fragment from nearer to the root.",
    Rule.SIZE_BOUND: "Split the fragment, or the flow.",
    Rule.INCLUDE_CYCLE: "Take one include of the cycle out.",
    Rule.CALL_SITE: "`surefoot fragment pin <file>` shows the reference comment to write.",
    Rule.CONTROL_IDENTITY: "Give every repeat and retry of the source an id of its own.",
    Rule.STALE_DIGEST: "Look at what changed; `surefoot fragment pin <root>` shows the pins to write.",
    Rule.LIFECYCLE: "Move the step to the flow that includes the fragment.",
    Rule.ENTRY_GUARD_MISSING: "Record the fragment again: `surefoot session fragment start <path> "
    "--entry <selector>`.",
    Rule.ENTRY_GUARD_EVIDENCE: "Record the fragment again: `surefoot session fragment start <path> "
    "--entry <selector>`.",
    Rule.CONTEXT_MISMATCH: "Record the fragment on this platform and target, or replay on its own.",
    Rule.VARIABLE_UNBOUND: "Give the value: -e NAME=…, AD_VAR_NAME, or an env line of the root.",
}
