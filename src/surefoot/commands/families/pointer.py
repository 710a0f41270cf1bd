"""``press``, ``click``, ``longpress``, ``hover``, ``swipe``, ``drag``, ``upload``."""

from __future__ import annotations

from typing import Any

from surefoot.commands.context import Context
from surefoot.commands.descriptor import Answer, Descriptor, Traits
from surefoot.commands.families.common import (
    ACT,
    STANDARD,
    acted,
    aim,
    input_file,
    interaction_text,
    is_file,
    options,
    require,
    session_of,
)
from surefoot.commands.families.shapes import (
    DragArgs,
    HoverArgs,
    PointerArgs,
    SwipeArgs,
    UploadArgs,
)
from surefoot.commands.language.forms import Rest, Target, Word, words
from surefoot.commands.language.spelling import is_pending, refused
from surefoot.commands.targets import check_aim, check_element
from surefoot.drivers import Gesture, Point
from surefoot.errors import invalid_args
from surefoot.interact import PointTarget, drag, parse_element, press, upload
from surefoot.wire import InteractionData

LONGPRESS_MS = 800

MUTATES = Traits(
    ref_frame_effect="expires",
    recording_effect="mutates",
    target_identity_verification="pre_dispatch",
    fragment_safe=True,
    timeout_policy=STANDARD,
    observation_only=False,
    batchable=True,
    lane="session",
)

POINTS = Target(points=True)
ELEMENT = Target()


async def _press(context: Context, args: PointerArgs) -> Answer[InteractionData]:
    return await _point(context, args, "press", 0)


async def _click(context: Context, args: PointerArgs) -> Answer[InteractionData]:
    return await _point(context, args, "click", 0)


async def _longpress(context: Context, args: PointerArgs) -> Answer[InteractionData]:
    return await _point(context, args, "longpress", LONGPRESS_MS)


async def _point(
    context: Context, args: PointerArgs, action: str, hold_ms: int
) -> Answer[InteractionData]:
    session = session_of(context)
    held = hold_ms if args.hold_ms is None else args.hold_ms
    interaction = await press(
        session,
        aim(args),
        Gesture(button=args.button, hold_ms=held),
        options(context, settle=args.settle, verify=args.verify),
        action=action,
        times=args.count,
    )
    return acted(interaction)


async def _hover(context: Context, args: HoverArgs) -> Answer[InteractionData]:
    session = session_of(context)
    require(session, "hover", "hover")
    interaction = await press(
        session,
        aim(args),
        Gesture(kind="hover", hold_ms=args.hold_ms),
        options(context, settle=args.settle, verify=args.verify),
        action="hover",
    )
    return acted(interaction)


async def _swipe(context: Context, args: SwipeArgs) -> Answer[InteractionData]:
    start, end = Point(args.x1, args.y1), Point(args.x2, args.y2)
    interaction = await drag(
        session_of(context),
        PointTarget(start),
        PointTarget(end),
        args.ms,
        options(context),
        action="swipe",
    )
    return acted(interaction)


async def _drag(context: Context, args: DragArgs) -> Answer[InteractionData]:
    interaction = await drag(
        session_of(context),
        parse_element(args.source),
        parse_element(args.destination),
        options=options(context),
    )
    return acted(interaction)


async def _upload(context: Context, args: UploadArgs) -> Answer[InteractionData]:
    session = session_of(context)
    require(session, "upload", "upload")
    paths = [input_file(context, path) for path in args.files]
    for path in paths:
        if not is_file(path):
            raise invalid_args(
                f"{path} is not a file the daemon can read",
                hint="The files of an upload must be on the machine the daemon runs on.",
                reason="file_not_found",
                path=path,
            )
    target = parse_element(args.target, args.label)
    return acted(await upload(session, target, paths, options(context)))


def _check_drag(args: DragArgs) -> None:
    check_element(args.source, argument="source")
    check_element(args.destination, argument="destination")


def _check_upload(args: UploadArgs) -> None:
    check_element(args.target, args.label)
    if not args.files or any(not is_pending(path) and not path for path in args.files):
        raise refused("upload needs at least one file", argument="files")


def _pointer(name: str, summary: str, run: Any, examples: tuple[str, ...]) -> Descriptor[Any, Any]:
    return Descriptor(
        name=name,
        group=ACT,
        summary=summary,
        args=PointerArgs,
        result=InteractionData,
        form=POINTS,
        examples=examples,
        traits=MUTATES,
        run=run,
        text=interaction_text,
        check=check_aim,
        targets=("target",),
        rewritten=("target",),
    )


DESCRIPTORS: tuple[Descriptor[Any, Any], ...] = (
    _pointer(
        "press",
        "Press an element or a point.",
        _press,
        (
            "surefoot press @e12",
            "surefoot press 'role=button label=\"Save\"' --settle",
            "surefoot press 120 48 --count 2",
        ),
    ),
    _pointer(
        "click",
        "Press with the mouse; the same as press.",
        _click,
        ("surefoot click @e12", "surefoot click 'label=\"File\"' --button right"),
    ),
    _pointer(
        "longpress",
        f"Press and hold, {LONGPRESS_MS} ms unless --hold-ms says otherwise.",
        _longpress,
        ("surefoot longpress @e12 --hold-ms 1500",),
    ),
    Descriptor(
        name="hover",
        group=ACT,
        summary="Move the pointer over an element or a point.",
        args=HoverArgs,
        result=InteractionData,
        form=POINTS,
        examples=("surefoot hover 'role=button label=\"Menu\"' --settle",),
        traits=MUTATES,
        run=_hover,
        text=interaction_text,
        check=check_aim,
        targets=("target",),
        rewritten=("target",),
    ),
    Descriptor(
        name="swipe",
        group=ACT,
        summary="Drag from one point to another.",
        args=SwipeArgs,
        result=InteractionData,
        form=words(
            Word("x1", "x1", "number"),
            Word("y1", "y1", "number"),
            Word("x2", "x2", "number"),
            Word("y2", "y2", "number"),
            Word("ms", "ms", "int", optional=True),
        ),
        examples=("surefoot swipe 200 600 200 200 300",),
        traits=Traits(
            ref_frame_effect="expires",
            recording_effect="mutates",
            target_identity_verification="none",
            fragment_safe=True,
            timeout_policy=STANDARD,
            observation_only=False,
            batchable=True,
            lane="session",
        ),
        run=_swipe,
        text=interaction_text,
    ),
    Descriptor(
        name="drag",
        group=ACT,
        summary="Drag one element onto another.",
        args=DragArgs,
        result=InteractionData,
        form=words(Word("source", "source"), Word("destination", "destination")),
        examples=("surefoot drag 'label=\"Task 1\"' 'role=list label=\"Done\"'",),
        traits=MUTATES,
        run=_drag,
        text=interaction_text,
        check=_check_drag,
        targets=("source", "destination"),
        rewritten=("source", "destination"),
    ),
    Descriptor(
        name="upload",
        group=ACT,
        summary="Choose files in a file input.",
        args=UploadArgs,
        result=InteractionData,
        form=Rest(ELEMENT, "files", "file"),
        examples=("surefoot upload 'label=\"Photo\"' ./me.png",),
        notes=("A relative path in a script starts at the script's directory.",),
        traits=MUTATES,
        run=_upload,
        text=interaction_text,
        check=_check_upload,
        targets=("target",),
        rewritten=("target",),
    ),
)
