"""One rendering of a tab: its live elements in document order, and what a point hits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from surefoot.drivers.sim.machine.element import Element, Identity, Memory, holds, interpolate
from surefoot.drivers.sim.machine.layout import Flow, contains
from surefoot.drivers.sim.notation import MAX_ELEMENTS, Template
from surefoot.errors import ErrorCode, SurefootError
from surefoot.tree import Rect

OVERSCAN = 2
FOREIGN_LAYER = 1_000


@dataclass(slots=True)
class Moment:
    """What a rendering depends on besides the written tree."""

    variables: Mapping[str, str]
    viewport: Rect
    scroll_y: float
    age: float
    captures: int
    foreign_windows: frozenset[str] = frozenset()


@dataclass(slots=True)
class Scene:
    """The live elements of one moment. ``height`` is the page's own height in px."""

    viewport: Rect
    roots: list[Element]
    elements: list[Element] = field(default_factory=list)
    height: float = 0.0

    def by_handle(self, handle: str) -> Element | None:
        return next((e for e in self.elements if e.memory.handle == handle), None)

    def named(self, target: str) -> Element | None:
        """The first element a key or ``#id`` names."""
        return next((e for e in self.elements if e.named(target)), None)

    def hit(self, x: float, y: float) -> Element | None:
        """The topmost element at a point of the viewport."""
        return _topmost(self.elements, x, y)

    def covers(self) -> Sequence[Element]:
        """The elements that can lie over something they are not related to."""
        return [e for e in self.elements if (e.positioned or e.layer) and not e.passthrough]

    def cover_of(self, element: Element, covers: Sequence[Element]) -> Element | None:
        """What takes the hit at the element's centre without being related to it."""
        named = element.attribute("covered")
        if named is not None:
            return self.named(named)
        point = visible_centre(element, self.viewport)
        if point is None or not covers:
            return None
        top = _topmost(covers, *point)
        if top is None or (top.layer, top.index) <= (element.layer, element.index):
            return None
        return None if top.related(element) else top

    @property
    def max_scroll_y(self) -> float:
        return max(0.0, self.height - self.viewport.height)


def visible_centre(element: Element, viewport: Rect) -> tuple[float, float] | None:
    """The element's centre when it is laid out, inside its clip and inside the viewport."""
    if element.box is None or element.box.width <= 0 or element.box.height <= 0:
        return None
    x, y = element.box.center
    if not contains(viewport, x, y) or (element.clip is not None and not contains(element.clip, x, y)):
        return None
    return x, y


def _topmost(elements: Iterable[Element], x: float, y: float) -> Element | None:
    best: Element | None = None
    for element in elements:
        box = element.box
        if box is None or element.passthrough or not contains(box, x, y):
            continue
        if element.clip is not None and not contains(element.clip, x, y):
            continue
        if best is None or element.layer >= best.layer:
            best = element
    return best


def render(templates: Sequence[Template], memories: Mapping[Identity, Memory], moment: Moment) -> Scene:
    """Build and lay out the live elements. ``memories`` is read, never changed."""
    roots = _grow(templates, memories, moment)
    scene = Scene(roots=roots, viewport=moment.viewport)
    scene.height = Flow(moment.viewport, moment.scroll_y, moment.age).lay_out(roots)
    for root in roots:
        if root.window in moment.foreign_windows:
            for element in _subtree(root):
                element.layer += FOREIGN_LAYER
    _leave_out_unrendered_rows(roots)
    scene.elements = _number(roots)
    return scene


def _grow(
    templates: Sequence[Template], memories: Mapping[Identity, Memory], moment: Moment
) -> list[Element]:
    roots: list[Element] = []
    waiting: list[tuple[Template, Element | None, int]] = [(t, None, 0) for t in reversed(templates)]
    made = 0
    seen: set[Identity] = set()
    while waiting:
        template, parent, copy = waiting.pop()
        times = template.number("repeat")
        if times is not None and copy == 0:
            _bound(made + len(waiting) + times)
            waiting.extend((template, parent, number) for number in range(times, 0, -1))
            continue
        if not _present(template, parent, copy, moment):
            continue
        made += 1
        _bound(made)
        element = Element(template, parent, copy)
        _name(element, moment)
        if element.identity in seen:
            element.identity = (element.key, template.ordinal, element.identity[2])
        seen.add(element.identity)
        element.memory = memories.get(element.identity) or Memory("")
        (roots if parent is None else parent.kids).append(element)
        waiting.extend((kid, element, 0) for kid in reversed(template.children))
    return roots


def _bound(count: int) -> None:
    if count > MAX_ELEMENTS:
        raise SurefootError(
            ErrorCode.COMMAND_FAILED,
            f"the screen has more than {MAX_ELEMENTS} elements",
            details={"reason": "too_many_nodes", "limit": MAX_ELEMENTS},
        )


def _scope(parent: Element | None, copy: int, moment: Moment) -> Mapping[str, str]:
    outer = moment.variables if parent is None else parent.scope
    return {**outer, "i": str(copy)} if copy else outer


def _present(template: Template, parent: Element | None, copy: int, moment: Moment) -> bool:
    late, gone = template.number("late"), template.number("gone")
    captures = template.number("latecaptures")
    if late is not None and moment.age < late:
        return False
    if gone is not None and moment.age >= gone:
        return False
    if captures is not None and moment.captures <= captures:
        return False
    condition = template.attributes.get("if")
    return condition is None or holds(condition, _scope(parent, copy, moment))


def _name(element: Element, moment: Moment) -> None:
    template = element.template
    element.scope = scope = _scope(element.parent, element.copy, moment)
    element.label = interpolate(template.label, scope)
    element.id = interpolate(template.id, scope)
    element.key = interpolate(template.key, scope)
    # A copy of a repeated ancestor is a different element: its number is part of the identity.
    copy = element.copy or (element.parent.identity[2] if element.parent else 0)
    element.identity = (element.key, -1 if element.key else template.ordinal, copy)


def _leave_out_unrendered_rows(roots: Sequence[Element]) -> None:
    for element in list(_walk(roots)):
        if not element.has("virtual") or element.box is None:
            continue
        box = element.box
        shown = [
            at for at, kid in enumerate(element.kids) if kid.box is not None and kid.box.intersects(box)
        ]
        if shown:
            element.kids = element.kids[max(0, shown[0] - OVERSCAN) : shown[-1] + 1 + OVERSCAN]
        else:
            element.kids = []


def _walk(roots: Sequence[Element]) -> Iterator[Element]:
    waiting = list(reversed(roots))
    while waiting:
        element = waiting.pop()
        yield element
        waiting.extend(reversed(element.kids))


def _subtree(root: Element) -> Iterator[Element]:
    return _walk([root])


def _number(roots: Sequence[Element]) -> list[Element]:
    elements = list(_walk(roots))
    for index, element in enumerate(elements):
        element.index = index
        element.end = index + 1
    for element in reversed(elements):
        if element.parent is not None:
            element.parent.end = max(element.parent.end, element.end)
    return elements
