"""What is wrong with a script, where, and what was expected: one typed finding a place.

A file's findings become one ``INVALID_ARGS`` error: its message shows the first with a caret
excerpt, ``details`` carry ``{reason, path, line, column, expected, excerpt, suggestion?, errors[],
errorCount}`` with at most 20 entries ``{line, column, rule, message, expected?, suggestion?}``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Literal

from msgspec import Struct

from surefoot.errors import ErrorCode, SurefootError
from surefoot.text import caret_excerpt

MAX_ISSUES: Final = 20

Rule = Literal[
    "annotation",
    "argument",
    "command",
    "composition",
    "context",
    "encoding",
    "env",
    "flag",
    "quoting",
    "selector",
    "size",
    "variable",
]


class ScriptIssue(Struct, frozen=True, kw_only=True):
    """One finding. ``line`` and ``column`` are 1-based, columns count code points of ``text``.

    ``text`` is the physical line (without its line end); ``length`` how many code points of it are
    meant. ``reason`` is the machine reason where the rule is not enough.
    """

    line: int
    column: int
    rule: Rule
    message: str
    expected: str | None = None
    suggestion: str | None = None
    reason: str | None = None
    text: str = ""
    length: int = 1

    @property
    def excerpt(self) -> str:
        """The line and carets below the place: two lines."""
        return caret_excerpt(self.text, self.column, self.length)

    def entry(self) -> dict[str, str | int]:
        """The finding as it stands in ``details.errors``."""
        found: dict[str, str | int] = {
            "line": self.line,
            "column": self.column,
            "rule": self.rule,
            "message": self.message,
        }
        if self.expected is not None:
            found["expected"] = self.expected
        if self.suggestion is not None:
            found["suggestion"] = self.suggestion
        return found


class IssueList:
    """Collects findings: the first twenty are kept, all are counted."""

    def __init__(self) -> None:
        self.kept: list[ScriptIssue] = []
        self.count = 0

    def add(self, issue: ScriptIssue) -> None:
        self.count += 1
        if len(self.kept) < MAX_ISSUES:
            self.kept.append(issue)

    def extend(self, issues: Iterable[ScriptIssue]) -> None:
        for issue in issues:
            self.add(issue)

    def error(self, path: str) -> SurefootError | None:
        """The one error that tells them all, or None when there is none."""
        return script_error(path, self.kept, self.count) if self.kept else None


def script_error(path: str, issues: Sequence[ScriptIssue], count: int | None = None) -> SurefootError:
    """The ``INVALID_ARGS`` error for the findings of one file, in the order of their places."""
    ordered = sorted(issues, key=lambda issue: (issue.line, issue.column))
    first = ordered[0]
    total = count if count is not None else len(ordered)
    shown = "".join(f"\n  {line}" for line in first.excerpt.split("\n"))
    untold = first.suggestion is not None and "did you mean" not in first.message
    meant = f'; did you mean "{first.suggestion}"?' if untold else ""
    expected = f"\n  expected: {first.expected}" if first.expected else ""
    more = f"\n  ({total - 1} more in this file)" if total > 1 else ""
    details: dict[str, object] = {
        "reason": first.reason or f"script_{first.rule}",
        "path": path,
        "line": first.line,
        "column": first.column,
        "expected": first.expected,
        "excerpt": first.excerpt,
        "errors": [issue.entry() for issue in ordered[:MAX_ISSUES]],
        "errorCount": total,
    }
    if first.suggestion:
        details["suggestion"] = first.suggestion
    return SurefootError(
        ErrorCode.INVALID_ARGS,
        f"{path}:{first.line}:{first.column}: {first.message}{meant}{shown}{expected}{more}",
        hint="Nothing was executed. Correct the marked place and run it again.",
        details=details,
    )
