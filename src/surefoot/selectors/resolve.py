"""Which of several matches is meant, or that it cannot be said (seed 0012 decision 2; contracts.md).

Mutations: several matches collapse only when they form one ancestor-descendant chain that resolves
to the same actionable node; anything else is ambiguous. Reads prefer the single hittable match. The
choice is always part of the answer, and geometry has no part in it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Literal

from msgspec import Struct

from surefoot.selectors.matching import Match
from surefoot.tree import PAGE_ROLES, Node, Tree, is_interactive

MAX_CANDIDATES = 5
"""At most this many alternatives or candidates are shown (seed 0012, decision 2)."""

Tiebreak = Literal["structural-equivalence", "single-hittable"]


class Unresolved(Struct, frozen=True):
    """Nothing matched."""


class Unique(Struct, frozen=True):
    """Exactly one node matched. ``actionable`` takes the activation (:func:`actionable_node`)."""

    node: Node
    actionable: Node


class Disambiguated(Struct, frozen=True):
    """Several matched and the rule says which is meant.

    ``alternatives`` are at most five of the other matches in document order: diagnostics, no targets.
    """

    node: Node
    actionable: Node
    match_count: int
    tiebreak: Tiebreak
    alternatives: tuple[Node, ...]


class Ambiguous(Struct, frozen=True):
    """Several matched and nothing says which is meant; all of them, in document order."""

    candidates: tuple[Node, ...]

    @property
    def match_count(self) -> int:
        return len(self.candidates)

    @property
    def shown(self) -> tuple[Node, ...]:
        """The candidates that are shown and get refs."""
        return self.candidates[:MAX_CANDIDATES]

    @property
    def more(self) -> int:
        """How many candidates are not shown."""
        return max(0, len(self.candidates) - MAX_CANDIDATES)


Resolution = Unresolved | Unique | Disambiguated | Ambiguous


def resolve_for_action(tree: Tree, found: Match, *, for_fill: bool = False) -> Resolution:
    """The mutating rule. ``for_fill``: what counts as actionable is what takes text."""
    nodes = found.nodes
    if not nodes:
        return Unresolved()
    takes = _takes_text if for_fill else is_interactive
    if len(nodes) == 1:
        return Unique(nodes[0], actionable_node(tree, nodes[0], for_fill=for_fill))
    collapsed = _collapse(tree, nodes, takes)
    return collapsed if collapsed is not None else Ambiguous(nodes)


def resolve_for_read(tree: Tree, found: Match) -> Resolution:
    """The reading rule: the single hittable match; where there is none, the mutating rule."""
    nodes = found.nodes
    if len(nodes) > 1:
        hittable = [node for node in nodes if node.hittable]
        if len(hittable) == 1:
            chosen = hittable[0]
            return _disambiguated(nodes, chosen, chosen, "single-hittable")
    return resolve_for_action(tree, found)


def actionable_node(tree: Tree, node: Node, *, for_fill: bool = False) -> Node:
    """The node that takes what is done to ``node``: itself, else the nearest ancestor that does.

    A text inside a button is the button's; what spans a page or a window (``PAGE_ROLES``) is never
    meant for what lies in it. Where nothing takes it, the node itself.
    """
    takes = _takes_text if for_fill else is_interactive
    if takes(node):
        return node
    return _taking_ancestor(tree, node, takes) or node


def _takes_text(node: Node) -> bool:
    return node.editable


def _taking_ancestor(tree: Tree, node: Node, takes: Callable[[Node], bool]) -> Node | None:
    for ancestor in tree.ancestors(node):
        if ancestor.role in PAGE_ROLES:
            return None
        if takes(ancestor):
            return ancestor
    return None


def _collapse(tree: Tree, nodes: Sequence[Node], takes: Callable[[Node], bool]) -> Disambiguated | None:
    """The winner of matches that are wrappers of one and the same control; ``None`` otherwise.

    The control is the innermost match that takes activation. Matches above it must hold no other
    control beside it, matches below it must belong to it. Without such a match, the whole chain must
    hold no control at all; then all of it belongs to the same ancestor, or nothing takes it.
    """
    if not tree.is_chain(nodes):
        return None
    outermost, innermost = nodes[0], nodes[-1]
    within = _taking_within(tree, outermost, takes)
    target = next((node for node in reversed(nodes) if takes(node)), None)
    if target is None:
        if within:
            return None
        actionable = _taking_ancestor(tree, outermost, takes) or innermost
        return _disambiguated(nodes, innermost, actionable, "structural-equivalence")
    if not all(tree.contains(node, target) or tree.contains(target, node) for node in within):
        return None
    if innermost is not target and _taking_ancestor(tree, innermost, takes) != target:
        return None
    return _disambiguated(nodes, target, target, "structural-equivalence")


def _taking_within(tree: Tree, node: Node, takes: Callable[[Node], bool]) -> Sequence[Node]:
    if takes is not is_interactive:
        return [below for below in tree.subtree(node) if takes(below)]
    indexes = tree.interactive
    low = bisect_left(indexes, node.index)
    high = bisect_left(indexes, tree.subtree_ends[node.index])
    return [tree.nodes[index] for index in indexes[low:high]]


def _disambiguated(
    nodes: Sequence[Node], chosen: Node, actionable: Node, tiebreak: Tiebreak
) -> Disambiguated:
    others = [node for node in nodes if node.index != chosen.index]
    return Disambiguated(chosen, actionable, len(nodes), tiebreak, tuple(others[:MAX_CANDIDATES]))
