"""One capture's nodes in document order, with the relations every room asks for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from surefoot.tree.model import Node


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
