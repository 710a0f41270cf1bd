"""What one capture shows: nodes in document order, immutable, and what the capture says of itself.

Every platform's driver produces exactly these types. Lengths are CSS pixels (or the platform's
logical pixels) in the coordinate system of the top viewport, whose origin is its top-left corner.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Checked = Literal["true", "false", "mixed"]


class Rect(Struct, frozen=True, gc=False):
    """A rectangle in logical pixels of the top viewport; width and height are never negative."""

    x: float
    y: float
    width: float
    height: float

    @property
    def center(self) -> tuple[float, float]:
        return (self.x + self.width / 2, self.y + self.height / 2)

    def intersects(self, other: Rect) -> bool:
        """Whether the two share an area greater than zero."""
        return (
            self.x < other.x + other.width
            and other.x < self.x + self.width
            and self.y < other.y + other.height
            and other.y < self.y + self.height
        )


class ScrollExtent(Struct, frozen=True, gc=False):
    """How far a scroll container has scrolled (``x``, ``y``) and can scroll (``max_x``, ``max_y``)."""

    x: float
    y: float
    max_x: float
    max_y: float


class Node(Struct, frozen=True, gc=False):
    """One element of an accessibility tree.

    ``index`` is the pre-order (document order) position; ``parent`` is an index or -1.
    ``role`` has passed the role alias table. ``label`` is the accessible name and ``author_label`` the
    part of it an author gave outright (aria-label, aria-labelledby, title, legend, caption): the
    only name an *ancestor* contributes to identity (identity.md, 3). Both are as captured;
    matching normalises both sides. ``value`` is never the content of a password field
    (``password`` says it is one; ``has_value`` whether it holds anything).
    ``id`` is the first accepted id source (identity.md, 2), ``""`` when there is none.
    ``hittable`` is the node's own activation (native control, handler, tabindex, pointer cursor
    its parent has not), not hit-test success. ``visible`` is false for what is laid out nowhere
    or fully transparent to the user; off-screen nodes are visible. ``covered_by`` is the index of
    the node that takes the hit at this node's centre, when that node is not related to it.
    ``opaque`` says why the content below cannot be read (closed shadow root, foreign frame).
    ``marks`` is what is said of it besides (``sorted ascending``, ``current page``, ``invalid``): for a
    reader and a difference, never for identity.
    ``description`` is the accessible description, ``source`` where a link leads or what a picture
    shows (a picture without a name is no node: what holds it shows it), as written and cut;
    ``held_by`` the id candidates of elements that hold the node alone and are no nodes themselves.
    ``handle`` names the very element behind the node, stable over captures of the same document,
    opaque to everyone but the driver.

    Built by name; a driver that builds thousands from columns does so in the order of the fields.
    """

    index: int
    parent: int
    depth: int
    role: str
    handle: str
    label: str = ""
    author_label: str = ""
    value: str | None = None
    id: str = ""
    rect: Rect | None = None
    enabled: bool = True
    visible: bool = True
    hittable: bool = False
    editable: bool = False
    focused: bool = False
    selected: bool | None = None
    checked: Checked | None = None
    expanded: bool | None = None
    required: bool = False
    readonly: bool = False
    password: bool = False
    has_value: bool = False
    multiline: bool = False
    level: int | None = None
    scroll: ScrollExtent | None = None
    covered_by: int | None = None
    window: str | None = None
    chrome: bool = False
    opaque: str | None = None
    input_type: str | None = None
    marks: tuple[str, ...] = ()
    description: str = ""
    source: str = ""
    held_by: tuple[str, ...] = ()


class Window(Struct, frozen=True, gc=False):
    """A window of the capture. ``foreign`` windows do not belong to the app under test."""

    id: str
    title: str = ""
    app: str = ""
    foreign: bool = False


class Page(Struct, frozen=True, gc=False):
    """The document a web observation shows.

    ``status`` is the HTTP status it came with where that is an error (400 and above).
    """

    url: str
    title: str
    status: int | None = None
