"""Where a node lies, seen from the viewport and from the scroll containers around it.

Geometry explains and summarises; it never decides which node is meant (contracts.md).
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from surefoot.tree.model import Node, Rect
from surefoot.tree.tree import Tree, is_scrollable

Direction = Literal["up", "down", "left", "right"]


class Offset(Struct, frozen=True, gc=False):
    """An off-screen place: which way to scroll, and which container (``None`` is the page)."""

    direction: Direction
    region: int | None


def direction_of(rect: Rect, frame: Rect) -> Direction | None:
    """The way to scroll ``frame`` so that ``rect`` comes into it; ``None`` when they share an area.

    Vertical wins over horizontal, as pages scroll. Touching edges share no area.
    """
    if rect.y >= frame.y + frame.height:
        return "down"
    if rect.y + rect.height <= frame.y:
        return "up"
    if rect.x >= frame.x + frame.width:
        return "right"
    if rect.x + rect.width <= frame.x:
        return "left"
    return None


def has_area(rect: Rect | None) -> bool:
    """Whether the rectangle exists and has an area greater than zero."""
    return rect is not None and rect.width > 0 and rect.height > 0


def intersection(left: Rect, right: Rect) -> Rect:
    """The area both share; of width or height zero when they share none."""
    x = max(left.x, right.x)
    y = max(left.y, right.y)
    width = min(left.x + left.width, right.x + right.width) - x
    height = min(left.y + left.height, right.y + right.height) - y
    if width <= 0 or height <= 0:
        return Rect(x, y, 0, 0)
    return Rect(x, y, width, height)


class Placing:
    """Where each node of a tree lies with respect to one viewport; linear to build, O(1) to ask."""

    def __init__(self, tree: Tree, viewport: Rect) -> None:
        self.tree = tree
        self.viewport = viewport
        # For every scroll container: the nearest one at or above it that clips (-1: the page), what
        # can be seen of that one, and where the container itself lies.
        self._clip: dict[int, int] = {}
        self._seen: dict[int, Rect] = {-1: viewport}
        self._offsets: dict[int, Offset | None] = {-1: None}
        for node in tree.nodes:
            if not is_scrollable(node):
                continue
            around = self._clip_of(node)
            rect = node.rect
            # A root scrolls as the page does: its box may be that of the whole document.
            if rect is None or rect.width <= 0 or rect.height <= 0 or node.parent < 0:
                self._clip[node.index] = around
                continue
            self._offsets[node.index] = self.offset(node)
            self._seen[node.index] = intersection(rect, self._seen[around])
            self._clip[node.index] = node.index

    def _clip_of(self, node: Node) -> int:
        region = self.tree.regions[node.index]
        return self._clip[region] if region >= 0 else -1

    def offset(self, node: Node) -> Offset | None:
        """Where to scroll to reach the node; ``None`` when part of it is in view, or it has no area."""
        rect = node.rect
        if rect is None or rect.width <= 0 or rect.height <= 0:
            return None
        region = self._clip_of(node)
        seen = self._seen[region]
        if seen.width > 0 and seen.height > 0 and rect.intersects(seen):
            return None
        if region < 0:
            way = direction_of(rect, self.viewport)
            return Offset(way, None) if way else None
        container = self.tree.nodes[region]
        assert container.rect is not None
        way = direction_of(rect, container.rect)
        if way is not None:
            return Offset(way, region)
        # Inside its container, which is itself, at least in part, scrolled out of what is around it.
        if self._offsets[region] is not None:
            return self._offsets[region]
        around = self._clip_of(container)
        way = direction_of(rect, self._seen[around])
        return Offset(way, around if around >= 0 else None) if way else None

    def on_screen(self, node: Node) -> bool:
        """Whether part of the node is in view; a node without an area never is."""
        return has_area(node.rect) and self.offset(node) is None
