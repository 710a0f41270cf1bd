"""Which of several equal things: the item a target stands in, the labels around it, its section.

identity.md 1, with the amendments that docs/identity.md lists and measures.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from surefoot.identity.model import ItemEvidence, ItemKey, TargetEvidence
from surefoot.identity.section import FRAME, HEADING, stands_under
from surefoot.identity.view import IdentityView, bounded, says_something
from surefoot.tree import Node, canonical_role

MAX_LABELS = 24
"""At most so many labels of an item, in document order, are tried as keys."""

Between = tuple[str | None, str | None]


# -- items ---------------------------------------------------------------------------------------


def find_item(
    view: IdentityView, node: Node, members: Sequence[Node], dispatched: Node | None = None
) -> tuple[Node, int | None] | None:
    """The target's item and, for a generic one, the steps up to it.

    ``members`` is *I₀*: a generic that holds all of it tells none of them apart. ``dispatched`` is the
    container that was pressed where the target stands for it (amendment 1280).
    """
    tree = view.tree
    if view.is_nameless(node) and _holds_usable(view, node, None):
        return node, None
    if dispatched is not None and dispatched is _nearest(view, node, dispatched.role):
        if not view.is_skipped(dispatched):
            return dispatched, None
    for ancestor in tree.ancestors(node):
        if view.is_item_role(ancestor):
            return ancestor, None
    for ancestor in tree.ancestors(node):
        if not view.is_skipped(ancestor):
            return None
        if _holds_usable(view, ancestor, node):
            if len(members) > 1 and all(tree.contains(ancestor, member) for member in members):
                return None
            return ancestor, 1
    return None


def locate_item(view: IdentityView, node: Node, recorded: ItemEvidence) -> Node | None:
    """The node's item as the recording describes it; ``None`` when there is no such ancestor.

    Steps up count the generics that hold a usable label beside the node: a ``div`` around a card's
    buttons, or around everything in it, is no step.
    """
    if recorded.up is None:
        role = canonical_role(recorded.of)
        if node.role == role and view.is_nameless(node) and _holds_usable(view, node, None):
            return node
        return _nearest(view, node, role)
    steps = 0
    for ancestor in view.tree.ancestors(node):
        if not view.is_skipped(ancestor):
            return None
        steps += _holds_usable(view, ancestor, node)
        if steps == recorded.up:
            return ancestor
    return None


def _nearest(view: IdentityView, node: Node, role: str) -> Node | None:
    return next((ancestor for ancestor in view.tree.ancestors(node) if ancestor.role == role), None)


def _holds_usable(view: IdentityView, container: Node, node: Node | None) -> bool:
    return any(view.is_usable(inner) for inner in view.inside_item(container, node))


def holds_all_keys(view: IdentityView, node: Node, recorded: ItemEvidence) -> bool:
    """Whether the node's item holds every recorded key."""
    item = locate_item(view, node, recorded)
    if item is None:
        return False
    wanted = {(canonical_role(key.role), key.label) for key in recorded.keys}
    for inner in view.inside_item(item, node):
        wanted.discard((inner.role, view.label(inner) or ""))
        if not wanted:
            return True
    return not wanted


def item_evidence(
    view: IdentityView, node: Node, members: Sequence[Node], dispatched: Node | None = None
) -> ItemEvidence | None:
    """What tells the target's item from its siblings; ``None`` when there is no item or no key."""
    found = find_item(view, node, members, dispatched)
    if found is None:
        return None
    item, up = found
    if len(members) == 1 and _names_its_item(view, node, item):
        return None
    names_itself = len(members) == 1 and view.is_usable(node)
    keys = _choose_keys(view, node, item, from_numbers=not names_itself)
    return ItemEvidence(of=item.role, up=up, keys=keys) if keys else None


def _names_its_item(view: IdentityView, node: Node, item: Node) -> bool:
    """Whether the target is the item's first labelled node and of a role that names things."""
    if node.role not in ("link", "tab", "option", HEADING):
        return False
    labelled = (inner for inner in view.tree.subtree(item)[1:] if view.tree.labels[inner.index])
    return node is item or next(labelled, None) is node


