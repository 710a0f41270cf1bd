"""Nodes of the current screen that share what was recorded of the target, best first.

Seed 0012, decision 1: a total order. An equal id outranks equal role and label (none, where the target
had none), which outrank an equal label; among equals the recorded scroll region comes first, then
document order. A node appears once, under its strongest basis. Nothing here acts: a suggestion is for
whoever repairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from surefoot.identity import Evidence, IdentityView, TargetEvidence, TargetsEvidence
from surefoot.selectors import Equals, Selector, comparable
from surefoot.tree import Node, Observation, canonical_role
from surefoot.wire import SuggestionBasis

_ORDER: Sequence[SuggestionBasis] = ("id", "role+label", "label")


@dataclass(slots=True)
class Components:
    """What was recorded of a target, by which a node may be suggested."""

    ids: set[str] = field(default_factory=set)
    pairs: set[tuple[str, str | None]] = field(default_factory=set)
    labels: set[str] = field(default_factory=set)

    def add_selector(self, selector: Selector) -> None:
        """The ids, roles and labels (or own texts) its alternatives ask for."""
        for alternative in selector.alternatives:
            terms = {
                term.key: comparable(term.key, term.value)
                for term in alternative.terms
                if isinstance(term, Equals)
            }
            self._add(terms.get("id"), terms.get("role"), terms.get("label") or terms.get("text"))

    def add_evidence(self, evidence: TargetEvidence) -> None:
        self._add(evidence.id, canonical_role(evidence.role), evidence.label)

    def _add(self, id: str | None, role: str | None, label: str | None) -> None:
        if id:
            self.ids.add(id)
        if label:
            self.labels.add(label)
        if role and (label or not id):
            self.pairs.add((role, label or None))

    def basis(self, view: IdentityView, node: Node) -> SuggestionBasis | None:
        """The strongest component the node shares."""
        if view.tree.ids[node.index] in self.ids:
            return "id"
        label = view.label(node)
        if (node.role, label) in self.pairs:
            return "role+label"
        return "label" if label in self.labels else None


def suggest(
    observation: Observation, selectors: Sequence[Selector], evidence: Evidence | None
) -> list[tuple[Node, SuggestionBasis]]:
    """Every node to suggest, in the total order, over the whole capture but its chrome."""
    recorded = parts_of(evidence)
    components = Components()
    for selector in selectors:
        components.add_selector(selector)
    for part in recorded:
        components.add_evidence(part)
    view = IdentityView(observation.tree)
    found: list[tuple[tuple[int, bool, int], Node, SuggestionBasis]] = []
    for node in observation.tree:
        basis = components.basis(view, node) if node.visible and not node.chrome else None
        if basis is not None:
            elsewhere = not any(view.in_region(node, part.scroll_region) for part in recorded)
            found.append(((_ORDER.index(basis), elsewhere, node.index), node, basis))
    return [(node, basis) for _, node, basis in sorted(found, key=lambda item: item[0])]


def parts_of(evidence: Evidence | None) -> tuple[TargetEvidence, ...]:
    """The evidence of each target of a step."""
    if isinstance(evidence, TargetsEvidence):
        return (evidence.source, evidence.destination)
    return () if evidence is None else (evidence,)
