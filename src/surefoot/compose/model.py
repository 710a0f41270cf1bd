"""Composition as values: what a source holds, shared by every format (seed 0020, "One composition
model").

A native source never holds a :class:`ControlNode`; formats with repeats and retries bring them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import IntEnum
from functools import cached_property
from typing import Final, Literal

from msgspec import Struct

from surefoot.compose.address import Format
from surefoot.plan import PlanStep
from surefoot.script import Script, ScriptIssue, references

MAX_SOURCES: Final = 2_048
"""Sources of one composition, the root among them (decisions.md, bounds)."""
MAX_DEPTH: Final = 16
"""Includes between the root and a step."""
MAX_CLOSURE_BYTES: Final = 16 * 1024 * 1024
MAX_PLAN_STEPS: Final = 50_000
"""Steps of the expanded plan: a fragment used twice counts twice."""

Kind = Literal["script", "fragment", "composition"]
ControlKind = Literal["repeat", "retry"]


class FragmentIdentity(Struct, frozen=True, kw_only=True):
    """What a fragment is, whatever it is called: digests of two formats are never compared.

    ``digest`` is ``sha256:`` and 64 hex digits over the form of version ``canonicalization``.
    """

    format: Format
    digest: str
    canonicalization: int


class StepNode(Struct, frozen=True, kw_only=True, tag=True):
    """One executable step; its ordinal is the local step of its owner."""

    step: PlanStep


class IncludeNode(Struct, frozen=True, kw_only=True, tag=True):
    """One authored include. ``call_site_id`` and ``expected`` are None where nothing pins it.

    ``locator`` is as authored; ``line`` that of the include, ``text`` its physical line.
    """

    locator: str
    call_site_id: str | None
    expected: str | None
    line: int
    text: str = ""


class ControlNode(Struct, frozen=True, kw_only=True, tag=True):
    """A repeat or retry around nodes. ``control_id`` is None where its author gave none."""

    kind: ControlKind
    control_id: str | None
    nodes: tuple[CompositionNode, ...]
    line: int = 0


CompositionNode = StepNode | IncludeNode | ControlNode


class Rule(IntEnum):
    """The seed's total order of preflight: of several violations the smallest is reported."""

    MISSING_SOURCE = 1
    UNSUPPORTED = 2
    SOURCE_BOUND = 3
    DEPTH_BOUND = 4
    SIZE_BOUND = 5
    INCLUDE_CYCLE = 6
    CALL_SITE = 7
    CONTROL_IDENTITY = 8
    STALE_DIGEST = 9
    LIFECYCLE = 10
    ENTRY_GUARD_MISSING = 11
    ENTRY_GUARD_EVIDENCE = 12
    CONTEXT_MISMATCH = 13
    VARIABLE_UNBOUND = 14


REASONS: Final[Mapping[Rule, str]] = {
    Rule.MISSING_SOURCE: "fragment_missing",
    Rule.UNSUPPORTED: "fragment_unsupported",
    Rule.SOURCE_BOUND: "fragment_bounds",
    Rule.DEPTH_BOUND: "fragment_bounds",
    Rule.SIZE_BOUND: "fragment_bounds",
    Rule.INCLUDE_CYCLE: "fragment_cycle",
    Rule.CALL_SITE: "fragment_call_site_invalid",
    Rule.CONTROL_IDENTITY: "fragment_control_identity_invalid",
    Rule.STALE_DIGEST: "fragment_stale",
    Rule.LIFECYCLE: "fragment_lifecycle",
    Rule.ENTRY_GUARD_MISSING: "fragment_entry_guard",
    Rule.ENTRY_GUARD_EVIDENCE: "fragment_entry_guard",
    Rule.CONTEXT_MISMATCH: "fragment_context_mismatch",
    Rule.VARIABLE_UNBOUND: "fragment_variable_unbound",
}


class Finding(Struct, frozen=True, kw_only=True):
    """What is wrong with one source, seen in itself. ``include`` is the ordinal (0-based) of the
    include it speaks of; None speaks of the source. ``errors`` as in ``details.errors`` of a script.
    """

    rule: Rule
    message: str
    line: int = 1
    column: int = 1
    include: int | None = None
    problem: str | None = None
    excerpt: str | None = None
    errors: tuple[Mapping[str, str | int], ...] = ()


class Unit(Struct, frozen=True, kw_only=True, dict=True):
    """One parsed source. ``key`` is its path relative to the caller's root (POSIX), links resolved.

    ``refused`` are plain findings of the script (a composition's root reports them as any script);
    ``findings`` those of composition. ``is_unread`` says that not one line could be read. ``data``
    are the very bytes it was read from.
    """

    key: str
    kind: Kind
    format: Format = "ad"
    platform: str | None = None
    target: str | None = None
    nodes: tuple[CompositionNode, ...] = ()
    findings: tuple[Finding, ...] = ()
    refused: tuple[ScriptIssue, ...] = ()
    refused_count: int = 0
    is_unread: bool = False
    script: Script
    data: bytes = b""

    @cached_property
    def steps(self) -> tuple[PlanStep, ...]:
        """Its own steps in the order written, those inside controls among them."""
        return tuple(node.step for node in walk(self.nodes) if isinstance(node, StepNode))

    @cached_property
    def includes(self) -> tuple[IncludeNode, ...]:
        return tuple(node for node in walk(self.nodes) if isinstance(node, IncludeNode))

    @cached_property
    def variables(self) -> Mapping[str, PlanStep]:
        """The variables it needs (no default), each with the first step that names it."""
        found: dict[str, PlanStep] = {}
        for step in self.steps:
            for text in step_texts(step):
                if "${" in text:
                    for reference in references(text):
                        if reference.default is None:
                            found.setdefault(reference.name, step)
        return found


def walk(nodes: tuple[CompositionNode, ...]) -> Iterator[CompositionNode]:
    """Every node in document order, a control before what is in it."""
    for node in nodes:
        yield node
        if isinstance(node, ControlNode):
            yield from walk(node.nodes)


def step_texts(step: PlanStep) -> Iterator[str]:
    """Every template of a step: its positionals and its flags' text values."""
    yield from step.positionals
    for value in step.flags.values():
        if isinstance(value, str):
            yield value
        elif isinstance(value, tuple):
            yield from value
