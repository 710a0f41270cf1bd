"""Pointer actions and everything else that mutates without entering text: resolve, guard, act, answer.

architecture.md, "The way of one action". Each function resolves once and expires the ref frame once,
however often the gesture is repeated.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial

import msgspec

from surefoot.drivers import Delivery, Download, Gesture, Point
from surefoot.errors import CaptureUnreadable, SurefootError, invalid_args
from surefoot.interact.aftermath import changed_nothing, watch
from surefoot.interact.aimed import Aimed
from surefoot.interact.capture import observe, refuse_pending_dialog
from surefoot.interact.dispatch import PRE_DISPATCH, send
from surefoot.interact.guards import HANDLE_ONLY, POINTER, check_point, guard_target, is_inside
from surefoot.interact.locate import locate
from surefoot.interact.matching import direct_query
from surefoot.interact.model import (
    ActOptions,
    DispatchPath,
    ElementTarget,
    Interaction,
    PointTarget,
    RefTarget,
    Resolved,
    SelectorTarget,
    Target,
)
from surefoot.interact.response import respond
from surefoot.selectors import actionable_node
from surefoot.session import Session
from surefoot.tree import Node, Observation
from surefoot.wire import ExactResolution

MAX_TIMES = 100
NO_EFFECT = "Nothing has changed so far. `surefoot scroll <direction>` scrolls a page or a list."
PLAIN = Gesture()
DEFAULT = ActOptions()


async def press(
    session: Session,
    target: Target,
    gesture: Gesture = PLAIN,
    options: ActOptions = DEFAULT,
    *,
    action: str = "press",
    times: int = 1,
) -> Interaction:
    """Press, click, long-press or hover a target, ``times`` times in a row (at most 100).

    ``action`` names the command in the answer. A dialog or a navigation ends a series; an answer says
    how many were delivered. Raises what :func:`~surefoot.interact.resolve_mutation` and the guards
    raise (nothing dispatched, frame kept) and what the driver raises (frame expired).
    """
    if not 1 <= times <= MAX_TIMES:
        raise invalid_args(f"A count is 1 to {MAX_TIMES}.", reason="bad_count")
    path = choose_path(session, target, gesture, options, times)
    if path is DispatchPath.COORDINATE and isinstance(target, PointTarget):
        return await _press_point(session, target.point, gesture, options, action, times)
    native = path is DispatchPath.NATIVE_REF and isinstance(target, RefTarget)
    if native and (options.path is not None or await _as_seen(session)):
        assert isinstance(target, RefTarget)
        return await _press_native(session, target, options, action)
    if path is DispatchPath.DIRECT_SELECTOR and isinstance(target, SelectorTarget):
        pressed = await _press_direct(session, target, options, action)
        if pressed is not None:
            return pressed
    assert isinstance(target, ElementTarget)
    resolved = await locate(session, target, options, POINTER)
    return await _press_resolved(session, target, resolved, gesture, options, action, times)


def choose_path(
    session: Session, target: Target, gesture: Gesture, options: ActOptions, times: int = 1
) -> DispatchPath:
    """The path a press takes; a forced one is taken where the target allows it at all.

    The fast paths are for a plain single press only: never with ``verify``, ``settle``, a recording or
    a guarded replay (decisions.md). Forcing one against that is ``INVALID_ARGS``, reason
    ``path_not_admissible``.
    """
    forced = options.path
    if isinstance(target, PointTarget):
        usual, fast = DispatchPath.COORDINATE, None
    elif isinstance(target, RefTarget):
        usual = DispatchPath.RUNTIME_REF
        fast = DispatchPath.NATIVE_REF if "native_target" in session.app.capabilities else None
    else:
        usual = DispatchPath.RUNTIME_SELECTOR
        direct = isinstance(target, SelectorTarget) and _direct_possible(session, target)
        fast = DispatchPath.DIRECT_SELECTOR if direct else None
    if not _plain(session, gesture, options, times):
        fast = None
    if forced is None:
        return fast or usual
    wanted = DispatchPath.DIRECT_SELECTOR if forced is DispatchPath.NON_HITTABLE_FALLBACK else forced
    if wanted not in {usual, fast}:
        raise invalid_args(
            f"The path {forced} cannot be taken for {target}.",
            reason="path_not_admissible",
            path=str(forced),
        )
    return wanted


def _plain(session: Session, gesture: Gesture, options: ActOptions, times: int) -> bool:
    return (
        gesture == PLAIN
        and times == 1
        and options.settle is None
        and not options.verify
        and not options.guarded
        and options.readiness_ms <= 0
        and not session.recording_active
    )


def _direct_possible(session: Session, target: SelectorTarget) -> bool:
    return "direct_selector" in session.app.capabilities and direct_query(target.selector) is not None


async def _press_resolved(
    session: Session,
    target: ElementTarget,
    resolved: Resolved,
    gesture: Gesture,
    options: ActOptions,
    action: str,
    times: int,
) -> Interaction:
    aimed = Aimed(session, target, options, resolved)
    delivery, delivered = await _repeat(session, aimed.act, gesture, times, resolved)
    resolved = aimed.resolved
    after = await watch(session, options, delivery, resolved.observation, resolved)
    return respond(session, action, resolved.path, delivery, after, target=resolved, times=delivered)


async def _press_point(
    session: Session, point: Point, gesture: Gesture, options: ActOptions, action: str, times: int
) -> Interaction:
    before = await baseline(session, options)
    await _guard_point(session, point)
    delivery, delivered = await _repeat(
        session, lambda nth: session.app.pointer_at(point, nth), gesture, times, None
    )
    after = await watch(session, options, delivery, before)
    return respond(session, action, DispatchPath.COORDINATE, delivery, after, times=delivered)


async def _guard_point(session: Session, point: Point) -> None:
    """Refuse a point outside the screen. Looks only where the latest observation would refuse it, or
    where there is none to say how large the screen is."""
    latest = session.observation
    if latest is not None and is_inside(latest.viewport, point):
        return
    check_point(await observe(session), point)


async def _as_seen(session: Session) -> bool:
    """Whether the screen is still the one the frame's refs were given for. Where it is not, or where
    the platform cannot say, a ref takes the runtime path, which looks again: what the frame knows of
    an element (its name, that it is enabled or covered) may no longer hold (row B001)."""
    refuse_pending_dialog(session)
    frame = session.refs.frame
    return frame is None or await session.app.unchanged(frame.observation)


async def _press_native(
    session: Session, target: RefTarget, options: ActOptions, action: str
) -> Interaction:
    """Press by the frame's own handle, without looking. Guards read what the frame knows."""
    refuse_pending_dialog(session)
    frame, node = session.refs.admit(target.token)
    resolved = Resolved(
        observation=frame.observation,
        node=node,
        actionable=actionable_node(frame.observation.tree, node),
        resolution=ExactResolution(),
        path=DispatchPath.NATIVE_REF,
    )
    guard_target(resolved, session.refs, POINTER)
    aimed = Aimed(session, target, options, resolved)
    delivery = await send(
        session, lambda: aimed.act(PLAIN, lambda: session.app.press_native(node.handle)), resolved
    )
    after = await watch(session, options, delivery, None)
    return respond(session, action, DispatchPath.NATIVE_REF, delivery, after, target=aimed.resolved)


