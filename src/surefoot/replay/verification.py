"""A replayed step's identity check, hung into the one way every action takes.

Seed 0012, decision 3 with amendment 1349 (landmarks), identity.md 1 (evidence decides). There is no
second resolver: the guard and the decision below run inside ``interact``, on its own observation,
and refuse there before anything is dispatched.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from surefoot.errors import ErrorCode, SurefootError
from surefoot.identity import (
    IdentityView,
    Refused,
    TargetEvidence,
    TargetsEvidence,
    Verdict,
    Verified,
    carries_landmark,
    verify,
)
from surefoot.interact import ActOptions, LandmarkGuard
from surefoot.plan import BoundStep
from surefoot.recording import Phase
from surefoot.selectors import Selector, match, parse_selector
from surefoot.session import looks_like_ref
from surefoot.tree import Node, Observation, Tree

READINESS_MS = 2_000
"""How long an absent target may take to appear (contracts.md, "Waits in replay")."""

WAITS_FOR_ITS_TARGET = frozenset({"press", "click", "longpress", "fill"})

# Verdict paths on which a half-loaded screen is told from a divergence by looking again: no match,
# an empty identity set, a count that differs.
_UNDECIDED_PATHS = frozenset({2, 3, 6})


class BindingRefused(SurefootError):
    """The recorded identity is not, or not provably, on this screen; nothing was dispatched."""

    def __init__(self, refused: Refused, observation: Observation | None, endpoint: str | None) -> None:
        where = f"{endpoint}: " if endpoint else ""
        super().__init__(
            ErrorCode.COMMAND_FAILED,
            f"{where}{refused.message}.",
            details={"reason": refused.classification.replace("-", "_")},
        )
        self.refused = refused
        self.observation = observation
        self.endpoint = endpoint


class TargetCheck:
    """One recorded target against whatever screen it is asked about.

    ``endpoint`` names it where an action has two. Each observation is judged once.
    """

    def __init__(
        self, evidence: TargetEvidence, selector: Selector | None, endpoint: str | None = None
    ) -> None:
        self.evidence = evidence
        self.selector = selector
        self.endpoint = endpoint
        self._view: IdentityView | None = None

    def refuse_unverifiable(self) -> None:
        """Path 1: evidence that declared its own limits consults no screen."""
        if self.evidence.verification == "unverifiable":
            self._settle(verify(IdentityView(_NO_TREE), self.evidence, (), None), None)

    def guard(self, observation: Observation, node: Node) -> None:
        """Refuse unless ``node``, which resolution settled on, is what was recorded."""
        matches = self._matches(observation) or (node,)
        self._settle(verify(self._on(observation), self.evidence, matches, node), observation)

    def decide(self, observation: Observation, matches: Sequence[Node]) -> Node | None:
        """Which of several distinct matches the evidence denotes; refuses where it denotes none."""
        verdict = verify(self._on(observation), self.evidence, matches, None)
        return self._settle(verdict, observation).node

    def ready(self, observation: Observation) -> bool:
        """Whether the step can be decided on this screen, or is worth another look."""
        verdict = verify(self._on(observation), self.evidence, self._matches(observation), None)
        return isinstance(verdict, Verified) or verdict.path not in _UNDECIDED_PATHS

    def carrying(self, observation: Observation, matches: Sequence[Node]) -> Sequence[Node]:
        """The matches of a landmark wait that carry the recorded identity tier."""
        found = carries_landmark(self._on(observation), self.evidence, matches)
        return () if found is None else (found,)

    def refusal(self, observation: Observation, matches: Sequence[Node]) -> SurefootError:
        """The deadline of a landmark wait that only ever saw look-alikes."""
        verdict = verify(self._on(observation), self.evidence, matches, matches[0])
        if isinstance(verdict, Refused):
            return BindingRefused(verdict, observation, self.endpoint)
        return BindingRefused(_LOOK_ALIKE, observation, self.endpoint)

    def _matches(self, observation: Observation) -> Sequence[Node]:
        return () if self.selector is None else match(observation.tree, self.selector).nodes

    def _on(self, observation: Observation) -> IdentityView:
        if self._view is None or self._view.tree is not observation.tree:
            self._view = IdentityView(observation.tree)
        return self._view

    def _settle(self, verdict: Verdict, observation: Observation | None) -> Verified:
        if isinstance(verdict, Refused):
            raise BindingRefused(verdict, observation, self.endpoint)
        return verdict


def checks_of(step: BoundStep) -> tuple[TargetCheck, ...]:
    """The checks of an annotated step: one, or two for ``targets-v1``; none without evidence."""
    evidence = step.evidence
    selectors = [_selector(step.positionals[at]) for at in step.step.targets]
    if evidence is None or not selectors:
        return ()
    if isinstance(evidence, TargetsEvidence):
        if len(selectors) < 2:
            return ()
        return (
            TargetCheck(evidence.source, selectors[0], "source"),
            TargetCheck(evidence.destination, selectors[1], "destination"),
        )
    return (TargetCheck(evidence, selectors[0]),)


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
            ready=source.ready,
            stale_label=True,
        )
    )


def _selector(text: str) -> Selector | None:
    return None if looks_like_ref(text) else parse_selector(text)


_NO_TREE = Tree(())
_LOOK_ALIKE = Refused(
    classification="identity-mismatch",
    path=3,
    message="what matched never carried the recorded identity",
)
