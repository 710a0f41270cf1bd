"""The values of an interaction: targets, dispatch paths, options, what came out of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from surefoot.drivers import Point, SettlePolicy
from surefoot.selectors import Selector
from surefoot.session import RefToken
from surefoot.tree import Node, Observation
from surefoot.wire import InteractionData, Resolution, StalenessData


class DispatchPath(StrEnum):
    """How an action reaches its element (contracts.md, "Interaction guarantees")."""

    RUNTIME_SELECTOR = "runtime-selector"
    RUNTIME_REF = "runtime-ref"
    NATIVE_REF = "native-ref"
    DIRECT_SELECTOR = "direct-ios-selector"
    COORDINATE = "coordinate"
    NON_HITTABLE_FALLBACK = "maestro-non-hittable-fallback"
    TARGET_DRAG = "target-drag"


@dataclass(frozen=True, slots=True)
class RefTarget:
    """``@e12`` with the label a recording wrote after it, if any."""

    token: RefToken
    label: str | None = None

    def __str__(self) -> str:
        return str(self.token)


@dataclass(frozen=True, slots=True)
class SelectorTarget:
    """A selector as the caller wrote it (``text``), parsed."""

    text: str
    selector: Selector

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class PointTarget:
    """A point of the top viewport; no element is resolved."""

    point: Point

    def __str__(self) -> str:
        return f"{self.point.x:g} {self.point.y:g}"


@dataclass(frozen=True, slots=True)
class FoundTarget:
    """What a search of the daemon finds (``find``); it resolves by the same rules as a selector.

    ``find`` returns the matches in document order. ``text`` names the search in messages.
    """

    text: str
    find: Callable[[Observation], Sequence[Node]]

    def __str__(self) -> str:
        return self.text


MatchTarget = SelectorTarget | FoundTarget
ElementTarget = RefTarget | SelectorTarget | FoundTarget
Target = RefTarget | SelectorTarget | FoundTarget | PointTarget

TargetGuard = Callable[[Observation, Node], None]
"""Replay's dispatch-time identity guard: raises to refuse, before any other guard runs."""

EvidenceDecision = Callable[[Observation, Sequence[Node]], Node | None]
"""Which of several distinct matches the recorded evidence denotes; ``None`` when it denotes none.

It may raise its own refusal. The result must be one of the matches (identity.md, 1)."""

Readiness = Callable[[Observation], bool]
"""Whether a replayed step's target can be decided on this observation, or is worth waiting for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActOptions:
    """How an action is performed and what it reports.

    ``settle`` waits for rest and shows what changed; ``verify`` compares before and after.
    ``guard`` and ``decide`` are replay's seams; either makes the run *guarded*. ``readiness_ms``
    lets an absent target appear (replayed steps: 2,000); ``ready`` replaces the plain "the selector
    matches" test of that wait. ``stale_label`` lets a trailing label stand in for a ref that is not
    admitted (replayed steps only; live, it stands in only for an element that is gone).
    ``coordinate_fallback`` permits a direct-selector press to end at coordinates. ``path`` forces a
    dispatch path (tests). ``shown_as`` replaces the typed text wherever it would be told.
    """

    settle: SettlePolicy | None = None
    verify: bool = False
    guard: TargetGuard | None = None
    decide: EvidenceDecision | None = None
    destination_guard: TargetGuard | None = None
    destination_decide: EvidenceDecision | None = None
    readiness_ms: int = 0
    ready: Readiness | None = None
    stale_label: bool = False
    coordinate_fallback: bool = False
    path: DispatchPath | None = None
    shown_as: str | None = None

    @property
    def guarded(self) -> bool:
        return any((self.guard, self.decide, self.destination_guard, self.destination_decide))


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """An element found on an observation: what a recorder makes selector and evidence from.

    ``node`` is what the target denotes and what is acted on; ``actionable`` takes the activation:
    the node itself or the control it lies in.
    """

    observation: Observation
    node: Node
    actionable: Node
    resolution: Resolution
    path: DispatchPath
    staleness: StalenessData | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Interaction:
    """The outcome of an action that was performed.

    ``targets`` are the resolved elements: none for coordinates, keys and fast paths without an
    observation, two for a drag between elements. ``focused`` is the focused node before a ``type``
    or ``key`` where an observation was at hand (identity.md, 5).
    """

    data: InteractionData
    path: DispatchPath | None
    targets: tuple[Resolved, ...] = ()
    focused: Resolved | None = None
