"""One capture's nodes in document order, with the relations every room asks for.

Everything derived is computed once per tree, in one linear pass, on first use: a tree is immutable,
so matching, projecting and verifying the same capture again costs only the answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise

from surefoot.text import normalize, normalize_id
from surefoot.tree.ids import numbered_ids
from surefoot.tree.model import Node
from surefoot.tree.roles import INTERACTIVE_ROLES


class Tree:
    """An immutable sequence of nodes in document order (pre-order), ``nodes[i].index == i``."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self.nodes: tuple[Node, ...] = tuple(nodes)

    def __len__(self) -> int:
        return len(self.nodes)

    def __iter__(self) -> Iterator[Node]:
        return iter(self.nodes)

    def __getitem__(self, index: int) -> Node:
        return self.nodes[index]

    # -- structure -------------------------------------------------------------------------------

    def parent(self, node: Node) -> Node | None:
        return self.nodes[node.parent] if node.parent >= 0 else None

    def ancestors(self, node: Node) -> Iterator[Node]:
        """From the parent up to the root."""
        while node.parent >= 0:
            node = self.nodes[node.parent]
            yield node

    @cached_property
    def subtree_ends(self) -> tuple[int, ...]:
        """For each node, the index one past its last descendant."""
        ends = list(range(1, len(self.nodes) + 1))
        for node in reversed(self.nodes):
            if node.parent >= 0 and ends[node.index] > ends[node.parent]:
                ends[node.parent] = ends[node.index]
        return tuple(ends)

    def subtree(self, node: Node) -> Sequence[Node]:
        """The node and its descendants in document order."""
        return self.nodes[node.index : self.subtree_ends[node.index]]

    def contains(self, ancestor: Node, node: Node) -> bool:
        """Whether ``node`` is ``ancestor`` or lies below it."""
        return ancestor.index <= node.index < self.subtree_ends[ancestor.index]

    def is_chain(self, nodes: Sequence[Node]) -> bool:
        """Whether the nodes, in document order, each lie below the one before."""
        return all(self.contains(upper, lower) for upper, lower in pairwise(nodes))

    def children(self, node: Node) -> tuple[Node, ...]:
        """The node's own children in document order."""
        ends = self.subtree_ends
        found: list[Node] = []
        at, end = node.index + 1, ends[node.index]
        while at < end:
            found.append(self.nodes[at])
            at = ends[at]
        return tuple(found)

    def is_leaf(self, node: Node) -> bool:
        """Whether nothing lies below the node."""
        return self.subtree_ends[node.index] == node.index + 1

    @cached_property
    def roots(self) -> tuple[Node, ...]:
        """The nodes without a parent, in document order."""
        return tuple(node for node in self.nodes if node.parent < 0)

    @cached_property
    def siblings(self) -> tuple[int, ...]:
        """For each node its zero-based index among its parent's children (seed 0012, decision 3).

        Roots are counted among themselves.
        """
        seen: dict[int, int] = {}
        ordinals = []
        for node in self.nodes:
            ordinal = seen.get(node.parent, 0)
            seen[node.parent] = ordinal + 1
            ordinals.append(ordinal)
        return tuple(ordinals)

    def sibling(self, node: Node) -> int:
        """The node's zero-based index among its parent's children."""
        return self.siblings[node.index]

    @cached_property
    def regions(self) -> tuple[int, ...]:
        """For each node the index of its nearest scrollable *ancestor*, or -1."""
        found: list[int] = []
        for node in self.nodes:
            if node.parent < 0:
                found.append(-1)
            elif is_scrollable(self.nodes[node.parent]):
                found.append(node.parent)
            else:
                found.append(found[node.parent])
        return tuple(found)

    def scroll_region(self, node: Node) -> Node | None:
        """The nearest scrollable ancestor of the node (not the node itself)."""
        index = self.regions[node.index]
        return self.nodes[index] if index >= 0 else None

    # -- text, normalised as matching and evidence compare it --------------------------------------

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """Each node's normalised label."""
        return tuple([normalize(node.label) if node.label else "" for node in self.nodes])

    @cached_property
    def values(self) -> tuple[str | None, ...]:
        """Each node's normalised value; ``None`` where the node has none."""
        return tuple([normalize(node.value) if node.value else node.value for node in self.nodes])

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """Each node's own text: its label, else its value (surface.md, "Selector terms")."""
        return tuple(
            [label or value or "" for label, value in zip(self.labels, self.values, strict=True)]
        )

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """Each node's id, NFC only."""
        return tuple([normalize_id(node.id) if node.id else "" for node in self.nodes])

    @cached_property
    def author_labels(self) -> tuple[str, ...]:
        """Each node's normalised author-given name: what an ancestor contributes to identity."""
        return tuple([normalize(node.author_label) if node.author_label else "" for node in self.nodes])

    # -- indexes, every list in document order ----------------------------------------------------

    @cached_property
    def by_label(self) -> Mapping[str, Sequence[int]]:
        """Normalised label to node indexes; nodes without a label are left out."""
        return _index(self.labels)

    @cached_property
    def by_text(self) -> Mapping[str, Sequence[int]]:
        """Normalised own text to node indexes; nodes without text are left out."""
        return _index(self.texts)

    @cached_property
    def by_value(self) -> Mapping[str, Sequence[int]]:
        """Normalised value to node indexes; an empty value is a value, no value is not."""
        table: dict[str, list[int]] = {}
        for index, value in enumerate(self.values):
            if value is not None:
                table.setdefault(value, []).append(index)
        return table

    @cached_property
    def by_id(self) -> Mapping[str, Sequence[int]]:
        """Id (NFC) to node indexes; nodes without an id are left out."""
        return _index(self.ids)

    @cached_property
    def by_role(self) -> Mapping[str, Sequence[int]]:
        """Role to node indexes."""
        return _index([node.role for node in self.nodes])

    @cached_property
    def by_handle(self) -> Mapping[str, Node]:
        """Handle to node; of nodes that share a handle (a platform's fault) the first."""
        table: dict[str, Node] = {}
        for node in self.nodes:
            table.setdefault(node.handle, node)
        return table

    def find_handle(self, handle: str) -> Node | None:
        """The node of this capture whose handle is ``handle``."""
        return self.by_handle.get(handle)

    @cached_property
    def numbered_ids(self) -> frozenset[str]:
        """Ids that differ from another of the capture only in one digit run that is not at their end.

        ``row-0-del`` beside ``row-1-del`` (identity.md 2).
        """
        held = (normalize_id(id) for node in self.nodes for id in node.held_by)
        return numbered_ids({*self.by_id, *held})

    # -- activation --------------------------------------------------------------------------------

    @cached_property
    def interactive(self) -> tuple[int, ...]:
        """Indexes of the nodes that take activation by themselves, in document order."""
        return tuple([node.index for node in self.nodes if is_interactive(node)])


def is_scrollable(node: Node) -> bool:
    """Whether the node is a scroll container, by what the platform says of it, not by overflow now."""
    return node.scroll is not None or node.role == "scrollview"


def is_interactive(node: Node) -> bool:
    """Whether the node takes activation by itself: its own handler, a control's role, or text entry."""
    return node.hittable or node.editable or node.role in INTERACTIVE_ROLES


def _index(keys: Sequence[str]) -> dict[str, list[int]]:
    table: dict[str, list[int]] = {}
    for index, key in enumerate(keys):
        if key:
            if key in table:
                table[key].append(index)
            else:
                table[key] = [index]
    return table
