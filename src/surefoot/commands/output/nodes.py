"""Nodes and pages as wire data (surface.md, "Wire shapes others rely on")."""

from __future__ import annotations

from itertools import islice

from surefoot.session import ref_of
from surefoot.tree import (
    Entry,
    Node,
    Observation,
    OffScreen,
    Projection,
    Tree,
    choices,
)
from surefoot.wire import (
    NodeData,
    OffscreenData,
    PageData,
    RectData,
    ScrollExtentData,
)

MAX_OPTIONS = 50
"""Options of a closed list that its data names."""


def node_data(tree: Tree, entry: Entry, view: Projection, issued: bool, *, full: bool) -> NodeData:
    """A shown node. ``parentIndex`` is the index of the shown node it hangs under.

    ``full`` gives every field; else states are there only where they say something.
    """
    layer = {"app": view.entries, "chrome": view.chrome, "foreign": view.foreign}[entry.layer]
    parent = layer[entry.parent].node.index if entry.parent >= 0 else None
    return _data(tree, entry.node, parent, entry.depth, issued=issued, full=full)


def whole_node(tree: Tree, node: Node) -> NodeData:
    """Every attribute of one node (``get attrs``); it issues no ref."""
    parent = node.parent if node.parent >= 0 else None
    return _data(tree, node, parent, node.depth, issued=False, full=True)


def _data(
    tree: Tree, node: Node, parent: int | None, depth: int, *, issued: bool, full: bool
) -> NodeData:
    def said(value: bool, usual: bool) -> bool | None:
        return value if full or value is not usual else None

    rect, scroll = node.rect, node.scroll
    return NodeData(
        index=node.index,
        parent_index=parent,
        depth=depth,
        ref=ref_of(node) if issued else None,
        role=node.role,
        label=tree.labels[node.index] or None,
        value=node.value,
        id=node.id or None,
        rect=None if rect is None else RectData(rect.x, rect.y, rect.width, rect.height),
        enabled=node.enabled,
        hittable=node.hittable,
        visible=said(node.visible, True),
        editable=said(node.editable, False),
        focused=said(node.focused, False),
        selected=node.selected,
        checked=node.checked,
        expanded=node.expanded,
        required=said(node.required, False),
        readonly=said(node.readonly, False),
        password=said(node.password, False),
        has_value=node.has_value if node.password else None,
        level=node.level,
        covered_by=node.covered_by,
        scroll=None
        if scroll is None
        else ScrollExtentData(x=scroll.x, y=scroll.y, max_x=scroll.max_x, max_y=scroll.max_y),
        window=node.window,
        chrome=said(node.chrome, False),
        opaque=node.opaque,
        marks=node.marks,
        options=tuple(islice(choices(tree, node), MAX_OPTIONS)),
        author_label=tree.author_labels[node.index] or None if full else None,
    )


def off_screen_data(summary: OffScreen) -> OffscreenData:
    """What lies beyond an edge, counted."""
    return OffscreenData(
        direction=summary.direction,
        count=summary.interactive + summary.other,
        interactive=summary.interactive,
        region=None if summary.region is None else ref_of(summary.region),
        labels=summary.labels,
    )


def page_data(observation: Observation) -> PageData | None:
    page = observation.page
    return None if page is None else PageData(url=page.url, title=page.title, status=page.status)
