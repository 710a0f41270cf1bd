"""What tells elements of one name apart, for a person or an agent who must choose (rows B045, B046).

``button "Add" in listitem "Walking boots"``: where several listed elements have the same role and
label, each line says its own place. It explains and never chooses; no geometry has a part in it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from surefoot.text import quoted, truncate_utf8
from surefoot.tree import Node, Tree

MAX_LABEL_BYTES = 80
MAX_PAIRED = 8
"""Labels of one element that are tried by twos."""

MAX_LOOKED_AT = 200
"""Labels around one element that are looked at; what lies further off says nothing of it."""


def places(tree: Tree, nodes: Sequence[Node], shown: Sequence[Node]) -> Mapping[int, str]:
    """The place of each shown node (by index) that shares its role and label with another of ``nodes``.

    In this order: a label of what is around it and holds no other of them, inside it, or beside it
    there, that the others have not, or two such labels that no other has together; else the label
    before it, or after it, first among its siblings, where no other lies between; else its number among
    them. An id of its own is told too.
    """
    named: dict[tuple[str, str], list[int]] = defaultdict(list)
    for node in nodes:
        named[node.role, tree.labels[node.index]].append(node.index)
    out: dict[int, str] = {}
    for (role, label), equal in named.items():
        wanted = [node for node in shown if node.role == role and tree.labels[node.index] == label]
        if len(equal) > 1 and wanted:
            out.update(_Equal(tree, sorted(equal)).told(wanted))
    return out


class _Equal:
    """Nodes of one role and label; ``equal`` holds their indices in document order."""

    def __init__(self, tree: Tree, equal: Sequence[int]) -> None:
        self.tree = tree
        self.equal = equal

    def told(self, wanted: Sequence[Node]) -> Iterable[tuple[int, str]]:
        labels = {node.index: {label for _, label in self.labelled(node)} for node in wanted}
        ids = [self.tree.ids[index] for index in self.equal]
        told: dict[int, str] = {}
        for node in wanted:
            others = [held for index, held in labels.items() if index != node.index]
            told[node.index] = self.place(node, others)
        for node in wanted:
            place, own = told[node.index], self.tree.ids[node.index]
            if not place or list(told.values()).count(place) > 1:
                number = f"number {self.equal.index(node.index) + 1} of {len(self.equal)}"
                place = f"{place}, {number}" if place else number
            if own and ids.count(own) == 1:
                place = f"id={quoted(truncate_utf8(own, MAX_LABEL_BYTES))} {place}"
            yield node.index, place

    def around(self, node: Node) -> Sequence[Node]:
        """The ancestors that hold no other of the equal nodes, from the largest down."""
        alone: list[Node] = []
        for ancestor in self.tree.ancestors(node):
            first = bisect_left(self.equal, ancestor.index)
            ends = bisect_left(self.equal, self.tree.subtree_ends[ancestor.index])
            if ends - first > 1:
                break
            alone.append(ancestor)
        return alone[::-1]

    def labelled(self, node: Node) -> list[tuple[Node, str]]:
        """What has a label and belongs to this one of the equal nodes: first what holds the node, then
        what is inside it, then what stands beside it, each in document order."""
        tree = self.tree
        around = self.around(node)
        inside = self.tree.subtree(node)[1 : MAX_LOOKED_AT + 1]
        beside = [
            other
            for other in (tree.subtree(around[0])[1 : MAX_LOOKED_AT + 1] if around else ())
            if not tree.contains(node, other) and not tree.contains(other, node)
        ]
        labels = tree.labels
        found = (*around, *inside, *beside)
        return [(other, labels[other.index]) for other in found if labels[other.index]]

    def place(self, node: Node, elsewhere: Sequence[set[str]]) -> str:
        """Where the node is, by labels; ``elsewhere`` are the labels of each of the others."""
        labelled = self.labelled(node)
        for other, label in labelled:
            if not any(label in held for held in elsewhere):
                return self.by(node, other, label)
        for (other, label), (second, also) in combinations(labelled[:MAX_PAIRED], 2):
            if label != also and not any({label, also} <= held for held in elsewhere):
                return f"{self.by(node, other, label)} and {self.named(second, also)}"
        return self.between(node)

    def by(self, node: Node, other: Node, label: str) -> str:
        """The node's place by one label of what is around, inside or beside it."""
        if self.tree.contains(other, node):
            return f"in {self.named(other, label)}"
        if self.tree.contains(node, other):
            return f"with {self.named(other, label)}"
        item = self.around(node)[0]
        if item.role == "generic":
            return f"beside {self.named(other, label)}"
        return f"in {self.named(item, label)}"

    def between(self, node: Node) -> str:
        """The node's place by the nearest label before or after it, its siblings' first."""
        tree, at = self.tree, self.equal.index(node.index)
        first = self.equal[at - 1] + 1 if at else 0
        ends = self.equal[at + 1] if at + 1 < len(self.equal) else len(tree)
        parent = max(node.parent, 0)
        for low, high in ((parent + 1, tree.subtree_ends[parent]), (0, len(tree))):
            if before := self.nearest(range(node.index - 1, max(first, low) - 1, -1), node):
                return f"after {before}"
            if after := self.nearest(range(tree.subtree_ends[node.index], min(ends, high)), node):
                return f"before {after}"
        return ""

    def nearest(self, indices: range, node: Node) -> str:
        """The first labelled node of a stretch that does not hold the node."""
        for index in indices[:MAX_LOOKED_AT]:
            other = self.tree[index]
            label = self.tree.labels[index]
            if label and not self.tree.contains(other, node):
                return self.named(other, label)
        return ""

    def named(self, node: Node, label: str) -> str:
        return f"{node.role} {quoted(truncate_utf8(label, MAX_LABEL_BYTES))}"
