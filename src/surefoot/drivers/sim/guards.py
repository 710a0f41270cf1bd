"""What stands between a node and an input: the refusals of the driver protocol's table, in one order.

Dialog, detached, disabled, no area, moving, off-screen, covered. Nothing is dispatched before all hold.
"""

from __future__ import annotations

from surefoot.drivers.clock import Clock
from surefoot.drivers.protocol import Point
from surefoot.drivers.sim.machine import Element, SimDevice, contains, visible_centre
from surefoot.errors import ErrorCode, SurefootError
from surefoot.tree import Rect

STABLE_MS = 16.0
"""How long a box must stand still: one frame."""


def describe(element: Element) -> str:
    """The element for a message: role and label."""
    return f'{element.role} "{element.label}"' if element.label else element.role


def refuse_if_dialog(device: SimDevice) -> None:
    """``DIALOG_PENDING`` while a dialog blocks the app."""
    dialog = device.dialog
    if dialog is not None:
        raise SurefootError(
            ErrorCode.DIALOG_PENDING,
            f"a {dialog.kind} dialog is open: {dialog.message}",
            details={
                "reason": "dialog_open",
                "dialog": {"kind": dialog.kind, "message": dialog.message, "default": dialog.default},
            },
        )


def living(device: SimDevice, handle: str) -> Element:
    """The element behind a handle on the active screen, else ``node_detached``."""
    element = device.scene().by_handle(handle)
    if element is None:
        raise SurefootError(
            ErrorCode.ELEMENT_NOT_FOUND,
            "the element is no longer on the screen",
            details={"reason": "node_detached"},
        )
    return element


def refuse_if_disabled(element: Element) -> None:
    if not element.enabled:
        inert = element.inert
        raise SurefootError(
            ErrorCode.ELEMENT_DISABLED,
            f"{describe(element)} is {'inert' if inert else 'disabled'}",
            details={"reason": "inert" if inert else "disabled"},
        )


async def prepare(
    device: SimDevice, clock: Clock, handle: str, give_up: float
) -> tuple[Element, Point]:
    """Prove that the element can be acted on now; returns it and the point its hit was proved at.

    ``give_up`` is the device time after which a moving element is refused. Cancellable while it waits.
    """
    refuse_if_dialog(device)
    element = living(device, handle)
    if device.rules.approach(element):
        refuse_if_dialog(device)
        element = living(device, handle)
    while True:
        refuse_if_disabled(element)
        _refuse_without_area(element)
        until = device.tab.entered + max((e.template.number("moving") or 0) for e in element.lineage())
        if device.now >= until:
            break
        if device.now >= give_up:
            raise SurefootError(
                ErrorCode.COMMAND_FAILED,
                f"{describe(element)} never stopped moving",
                details={"reason": "moving"},
            )
        await clock.sleep(STABLE_MS)
        device.advance(clock.now_ms())
        refuse_if_dialog(device)
        element = living(device, handle)
    element = _bring_into_view(device, element)
    scene = device.scene()
    cover = scene.cover_of(element, scene.covers())
    if cover is not None:
        raise SurefootError(
            ErrorCode.ELEMENT_COVERED,
            f"{describe(element)} is covered by {describe(cover)}",
            details={
                "reason": "covered",
                "coveredBy": {"role": cover.role, "label": cover.label, "handle": cover.handle},
            },
        )
    centre = visible_centre(element, scene.viewport)
    if centre is None:
        raise _offscreen(element, scene.viewport)
    return element, Point(*centre)


def _refuse_without_area(element: Element) -> None:
    box = element.box
    if box is None or box.width <= 0 or box.height <= 0:
        raise SurefootError(
            ErrorCode.ELEMENT_OFFSCREEN,
            f"{describe(element)} has no area to act on",
            hint="Run `surefoot snapshot -i` to see what can be acted on.",
            details={"reason": "zero_size"},
        )


def _bring_into_view(device: SimDevice, element: Element) -> Element:
    if visible_centre(element, device.viewport) is not None:
        return element
    if not device.app.spec.bring_into_view:
        raise _offscreen(element, device.viewport)
    scroll_into_view(device, element)
    return living(device, element.handle)


def scroll_into_view(device: SimDevice, element: Element) -> None:
    """Scroll the containers around the element, from the inside out, then the page, to show it."""
    for container in list(element.ancestors()):
        axis = container.attribute("scroll")
        if axis is None:
            continue
        here, there = (
            device.scene().by_handle(element.handle),
            device.scene().by_handle(container.handle),
        )
        if here is None or there is None or here.box is None or there.box is None:
            return
        memory, inner, box = there.memory, there.box, here.box
        if axis == "y":
            by = _needed(box.y, box.height, inner.y, inner.height)
            memory.scroll_y = min(max(0.0, memory.scroll_y + by), there.max_y)
        else:
            by = _needed(box.x, box.width, inner.x, inner.width)
            memory.scroll_x = min(max(0.0, memory.scroll_x + by), there.max_x)
        if by:
            device.changed()
    scene = device.scene()
    here = scene.by_handle(element.handle)
    if here is None or here.box is None or here.pinned:
        return
    by = _needed(here.box.y, here.box.height, 0.0, device.viewport.height)
    if by:
        device.tab.scroll_y = min(max(0.0, device.tab.scroll_y + by), scene.max_scroll_y)
        device.changed()


def _needed(start: float, length: float, window: float, room: float) -> float:
    """By how much content must move up (or left) to show ``start .. start+length`` in the window."""
    if length >= room:
        return start - window
    if start < window:
        return start - window
    return max(0.0, start + length - window - room)


def _offscreen(element: Element, viewport: Rect) -> SurefootError:
    assert element.box is not None
    x, y = element.box.center
    frame = viewport
    if contains(viewport, x, y) and element.clip is not None:
        frame = element.clip
    if y < frame.y:
        direction = "up"
    elif y >= frame.y + frame.height:
        direction = "down"
    else:
        direction = "left" if x < frame.x else "right"
    return SurefootError(
        ErrorCode.ELEMENT_OFFSCREEN,
        f"{describe(element)} is off-screen ({direction})",
        details={"reason": "offscreen", "direction": direction},
    )
