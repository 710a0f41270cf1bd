"""Nodes, pages and differences as wire data (surface.md, "Wire shapes others rely on")."""

from __future__ import annotations

from surefoot.interact import screen_ref
from surefoot.session import ref_of
from surefoot.text import normalize, truncate_utf8
from surefoot.tree import (
    Entry,
    Node,
    Observation,
    OffScreen,
    Projection,
    Tree,
    TreeDiff,
    is_meaningful_in,
)
from surefoot.wire import (
    DiffData,
    NodeData,
    OffscreenData,
    PageData,
    RectData,
    ScrollExtentData,
    TargetData,
)

MAX_NAME_BYTES = 256


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
    return None if page is None else PageData(url=page.url, title=page.title)


def diff_data(after: Observation, difference: TreeDiff, limit: int) -> DiffData:
    """The difference for a reader: what can be acted on or read, at most ``limit`` in all."""
    meaningful = is_meaningful_in(after.tree)
    added = [node for node in difference.added if node.visible and meaningful(node)]
    changed = [
        change.after
        for change in difference.changed
        if change.after.visible and meaningful(change.after)
    ]
    removed = [node for node in difference.removed if node.visible and node.label]
    room = limit - min(len(added), limit)
    shown_changed = changed[:room]
    shown_removed = removed[: room - len(shown_changed)]
    return DiffData(
        added=tuple(screen_ref(after, node) for node in added[:limit]),
        changed=tuple(screen_ref(after, node) for node in shown_changed),
        removed=tuple(
            TargetData(role=node.role, label=truncate_utf8(normalize(node.label), MAX_NAME_BYTES))
            for node in shown_removed
        ),
        added_count=difference.added_total,
        changed_count=difference.changed_total,
        removed_count=difference.removed_total,
        truncated=difference.truncated
        or len(added) > limit
        or len(shown_changed) < len(changed)
        or len(shown_removed) < len(removed),
    )
