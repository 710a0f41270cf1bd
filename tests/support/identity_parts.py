"""Random screens as data: parts, records and collections, and the tree a capture of them would be.

Every part that a person could mean carries a ``truth``: the name of what it *is*, whatever it says and
wherever it stands. Collections render their records anew each time, so an edit changes the records and
everything that counts positions (``#`` in an id, an index column) follows, as on a real page.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from surefoot.tree import Checked, Node, Rect, ScrollExtent, Tree

Kind = Literal["", "title", "text", "number", "chrome", "inserted"]


@dataclass(slots=True)
class Part:
    """One element before it has a place in a tree.

    ``id`` may hold ``#`` (its position among equal ids) or ``~`` (drawn anew on every load). ``kind``
    says how its label may change: a ``title`` and a ``text`` belong to the screen, a ``number``
    changes by itself, ``chrome`` (with all below it) is the same on every screen of the app.
    """

    role: str
    label: str = ""
    children: list[Part] = field(default_factory=list)
    truth: str = ""
    record: str = ""
    id: str = ""
    author: str = ""
    kind: Kind = ""
    scroll: bool = False
    hittable: bool = False
    value: str | None = None
    checked: Checked | None = None
    source: str = ""
    about: str = ""
    held_by: str = ""
    collection: Collection | None = None

    def all_children(self) -> list[Part]:
        """The written children, then what the collection renders."""
        if self.collection is None:
            return self.children
        return [*self.children, *self.collection.render()]

    def copy(self) -> Part:
        """A copy of everything that an edit may change."""
        return replace(
            self,
            children=[child.copy() for child in self.children],
            collection=self.collection.copy() if self.collection else None,
        )


@dataclass(frozen=True, slots=True)
class Record:
    """One thing in a collection. ``uid`` is what it is; the rest is what it says."""

    uid: str
    name: str
    second: str = ""
    number: str = ""
    badge: str = ""
    controls: tuple[str, ...] = ()
    below: tuple[Record, ...] = ()


@dataclass(slots=True)
class Collection:
    """Records in one layout. ``layout`` and ``ids`` name rows of the generator's tables."""

    layout: str
    noun: str
    records: list[Record]
    controls: tuple[str, ...]
    conditional: str = ""
    ids: str = "none"
    order: tuple[str, ...] = ("name", "second", "number")
    indexed: bool = False
    window: tuple[int, int] | None = None
    wrap: str = ""

    def copy(self) -> Collection:
        return replace(self, records=list(self.records))

    def shown(self) -> list[Record]:
        """The rendered records: all, or those in the virtualised window."""
        if self.window is None:
            return self.records
        return self.records[self.window[0] : self.window[1]]

    def render(self) -> list[Part]:
        from tests.support.identity_layouts import FLAT, LAYOUTS, WORDLESS, wrapped

        parts: list[Part] = []
        for position, record in enumerate(self.shown(), 1):
            made = (LAYOUTS | WORDLESS)[self.layout](self, record, position)
            if self.wrap and self.layout not in FLAT and made and len(made[0].children) > 1:
                made = [wrapped(made[0], self.wrap)]
            parts += made
        return parts


@dataclass(frozen=True, slots=True)
class Screen:
    """A rendered screen: the tree, the part behind each node, and each part's parent."""

    root: Part
    tree: Tree
    parts: tuple[Part, ...]

    def index_of(self, truth: str) -> int | None:
        """The node of what is called ``truth``; ``None`` when it is not here."""
        return next((i for i, part in enumerate(self.parts) if part.truth == truth), None)


@dataclass(slots=True)
class Style:
    """What a restyling changes: nothing a person would call another thing."""

    salt: int = 0
    left: float = 20.0
    top: float = 10.0
    height: float = 24.0
    columns: int = 1
    rectless: bool = False
    overflow: float = 900.0


def realize(root: Part, style: Style) -> Screen:
    """The screen as a capture would show it: one element below the other, containers around theirs."""
    parts: list[Part] = []
    parents: list[int] = []
    depths: list[int] = []

    def add(part: Part, parent: int, depth: int) -> None:
        index = len(parts)
        parts.append(part)
        parents.append(parent)
        depths.append(depth)
        for child in part.all_children():
            add(child, index, depth + 1)

    add(root, -1, 0)
    lasts = list(range(len(parts)))
    for index in range(len(parts) - 1, 0, -1):
        lasts[parents[index]] = max(lasts[parents[index]], lasts[index])
    counters: dict[str, int] = {}
    nodes = [
        Node(
            index=index,
            parent=parents[index],
            depth=depths[index],
            role=part.role,
            handle=f"h{style.salt}-{index}",
            label=part.label or part.author,
            author_label=part.author,
            id=_spell(part.id, counters, index * 7 + style.salt) if part.id else "",
            rect=None if style.rectless and index % 3 == 0 else _rect(style, index, lasts[index]),
            hittable=part.hittable or part.role in ("button", "link"),
            scroll=ScrollExtent(0, 0, 0, style.overflow) if part.scroll else None,
            value=part.value,
            checked=part.checked,
            source=part.source,
            description=part.about,
            held_by=(part.held_by,) if part.held_by else (),
        )
        for index, part in enumerate(parts)
    ]
    return Screen(root, Tree(nodes), tuple(parts))


def _spell(id: str, counters: dict[str, int], drawn: int) -> str:
    if "#" in id:
        counters[id] = counters.get(id, -1) + 1
        return id.replace("#", str(counters[id]))
    return id.replace("~", f":r{drawn:x}:")


def _rect(style: Style, index: int, last: int) -> Rect:
    row, column = divmod(index, style.columns)
    top = style.top + row * style.height
    if last == index:
        return Rect(style.left + column * 160.0, top, 150.0, style.height - 4)
    rows = last // style.columns - row + 1
    return Rect(style.left, top, style.columns * 160.0, rows * style.height)
