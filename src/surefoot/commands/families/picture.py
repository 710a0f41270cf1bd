"""``screenshot``."""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from surefoot.commands.context import Context, Terminal
from surefoot.commands.descriptor import Answer, Descriptor, Traits
from surefoot.commands.families.common import PAGES, STANDARD, absolute, require, session_of
from surefoot.commands.families.shapes import ScreenshotArgs
from surefoot.commands.language.forms import Word, words
from surefoot.commands.output.overlay import Box, draw_boxes
from surefoot.commands.output.words import lines, shown, warning_lines
from surefoot.drivers import Point
from surefoot.interact import observe
from surefoot.recording import check_target, publish
from surefoot.session import RefFrame, Session, pinned, ref_of
from surefoot.text import single_line
from surefoot.tree import Node, Observation, is_interactive, project
from surefoot.wire import OverlayData, RectData, ScreenshotData

MAX_BOXES = 500


async def _screenshot(context: Context, args: ScreenshotArgs) -> Answer[ScreenshotData]:
    session = session_of(context)
    require(session, "screenshot", "screenshot")
    name = args.path or f"screenshot-{time.strftime('%Y%m%d-%H%M%S')}.png"
    path = Path(absolute(context, name))
    check_target(path, force=True)
    boxes: list[tuple[OverlayData, Box]] = []
    generation = None
    observation = await observe(session) if args.overlay_refs else None
    if observation is not None:
        frame, boxes = _boxes(session, observation, full=args.full)
        generation = None if frame is None else frame.generation
    png = await session.app.screenshot(args.full)
    if observation is not None and boxes:
        scale_to = None if args.full else observation.viewport.width
        png = draw_boxes(png, [box for _, box in boxes], css_width=scale_to)
    publish(path, png, force=True)
    width, height = _png_size(png)
    return Answer(
        ScreenshotData(
            path=str(path),
            bytes=len(png),
            width=width,
            height=height,
            refs_generation=generation,
            overlays=tuple(overlay for overlay, _ in boxes),
            warnings=session.take_warnings(),
        )
    )


def _boxes(
    session: Session, observation: Observation, *, full: bool
) -> tuple[RefFrame | None, list[tuple[OverlayData, Box]]]:
    view = project(observation, interactive=True, list_off_screen=full)
    scroll = observation.scroll
    shift = Point(scroll.x, scroll.y) if full and scroll is not None else Point(0, 0)
    boxes: list[tuple[OverlayData, Box]] = []
    for node in _boxable(view.nodes, observation, full=full):
        assert node.rect is not None
        rect = node.rect
        overlay = OverlayData(
            ref=ref_of(node),
            role=node.role,
            rect=RectData(rect.x, rect.y, rect.width, rect.height),
            label=observation.tree.labels[node.index] or None,
        )
        box = Box(ref_of(node), rect.x + shift.x, rect.y + shift.y, rect.width, rect.height)
        boxes.append((overlay, box))
    if not boxes or observation.quality != "ok":
        return None, []
    issued = [int(overlay.ref[1:]) - 1 for overlay, _ in boxes]
    return session.refs.publish_partial(observation, issued), boxes


def _boxable(nodes: Iterable[Node], observation: Observation, *, full: bool) -> list[Node]:
    found = [
        node
        for node in nodes
        if is_interactive(node)
        and node.rect is not None
        and node.rect.width > 0
        and node.rect.height > 0
        and node.covered_by is None
        and (full or node.rect.intersects(observation.viewport))
    ]
    return found[:MAX_BOXES]


def _png_size(png: bytes) -> tuple[int, int]:
    """Width and height of the IHDR chunk."""
    return int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")


def _screenshot_text(_args: ScreenshotArgs, data: ScreenshotData, _terminal: Terminal) -> str:
    generation = data.refs_generation
    listed = [
        f"- {item.role} {shown(item.label)} " if item.label else f"- {item.role} "
        for item in data.overlays
    ]
    refs = [f"[{pinned(item.ref, generation)}]" for item in data.overlays] if generation else []
    return lines(
        f"wrote {single_line(data.path)} ({data.width}x{data.height}, {data.bytes} bytes)",
        (text + ref for text, ref in zip(listed, refs, strict=False)),
        warning_lines(data.warnings),
    )


DESCRIPTORS: tuple[Descriptor[Any, Any], ...] = (
    Descriptor(
        name="screenshot",
        group=PAGES,
        summary="Write a PNG of the screen.",
        args=ScreenshotArgs,
        result=ScreenshotData,
        form=words(Word("path", "path", optional=True)),
        examples=(
            "surefoot screenshot ./screen.png",
            "surefoot screenshot --full --overlay-refs",
        ),
        traits=Traits(
            ref_frame_effect="activates_partial",
            recording_effect="observes",
            target_identity_verification="none",
            fragment_safe=True,
            timeout_policy=STANDARD,
            observation_only=True,
            batchable=True,
            lane="session",
        ),
        run=_screenshot,
        text=_screenshot_text,
    ),
)
