"""Live elements: what a written element is at one moment, and what it remembers between moments."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from surefoot.drivers.sim.notation import Template
from surefoot.tree import INTERACTIVE_ROLES, TEXT_ENTRY_ROLES, Checked, Rect

Identity = tuple[str, int, int]
"""Key (or ``""``), ordinal in the notation, copy number: what makes an element the same one."""

HITTABLE_ROLES = INTERACTIVE_ROLES
EDITABLE_ROLES = TEXT_ENTRY_ROLES
TOGGLE_ROLES = frozenset({"checkbox", "switch", "menuitemcheckbox"})
CONTENT_NAMED_ROLES = frozenset(
    {
        *("document", "text", "paragraph", "image", "heading", "button", "link", "checkbox", "radio"),
        *("switch", "option", "tab", "menuitem", "menuitemcheckbox", "menuitemradio", "treeitem"),
        *("row", "cell", "gridcell", "columnheader", "rowheader", "tooltip"),
    }
)
"""Roles named by their content (or, a document, by its title): their label is not an author's."""

_NAME = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")


@dataclass(slots=True)
class Memory:
    """What an element remembers as long as it lives; ``None`` means as written."""

    handle: str
    value: str | None = None
    checked: Checked | None = None
    selected: bool | None = None
    expanded: bool | None = None
    scroll_x: float = 0.0
    scroll_y: float = 0.0
    swaps: int = 0
    approached: bool = False
    typed: int = 0


class Element:
    """One element of one rendering; ``box``, ``clip`` (what it is cut to) and ``inner`` (what its
    children are cut to) are set by the layout."""

    __slots__ = (
        "box",
        "chrome",
        "clip",
        "copy",
        "depth",
        "end",
        "id",
        "identity",
        "index",
        "inner",
        "key",
        "kids",
        "label",
        "layer",
        "max_x",
        "max_y",
        "memory",
        "parent",
        "passthrough",
        "pinned",
        "positioned",
        "scope",
        "template",
        "visible",
        "window",
    )

    def __init__(self, template: Template, parent: Element | None, copy: int) -> None:
        self.template = template
        self.parent = parent
        self.copy = copy
        self.kids: list[Element] = []
        self.index = -1
        self.end = 0
        self.depth: int = 0 if parent is None else parent.depth + 1
        self.key = ""
        self.id = ""
        self.label = ""
        self.identity: Identity = ("", template.ordinal, copy)
        self.scope: Mapping[str, str] = {}
        self.memory = Memory("")
        self.box: Rect | None = None
        self.clip: Rect | None = None
        self.inner: Rect | None = None
        self.layer = 0
        self.max_x = 0.0
        self.max_y = 0.0
        self.visible = True
        self.positioned = False
        self.pinned = False
        self.chrome: bool
        self.passthrough: bool
        self.window: str | None = template.attributes.get("window") or (
            parent.window if parent else None
        )
        self.chrome = "chrome" in template.flags or (parent is not None and parent.chrome)
        self.passthrough = "passthrough" in template.flags or (
            parent is not None and parent.passthrough
        )

    @property
    def role(self) -> str:
        return self.template.role

    @property
    def handle(self) -> str:
        return self.memory.handle

    def has(self, flag: str) -> bool:
        return flag in self.template.flags

    def attribute(self, name: str) -> str | None:
        return self.template.attributes.get(name)

    def ancestors(self) -> Iterator[Element]:
        above = self.parent
        while above is not None:
            yield above
            above = above.parent

    def lineage(self) -> Iterator[Element]:
        """The element itself, then its ancestors up to the root."""
        yield self
        yield from self.ancestors()

    def related(self, other: Element) -> bool:
        """Whether one is the other, or an ancestor of the other."""
        return self.index <= other.index < self.end or other.index <= self.index < other.end

    def named(self, target: str) -> bool:
        """Whether a rule's target (a key, or ``#id``) names this element."""
        return target == self.key if not target.startswith("#") else target[1:] == self.id

    @property
    def inert(self) -> bool:
        for element in self.lineage():
            condition = element.attribute("inertif")
            if element.has("inert") or (condition is not None and holds(condition, element.scope)):
                return True
        return False

    @property
    def enabled(self) -> bool:
        if self.inert or any(element.has("disabled") for element in self.lineage()):
            return False
        condition = self.attribute("enabledif")
        return condition is None or holds(condition, self.scope)

    @property
    def editable(self) -> bool:
        if self.has("uneditable") or self.has("readonly"):
            return False
        return self.takes_text and self.enabled

    @property
    def takes_text(self) -> bool:
        if self.has("uneditable"):
            return False
        return self.has("editable") or self.has("password") or self.role in EDITABLE_ROLES

    @property
    def password(self) -> bool:
        return self.has("password") or self.attribute("input") == "password"

    @property
    def content(self) -> str | None:
        """What the field holds, secrets included; ``None`` for what is no field and has no value."""
        bound = self.attribute("bind")
        if bound is not None:
            return self.scope[bound]
        if self.memory.value is not None:
            return self.memory.value
        written = self.attribute("value")
        if written is not None:
            return interpolate(written, self.scope)
        return "" if self.takes_text else None

    @property
    def checked(self) -> Checked | None:
        if self.memory.checked is not None:
            return self.memory.checked
        if self.has("mixed"):
            return "mixed"
        if self.has("checked"):
            return "true"
        if self.has("unchecked") or self.role in TOGGLE_ROLES or self.role == "radio":
            return "false"
        return None

    @property
    def selected(self) -> bool | None:
        if self.memory.selected is not None:
            return self.memory.selected
        if self.has("selected"):
            return True
        return False if self.has("unselected") or self.role in ("option", "tab") else None

    @property
    def expanded(self) -> bool | None:
        if self.memory.expanded is not None:
            return self.memory.expanded
        if self.has("expanded"):
            return True
        return False if self.has("collapsed") else None


def interpolate(text: str, scope: Mapping[str, str]) -> str:
    """Replace ``${name}`` by the variable; a name nobody declared stays as it is written."""
    if "${" not in text:
        return text
    return _NAME.sub(lambda found: scope.get(found.group(1), found.group()), text)


def holds(condition: str, scope: Mapping[str, str]) -> bool:
    """Whether ``v`` (not empty, not ``0``), ``!v``, ``v=x`` or ``v!=x`` holds."""
    name, equals, wanted = condition.partition("=")
    if equals and name.endswith("!"):
        return scope.get(name[:-1], "") != wanted
    if equals:
        return scope.get(name, "") == wanted
    if name.startswith("!"):
        return scope.get(name[1:], "") in ("", "0")
    return scope.get(name, "") not in ("", "0")
