"""From one frame's columns, as the walker ships them, to nodes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, chain, repeat
from operator import sub
from typing import Any

import msgspec
from msgspec import Struct

from surefoot.drivers.web.see.ids import choose_ids
from surefoot.tree import Checked, Node, Rect, ScrollExtent, canonical_role

ENABLED, VISIBLE, HITTABLE, EDITABLE, FOCUSED = 1, 2, 4, 8, 16
REQUIRED, READONLY, PASSWORD, HAS_VALUE, MULTILINE = 32, 64, 128, 256, 512
SELECTED_KNOWN, SELECTED, EXPANDED_KNOWN, EXPANDED = 0x400, 0x800, 0x1000, 0x2000
CHECKED_SHIFT, CHECKED_MASK, AUTHORED = 14, 3, 0x10000
"""Flags (emit.js); ``AUTHORED`` is the highest."""

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

    ``up`` is how far before a node its parent stands; ``num``, ``x`` and ``y`` are differences to the
    node before. Lengths are hundredths of a CSS px in the frame's own viewport, a width of -1 says
    that there is no box.
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
    hosts: list[int]
    roles: list[str]
    up: list[int]
    role: list[int]
    num: list[int]
    flags: list[int]
    label: list[str]
    x: list[int]
    y: list[int]
    width: list[int]
    height: list[int]
    author: list[tuple[int, str]]
    value: list[tuple[int, str]]
    ids: list[tuple[int, list[str]]]
    level: list[tuple[int, int]]
    extents: list[tuple[int, tuple[float, float, float, float]]]
    covered: list[tuple[int, int]]
    opaque: list[tuple[int, str]]
    input: list[tuple[int, str]]
    marks: list[tuple[int, tuple[str, ...]]]
    frame: list[tuple[int, int, FrameBox]]
    about: list[tuple[int, str]]
    source: list[tuple[int, str]]
    held: list[tuple[int, list[str]]]


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
    """The frame's nodes with their indexes in the whole, rects in CSS px of the top viewport.

    Built by columns, in the order of ``Node``'s fields: a loop over nodes would take twice as long.
    """
    roles = [canonical_role(role) for role in capture.roles]
    # The document is part of the handle: numbers begin anew with each, and an old handle must miss.
    where, prefix = place.where, f"{frame_id}:{capture.state.partition('.')[0]}."
    flags = capture.flags if place.focused else [flag & ~FOCUSED for flag in capture.flags]
    depths: list[int] = []
    parents = list(map(sub, range(len(capture.up)), capture.up))
    for parent in parents:
        depths.append(depths[parent] + 1 if parent >= 0 else place.depth)
    columns: tuple[Iterable[Any], ...] = (
        where,
        [where[parent] if parent >= 0 else place.parent for parent in parents],
        depths,
        [roles[role] for role in capture.role],
        [f"{prefix}{number}" for number in accumulate(capture.num)],
        capture.label,
        _sparse(capture, chain(_authored(capture), capture.author), ""),
        _sparse(capture, capture.value, None),
        _sparse(capture, choose_ids(dict(capture.ids)).items(), ""),
        _rects(capture, place),
        *zip(*map(_STATES.__getitem__, flags), strict=True),
        _sparse(capture, capture.level, None),
        _sparse(capture, ((index, ScrollExtent(*extent)) for index, extent in capture.extents), None),
        _sparse(capture, ((index, where[cover]) for index, cover in capture.covered), None),
        repeat(None),  # window
        repeat(False),  # chrome
        _sparse(capture, capture.opaque, None),
        _sparse(capture, capture.input, None),
        _sparse(capture, capture.marks, ()),
        _sparse(capture, capture.about, ""),
        _sparse(capture, capture.source, ""),
        _sparse(capture, ((index, tuple(ids)) for index, ids in capture.held), ()),
    )
    return list(map(Node, *columns))


class _States(dict[int, tuple[Any, ...]]):
    """What a node's flags say, as the fields from ``enabled`` to ``multiline``; filled when asked."""

    def __missing__(self, flags: int) -> tuple[Any, ...]:
        states = self[flags] = (
            flags & ENABLED != 0,
            flags & VISIBLE != 0,
            flags & HITTABLE != 0,
            flags & EDITABLE != 0,
            flags & FOCUSED != 0,
            flags & SELECTED != 0 if flags & SELECTED_KNOWN else None,
            _CHECKED[flags >> CHECKED_SHIFT & CHECKED_MASK],
            flags & EXPANDED != 0 if flags & EXPANDED_KNOWN else None,
            flags & REQUIRED != 0,
            flags & READONLY != 0,
            flags & PASSWORD != 0,
            flags & HAS_VALUE != 0,
            flags & MULTILINE != 0,
        )
        return states


_STATES = _States()


def _authored(capture: FrameCapture) -> Iterable[tuple[int, str]]:
    """The nodes whose whole name an author gave."""
    if max(capture.flags) < AUTHORED:
        return ()
    rows = enumerate(zip(capture.flags, capture.label, strict=True))
    return ((index, label) for index, (flag, label) in rows if flag & AUTHORED)


def _sparse(capture: FrameCapture, few: Iterable[tuple[int, Any]], default: Any) -> Iterable[Any]:
    """A column that differs from ``default`` in ``few`` places."""
    column = None
    for index, value in few:
        if column is None:
            column = [default] * len(capture.num)
        column[index] = value
    return repeat(default) if column is None else column


def _rects(capture: FrameCapture, place: Placement) -> Iterable[Rect | None]:
    """Boxes in CSS px of the top viewport."""
    rects = map(
        Rect,
        _lengths(accumulate(capture.x), place.x, place.scale_x),
        _lengths(accumulate(capture.y), place.y, place.scale_y),
        _lengths(capture.width, 0, place.scale_x),
        _lengths(capture.height, 0, place.scale_y),
    )
    if -1 not in capture.width:
        return rects
    pairs = zip(rects, capture.width, strict=True)
    return [rect if width >= 0 else None for rect, width in pairs]


def _lengths(hundredths: Iterable[int], start: float, scale: float) -> Iterable[float]:
    if start == 0 and scale == 1:
        return [length / 100 for length in hundredths]
    return [round(start + length * scale / 100, 2) for length in hundredths]
