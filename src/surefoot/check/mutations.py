"""The fixed set of changes a recorded step is tried against: what pages do to their elements.

Each takes a capture and the recorded element and gives the changed capture with where the element is
now, or ``None`` where it does not apply. The element stays what it was in every one of them, so a step
that then takes another one is mistaken. Nothing is sent to a page.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

import msgspec

from surefoot.identity import IdentityView
from surefoot.tree import INTERACTIVE_ROLES, ITEM_ROLES, Node, Rect, Tree

Name = Literal["row-inserted", "wrapper-added", "sibling-renamed", "label-translated", "id-dropped"]
TRANSLATED = "Übersetzt"
INSERTED = "Neu hinzugefügt"
RENAMED = "Umbenannt"
NEAR = 40
"""How far from the element, in document order, a sibling is looked for."""


class Changed(NamedTuple):
    """A changed capture and the index of the recorded element in it."""

    tree: Tree
    at: int


Mutation = Callable[[Tree, Node], Changed | None]


def row_inserted(tree: Tree, node: Node) -> Changed | None:
    """Another record like the element's own before it; where it stands in none, a line of text."""
    item = next((one for one in (node, *tree.ancestors(node)) if one.role in ITEM_ROLES), None)
    entries: list[_Entry] = []
    for old in tree:
        if old.index == (node if item is None else item).index:
            entries += _text_line(old) if item is None else _copied(tree, item)
        entries.append(_Entry(old.index, _parent_key(old), old))
    return _assembled(entries, node.index)


def wrapper_added(tree: Tree, node: Node) -> Changed | None:
    """A ``div`` around the element and everything beside it."""
    if node.parent < 0:
        return None
    parent = tree[node.parent]
    wrapper = Node(index=0, parent=0, depth=0, role="generic", handle="+wrapper", rect=parent.rect)
    entries: list[_Entry] = []
    for old in tree:
        inside = old.parent == parent.index
        entries.append(_Entry(old.index, "wrapper" if inside else _parent_key(old), old))
        if old.index == parent.index:
            entries.append(_Entry("wrapper", parent.index, wrapper))
    return _assembled(entries, node.index)


def sibling_renamed(tree: Tree, node: Node) -> Changed | None:
    """The nearest label beside the element, one of the same parent first."""
    low, high = max(0, node.index - NEAR), min(len(tree), node.index + NEAR)
    beside = [
        other
        for other in tree.nodes[low:high]
        if tree.labels[other.index]
        and not tree.contains(other, node)
        and not tree.contains(node, other)
    ]
    if not beside:
        return None
    nearest = min(
        beside, key=lambda other: (other.parent != node.parent, abs(other.index - node.index))
    )
    return _relabelled(tree, node, {nearest.index: RENAMED})


def label_translated(tree: Tree, node: Node) -> Changed | None:
    """The element's label, and the same words inside it."""
    label = tree.labels[node.index]
    if not label:
        return None
    same = [one.index for one in tree.subtree(node) if tree.labels[one.index] == label]
    return _relabelled(tree, node, dict.fromkeys(same, TRANSLATED))


def id_dropped(tree: Tree, node: Node) -> Changed | None:
    """The id the element is known by is gone."""
    if IdentityView(tree).durable_id(node) is None:
        return None
    nodes = list(tree.nodes)
    nodes[node.index] = msgspec.structs.replace(node, id="")
    return Changed(_like(tree, nodes, {}), node.index)


MUTATIONS: Mapping[Name, Mutation] = {
    "row-inserted": row_inserted,
    "wrapper-added": wrapper_added,
    "sibling-renamed": sibling_renamed,
    "label-translated": label_translated,
    "id-dropped": id_dropped,
}

SAID: Mapping[Name, str] = {
    "row-inserted": "a row is inserted before it",
    "wrapper-added": "a wrapper is put around it",
    "sibling-renamed": "its neighbour is renamed",
    "label-translated": "its label is translated",
    "id-dropped": "its id is dropped",
}


# -- building a changed tree --------------------------------------------------------------------------


class _Entry(NamedTuple):
    key: Hashable
    parent: Hashable | None
    node: Node


def _parent_key(node: Node) -> int | None:
    return node.parent if node.parent >= 0 else None


def _assembled(entries: Sequence[_Entry], target: int) -> Changed:
    """A tree of entries in document order, parents first; ``target`` is the key of the element."""
    at = {entry.key: index for index, entry in enumerate(entries)}
    nodes: list[Node] = []
    for index, (_, parent, node) in enumerate(entries):
        above = -1 if parent is None else at[parent]
        nodes.append(
            msgspec.structs.replace(
                node,
                index=index,
                parent=above,
                depth=0 if above < 0 else nodes[above].depth + 1,
                covered_by=None if node.covered_by is None else at.get(node.covered_by),
            )
        )
    return Changed(Tree(nodes), at[target])


def _text_line(before: Node) -> Iterator[_Entry]:
    rect = before.rect
    line = Node(
        index=0,
        parent=0,
        depth=0,
        role="text",
        handle="+line",
        label=INSERTED,
        window=before.window,
        rect=None if rect is None else Rect(rect.x, rect.y, rect.width, 0),
    )
    yield _Entry("line", _parent_key(before), line)


def _copied(tree: Tree, item: Node) -> Iterator[_Entry]:
    """The record once more: its controls say the same, its texts say something else, no id."""
    for old in tree.subtree(item):
        is_text = old.role not in INTERACTIVE_ROLES or old.role in ITEM_ROLES or old.role == "link"
        says = INSERTED if tree.labels[old.index] and is_text else old.label
        copy = msgspec.structs.replace(
            old,
            handle=f"+{old.handle}",
            label=says,
            author_label=INSERTED if old.author_label and is_text else old.author_label,
            value=None,
            id="",
            focused=False,
            covered_by=None,
        )
        inside = old is not item
        parent: Hashable | None = ("copy", old.parent) if inside else _parent_key(old)
        yield _Entry(("copy", old.index), parent, copy)


def _relabelled(tree: Tree, node: Node, labels: Mapping[int, str]) -> Changed:
    nodes = list(tree.nodes)
    for index, label in labels.items():
        old = nodes[index]
        author = label if old.author_label else ""
        nodes[index] = msgspec.structs.replace(old, label=label, author_label=author)
    return Changed(_like(tree, nodes, labels), node.index)


def _like(tree: Tree, nodes: Sequence[Node], labels: Mapping[int, str]) -> Tree:
    """A tree of the same shape: what did not change is not computed anew."""
    changed = Tree(nodes)
    kept = vars(changed)
    for name in ("subtree_ends", "siblings", "regions", "by_role", "values"):
        kept[name] = getattr(tree, name)
    now = list(tree.labels)
    for index, label in labels.items():
        now[index] = label
    kept["labels"] = tuple(now)
    return changed