async def _press_direct(
    session: Session, target: SelectorTarget, options: ActOptions, action: str
) -> Interaction | None:
    """Let the platform find and press. ``None`` delegates to the runtime path: what the platform
    refused before dispatch (several raw matches first of all) is decided there."""
    refuse_pending_dialog(session)
    query = direct_query(target.selector)
    assert query is not None
    fallback = options.coordinate_fallback
    try:
        delivery = await send(session, lambda: session.app.press_direct(query, fallback))
    except SurefootError as error:
        refused = error.code in PRE_DISPATCH or error.reason == "not_hittable"
        if refused and not fallback:
            return None
        raise
    path = (
        DispatchPath.NON_HITTABLE_FALLBACK if delivery.fallback_taken else DispatchPath.DIRECT_SELECTOR
    )
    after = await watch(session, options, delivery, None)
    return respond(session, action, path, delivery, after)


async def _repeat(
    session: Session,
    act: Callable[[Gesture], Awaitable[Delivery]],
    gesture: Gesture,
    times: int,
    target: Resolved | None,
) -> tuple[Delivery, int]:
    """Send up to ``times``; a dialog, a new tab or a navigation ends the series.

    Each is aimed by itself, and is the next press in a row: the second makes a double press.

    What is worth saying of one of them, and what it saved, is said of the whole; a refusal midway says
    what was sent.
    """
    delivered = 0
    said: list[str] = []
    downloads: list[Download] = []
    while True:
        try:
            nth = msgspec.structs.replace(gesture, nth=delivered + 1)
            delivery = await send(session, partial(act, nth), target)
        except SurefootError as error:
            error.details["delivered"] = delivered
            if delivered:
                error.message += f" It was acted on {delivered} of {times} times before."
            raise
        delivered += 1
        said += [warning for warning in delivery.warnings if warning not in said]
        downloads += delivery.downloads
        ended = (
            delivery.dialog is not None
            or delivery.navigated
            or delivery.opened_tab is not None
            or session.app.dialog() is not None
        )
        if delivered == times or ended:
            if delivered < times:
                session.warn(f"Stopped after {delivered} of {times}: the screen was left.")
            whole = msgspec.structs.replace(delivery, warnings=tuple(said), downloads=tuple(downloads))
            return whole, delivered


