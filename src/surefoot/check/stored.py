"""A screen that was saved with ``surefoot snapshot --raw --json``, as a capture to check against.

Nothing in it can be acted on; what the answer left out (handles) is made up, what it hid stays hidden.
"""

from __future__ import annotations

from typing import cast

import msgspec
from msgspec import Struct

from surefoot.errors import SurefootError, invalid_args
from surefoot.tree import Checked, Node, Rect, ScrollExtent, Tree, canonical_role

MAX_SNAPSHOT_BYTES = 64 * 1024 * 1024
MAX_STORED_NODES = 100_000


class _Rect(Struct):
    x: float
    y: float
    width: float
    height: float


class _Scroll(Struct, rename="camel"):
    x: float
    y: float
    max_x: float
    max_y: float


class _Node(Struct, rename="camel"):
    index: int
    role: str
    depth: int = 0
    parent_index: int | None = None
    label: str = ""
    author_label: str = ""
    value: str | None = None
    id: str = ""
    rect: _Rect | None = None
    enabled: bool = True
    visible: bool = True
    hittable: bool = False
    editable: bool = False
    focused: bool = False
    selected: bool | None = None
    checked: str | None = None
    expanded: bool | None = None
    required: bool = False
    readonly: bool = False
    password: bool = False
    has_value: bool = False
    level: int | None = None
    covered_by: int | None = None
    scroll: _Scroll | None = None
    window: str | None = None
    opaque: str | None = None


class _Snapshot(Struct):
    nodes: list[_Node]
    total: int | None = None


class _Reply(Struct):
    data: _Snapshot | None = None
    nodes: list[_Node] | None = None
    total: int | None = None
    success: bool = True


def load_snapshot(data: bytes, path: str) -> Tree:
    """The tree of a saved snapshot: the whole answer, or its ``data`` alone.

    ``INVALID_ARGS``: ``snapshot_unreadable`` for anything else, ``snapshot_not_raw`` where nodes are
    missing (``-i``, ``-d``, ``-s``, ``--level digest``), ``snapshot_too_large``.
    """
    try:
        reply = msgspec.json.decode(data, type=_Reply)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _unreadable(path, str(error)) from None
    nodes, total = reply.nodes, reply.total
    if reply.data is not None:
        nodes, total = reply.data.nodes, reply.data.total
    if not reply.success or nodes is None:
        raise _unreadable(path, "it is no answer of a snapshot")
    if len(nodes) > MAX_STORED_NODES:
        raise invalid_args(
            f"{path} holds {len(nodes)} nodes; at most {MAX_STORED_NODES} are read.",
            reason="snapshot_too_large",
            path=path,
        )
    whole = all(node.index == at for at, node in enumerate(nodes))
    if not whole or (total is not None and total != len(nodes)):
        raise invalid_args(
            f"{path} shows a part of its screen only, so nothing can be verified on it.",
            hint="Save the whole of it: `surefoot snapshot --raw --json > screen.json`.",
            reason="snapshot_not_raw",
            path=path,
        )
    return Tree([_node(node, at, path) for at, node in enumerate(nodes)])


def _node(node: _Node, at: int, path: str) -> Node:
    parent = -1 if node.parent_index is None else node.parent_index
    if not -1 <= parent < at:
        raise _unreadable(path, f"node {at} hangs under {parent}")
    if node.checked not in (None, "true", "false", "mixed"):
        raise _unreadable(path, f"node {at} has no such checked state")
    rect, scroll = node.rect, node.scroll
    return Node(
        index=at,
        parent=parent,
        depth=node.depth,
        role=canonical_role(node.role),
        handle=f"stored-{at}",
        label=node.label,
        author_label=node.author_label,
        value=node.value,
        id=node.id,
        rect=None if rect is None else Rect(rect.x, rect.y, rect.width, rect.height),
        enabled=node.enabled,
        visible=node.visible,
        hittable=node.hittable,
        editable=node.editable,
        focused=node.focused,
        selected=node.selected,
        checked=cast("Checked | None", node.checked),
        expanded=node.expanded,
        required=node.required,
        readonly=node.readonly,
        password=node.password,
        has_value=node.has_value,
        level=node.level,
        covered_by=node.covered_by,
        scroll=None if scroll is None else ScrollExtent(scroll.x, scroll.y, scroll.max_x, scroll.max_y),
        window=node.window,
        opaque=node.opaque,
    )


def _unreadable(path: str, why: str) -> SurefootError:
    return invalid_args(
        f"{path} is no saved snapshot: {why}.",
        hint="Save one with `surefoot snapshot --raw --json > screen.json`.",
        reason="snapshot_unreadable",
        path=path,
    )
