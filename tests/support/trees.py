"""Small trees written down: ``tree(el("list", el("listitem", el("button", "Save"))))``."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from surefoot.tree import Node, Observation, Rect, Tree, Window

VIEWPORT = Rect(0, 0, 1000, 800)


@dataclass(frozen=True)
class El:
    """One element before it has a place in a tree."""

    role: str
    fields: dict[str, Any]
    children: tuple[El, ...] = field(default=())


def el(role: str, *content: El | str, **fields: Any) -> El:
    """An element; a string is its label, elements are its children, keywords are node fields."""
    children = tuple(item for item in content if isinstance(item, El))
    for item in content:
        if isinstance(item, str):
            fields["label"] = item
    return El(role, fields, children)


def tree(*roots: El) -> Tree:
    """The elements as a tree; handles are ``h<index>`` unless given."""
    nodes: list[Node] = []

    def add(element: El, parent: int, depth: int) -> None:
        index = len(nodes)
        fields = {"handle": f"h{index}", **element.fields}
        nodes.append(Node(index=index, parent=parent, depth=depth, role=element.role, **fields))
        for child in element.children:
            add(child, index, depth + 1)

    for root in roots:
        add(root, -1, 0)
    return Tree(nodes)


def seen(*roots: El, viewport: Rect = VIEWPORT, windows: tuple[Window, ...] = ()) -> Observation:
    """The elements as an observation."""
    return Observation(tree=tree(*roots), viewport=viewport, epoch="1", windows=windows)
