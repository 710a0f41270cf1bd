"""Frames' captures joined into one tree: a child frame's document stands below its owner's node.

Indexes are document order over all frames; rects are CSS px of the top viewport.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from surefoot.drivers.web.see.decode import FrameBox, FrameCapture, Placement, nodes_of
from surefoot.drivers.web.see.host import Frame, FrameGone
from surefoot.tree import Node, Observation, Page, Rect, ScrollExtent, Tree

MAX_NODES = 100_000
"""Nodes of one observation, all frames together (decisions.md, bounds)."""

_covers = msgspec.json.Decoder(list[int])


class _Seat(Struct, frozen=True):
    """A frame in the tree: its capture, its place, and the box of its owner (``None`` for the top)."""

    frame: Frame
    capture: FrameCapture
    place: Placement
    box: FrameBox | None
    owner: int


class Assembly:
    """One capture's frames, from the walker's answers to an observation.

    ``answers`` stand beside ``frames``: a capture, ``None`` (no root element yet), or the reason why
    the frame could not be read. ``owners`` gives the owner element's number in the parent's world.
    """

    def __init__(
        self,
        frames: Sequence[Frame],
        answers: Sequence[FrameCapture | str | None],
        owners: Mapping[str, int],
    ) -> None:
        self._frames = {frame.id: frame for frame in frames}
        self._answers = {frame.id: answer for frame, answer in zip(frames, answers, strict=True)}
        self._children: dict[tuple[str, int], Frame] = {
            (frame.parent, owners[frame.id]): frame
            for frame in frames
            if frame.parent is not None and frame.id in owners
        }
        self._sizes: dict[str, int] = {}
        self._seats: dict[str, _Seat] = {}
        self._budget = MAX_NODES
        self._truncated = False
        top = frames[0]
        self._nodes: list[Node | None] = [None] * self._measure(top)
        self._seat(top, base=0, owner=None, parent=None, box=None)
        self.nodes: list[Node] = [node for node in self._nodes if node is not None]

    def _child(self, frame: Frame, number: int) -> Frame | None:
        """The frame behind the owner element ``number`` of ``frame``, when it was read."""
        child = self._children.get((frame.id, number))
        return child if child is not None and child.id in self._sizes else None

    def _measure(self, frame: Frame) -> int:
        """Nodes of a frame with all readable frames below it; 0 where the bound leaves it out."""
        capture = self._answers[frame.id]
        if not isinstance(capture, FrameCapture):
            return 0
        if len(capture.num) > self._budget and self._sizes:
            self._truncated = True
            return 0
        self._budget -= len(capture.num)
        size = self._sizes[frame.id] = len(capture.num)
        for _, number, _ in capture.frame:
            child = self._children.get((frame.id, number))
            if child is not None and child.id not in self._sizes:
                size += self._measure(child)
        self._sizes[frame.id] = size
        return size

    def _seat(
        self, frame: Frame, base: int, owner: int | None, parent: _Seat | None, box: FrameBox | None
    ) -> None:
        capture = self._answers[frame.id]
        assert isinstance(capture, FrameCapture)
        inner = [(local, number, inner_box) for local, number, inner_box in capture.frame]
        where: Sequence[int] = range(base, base + len(capture.num))
        if any(self._child(frame, number) for _, number, _ in inner):
            where = self._indexes(frame, capture, base)
        place = _placed(where, owner, parent, box, self._nodes)
        seat = _Seat(
            frame=frame, capture=capture, place=place, box=box, owner=-1 if owner is None else owner
        )
        self._seats[frame.id] = seat
        nodes = nodes_of(capture, frame.id, place)
        if isinstance(where, range):
            self._nodes[where.start : where.stop] = nodes
        else:
            for node in nodes:
                self._nodes[node.index] = node
        for local, number, inner_box in inner:
            index = where[local]
            self._name_frame(index, frame, number)
            child = self._child(frame, number)
            if child is not None:
                self._seat(child, base=index + 1, owner=index, parent=seat, box=inner_box)

    def _indexes(self, frame: Frame, capture: FrameCapture, base: int) -> list[int]:
        """Where each of the frame's nodes lands once its child frames stand below their owners."""
        inserted = {}
        for local, number, _ in capture.frame:
            child = self._child(frame, number)
            if child is not None:
                inserted[local] = self._sizes[child.id]
        where: list[int] = []
        for local in range(len(capture.num)):
            where.append(base + local)
            base += inserted.get(local, 0)
        return where

    def _name_frame(self, index: int, parent: Frame, number: int) -> None:
        """An owner's author-given name is its title, else the origin in it (identity.md, 3)."""
        node = self._nodes[index]
        assert node is not None
        frame = self._children.get((parent.id, number))
        name = node.author_label or (frame.origin if frame is not None else "")
        opaque = node.opaque
        if frame is None:
            opaque = opaque or "frame not attached"
        elif frame.id not in self._sizes:
            answer = self._answers[frame.id]
            opaque = answer if isinstance(answer, str) else "frame is empty"
            if isinstance(answer, FrameCapture):
                opaque = "frame left out: too many nodes"
        self._nodes[index] = replace(node, author_label=name, opaque=opaque)

    async def cover(self) -> None:
        """Mark nodes of child frames that something in a frame above them lies over."""
        for seat in list(self._seats.values()):
            above, points = self._points(seat)
            while above is not None and points:
                above, points = await self._cover_from(above, points)

    def _points(self, seat: _Seat) -> tuple[_Seat | None, dict[int, tuple[float, float]]]:
        """Centres, in the top viewport, of the frame's hittable nodes that show in its owner."""
        if seat.box is None:
            return None, {}
        points: dict[int, tuple[float, float]] = {}
        for index in seat.place.where:
            node = self.nodes[index]
            if node.hittable and node.visible and node.rect is not None and node.covered_by is None:
                points[index] = node.rect.center
        return seat, points

    async def _cover_from(
        self, below: _Seat, points: dict[int, tuple[float, float]]
    ) -> tuple[_Seat | None, dict[int, tuple[float, float]]]:
        """One level: ask the frame that owns ``below``; what is left goes on to the next one up."""
        box = below.box
        if box is None or below.frame.parent is None:
            return None, {}
        parent = self._seats[below.frame.parent]
        local = {index: _into(parent.place, point) for index, point in points.items()}
        shown = {
            index: point
            for index, point in local.items()
            if box.left <= point[0] < box.right and box.top <= point[1] < box.bottom
        }
        if not shown:
            return None, {}
        number = self.nodes[below.owner].handle.rpartition(".")[2]
        asked = json.dumps([list(point) for point in shown.values()])
        try:
            answer = await parent.frame.evaluate(f"__surefoot.overlaid({number}, {asked})")
        except FrameGone:
            return None, {}
        left: dict[int, tuple[float, float]] = {}
        for index, cover in zip(shown, _covers.decode(answer), strict=True):
            if 0 <= cover < len(parent.place.where):
                self.nodes[index] = replace(self.nodes[index], covered_by=parent.place.where[cover])
            else:
                left[index] = points[index]
        return parent, left

    def observation(self, top: FrameCapture, ignored: Sequence[Frame]) -> Observation:
        captures = [seat.capture for seat in self._seats.values()]
        truncated = self._truncated or bool(ignored) or any(c.truncated or c.deep for c in captures)
        width, height = top.viewport
        return Observation(
            tree=Tree(self.nodes),
            viewport=Rect(0, 0, width, height),
            epoch=format_epoch({key: seat.capture.state for key, seat in self._seats.items()}),
            quality="sparse" if len(self.nodes) <= 1 else "ok",
            page=Page(url=top.url, title=top.title),
            scroll=ScrollExtent(*top.scroll),
            truncated=truncated,
            notes=_notes(captures, self._truncated, len(ignored)),
        )


