"""A replayed step's identity check, hung into the one way every action takes.

Seed 0012, decision 3 with amendment 1349 (landmarks), identity.md 1 (evidence decides). There is no
second resolver: the guard and the decision below run inside ``interact``, on its own observation,
and refuse there before anything is dispatched.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from surefoot.errors import ErrorCode, SurefootError
from surefoot.identity import (
    IdentityView,
    Mismatch,
    Refused,
    TargetEvidence,
    Verdict,
    Verified,
    carries_landmark,
    verify,
)
from surefoot.interact import ActOptions, LandmarkGuard
from surefoot.plan import FOCUS_COMMANDS, BoundStep
from surefoot.recording import Phase
from surefoot.selectors import (
    NO_MATCH,
    Disambiguated,
    Match,
    Selector,
    Unique,
    match,
    parse_selector,
    resolve_for_action,
)
from surefoot.session import looks_like_ref
from surefoot.tree import Node, Observation, Tree
from surefoot.wire import Endpoint

READINESS_MS = 2_000
"""How long an absent target may take to appear (contracts.md, "Waits in replay")."""

WAITS_FOR_ITS_TARGET = frozenset({"press", "click", "longpress", "fill"})

# Verdict paths on which a half-loaded screen is told from a divergence by looking again: no match,
# an empty identity set, a count that differs.
_UNDECIDED_PATHS = frozenset({2, 3, 6})


NOT_RENDERED = " (`surefoot scroll down --until <selector>` looks for it)"


class BindingRefused(SurefootError):
    """The recorded identity is not, or not provably, on this screen; nothing was dispatched.

    ``reason`` names what kept it from being decided where that is not the classification itself.
    """

    def __init__(
        self,
        refused: Refused,
        observation: Observation | None,
        endpoint: Endpoint | None,
        reason: str | None = None,
    ) -> None:
        where = f"{endpoint}: " if endpoint else ""
        super().__init__(
            ErrorCode.COMMAND_FAILED,
            f"{where}{refused.message}{NOT_RENDERED if refused.not_rendered else ''}.",
            details={"reason": reason or refused.classification.replace("-", "_")},
        )
        self.refused = refused
        self.observation = observation
        self.endpoint = endpoint


class TargetCheck:
    """One recorded target (``text`` in the script) against whatever screen it is asked about.

    ``selector`` is ``None`` where the script names no target by a selector (a ref with its label, the
    focused node). ``endpoint`` names it where an action has two.
    """

    def __init__(
        self,
        evidence: TargetEvidence,
        selector: Selector | None,
        endpoint: Endpoint | None = None,
        *,
        text: str = "",
        for_fill: bool = False,
    ) -> None:
        self.evidence = evidence
        self.selector = selector
        self.endpoint = endpoint
        self.text = text
        self._for_fill = for_fill
        self._view: IdentityView | None = None
        self.let_stand: tuple[Node, tuple[Mismatch, ...]] | None = None
        """What was verified by its id alone, and how it is not what was recorded."""

    def refuse_unverifiable(self) -> None:
        """Path 1: evidence that declared its own limits consults no screen."""
        if self.evidence.verification == "unverifiable":
            self._settle(verify(IdentityView(_NO_TREE), self.evidence, (), None), None)

    def guard(self, observation: Observation, node: Node) -> None:
        """Refuse unless ``node``, which resolution settled on, is what was recorded."""
        self._refuse_unseen(observation)
        matches = self._match(observation).nodes or (node,)
        self._settle(verify(self._on(observation), self.evidence, matches, node), observation)

    def decide(self, observation: Observation, matches: Sequence[Node]) -> Node | None:
        """Which of several distinct matches the evidence denotes; refuses where it denotes none."""
        self._refuse_unseen(observation)
        verdict = verify(self._on(observation), self.evidence, matches, None)
        return self._settle(verdict, observation).node

    def ready(self, observation: Observation) -> bool:
        """Whether the step can be decided on this screen, or is worth another look."""
        if observation.quality != "ok":
            return False
        if observation.truncated:
            return True  # another look shows no more of it
        found = self._match(observation)
        resolution = resolve_for_action(observation.tree, found, for_fill=self._for_fill)
        winner = resolution.node if isinstance(resolution, Unique | Disambiguated) else None
        verdict = verify(self._on(observation), self.evidence, found.nodes, winner)
        return isinstance(verdict, Verified) or verdict.path not in _UNDECIDED_PATHS

    def carrying(self, observation: Observation, matches: Sequence[Node]) -> Sequence[Node]:
        """The matches of a landmark wait that carry the recorded identity tier."""
        found = carries_landmark(self._on(observation), self.evidence, matches)
        return () if found is None else (found,)

    def refusal(self, observation: Observation, matches: Sequence[Node]) -> SurefootError:
        """The deadline of a landmark wait that only ever saw look-alikes: always a mismatch, by the
        identity tier alone (amendment 1349)."""
        if observation.truncated:
            return self.unreadable("capture_truncated")
        tier = msgspec.structs.replace(
            self.evidence, item=None, between=None, section=None, peers=None, nth=None
        )
        verdict = verify(self._on(observation), tier, matches, matches[0])
        if isinstance(verdict, Refused):
            return BindingRefused(verdict, observation, self.endpoint)
        return BindingRefused(_LOOK_ALIKE, observation, self.endpoint)

    def missing(self) -> BindingRefused:
        """Path 2, where resolution itself found nothing to hand to the guard."""
        verdict = verify(IdentityView(_NO_TREE), self.evidence, (), None)
        assert isinstance(verdict, Refused)
        return BindingRefused(verdict, None, self.endpoint)

    def unreadable(self, reason: str) -> BindingRefused:
        """The screen could not be read, or not all of it, so nothing could be verified on it."""
        refused = _CUT if reason == "capture_truncated" else _UNREADABLE
        return BindingRefused(refused, None, self.endpoint, reason)

    def _refuse_unseen(self, observation: Observation) -> None:
        """A capture that is sparse, or cut by a bound, never verifies: a twin could be missing."""
        if observation.quality != "ok":
            raise self.unreadable("capture_sparse")
        if observation.truncated:
            raise self.unreadable("capture_truncated")

    def _match(self, observation: Observation) -> Match:
        if self.selector is None:
            return NO_MATCH
        return match(observation.tree, self.selector, windows=observation.windows)

    def _on(self, observation: Observation) -> IdentityView:
        if self._view is None or self._view.tree is not observation.tree:
            self._view = IdentityView(observation.tree)
        return self._view

    def _settle(self, verdict: Verdict, observation: Observation | None) -> Verified:
        if isinstance(verdict, Refused):
            raise BindingRefused(verdict, observation, self.endpoint)
        self.let_stand = (verdict.node, verdict.changed) if verdict.changed else None
        return verdict


def checks_of(step: BoundStep) -> tuple[TargetCheck, ...]:
    """The checks of an annotated step: one, or two for ``targets-v1``; none without evidence.

    A ``type`` or ``key`` has no target of its own: its evidence is of the focused node.
    """
    evidence = step.evidence
    if isinstance(evidence, TargetEvidence) and step.command in FOCUS_COMMANDS:
        return (TargetCheck(evidence, None),)
    targets = [step.positionals[at] for at in step.step.targets]
    if evidence is None or not targets:
        return ()
    if isinstance(evidence, TargetEvidence):
        fills = step.command == "fill"
        return (TargetCheck(evidence, _selector(targets[0]), text=targets[0], for_fill=fills),)
    if len(targets) < 2:
        return ()
    return (
        TargetCheck(evidence.source, _selector(targets[0]), "source", text=targets[0]),
        TargetCheck(evidence.destination, _selector(targets[1]), "destination", text=targets[1]),
    )


UNGUARDED = ActOptions()


@dataclass(frozen=True, slots=True, kw_only=True)
class StepSeams:
    """What one replayed step hangs into the ordinary way of its command."""

    act: ActOptions = UNGUARDED
    landmark: LandmarkGuard | None = None


def seams_of(step: BoundStep, checks: Sequence[TargetCheck], phase: Phase) -> StepSeams:
    """How the step runs through ``interact``: guarded where annotated, patient where it may be."""
    readiness = READINESS_MS if step.command in WAITS_FOR_ITS_TARGET else 0
    if not checks or phase == "none":
        return StepSeams(act=ActOptions(readiness_ms=readiness, stale_label=True))
    source = checks[0]
    if phase == "post_resolution":
        return StepSeams(landmark=source)
    destination = checks[1] if len(checks) > 1 else None
    return StepSeams(
        act=ActOptions(
            guard=source.guard,
            decide=source.decide,
            destination_guard=destination.guard if destination else None,
            destination_decide=destination.decide if destination else None,
            readiness_ms=readiness,
            ready=source.ready if source.selector is not None else None,
            stale_label=True,
        )
    )


def _selector(text: str) -> Selector | None:
    return None if looks_like_ref(text) else parse_selector(text)


_NO_TREE = Tree(())
_UNREADABLE = Refused(
    classification="identity-unverifiable",
    path=6,
    message="the screen could not be read, so the recorded identity could not be looked for",
)
_CUT = Refused(
    classification="identity-unverifiable",
    path=6,
    message="the screen holds more than a capture does, so that nothing in it can be known to be the "
    "only one of its kind",
)
_LOOK_ALIKE = Refused(
    classification="identity-mismatch",
    path=3,
    message="what matched never carried the recorded identity",
)
