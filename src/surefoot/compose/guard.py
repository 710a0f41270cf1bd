"""The entry guard of a fragment: local step 1 proves the screen it may start on (seed 0020).

A selector wait with ``target-v1`` evidence that is ``verified`` and names an identity, and with its
timeout written out in milliseconds. What it says is static; whether the screen agrees is asked when it
runs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from surefoot.compose.model import CompositionNode, Rule, StepNode
from surefoot.errors import SurefootError
from surefoot.identity import MAX_STRING_BYTES, TargetEvidence
from surefoot.plan import PlanStep
from surefoot.selectors import Alternative, Equals, comparable, parse_selector
from surefoot.text import truncate_utf8

_MILLISECONDS: Final = re.compile(r"[0-9]{1,8}", re.ASCII)


class GuardProblem:
    """Why a body has no entry guard: the rule it breaks, what to say, the step it is about."""

    def __init__(self, rule: Rule, problem: str, step: PlanStep | None = None) -> None:
        self.rule, self.problem, self.step = rule, problem, step

    @property
    def message(self) -> str:
        return _MESSAGES[self.problem]


_MESSAGES: Final[Mapping[str, str]] = {
    "no_step": "the fragment has no step, so nothing proves the screen it starts on",
    "not_first": "an entry guard comes before every include",
    "no_wait": "the first step is no wait for a selector",
    "no_timeout": "the entry guard's wait has no timeout written out in milliseconds",
    "no_evidence": "the entry guard has no target-v1 annotation",
    "two_targets": "the entry guard's annotation is of two targets",
    "unverifiable": "the entry guard's evidence is not verified",
    "no_identity": "the entry guard's evidence names neither an id nor a label",
    "selector_differs": "the entry guard's selector cannot match what its evidence names",
}


def entry_guard_problem(nodes: tuple[CompositionNode, ...]) -> GuardProblem | None:
    """What a fragment's body lacks to be guarded; None when it is."""
    if not nodes:
        return GuardProblem(Rule.ENTRY_GUARD_MISSING, "no_step")
    first = nodes[0]
    if not isinstance(first, StepNode):
        return GuardProblem(Rule.ENTRY_GUARD_MISSING, "not_first")
    step = first.step
    if not _waits_for_selector(step):
        return GuardProblem(Rule.ENTRY_GUARD_MISSING, "no_wait", step)
    if len(step.positionals) < 2 or not _MILLISECONDS.fullmatch(step.positionals[1]):
        return GuardProblem(Rule.ENTRY_GUARD_MISSING, "no_timeout", step)
    problem = _evidence_problem(step)
    return GuardProblem(Rule.ENTRY_GUARD_EVIDENCE, problem, step) if problem else None


def _waits_for_selector(step: PlanStep) -> bool:
    return step.command == "wait" and step.targets == (0,) and not step.positionals[0].startswith("@")


def _evidence_problem(step: PlanStep) -> str | None:
    evidence = step.evidence
    if evidence is None:
        return "no_evidence"
    if not isinstance(evidence, TargetEvidence):
        return "two_targets"
    if evidence.verification != "verified":
        return "unverifiable"
    if evidence.id is None and evidence.label is None:
        return "no_identity"
    return None if _may_match(step.positionals[0], evidence) else "selector_differs"


def _may_match(selector: str, evidence: TargetEvidence) -> bool:
    """Whether some alternative agrees with the evidence; a variable may hold anything."""
    if "${" in selector:
        return True
    try:
        alternatives = parse_selector(selector).alternatives
    except SurefootError:
        return True  # the grammar has its own finding for it
    return any(_agrees(alternative, evidence) for alternative in alternatives)


def _agrees(alternative: Alternative, evidence: TargetEvidence) -> bool:
    recorded = {"id": evidence.id, "role": evidence.role or None, "label": evidence.label}
    for term in alternative.terms:
        if not isinstance(term, Equals):
            continue
        said = recorded.get(term.key)
        if said is None:
            continue
        wanted = comparable(term.key, term.value)
        if truncate_utf8(wanted, MAX_STRING_BYTES) != comparable(term.key, said):
            return False
    return True