async def baseline(session: Session, options: ActOptions) -> Observation | None:
    """The screen before an action without a target, where something will be compared with it."""
    refuse_pending_dialog(session)
    if options.settle is None and not options.verify:
        return None
    try:
        return await observe(session)
    except CaptureUnreadable:
        return None


async def perform(
    session: Session,
    action: str,
    act: Callable[[], Awaitable[Delivery]],
    options: ActOptions = DEFAULT,
) -> Interaction:
    """A mutation without a target (history, tabs, viewport): baseline, expire, act, watch, answer."""
    before = await baseline(session, options)
    delivery = await send(session, act)
    after = await watch(session, options, delivery, before)
    return respond(session, action, None, delivery, after)


async def focus(session: Session, target: ElementTarget, options: ActOptions = DEFAULT) -> Interaction:
    """Give an element the keyboard focus."""
    resolved = await locate(session, target, options, HANDLE_ONLY)
    delivery = await send(session, lambda: session.app.focus(resolved.node), resolved)
    after = await watch(session, options, delivery, resolved.observation, resolved)
    return respond(session, "focus", resolved.path, delivery, after, target=resolved)


async def upload(
    session: Session,
    target: ElementTarget,
    paths: Sequence[str],
    options: ActOptions = DEFAULT,
) -> Interaction:
    """Choose files (absolute paths) in a file input; the input itself may be hidden."""
    resolved = await locate(session, target, options, HANDLE_ONLY)
    delivery = await send(session, lambda: session.app.upload(resolved.node, paths), resolved)
    after = await watch(session, options, delivery, resolved.observation, resolved)
    return respond(session, "upload", resolved.path, delivery, after, target=resolved)


async def drag(
    session: Session,
    source: Target,
    destination: Target,
    ms: int = 300,
    options: ActOptions = DEFAULT,
    *,
    action: str = "drag",
) -> Interaction:
    """Press at the source, release at the destination; both are resolved on one look.

    Either endpoint's refusal refuses the whole drag before pointer-down (seed 0012, amendment 1567).
    Between two points it is the coordinate path (``swipe``); the answer says where it had no effect.
    """
    if isinstance(source, PointTarget) and isinstance(destination, PointTarget):
        return await _swipe(session, source.point, destination.point, ms, options, action)
    first = await _endpoint(session, source, options)
    second = await _endpoint(session, destination, destination_options(options))
    refused = first or second
    delivery = await send(
        session,
        lambda: session.app.drag(_end(source, first), _end(destination, second), ms),
        refused,
    )
    seen = refused.observation if refused is not None else None
    after = await watch(session, options, delivery, seen, first)
    return respond(
        session,
        action,
        DispatchPath.TARGET_DRAG,
        delivery,
        after,
        target=first,
        destination=second,
    )


async def _swipe(
    session: Session, start: Point, end: Point, ms: int, options: ActOptions, action: str
) -> Interaction:
    refuse_pending_dialog(session)
    before = session.observation
    if before is None or not await session.app.unchanged(before):
        before = await observe(session)
    check_point(before, start)
    check_point(before, end)
    delivery = await send(session, lambda: session.app.drag(start, end, ms))
    after = await watch(session, options, delivery, before)
    idle = after.dialog is None and not delivery.navigated and await changed_nothing(session, before)
    hint = NO_EFFECT if idle else None
    return respond(session, action, DispatchPath.COORDINATE, delivery, after, hint=hint)


def destination_options(options: ActOptions) -> ActOptions:
    """The options of the second endpoint: its own guard and decision, the same patience."""
    return ActOptions(
        guard=options.destination_guard,
        decide=options.destination_decide,
        readiness_ms=options.readiness_ms,
        stale_label=options.stale_label,
    )


async def _endpoint(session: Session, target: Target, options: ActOptions) -> Resolved | None:
    if isinstance(target, PointTarget):
        return None
    return await locate(session, target, options, POINTER)


def _end(target: Target, resolved: Resolved | None) -> Node | Point:
    if isinstance(target, PointTarget):
        return target.point
    assert resolved is not None
    return resolved.node