def _placed(
    where: Sequence[int],
    owner: int | None,
    parent: _Seat | None,
    box: FrameBox | None,
    nodes: Sequence[Node | None],
) -> Placement:
    if owner is None or parent is None or box is None:
        return Placement(where=where, parent=-1, depth=0, x=0, y=0, scale_x=1, scale_y=1, focused=True)
    node = nodes[owner]
    assert node is not None
    above = parent.place
    return Placement(
        where=where,
        parent=owner,
        depth=node.depth + 1,
        x=above.x + box.x * above.scale_x,
        y=above.y + box.y * above.scale_y,
        scale_x=above.scale_x * box.scale_x,
        scale_y=above.scale_y * box.scale_y,
        focused=node.focused,
    )


def _into(place: Placement, point: tuple[float, float]) -> tuple[float, float]:
    """A point of the top viewport in the frame's own viewport."""
    return (point[0] - place.x) / place.scale_x, (point[1] - place.y) / place.scale_y


def _notes(captures: Sequence[FrameCapture], bounded: bool, ignored: int) -> tuple[str, ...]:
    replaced = sum(capture.replaced for capture in captures)
    cut = sum(capture.cut for capture in captures)
    notes = (
        (replaced, f"{replaced} strings had unpaired surrogates; they were replaced by U+FFFD"),
        (cut, f"{cut} strings were longer than 10000 characters and were cut"),
        (
            bounded or any(c.truncated for c in captures),
            f"the page has more than {MAX_NODES} nodes; the rest is left out",
        ),
        (any(c.deep for c in captures), "elements nested deeper than 1000 levels are left out"),
        (ignored, f"{ignored} frames beyond the bound were not read"),
    )
    return tuple(text for present, text in notes if present)


def format_epoch(states: Mapping[str, str]) -> str:
    """``<frame id>=<document>.<mutations>.<fingerprint>`` of each frame in the tree, ``;`` between."""
    return ";".join(f"{frame_id}={state}" for frame_id, state in states.items())


def parse_epoch(epoch: str) -> dict[str, str]:
    """The inverse of :func:`format_epoch`; empty for an epoch of another kind."""
    pairs = (part.partition("=") for part in epoch.split(";"))
    return {frame_id: state for frame_id, mark, state in pairs if mark}
