"""A parsed script: its lines as typed nodes. The source text is not needed afterwards.

``fragment-v1``, ``composition-v1`` and ``include`` are recognised here (seed 0020); what they mean is
composition's business.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Literal

from msgspec import Struct

from surefoot.identity import Evidence
from surefoot.script.issues import ScriptIssue
from surefoot.script.lexer import Token

GuardKind = Literal["fragment", "composition"]


class Comment(Struct, frozen=True, kw_only=True, tag=True):
    """A comment or (``text`` empty) a blank line; ``text`` begins with ``#``."""

    line: int = 0
    text: str = ""


class ContextEntry(Struct, frozen=True, kw_only=True):
    """One ``key=value`` of a context line."""

    key: str
    value: str


class Context(Struct, frozen=True, kw_only=True, tag=True):
    """One ``context`` line."""

    line: int = 0
    entries: tuple[ContextEntry, ...]


class Env(Struct, frozen=True, kw_only=True, tag=True):
    """One ``env KEY=VALUE`` line; the value is literal."""

    line: int = 0
    key: str
    value: str


class Guard(Struct, frozen=True, kw_only=True, tag=True):
    """``fragment-v1`` or ``composition-v1``: the first line that is no comment."""

    line: int = 0
    kind: GuardKind
    version: int = 1


class FragmentReference(Struct, frozen=True, kw_only=True):
    """The pin of an include (``fragment-ref-v1``). ``digest`` is ``sha256:`` and 64 hex digits."""

    call_site_id: str
    digest: str


class Include(Struct, frozen=True, kw_only=True, tag=True):
    """An ``include`` line. ``reference`` is None where the line before it does not pin it."""

    line: int = 0
    locator: str
    reference: FragmentReference | None = None
    text: str = ""


class Action(Struct, frozen=True, kw_only=True, tag=True):
    """One command line with the evidence of the annotation right before it.

    ``text`` is the physical line, for excerpts; empty when the node was built, not read.
    """

    line: int = 0
    command: Token
    args: tuple[Token, ...] = ()
    evidence: Evidence | None = None
    text: str = ""


class HealComplete(Struct, frozen=True, kw_only=True, tag=True):
    """The sentinel that marks a healed script as whole (seed 0012, decision 6)."""

    line: int = 0


Node = Comment | Context | Env | Guard | Include | Action | HealComplete


class Script(Struct, frozen=True, kw_only=True, dict=True):
    """A script's nodes in the order of its lines.

    ``path`` is how the caller names it, used in messages. ``warnings`` are remarks that refuse
    nothing (an unknown context key, an annotation where no target is).
    """

    path: str
    nodes: tuple[Node, ...]
    warnings: tuple[ScriptIssue, ...] = ()

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        return tuple(node for node in self.nodes if isinstance(node, Action))

    @cached_property
    def context(self) -> Mapping[str, str]:
        """The context header, merged: ``platform``, ``target``, ``device``, …"""
        return {
            entry.key: entry.value
            for node in self.nodes
            if isinstance(node, Context)
            for entry in node.entries
        }

    @cached_property
    def env(self) -> Mapping[str, str]:
        """The script's own variables."""
        return {node.key: node.value for node in self.nodes if isinstance(node, Env)}

    @cached_property
    def guard(self) -> Guard | None:
        return next((node for node in self.nodes if isinstance(node, Guard)), None)

    @cached_property
    def includes(self) -> tuple[Include, ...]:
        return tuple(node for node in self.nodes if isinstance(node, Include))

    @property
    def heal_complete(self) -> bool:
        """Whether the sentinel is the last line that is not blank."""
        for node in reversed(self.nodes):
            if not (isinstance(node, Comment) and not node.text):
                return isinstance(node, HealComplete)
        return False
