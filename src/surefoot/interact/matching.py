"""What interactions ask of the selectors room: matches, the ambiguity rule, the direct query."""

from __future__ import annotations

from collections.abc import Sequence

from surefoot.drivers import DirectQuery
from surefoot.interact.model import FoundTarget, MatchTarget, SelectorTarget
from surefoot.selectors import (
    Alternative,
    Equals,
    Match,
    Selector,
    Term,
    match,
    match_alternative,
    simple_terms,
)
from surefoot.text import nearest, normalize
from surefoot.tree import DOCUMENT_ROLE, Node, Observation

MAX_NEAR = 3
MIN_PART = 3
MAX_COMPARED = 200
_SAID_KEYS = frozenset({"label", "text", "value", "id"})
_DIRECT_KEYS = frozenset({"id", "role", "label", "text"})


def matches_of(target: MatchTarget, observation: Observation) -> Match:
    """What the target matches on the observation, in document order."""
    if isinstance(target, FoundTarget):
        return Match(None, tuple(target.find(observation)))
    return match(observation.tree, target.selector, windows=observation.windows)


def label_matches(observation: Observation, label: str, role: str | None) -> Match:
    """Nodes with exactly this label (normalised), of this role when it is known."""
    terms: list[Term] = [Equals("label", label)]
    if role is not None:
        terms.append(Equals("role", role))
    return Match(None, match_alternative(observation.tree, Alternative(tuple(terms))))


def near_misses(observation: Observation, target: MatchTarget) -> Sequence[Node]:
    """What a selector that matched nothing may have meant, for a message: at most three visible nodes
    whose label is much like a label, text, value or id it asks for. Never a target."""
    if not isinstance(target, SelectorTarget):
        return ()
    wanted = {
        normalize(term.value).casefold()
        for alternative in target.selector.alternatives
        for term in alternative.terms
        if isinstance(term, Equals) and term.key in _SAID_KEYS and term.value.strip()
    }
    labels = observation.tree.labels
    said: dict[str, Node] = {}
    for node in observation.tree.nodes:
        if node.visible and labels[node.index] and node.role != DOCUMENT_ROLE:
            said.setdefault(labels[node.index].casefold(), node)
    near = [
        (abs(len(label) - len(word)), node.index)
        for word in wanted
        for label, node in said.items()
        if word in label or (len(label) >= MIN_PART and label in word)
    ]
    found = [observation.tree[index] for _, index in sorted(set(near))]
    if not found:
        short = list(said)[:MAX_COMPARED]
        meant = (nearest(word, short) for word in sorted(wanted))
        found = [said[label] for label in meant if label is not None]
    return found[:MAX_NEAR]


def direct_query(selector: Selector) -> DirectQuery | None:
    """The selector as a platform can resolve it by itself: one alternative of id, role, label and
    text terms; ``None`` for anything else."""
    terms = simple_terms(selector)
    if terms is None or any(key not in _DIRECT_KEYS for key, _ in terms):
        return None
    values: dict[str, str] = dict(terms)
    return DirectQuery(
        id=values.get("id"),
        role=values.get("role"),
        label=values.get("label"),
        text=values.get("text"),
    )
