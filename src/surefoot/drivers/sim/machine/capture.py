"""From a scene to an observation: the one place where a live element becomes a node."""

from __future__ import annotations

import hashlib

import msgspec

from surefoot.drivers.sim.machine.device import SimDevice
from surefoot.drivers.sim.machine.element import CONTENT_NAMED_ROLES, HITTABLE_ROLES, Element
from surefoot.drivers.sim.machine.scene import Scene
from surefoot.errors import CaptureUnreadable
from surefoot.text import scrub_surrogates
from surefoot.tree import Node, Observation, Page, Quality, ScrollExtent, Tree, Window


def capture(device: SimDevice, *, counted: bool = True, always: bool = False) -> Observation:
    """Observe the active tab. With ``counted=False``: what a capture now would show, without making it.

    Raises ``CaptureUnreadable`` while the screen's data says that it cannot be read. ``always`` is for
    tests: the screen as the device itself knows it, readable or not.
    """
    if always:
        return _observation(device, device.scene(), "ok")
    if counted:
        device.rules.captured()
    captures = device.tab.captures + (0 if counted else 1)
    screen = device.screen
    unreadable = screen.unreadable
    if unreadable and (captures <= unreadable.captures or device.age < unreadable.ms):
        raise CaptureUnreadable(
            unreadable.verdict,
            f"{device.tab.screen!r} cannot be read ({unreadable.verdict})",
        )
    sparse = captures <= screen.sparse
    scene = device.scene(captures=captures)
    return _observation(device, scene, "sparse" if sparse else "ok")


def _observation(device: SimDevice, scene: Scene, quality: Quality) -> Observation:
    covers = scene.covers()
    focus = device.tab.focus
    pressable = {
        target
        for rule in device.screen.on
        for target in (rule.press, rule.double, rule.long, rule.context)
        if target is not None
    }
    elements = scene.elements if quality == "ok" else scene.roots
    bound = device.screen.bound or len(elements)
    truncated = bound < len(elements)
    mended: list[int] = []
    nodes = [
        _node(
            element,
            index,
            -1 if element.parent is None or quality != "ok" else element.parent.index,
            _within(bound, scene.cover_of(element, covers)) if quality == "ok" else None,
            element.handle == focus,
            any(element.named(target) for target in pressable),
            mended,
        )
        for index, element in enumerate(elements[:bound])
    ]
    desktop = device.app.spec.flavour == "desktop"
    tab = device.describe_tab(device.tab.number)
    page = Page(url=tab.url, title=tab.title) if desktop else None
    windows = tuple(Window(w.id, w.title, w.app, w.foreign) for w in device.screen.windows)
    scroll = ScrollExtent(0, device.tab.scroll_y, 0, scene.max_scroll_y)
    content = msgspec.msgpack.encode([nodes, windows, page, scene.viewport, scroll, quality])
    notes = (
        (mended, f"unpaired surrogates replaced in {len(mended)} nodes"),
        (truncated, f"the screen has more than {bound} nodes; the rest is left out"),
    )
    return Observation(
        tree=Tree(nodes),
        viewport=scene.viewport,
        epoch=hashlib.sha256(content).hexdigest()[:32],
        quality=quality,
        page=page,
        windows=windows,
        scroll=scroll,
        truncated=truncated,
        notes=tuple(text for present, text in notes if present),
    )


def _within(bound: int, cover: Element | None) -> Element | None:
    return cover if cover is None or cover.index < bound else None


def is_hittable(element: Element, has_rule: bool) -> bool:
    """Whether the element has an activation of its own (tree.Node.hittable)."""
    if element.has("unhittable"):
        return False
    return has_rule or element.has("hittable") or element.takes_text or element.role in HITTABLE_ROLES


def _node(
    element: Element,
    index: int,
    parent: int,
    cover: Element | None,
    focused: bool,
    has_rule: bool,
    mended: list[int],
) -> Node:
    content = element.content
    author = element.attribute("author")
    if author is None:
        author = "" if element.role in CONTENT_NAMED_ROLES else element.label
    label, author, value = [
        _mend(text, index, mended) for text in (element.label, author, content or "")
    ]
    scrolls = element.attribute("scroll") is not None
    memory = element.memory
    return Node(
        index=index,
        parent=parent,
        depth=element.depth if parent >= 0 else 0,
        role=element.role,
        handle=element.handle,
        label=label,
        author_label=author,
        value=None if content is None or element.password else value,
        id=_mend(element.id, index, mended),
        rect=element.box,
        enabled=element.enabled,
        visible=element.visible and element.box is not None,
        hittable=is_hittable(element, has_rule),
        editable=element.editable,
        focused=focused,
        selected=element.selected,
        checked=element.checked,
        expanded=element.expanded,
        required=element.has("required"),
        readonly=element.has("readonly"),
        password=element.password,
        has_value=bool(content),
        multiline=element.has("multiline"),
        level=element.template.number("level"),
        scroll=ScrollExtent(memory.scroll_x, memory.scroll_y, element.max_x, element.max_y)
        if scrolls
        else None,
        covered_by=cover.index if cover else None,
        window=element.window,
        chrome=element.chrome,
        opaque=element.attribute("opaque"),
        input_type=element.attribute("input") or ("password" if element.password else None),
    )


def _mend(text: str, index: int, mended: list[int]) -> str:
    """Replace unpaired surrogates by U+FFFD and remember the node."""
    clean, replaced = scrub_surrogates(text)
    if replaced and index not in mended[-1:]:
        mended.append(index)
    return clean
