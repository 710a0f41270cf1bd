"""From one frame's columns, as the walker ships them, to nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from surefoot.drivers.web.see.ids import choose_ids
from surefoot.tree import Checked, Node, Rect, ScrollExtent, canonical_role

ENABLED, VISIBLE, HITTABLE, EDITABLE, FOCUSED = 1, 2, 4, 8, 16
REQUIRED, READONLY, PASSWORD, HAS_VALUE, MULTILINE = 32, 64, 128, 256, 512
SELECTED_KNOWN, SELECTED, EXPANDED_KNOWN, EXPANDED = 0x400, 0x800, 0x1000, 0x2000
CHECKED_SHIFT, CHECKED_MASK, AUTHORED = 14, 3, 0x10000
PLAIN = ENABLED | VISIBLE | HITTABLE
"""Flags (emit.js); a node with none beyond ``PLAIN`` takes the short way."""

_CHECKED: tuple[Checked | None, ...] = (None, "false", "true", "mixed")


class FrameBox(Struct, array_like=True, frozen=True, gc=False):
    """Where a frame's content lies in its parent frame (CSS px), its scale, and what of it shows."""

    x: float
    y: float
    scale_x: float
    scale_y: float
    left: float
    top: float
    right: float
    bottom: float


class FrameCapture(Struct, frozen=True):
    """What the walker returns for one frame (emit.js): columns over nodes, pairs for rare fields.

    ``rect`` has four integers a node, hundredths of a CSS px in the frame's own viewport,
    ``0,0,-1,-1`` for none.
    """

    url: str
    title: str
    ready: str
    viewport: tuple[float, float]
    scroll: tuple[float, float, float, float]
    state: str
    active: int
    replaced: int
    cut: int
    truncated: bool
    deep: bool
    roles: list[str]
    parent: list[int]
    role: list[int]
    num: list[int]
    flags: list[int]
    label: list[str]
    rect: list[int]
    author: list[tuple[int, str]]
    value: list[tuple[int, str]]
    ids: list[tuple[int, list[str]]]
    level: list[tuple[int, int]]
    extents: list[tuple[int, tuple[float, float, float, float]]]
    covered: list[tuple[int, int]]
    opaque: list[tuple[int, str]]
    input: list[tuple[int, str]]
    frame: list[tuple[int, int, FrameBox]]


_decoder = msgspec.json.Decoder(FrameCapture | None)


def decode_capture(answer: str) -> FrameCapture | None:
    """The walker's answer; ``None`` when the document has no root element yet."""
    return _decoder.decode(answer)


class Placement(Struct, frozen=True):
    """How a frame's nodes join the whole.

    ``where`` maps an index in the frame to one in the whole; ``parent`` is the index of the frame's
    owner node in the whole (-1 for the top frame) and ``depth`` that of its document node; ``x``, ``y``
    and the scales map its own viewport to the top one; ``focused`` says whether the focus is in it.
    """

    where: Sequence[int]
    parent: int
    depth: int
    x: float
    y: float
    scale_x: float
    scale_y: float
    focused: bool


def nodes_of(capture: FrameCapture, frame_id: str, place: Placement) -> list[Node]:
    """The frame's nodes with their indexes in the whole, rects in CSS px of the top viewport."""
    roles = [canonical_role(role) for role in capture.roles]
    few = _few(capture)
    # The document is part of the handle: numbers begin anew with each, and an old handle must miss.
    where, prefix = place.where, f"{frame_id}:{capture.state.partition('.')[0]}."
    depths: list[int] = []
    nodes: list[Node] = []
    rows = zip(
        where,
        capture.parent,
        capture.role,
        capture.num,
        capture.flags,
        capture.label,
        _rects(capture.rect, place),
        strict=True,
    )
    for local, (index, parent, role, num, flags, label, rect) in enumerate(rows):
        depth = depths[parent] + 1 if parent >= 0 else place.depth
        depths.append(depth)
        above = where[parent] if parent >= 0 else place.parent
        handle = f"{prefix}{num}"
        enabled, visible, hittable = _PLAIN_FLAGS[flags & PLAIN]
        if flags <= PLAIN and local not in few:
            node = Node(
                index=index,
                parent=above,
                depth=depth,
                role=roles[role],
                handle=handle,
                label=label,
                rect=rect,
                enabled=enabled,
                visible=visible,
                hittable=hittable,
            )
        else:
            rare = few.get(local, _NONE)
            if flags > PLAIN:
                rare = {**rare, **_states(flags, label, place.focused)}
            if "covered_by" in rare:
                rare = {**rare, "covered_by": where[rare["covered_by"]]}
            node = Node(
                index=index,
                parent=above,
                depth=depth,
                role=roles[role],
                handle=handle,
                label=label,
                rect=rect,
                enabled=enabled,
                visible=visible,
                hittable=hittable,
                **rare,
            )
        nodes.append(node)
    return nodes


_NONE: Mapping[str, Any] = {}
_PLAIN_FLAGS = tuple(
    (flags & ENABLED != 0, flags & VISIBLE != 0, flags & HITTABLE != 0) for flags in range(PLAIN + 1)
)


def _states(flags: int, label: str, focused: bool) -> dict[str, Any]:
    states: dict[str, Any] = {
        "editable": flags & EDITABLE != 0,
        "focused": flags & FOCUSED != 0 and focused,
        "required": flags & REQUIRED != 0,
        "readonly": flags & READONLY != 0,
        "password": flags & PASSWORD != 0,
        "has_value": flags & HAS_VALUE != 0,
        "multiline": flags & MULTILINE != 0,
        "checked": _CHECKED[flags >> CHECKED_SHIFT & CHECKED_MASK],
    }
    if flags & SELECTED_KNOWN:
        states["selected"] = flags & SELECTED != 0
    if flags & EXPANDED_KNOWN:
        states["expanded"] = flags & EXPANDED != 0
    if flags & AUTHORED:
        states["author_label"] = label
    return states


def _rects(hundredths: list[int], place: Placement) -> list[Rect | None]:
    """From hundredths of a CSS px in the frame to CSS px of the top viewport."""
    flat = iter(hundredths)
    boxes = zip(flat, flat, flat, flat, strict=True)
    sx, sy = place.scale_x, place.scale_y
    if place.x == 0 and place.y == 0 and sx == 1 and sy == 1:
        return [Rect(x / 100, y / 100, w / 100, h / 100) if w >= 0 else None for x, y, w, h in boxes]
    return [
        Rect(
            round(place.x + x * sx / 100, 2),
            round(place.y + y * sy / 100, 2),
            round(w * sx / 100, 2),
            round(h * sy / 100, 2),
        )
        if w >= 0
        else None
        for x, y, w, h in boxes
    ]


def _few(capture: FrameCapture) -> Mapping[int, dict[str, Any]]:
    """The rare fields by node index, as keyword arguments of ``Node``."""
    few: dict[int, dict[str, Any]] = {}
    pairs: tuple[tuple[str, list[tuple[int, Any]]], ...] = (
        ("author_label", capture.author),
        ("value", capture.value),
        ("level", capture.level),
        ("covered_by", capture.covered),
        ("opaque", capture.opaque),
        ("input_type", capture.input),
        ("scroll", [(index, ScrollExtent(*extent)) for index, extent in capture.extents]),
        ("id", list(choose_ids(dict(capture.ids)).items())),
    )
    for field, values in pairs:
        for index, value in values:
            few.setdefault(index, {})[field] = value
    return few
