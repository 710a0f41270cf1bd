"""Scrolling: once, with an honest word on its effect, or until something shows up (rows B049, B054)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from surefoot.drivers import Delivery, Direction, ScrollOutcome, SettlePolicy
from surefoot.errors import ErrorCode, SurefootError, invalid_args
from surefoot.interact.act import DEFAULT
from surefoot.interact.aftermath import watch
from surefoot.interact.capture import observe, refuse_pending_dialog
from surefoot.interact.describe import label_of
from surefoot.interact.dispatch import send
from surefoot.interact.guards import HANDLE_ONLY
from surefoot.interact.locate import locate
from surefoot.interact.matching import matches_of
from surefoot.interact.model import (
    ActOptions,
    DispatchPath,
    ElementTarget,
    Interaction,
    MatchTarget,
    Resolved,
)
from surefoot.interact.polling import poll_until
from surefoot.interact.response import respond
from surefoot.selectors import actionable_node
from surefoot.session import ScrollMemory, Session
from surefoot.tree import Node, Observation, Placing, ScrollExtent, intersection, is_scrollable
from surefoot.wire import ScrollData, UniqueResolution

DEFAULT_FRACTION = 0.8
"""How much of the viewport one scroll moves: the rest overlaps, so that nothing is jumped over."""
MAX_PIXELS = 1_000_000.0
MAX_SCROLLS = 2_000
MAX_CONTAINERS = 10
MAX_FRACTION = 100.0
LAST_VISIBLE = 5
REPEATED = 3
END_MS = 2_000.0
"""How long a list that is at its end may take to load more, each time."""
_REST = SettlePolicy(quiet_ms=50, timeout_ms=1_000)
_HINT_EDGE = "Nothing moved: it stands at the edge."
_HINT_NONE = "Nothing moved."
_HINT_OTHER = (
    "{count} scrolls {direction} in a row moved nothing. Scroll another way, scroll the list itself "
    "(`surefoot scroll {direction} --until <selector>`), or `surefoot swipe` inside it."
)


async def scroll(
    session: Session,
    direction: Direction,
    options: ActOptions = DEFAULT,
    *,
    pixels: float | None = None,
    fraction: float | None = None,
    target: ElementTarget | None = None,
) -> Interaction:
    """Scroll the page (or, where the page cannot, its largest scroll container), or ``target``.

    By ``pixels``, else by ``fraction`` of the viewport (default 0.8). The answer says how far content
    moved; without effect it carries a hint, and the third identical one hints another way.
    """
    resolved: Resolved | None = None
    node: Node | None = None
    if target is not None:
        resolved = await locate(session, target, options, HANDLE_ONLY)
        observation, node = resolved.observation, resolved.node
    else:
        refuse_pending_dialog(session)
        observation = await observe(session)
        node = next(iter(_containers(observation, direction)), None)
    amount = _amount(observation, direction, pixels, fraction, node)
    outcome = await send(session, lambda: session.app.scroll(node, direction, amount), resolved)
    after = await watch(session, options, Delivery(), observation)
    data = _data(outcome)
    hint = _remember(session, direction, str(target) if target else "", outcome)
    path = resolved.path if resolved is not None else None
    return respond(session, "scroll", path, Delivery(), after, target=resolved, scroll=data, hint=hint)


async def scroll_until(
    session: Session,
    direction: Literal["up", "down", "left", "right"],
    target: MatchTarget,
    options: ActOptions = DEFAULT,
    *,
    timeout_ms: float = 30_000,
    fraction: float | None = None,
) -> Interaction:
    """Scroll until something that matches is in view.

    Goes through the scroll containers that can move that way, the page first. Raises
    ``ELEMENT_NOT_FOUND`` ``scroll_end_reached`` at an end of all of them that stays one, or ``TIMEOUT``
    ``scroll_budget_spent``; ``details``: ``scrolls``, ``movedPixels``, ``lastVisible``.
    """
    refuse_pending_dialog(session)
    started = session.clock.now_ms()
    progress = _Progress()
    while True:
        observation = await observe(session, purpose="poll" if progress.scrolls else "capture")
        match = _in_view(observation, target)
        if match is not None:
            break
        spent = session.clock.now_ms() - started
        if spent >= timeout_ms or progress.scrolls >= MAX_SCROLLS:
            raise _not_reached(observation, direction, target, progress, budget=True)
        ways = progress.ways(observation, direction)
        if ways:
            await _step(session, observation, direction, ways[0], fraction, progress)
        elif not await _goes_on(session, direction, target, progress, timeout_ms - spent):
            raise _not_reached(observation, direction, target, progress, budget=False)
    after = await watch(session, options, Delivery(), observation)
    data = ScrollData(
        moved_x=progress.moved_x,
        moved_y=progress.moved_y,
        at_edge=progress.at_edge,
        effect=progress.moved_x != 0 or progress.moved_y != 0,
        scrolls=progress.scrolls,
        found=True,
    )
    resolved = Resolved(
        observation=observation,
        node=match,
        actionable=actionable_node(observation.tree, match),
        resolution=UniqueResolution(),
        path=DispatchPath.RUNTIME_SELECTOR,
    )
    return respond(session, "scroll", None, Delivery(), after, target=resolved, scroll=data)


@dataclass(slots=True)
class _Progress:
    """What a search by scrolling did so far. A container that twice did not move is exhausted, with how
    far it scrolled then: one that has grown since (the next part was loaded) is none any more."""

    scrolls: int = 0
    moved_x: float = 0.0
    moved_y: float = 0.0
    at_edge: bool = False
    stuck: set[str] = field(default_factory=set)
    exhausted: dict[str, ScrollExtent | None] = field(default_factory=dict)

    def ways(self, observation: Observation, direction: Direction) -> list[Node | None]:
        """What can still be scrolled that way, best first."""
        return [
            node
            for node in _containers(observation, direction)
            if _name(node) not in self.exhausted
            or _extent(observation, node) != self.exhausted[_name(node)]
        ]


async def _goes_on(
    session: Session,
    direction: Direction,
    target: MatchTarget,
    progress: _Progress,
    left_ms: float,
) -> bool:
    """At an end: whether it was one for a moment only. A list that loads its next part when it is
    scrolled to its end is waited for, at most :data:`END_MS` each time."""

    def more(observation: Observation) -> bool:
        return bool(progress.ways(observation, direction)) or _in_view(observation, target) is not None

    return (await poll_until(session, more, timeout_ms=min(END_MS, left_ms))).satisfied


async def _step(
    session: Session,
    observation: Observation,
    direction: Direction,
    node: Node | None,
    fraction: float | None,
    progress: _Progress,
) -> None:
    amount = _amount(observation, direction, None, fraction, node)
    outcome = await send(session, lambda: session.app.scroll(node, direction, amount))
    progress.scrolls += 1
    progress.moved_x += outcome.moved_x
    progress.moved_y += outcome.moved_y
    progress.at_edge = outcome.at_edge
    rest = await session.app.settle(_REST)
    session.cost.polls += rest.polls
    name = _name(node)
    if outcome.moved_x or outcome.moved_y:
        progress.stuck.discard(name)
    elif name in progress.stuck:
        progress.exhausted[name] = _extent(observation, node)
    else:
        progress.stuck.add(name)


def _extent(observation: Observation, node: Node | None) -> ScrollExtent | None:
    return observation.scroll if node is None else node.scroll


def _name(node: Node | None) -> str:
    return "" if node is None else node.handle


def _containers(observation: Observation, direction: Direction) -> list[Node | None]:
    """What can be scrolled that way: the page, then containers in view, the largest first.

    What does not say how far it scrolls is tried; the page is always there when nothing else is.
    """
    placing = Placing(observation.tree, observation.viewport)
    nodes = [
        node
        for node in observation.tree.nodes
        if node.parent >= 0
        and node.visible
        and is_scrollable(node)
        and _has_room(node.scroll, direction)
        and placing.on_screen(node)
    ]
    nodes.sort(key=_area, reverse=True)
    found: list[Node | None] = list(nodes[:MAX_CONTAINERS])
    if _has_room(observation.scroll, direction):
        found = [None, *found] if observation.scroll is not None else [*found, None]
    return found


def _area(node: Node) -> float:
    return node.rect.width * node.rect.height if node.rect is not None else 0.0


def _has_room(scroll: ScrollExtent | None, direction: Direction) -> bool:
    if scroll is None:
        return True
    return {
        "up": scroll.y > 0,
        "top": scroll.y > 0,
        "down": scroll.y < scroll.max_y,
        "bottom": scroll.y < scroll.max_y,
        "left": scroll.x > 0,
        "right": scroll.x < scroll.max_x,
    }[direction]


def _amount(
    observation: Observation,
    direction: Direction,
    pixels: float | None,
    fraction: float | None,
    node: Node | None = None,
) -> float:
    if pixels is not None:
        if not 0 < pixels <= MAX_PIXELS:
            raise invalid_args("Pixels are more than 0 and at most 1000000.", reason="bad_amount")
        return pixels
    if fraction is not None and not 0 < fraction <= MAX_FRACTION:
        raise invalid_args(f"An amount is more than 0, at most {MAX_FRACTION}.", reason="bad_amount")
    room = observation.viewport
    if node is not None and node.rect is not None:
        room = intersection(node.rect, observation.viewport)
    length = room.width if direction in {"left", "right"} else room.height
    return max(1.0, (fraction or DEFAULT_FRACTION) * length)


def _in_view(observation: Observation, target: MatchTarget) -> Node | None:
    nodes = [node for node in matches_of(target, observation).nodes if node.visible]
    if not nodes:
        return None
    placing = Placing(observation.tree, observation.viewport)
    return next((node for node in nodes if _mostly_in_view(placing, node)), None)


def _mostly_in_view(placing: Placing, node: Node) -> bool:
    """In view with its centre: a row of which ten pixels show still needs scrolling (row B052)."""
    if node.rect is None or not placing.on_screen(node):
        return False
    x, y = node.rect.center
    view = placing.viewport
    inside = view.x <= x < view.x + view.width and view.y <= y < view.y + view.height
    region = placing.tree.scroll_region(node)
    if region is None or region.parent < 0 or region.rect is None:
        return inside
    frame = region.rect
    return inside and frame.x <= x < frame.x + frame.width and frame.y <= y < frame.y + frame.height


def _data(outcome: ScrollOutcome) -> ScrollData:
    return ScrollData(
        moved_x=outcome.moved_x,
        moved_y=outcome.moved_y,
        at_edge=outcome.at_edge,
        effect=bool(outcome.moved_x or outcome.moved_y),
    )


def _remember(
    session: Session, direction: Direction, target: str, outcome: ScrollOutcome
) -> str | None:
    """The hint of a scroll without effect (row B049); a third identical one says what else to try."""
    if outcome.moved_x or outcome.moved_y:
        session.scrolls = ScrollMemory()
        return None
    key = (direction, target)
    memory = session.scrolls
    count = memory.count + 1 if memory.key == key else 1
    session.scrolls = ScrollMemory(key, count)
    if count >= REPEATED:
        return _HINT_OTHER.format(direction=direction, count=count)
    return _HINT_EDGE if outcome.at_edge else _HINT_NONE


def _not_reached(
    observation: Observation,
    direction: str,
    target: MatchTarget,
    progress: _Progress,
    *,
    budget: bool,
) -> SurefootError:
    placing = Placing(observation.tree, observation.viewport)
    shown = [
        label
        for node in observation.tree.nodes
        if node.visible and placing.on_screen(node) and (label := label_of(observation.tree, node))
    ]
    details = {
        "reason": "scroll_budget_spent" if budget else "scroll_end_reached",
        "target": str(target),
        "scrolls": progress.scrolls,
        "movedPixels": round(abs(progress.moved_x) + abs(progress.moved_y)),
        "lastVisible": shown[-LAST_VISIBLE:],
    }
    where = "Out of time" if budget else "At the end"
    return SurefootError(
        ErrorCode.TIMEOUT if budget else ErrorCode.ELEMENT_NOT_FOUND,
        f"{where} after {progress.scrolls} scrolls {direction}; {target} did not show up.",
        hint="Raise --timeout and repeat: it goes on from here."
        if budget
        else "Run `surefoot snapshot -i`, or scroll another way.",
        details=details,
    )
