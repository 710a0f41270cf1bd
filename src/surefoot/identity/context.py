"""Which of several equal things: the item a target stands in, the labels around it, its section.

identity.md 1, amended in one point: ``section`` is written for a target with an id too, and where no
heading stands before the target it is the first usable label of the target's structural parent that
does. Without that, a wizard whose *Next* keeps its test id, or whose screens are titled by plain text,
goes on to the next screen's *Next*.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from surefoot.identity.model import ItemEvidence, ItemKey, TargetEvidence
from surefoot.identity.view import IdentityView, bounded, says_something
from surefoot.tree import Node, canonical_role

HEADING = "heading"
FRAME = "iframe"
_SECTION_DIGITS = re.compile(r"\d+")

Between = tuple[str | None, str | None]


# -- items ---------------------------------------------------------------------------------------


def find_item(
    view: IdentityView, node: Node, members: Sequence[Node]
) -> tuple[Node, int | None] | None:
    """The target's item and, for a generic one, the steps up to it.

    ``members`` is *I₀*: a generic that holds all of it tells none of them apart.
    """
    tree = view.tree
    for ancestor in tree.ancestors(node):
        if view.is_item_role(ancestor):
            return ancestor, None
    steps = 0
    for ancestor in tree.ancestors(node):
        if not view.is_skipped(ancestor):
            return None
        if len(tree.children(ancestor)) == 1:
            continue
        steps += 1
        if any(view.is_usable(inner) for inner in view.inside_item(ancestor, node)):
            if len(members) > 1 and all(tree.contains(ancestor, member) for member in members):
                return None
            return ancestor, steps
    return None


def locate_item(view: IdentityView, node: Node, recorded: ItemEvidence) -> Node | None:
    """The node's item as the recording describes it; ``None`` when there is no such ancestor."""
    tree = view.tree
    if recorded.up is None:
        role = canonical_role(recorded.of)
        return next((ancestor for ancestor in tree.ancestors(node) if ancestor.role == role), None)
    steps = 0
    for ancestor in tree.ancestors(node):
        if not view.is_skipped(ancestor):
            return None
        steps += len(tree.children(ancestor)) > 1
        if steps == recorded.up:
            return ancestor
    return None


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


def item_evidence(view: IdentityView, node: Node, members: Sequence[Node]) -> ItemEvidence | None:
    """What tells the target's item from its siblings; ``None`` when there is no item or no key."""
    found = find_item(view, node, members)
    if found is None:
        return None
    item, up = found
    if len(members) == 1 and _names_its_item(view, node, item):
        return None
    keys = _choose_keys(view, node, item)
    return ItemEvidence(of=item.role, up=up, keys=keys) if keys else None


def _names_its_item(view: IdentityView, node: Node, item: Node) -> bool:
    """Whether the target is the item's first labelled node and of a role that names things."""
    if node.role not in ("link", "tab", "option", HEADING):
        return False
    labelled = (inner for inner in view.tree.subtree(item)[1:] if view.tree.labels[inner.index])
    return node is item or next(labelled, None) is node


def _choose_keys(view: IdentityView, node: Node, item: Node) -> tuple[ItemKey, ...]:
    """The first label, else the first pair, that no sibling item holds, usable ones before others."""
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
        if key not in tier:
            tier.append(key)
    for pool in (usable, usable + controls, usable + controls + numbers):
        if keys := _first_unique(pool, siblings):
            return keys
    return ()


def _first_unique(
    pool: Sequence[ItemKey], siblings: Sequence[set[tuple[str, str]]]
) -> tuple[ItemKey, ...]:
    pairs = [(key.role, key.label) for key in pool]
    for index, pair in enumerate(pairs):
        if not any(pair in held for held in siblings):
            following = pool[index + 1 : index + 2]
            return (pool[index], *(key for key in following if says_something(key.label)))
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
    """The nearest usable labels before and after the node, not looking past another member."""
    tree = view.tree
    stops = {member.index for member in members if member is not node}
    before = range(node.index - 1, -1, -1)
    after = range(tree.subtree_ends[node.index], len(tree))
    return (
        _nearest_label(view, node, before, stops),
        _nearest_label(view, node, after, stops),
    )


def _nearest_label(
    view: IdentityView, node: Node, indexes: Iterable[int], stops: set[int]
) -> str | None:
    """Stretch by stretch up to the next member: a usable label, else the nearest label of any kind."""
    tree = view.tree
    frame = _frame(view, node)
    any_label: str | None = None
    for index in indexes:
        if index in stops:
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


def _frame(view: IdentityView, node: Node) -> Node | None:
    return next((ancestor for ancestor in view.tree.ancestors(node) if ancestor.role == FRAME), None)


# -- section and screen --------------------------------------------------------------------------


def section(view: IdentityView, node: Node) -> str | None:
    """The nearest heading before the node, else what titles its container; digits removed."""
    tree = view.tree
    frame = _frame(view, node)
    for index in reversed(tree.by_role.get(HEADING, ())):
        heading = tree[index]
        if index < node.index and tree.labels[index] and _frame(view, heading) is frame:
            return without_digits(tree.labels[index])
    container = view.structural_parent(node)
    if container is None:
        return None
    for other in tree.nodes[container.index + 1 : node.index]:
        if view.is_usable(other) and not tree.contains(other, node):
            return without_digits(tree.labels[other.index])
    return None


def without_digits(label: str) -> str | None:
    """``label`` with its digits removed, normalised again and bounded; ``None`` when empty."""
    return bounded(" ".join(_SECTION_DIGITS.sub(" ", label).split())) or None


def screen_title(view: IdentityView, window_title: str) -> str | None:
    """The main heading, else the document's or window's title. Verification never compares it."""
    tree = view.tree
    headings = [tree[index] for index in tree.by_role.get(HEADING, ()) if tree.labels[index]]
    main = next((heading for heading in headings if heading.level == 1), None)
    heading = main or next(iter(headings), None)
    if heading is not None:
        return view.label(heading)
    document = next((root for root in tree.roots if tree.labels[root.index]), None)
    return (view.label(document) if document is not None else None) or bounded(window_title) or None


# -- the whole ------------------------------------------------------------------------------------


def qualifies(
    view: IdentityView, node: Node, members: Sequence[Node], evidence: TargetEvidence
) -> bool:
    """Whether a member of *I₀* meets the recorded context (identity.md 1, *Q*)."""
    if evidence.item is not None and not holds_all_keys(view, node, evidence.item):
        return False
    if evidence.between is not None and between(view, node, members) != evidence.between:
        return False
    return evidence.section is None or section(view, node) == evidence.section
