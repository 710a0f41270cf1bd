"""Where elements lie: a vertical flow, the same for the same tree, and what a point hits.

A leaf is as high as its role says and as wide as its text (8 px a character); a container is as wide as
its parent and as high as its children. ``across`` (and the role ``row``) puts children side by side;
``rect``, ``overlay`` and ``offscreen`` take an element out of the flow. All lengths are logical px.
"""

from __future__ import annotations

from collections.abc import Sequence

from surefoot.drivers.sim.machine.element import Element
from surefoot.tree import Rect

ROLE_HEIGHT = {
    "button": 30.0,
    "textbox": 30.0,
    "searchbox": 30.0,
    "combobox": 30.0,
    "heading": 40.0,
    "tab": 30.0,
    "menuitem": 30.0,
}
LEAF_HEIGHT = 20.0
CHARACTER = 8.0
SCROLL_BOX = 100.0
FIELD_WIDTH = 160.0
OFFSCREEN_X = -10_000.0


def contains(rect: Rect, x: float, y: float) -> bool:
    """Whether the point lies in the rectangle; the right and bottom edges lie outside."""
    return rect.x <= x < rect.x + rect.width and rect.y <= y < rect.y + rect.height


def meet(one: Rect, other: Rect) -> Rect:
    """What two rectangles share; without area when they share nothing."""
    left, top = max(one.x, other.x), max(one.y, other.y)
    right = min(one.x + one.width, other.x + other.width)
    bottom = min(one.y + one.height, other.y + other.height)
    return Rect(left, top, max(0.0, right - left), max(0.0, bottom - top))


class Flow:
    """One layout of one page, scrolled by ``scroll_y``, ``age`` ms after its screen was entered."""

    def __init__(self, viewport: Rect, scroll_y: float, age: float) -> None:
        self.viewport = viewport
        self.scroll_y = scroll_y
        self.age = age

    def lay_out(self, roots: Sequence[Element]) -> float:
        """Set every box and clip. Returns the height of the page."""
        bottom = 0.0
        for root in roots:
            bottom += self.place(root, 0.0, bottom - self.scroll_y, self.viewport.width)
        return bottom

    def place(self, element: Element, x: float, y: float, available: float) -> float:
        """Place an element and what is in it; returns the height it takes in its parent's flow."""
        self._inherit(element)
        if element.has("hidden") or (element.parent is not None and element.parent.box is None):
            element.box = None
            for kid in element.kids:
                self.place(kid, x, y, 0.0)
            return 0.0
        width, height = self._width(element, available), self._given_height(element)
        rect = element.template.rect()
        if rect is not None:
            x, y, width, height = rect
            y -= 0.0 if element.pinned else self.scroll_y
        elif element.has("overlay"):
            x, y, width, height = 0.0, 0.0, self.viewport.width, self.viewport.height
        elif element.has("offscreen"):
            x = OFFSCREEN_X
        moving = element.template.number("moving")
        if moving is not None and self.age < moving:
            x += 1.0 + (moving - self.age) % 40
        if element.has("zero"):
            width, height = 0.0, 0.0
        element.box = Rect(x, y, width, height or 0.0)
        used = self._place_kids(element, x, y, width, height)
        element.box = Rect(x, y, width, used)
        return 0.0 if is_out_of_flow(element) else used

    def _inherit(self, element: Element) -> None:
        parent = element.parent
        out = is_out_of_flow(element)
        element.clip = None if parent is None or out else parent.inner
        element.inner = element.clip
        element.layer = (parent.layer if parent else 0) + element.has("overlay")
        element.positioned = out or (parent is not None and parent.positioned)
        element.pinned = any(element.has(flag) for flag in ("fixed", "overlay", "offscreen")) or (
            parent is not None and parent.pinned
        )
        element.visible = not (element.has("hidden") or element.has("transparent")) and (
            parent is None or parent.visible
        )

    def _place_kids(
        self, element: Element, x: float, y: float, width: float, height: float | None
    ) -> float:
        """Place the children; returns the element's own height."""
        axis = element.attribute("scroll")
        if axis is None:
            content = (
                self._across(element, x, y, width)
                if is_row(element)
                else self._down(element, x, y, width)
            )
            if height is not None:
                return height
            return content or ROLE_HEIGHT.get(element.role, LEAF_HEIGHT)
        height = SCROLL_BOX if height is None else height
        box = Rect(x, y, width, height)
        element.inner = box if element.clip is None else meet(box, element.clip)
        if axis == "x":
            length = self._along(element, x - element.memory.scroll_x, y)
            element.max_x = max(0.0, length - width)
        else:
            length = self._down(element, x, y - element.memory.scroll_y, width)
            element.max_y = max(0.0, length - height)
        return height

    def _down(self, element: Element, x: float, y: float, width: float) -> float:
        at = y
        for kid in element.kids:
            at += self.place(kid, x, at, width)
        return at - y

    def _across(self, element: Element, x: float, y: float, width: float) -> float:
        """Side by side in equal shares; returns the height of the tallest."""
        share = width / max(1, len(element.kids))
        heights = [self.place(kid, x + share * at, y, share) for at, kid in enumerate(element.kids)]
        return max(heights, default=0.0)

    def _along(self, element: Element, x: float, y: float) -> float:
        """Side by side, each as wide as it is written (100 px when it is not); returns the length."""
        at = x
        for kid in element.kids:
            given = kid.template.number("width")
            share = SCROLL_BOX if given is None else float(given)
            self.place(kid, at, y, share)
            at += 0.0 if is_out_of_flow(kid) else share
        return at - x

    @staticmethod
    def _given_height(element: Element) -> float | None:
        given = element.template.number("height")
        return None if given is None else float(given)

    @staticmethod
    def _width(element: Element, available: float) -> float:
        given = element.template.number("width")
        if given is not None:
            return float(given)
        if element.template.children:
            return available
        if element.takes_text:
            return min(available, FIELD_WIDTH)
        return min(available, max(LEAF_HEIGHT, len(element.label) * CHARACTER + 16.0))


def is_row(element: Element) -> bool:
    """Whether the children lie side by side."""
    return element.has("across") or element.role == "row"


def is_out_of_flow(element: Element) -> bool:
    """Whether the element takes no room in its parent."""
    return "rect" in element.template.attributes or element.has("overlay") or element.has("offscreen")
