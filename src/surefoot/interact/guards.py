"""What refuses an action on a resolved element before anything is dispatched.

contracts.md, "Interaction guarantees"; rows B042, B044. Guards read one observation and never touch
the app; the driver proves the hit once more on the live element.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass

from surefoot.drivers import Point
from surefoot.errors import ErrorCode, SurefootError
from surefoot.interact.describe import label_of, name_of
from surefoot.interact.model import Resolved
from surefoot.selectors import Selector, build_chain, write_selector
from surefoot.session import RefNamespace, pinned, ref_of
from surefoot.tree import DIALOG_ROLES, Node, Observation, Placing, Rect, Tree, has_area

NON_HITTABLE_HINT = (
    "The element takes no activation of its own; if nothing happened, press the row or control "
    "around it (`surefoot snapshot -i` lists what takes activation)."
)


_CAME_SINCE = (
    "It came after the last snapshot: run `surefoot snapshot -i` for its ref and deal with it first."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Demands:
    """What an action needs of its element. ``upload`` and ``focus`` do without place and hit."""

    enabled: bool = True
    reachable: bool = True


POINTER = Demands()
TEXT = Demands()
HANDLE_ONLY = Demands(reachable=False)


def guard_target(resolved: Resolved, refs: RefNamespace, demands: Demands = POINTER) -> None:
    """Run every guard on the element, in this order: enabled (it and the control that takes its
    activation), area, place, cover.

    Raises ``ELEMENT_DISABLED``, ``ELEMENT_OFFSCREEN`` (``zero_size``, ``offscreen``) or
    ``ELEMENT_COVERED``; nothing was dispatched and the ref frame is as it was (see
    :func:`check_covered` for the one ref it may issue).
    """
    observation, node = resolved.observation, resolved.node
    if demands.enabled:
        check_enabled(observation, node)
        check_enabled(observation, resolved.actionable)
    if demands.reachable:
        check_area(observation, node)
        check_place(observation, node)
        check_covered(observation, node, refs)


def check_enabled(observation: Observation, node: Node) -> None:
    """``ELEMENT_DISABLED`` for an element that takes no input."""
    if not node.enabled:
        raise SurefootError(
            ErrorCode.ELEMENT_DISABLED,
            f"{name_of(observation, node)} is disabled.",
            details={"reason": "disabled", **_target(observation, node)},
        )


def check_area(observation: Observation, node: Node) -> None:
    """``ELEMENT_OFFSCREEN`` reason ``zero_size`` for an element laid out with no area. The hint for an
    option of a closed list is how to choose it."""
    if not has_area(node.rect):
        raise SurefootError(
            ErrorCode.ELEMENT_OFFSCREEN,
            f"{name_of(observation, node)} has no area on the screen.",
            hint=_choosing(observation.tree, node)
            or "It may be collapsed or hidden; act on what reveals it first.",
            details={"reason": "zero_size", **_target(observation, node)},
        )


def _choosing(tree: Tree, node: Node) -> str | None:
    owner = next((one for one in tree.ancestors(node) if one.role == "combobox"), None)
    label = tree.labels[node.index]
    if node.role != "option" or owner is None or not has_area(owner.rect) or not label:
        return None
    chain = build_chain(tree, owner)
    first = write_selector(Selector(chain.selector.alternatives[:1]))
    where = shlex.quote(first) if chain.is_exact else "<the list>"
    return f"It is in a closed list: run `surefoot fill {where} {shlex.quote(label)}`."


def check_place(observation: Observation, node: Node) -> None:
    """``ELEMENT_OFFSCREEN`` reason ``offscreen`` where no scrolling can bring the element into view.

    An element that its container or the page can scroll to is left to the driver, which brings it
    into view and proves the hit. ``details.direction`` says where it lies.
    """
    offset = Placing(observation.tree, observation.viewport).offset(node)
    if offset is None:
        return
    scroll = observation.scroll if offset.region is None else observation.tree[offset.region].scroll
    if scroll is None:  # the platform does not say how far it scrolls: the driver finds out
        return
    room = {
        "up": scroll.y > 0,
        "down": scroll.y < scroll.max_y,
        "left": scroll.x > 0,
        "right": scroll.x < scroll.max_x,
    }[offset.direction]
    if not room:
        raise SurefootError(
            ErrorCode.ELEMENT_OFFSCREEN,
            f"{name_of(observation, node)} is off screen ({offset.direction}) and cannot be "
            "scrolled into view.",
            hint="Act on what brings it in or stands for it on the screen; "
            "`surefoot find <its name> focus` and `surefoot key` reach it without the pointer.",
            details={
                "reason": "offscreen",
                "direction": offset.direction,
                **_target(observation, node),
            },
        )


def is_inside(view: Rect, point: Point) -> bool:
    """Whether the point is in the rectangle (its right and lower edge are outside)."""
    return view.x <= point.x < view.x + view.width and view.y <= point.y < view.y + view.height


def check_point(observation: Observation, point: Point) -> None:
    """``ELEMENT_OFFSCREEN`` reason ``point_outside_viewport`` for a point that is not on the screen."""
    view = observation.viewport
    if is_inside(view, point):
        return
    if point.x < view.x or point.x >= view.x + view.width:
        direction = "left" if point.x < view.x else "right"
    else:
        direction = "up" if point.y < view.y else "down"
    raise SurefootError(
        ErrorCode.ELEMENT_OFFSCREEN,
        f"The point {point.x:g} {point.y:g} is outside the screen ({view.width:g} x {view.height:g}).",
        details={"reason": "point_outside_viewport", "direction": direction},
    )


def check_covered(observation: Observation, node: Node, refs: RefNamespace) -> None:
    """``ELEMENT_COVERED`` naming what takes the hit, with its ref (row B042).

    The ref is of the active frame, which shows the covering element too from then on. Where no frame is
    active it is published as a partial one; a frame of a screen without it stays, and the hint tells.
    """
    if node.covered_by is None:
        return
    cover = _nameable(observation, observation.tree[node.covered_by], node)
    ref, generation = _cover_ref(observation, cover, refs)
    covered_by: dict[str, str | int] = {"role": cover.role}
    label = label_of(observation.tree, cover)
    if label:
        covered_by["label"] = label
    if ref is not None and generation is not None:
        covered_by["ref"] = ref
        covered_by["refsGeneration"] = generation
    named = f" ({pinned(ref, generation)})" if ref is not None and generation is not None else ""
    raise SurefootError(
        ErrorCode.ELEMENT_COVERED,
        f"{name_of(observation, node)} is covered by {name_of(observation, cover)}{named}.",
        hint=_CAME_SINCE if ref is None else None,
        details={"reason": "covered", "coveredBy": covered_by, **_target(observation, node)},
    )


def non_hittable_hint(resolved: Resolved) -> str | None:
    """The hint to disclose with ``targetHittable: false``; ``None`` for a hittable target (B044).

    A target is hittable when it, or the control it lies in, takes activation or text of its own.
    """
    taking = resolved.actionable
    if resolved.node.hittable or taking.hittable or taking.editable:
        return None
    return NON_HITTABLE_HINT


def _nameable(observation: Observation, cover: Node, target: Node) -> Node:
    """What to call the cover: the dialog it is part of, else the covering element itself or the first
    thing around it with a name (never something that holds the target), else what is named inside."""
    tree = observation.tree
    around = [node for node in (cover, *tree.ancestors(cover)) if not tree.contains(node, target)]
    for candidate in around:
        if candidate.role in DIALOG_ROLES:
            return candidate
    for candidate in around:
        if tree.labels[candidate.index] or candidate.role not in {"generic", "text", ""}:
            return candidate
    return next((node for node in tree.subtree(cover) if tree.labels[node.index]), cover)


def _cover_ref(
    observation: Observation, cover: Node, refs: RefNamespace
) -> tuple[str | None, int | None]:
    frame = refs.frame
    if frame is None or not frame.active:
        frame = refs.publish_partial(observation, [cover.index])
        return ref_of(cover), frame.generation
    known = frame.observation.tree.find_handle(cover.handle)
    if known is None:
        return None, None
    return ref_of(known), refs.show_also(known.index).generation


def _target(observation: Observation, node: Node) -> dict[str, object]:
    target: dict[str, str] = {"role": node.role}
    label = label_of(observation.tree, node)
    if label:
        target["label"] = label
    if node.id:
        target["id"] = observation.tree.ids[node.index]
    return {"target": target}