def _choose_keys(
    view: IdentityView, node: Node, item: Node, *, from_numbers: bool
) -> tuple[ItemKey, ...]:
    """The first label, else the first pair, that no sibling item holds, usable ones before others.

    ``from_numbers``: whether the labels of controls, and numbers, are better than none.
    """
    siblings = [
        {(inner.role, view.label(inner) or "") for inner in view.inside_item(other, None)}
        for other in _sibling_items(view, item)
    ]
    usable: list[ItemKey] = []
    controls: list[ItemKey] = []
    numbers: list[ItemKey] = []
    for inner in view.inside_item(item, node):
        key = ItemKey(role=inner.role, label=view.label(inner) or "")
        tier = usable if view.is_usable(inner) else controls if says_something(key.label) else numbers
        if key not in tier and len(tier) < MAX_LABELS:
            tier.append(key)
    pools = [usable, usable + controls, usable + controls + numbers]
    if not from_numbers:
        del pools[1:]
    for pool in pools:
        if keys := _first_unique(pool, siblings):
            return keys
    return ()


def _first_unique(
    pool: Sequence[ItemKey], siblings: Sequence[set[tuple[str, str]]]
) -> tuple[ItemKey, ...]:
    pairs = [(key.role, key.label) for key in pool]
    for index, pair in enumerate(pairs):
        if not any(pair in held for held in siblings):
            beside = [*pool[index + 1 :], *reversed(pool[:index])]
            return (pool[index], *[key for key in beside if says_something(key.label)][:1])
    for first in range(len(pairs)):
        holding = [held for held in siblings if pairs[first] in held]
        for second in range(first + 1, len(pairs)):
            if not any(pairs[second] in held for held in holding):
                return (pool[first], pool[second])
    return ()


def _sibling_items(view: IdentityView, item: Node) -> list[Node]:
    tree = view.tree
    parent = view.structural_parent(item)
    return [
        tree[index]
        for index in tree.by_role.get(item.role, ())
        if not tree.contains(item, tree[index])
        and not tree.contains(tree[index], item)
        and view.structural_parent(tree[index]) is parent
    ]


# -- between -------------------------------------------------------------------------------------


def between(view: IdentityView, node: Node, members: Sequence[Node]) -> Between:
    """The nearest usable labels before and after the node, not looking past another of ``members``.

    ``members`` is *I₀* in document order. Only within the nearest structural ancestor that holds all of
    it: what stands outside is not between them.
    """
    tree = view.tree
    first, last = min(members[0].index, node.index), max(members[-1].index, node.index)
    low, high = 0, len(tree)
    for ancestor in view.structural_ancestors(node):
        if ancestor.index < first and last < tree.subtree_ends[ancestor.index]:
            low, high = ancestor.index + 1, tree.subtree_ends[ancestor.index]
            break
    before = range(node.index - 1, low - 1, -1)
    after = range(tree.subtree_ends[node.index], high)
    return _nearest_label(view, node, before, members), _nearest_label(view, node, after, members)


def _nearest_label(
    view: IdentityView, node: Node, indexes: Iterable[int], members: Sequence[Node]
) -> str | None:
    """Stretch by stretch up to the next member: a usable label, else the nearest label of any kind."""
    tree = view.tree
    frame = _frame(view, node)
    any_label: str | None = None
    for index in indexes:
        if _is_member(members, index):
            if any_label is not None:
                return any_label
            continue
        other = tree[index]
        label = tree.labels[index]
        if not label or tree.contains(other, node) or other.window != node.window:
            continue
        if _frame(view, other) is not frame:
            continue
        if view.is_usable(other):
            return bounded(label)
        if any_label is None:
            any_label = bounded(label)
    return any_label


def _is_member(members: Sequence[Node], index: int) -> bool:
    at = bisect_left(members, index, key=lambda member: member.index)
    return at < len(members) and members[at].index == index


def _frame(view: IdentityView, node: Node) -> Node | None:
    return next((ancestor for ancestor in view.tree.ancestors(node) if ancestor.role == FRAME), None)


# -- the whole ------------------------------------------------------------------------------------


def qualifies(
    view: IdentityView, node: Node, members: Sequence[Node], evidence: TargetEvidence
) -> bool:
    """Whether a member of *I₀* meets the recorded context (identity.md 1, *Q*)."""
    if evidence.item is not None and not holds_all_keys(view, node, evidence.item):
        return False
    if evidence.between is not None and between(view, node, members) != evidence.between:
        return False
    return evidence.section is None or stands_under(view, node, evidence.section)
