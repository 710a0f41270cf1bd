"""One open app on the virtual device: the driver protocol's :class:`~surefoot.drivers.App`.

Every call passes one gate: a dead app, a hang, slowness, the deadline, then the timers that came due.
Waiting happens on the clock only, and everything a call changes it changes between two waits, so that a
cancelled call leaves the app usable.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from surefoot.drivers.admission import check_viewport
from surefoot.drivers.clock import Clock
from surefoot.drivers.keys import parse_chord
from surefoot.drivers.protocol import (
    Capability,
    Delivery,
    Dialog,
    Direction,
    DirectQuery,
    Gesture,
    Point,
    ScrollOutcome,
    SettleOutcome,
    SettlePolicy,
    Tab,
    TextOutcome,
)
from surefoot.drivers.sim.direct import find_direct
from surefoot.drivers.sim.guards import (
    describe,
    living,
    prepare,
    refuse_if_dialog,
    refuse_if_disabled,
)
from surefoot.drivers.sim.hands import Hands
from surefoot.drivers.sim.machine import Element, SimDevice, capture
from surefoot.drivers.sim.picture import draw
from surefoot.drivers.sim.spec import Operation
from surefoot.drivers.sim.text_input import fill, refuse_text, type_text
from surefoot.errors import CaptureUnreadable, ErrorCode, SurefootError
from surefoot.tree import Node, Observation, Rect

POLL_MS = 10.0


class SimApp:
    """An app of one session. ``device`` is what tests look at; sessions never do."""

    def __init__(self, device: SimDevice, clock: Clock) -> None:
        self.device = device
        self._clock = clock
        self._hands = Hands(device)
        self._operations = 0
        self._closed = False

    @property
    def capabilities(self) -> frozenset[Capability]:
        return self.device.app.spec.capabilities

    @property
    def name(self) -> str:
        return self.device.app.spec.name

    # -- the gate

    async def _enter(self, operation: Operation) -> None:
        self._alive()
        self.device.advance(self._clock.now_ms())
        screen, deadline = self.device.screen, float(self.device.app.spec.deadline_ms)
        wait = deadline if operation in screen.hangs else float(screen.slow.get(operation, 0))
        if wait:
            await self._clock.sleep(min(wait, deadline))
        if wait >= deadline:
            raise SurefootError(
                ErrorCode.TIMEOUT,
                f"the device did not answer {operation} within {deadline:.0f} ms",
                details={
                    "reason": "driver_deadline",
                    "operation": operation,
                    "deadlineMs": int(deadline),
                },
            )
        self._operations += 1
        dies = self.device.app.spec.dies
        if dies is not None and self._operations > dies.after:
            self.device.die(dies.how)
        self._alive()
        self.device.advance(self._clock.now_ms())
        self._alive()

    def _alive(self) -> None:
        dead = "driver_lost" if self._closed else self.device.dead
        if dead is not None:
            what = "the app crashed" if dead == "app_crashed" else "the device is gone"
            raise SurefootError(
                ErrorCode.COMMAND_FAILED,
                what,
                hint="Run `surefoot open <app>` again.",
                details={"reason": dead},
            )

    def _need(self, capability: Capability) -> None:
        if capability not in self.capabilities:
            raise SurefootError(
                ErrorCode.UNSUPPORTED_OPERATION,
                f"{self.name} runs on a platform without {capability}",
                details={"reason": capability},
            )

    def _give_up(self) -> float:
        return self._clock.now_ms() + self.device.app.spec.deadline_ms

    # -- seeing

    async def observe(self) -> Observation:
        """One capture. ``CaptureUnreadable`` and ``DIALOG_PENDING`` as the app's data says."""
        await self._enter("observe")
        refuse_if_dialog(self.device)
        return capture(self.device)

    async def unchanged(self, observation: Observation) -> bool:
        """Whether a capture now would have the same epoch; false for a sparse one."""
        await self._enter("unchanged")
        if observation.quality != "ok" or self.device.dialog is not None:
            return False
        try:
            return capture(self.device, counted=False).epoch == observation.epoch
        except CaptureUnreadable:
            return False

    # -- pointing

    async def pointer(self, node: Node, gesture: Gesture) -> Delivery:
        await self._enter("pointer")
        return await self._point(node.handle, gesture)

    async def _point(self, handle: str, gesture: Gesture) -> Delivery:
        if gesture.kind == "hover":
            self._need("hover")
        element, point = await prepare(self.device, self._clock, handle, self._give_up())
        return await self._dispatch(element, point, gesture)

    async def _dispatch(
        self, element: Element | None, point: Point, gesture: Gesture, *, fallback_taken: bool = False
    ) -> Delivery:
        self._hands.begin()
        self._hands.point_at(element, point, gesture)
        delivery = self._hands.delivery(point, fallback_taken=fallback_taken)
        if gesture.hold_ms > 0:
            await self._clock.sleep(gesture.hold_ms)
        return delivery

    async def pointer_at(self, point: Point, gesture: Gesture) -> Delivery:
        await self._enter("pointer")
        refuse_if_dialog(self.device)
        if gesture.kind == "hover":
            self._need("hover")
        return await self._dispatch(self.device.scene().hit(point.x, point.y), point, gesture)

    async def drag(self, source: Node | Point, destination: Node | Point, ms: int) -> Delivery:
        await self._enter("drag")
        refuse_if_dialog(self.device)
        held, start = await self._end_of_drag(source)
        under, end = await self._end_of_drag(destination)
        if isinstance(source, Node):
            held, start = await self._end_of_drag(source)
        self._hands.begin()
        self._hands.log("drag", held, point=start, text=under.handle if under else "")
        if ms > 0:
            await self._clock.sleep(ms)
        self.device.rules.trigger("drop", under)
        return self._hands.delivery(end)

    async def _end_of_drag(self, end: Node | Point) -> tuple[Element | None, Point]:
        if isinstance(end, Point):
            return self.device.scene().hit(end.x, end.y), end
        return await prepare(self.device, self._clock, end.handle, self._give_up())

    async def press_native(self, handle: str) -> Delivery:
        self._need("native_target")
        await self._enter("native")
        return await self._point(handle, Gesture())

    async def press_direct(self, query: DirectQuery, allow_fallback: bool) -> Delivery:
        self._need("direct_selector")
        await self._enter("direct")
        refuse_if_dialog(self.device)
        element = find_direct(self.device.scene(), query)
        if self._hands.activates(element):
            return await self._point(element.handle, Gesture())
        if not (allow_fallback and "coordinate_fallback" in self.capabilities):
            raise SurefootError(
                ErrorCode.COMMAND_FAILED,
                f"{describe(element)} is not hittable",
                hint="Press the control that contains it, or press it by its coordinates.",
                details={"reason": "not_hittable"},
            )
        box = element.box
        if box is None or not box.width or not box.height:
            return await self._point(element.handle, Gesture())
        point = Point(*box.center)
        hit = self.device.scene().hit(point.x, point.y)
        return await self._dispatch(hit, point, Gesture(), fallback_taken=True)

    # -- text and keys

    async def focus(self, node: Node) -> Delivery:
        await self._enter("focus")
        refuse_if_dialog(self.device)
        element = living(self.device, node.handle)
        refuse_if_disabled(element)
        self._hands.begin()
        self._hands.log("focus", element)
        self.device.focus(element)
        return self._hands.delivery()

    async def fill(self, node: Node, text: str, delay_ms: int = 0) -> TextOutcome:
        await self._enter("fill")
        refuse_if_dialog(self.device)
        field = living(self.device, node.handle)
        refuse_if_disabled(field)
        refuse_text(field, text, replaces=True)
        field, _ = await prepare(self.device, self._clock, node.handle, self._give_up())
        return await fill(self._hands, self._clock, field, text, delay_ms)

    async def type_text(self, text: str, delay_ms: int = 0) -> TextOutcome:
        await self._enter("type")
        refuse_if_dialog(self.device)
        return await type_text(self._hands, self._clock, text, delay_ms)

    async def key(self, chord: str) -> Delivery:
        parsed = parse_chord(chord)
        await self._enter("key")
        refuse_if_dialog(self.device)
        self._hands.begin()
        self._hands.key(parsed, chord)
        return self._hands.delivery()

    # -- scrolling and settling

    async def scroll(self, node: Node | None, direction: Direction, pixels: float) -> ScrollOutcome:
        await self._enter("scroll")
        refuse_if_dialog(self.device)
        element = None if node is None else living(self.device, node.handle)
        self._hands.begin()
        return self._hands.scroll(element, direction, pixels)

    async def settle(self, policy: SettlePolicy) -> SettleOutcome:
        """Wait until nothing changed for ``quiet_ms``; a dialog counts as settled."""
        await self._enter("settle")
        started, polls = self._clock.now_ms(), 0
        while True:
            self.device.advance(self._clock.now_ms())
            self._alive()
            now, polls = self._clock.now_ms(), polls + 1
            moving = self.device.moving_until()
            rest_since = max(self.device.last_change, self.device.last_input, min(moving, now))
            waited = int(now - started)
            if self.device.dialog is not None or (
                now >= moving and now - rest_since >= policy.quiet_ms
            ):
                return SettleOutcome(settled=True, waited_ms=waited, polls=polls)
            if waited >= policy.timeout_ms:
                why = "something is moving" if now < moving else "the screen keeps changing"
                return SettleOutcome(settled=False, waited_ms=waited, polls=polls, why=why)
            left = max(1.0, policy.timeout_ms - (now - started))
            due = self.device.next_due()
            pause = min(
                left, POLL_MS if now < moving else max(1.0, policy.quiet_ms - (now - rest_since))
            )
            if due is not None and due > now:
                pause = min(pause, due - now)
            await self._clock.sleep(pause)

    # -- history, size, tabs, dialogs, files

    async def history(self, step: Literal["back", "forward", "reload"]) -> Delivery:
        self._need("reload" if step == "reload" else "history")
        await self._enter("history")
        refuse_if_dialog(self.device)
        self._hands.begin()
        if step == "reload":
            self._hands.log("history", text=step)
            self.device.reload()
        elif not self.device.travel(step):
            raise SurefootError(
                ErrorCode.COMMAND_FAILED,
                f"there is no screen to go {step} to",
                details={"reason": "no_history"},
            )
        else:
            self._hands.log("history", text=step)
        return self._hands.delivery()

    async def set_viewport(self, width: int, height: int) -> None:
        self._need("viewport")
        check_viewport(width, height)
        await self._enter("viewport")
        self._hands.log("viewport", text=f"{width}x{height}")
        self.device.viewport = Rect(0, 0, width, height)
        self.device.changed()

    async def tabs(self) -> Sequence[Tab]:
        self._need("tabs")
        await self._enter("tabs")
        return [self.device.describe_tab(tab.number) for tab in self.device.tabs]

    async def select_tab(self, index: int) -> Tab:
        self._need("tabs")
        await self._enter("tabs")
        at = self._tab_at(index)
        self._hands.log("tab", text=f"select {index}")
        self.device.select(at)
        return self.device.describe_tab(self.device.tab.number)

    async def close_tab(self, index: int | None) -> None:
        self._need("tabs")
        await self._enter("tabs")
        at = self.device.active if index is None else self._tab_at(index)
        if len(self.device.tabs) == 1:
            raise SurefootError(
                ErrorCode.COMMAND_FAILED,
                "the last tab cannot be closed",
                hint="Run `surefoot close` to end the session.",
                details={"reason": "last_tab"},
            )
        self._hands.log("tab", text=f"close {at + 1}")
        self.device.close_tab(at)

    def _tab_at(self, index: int) -> int:
        if not 1 <= index <= len(self.device.tabs):
            count = len(self.device.tabs)
            raise SurefootError(
                ErrorCode.COMMAND_FAILED,
                f"There is no tab {index}; there {'is' if count == 1 else 'are'} {count}.",
                hint="Run `surefoot tab list`.",
                details={"reason": "no_such_tab", "index": index, "tabs": count},
            )
        return index - 1

    async def upload(self, node: Node, paths: Sequence[str]) -> Delivery:
        self._need("upload")
        await self._enter("upload")
        refuse_if_dialog(self.device)
        field = living(self.device, node.handle)
        refuse_if_disabled(field)
        if field.attribute("input") != "file":
            raise SurefootError(
                ErrorCode.COMMAND_FAILED,
                f"{describe(field)} takes no files",
                details={"reason": "bad_value"},
            )
        self._hands.begin()
        names = ", ".join(path.rpartition("/")[2] for path in paths)
        self._hands.log("upload", field, text=names)
        self._hands.put(field, names)
        return self._hands.delivery()

    def dialog(self) -> Dialog | None:
        if self.device.dead is None:
            self.device.advance(self._clock.now_ms())
        return self.device.dialog

    async def answer_dialog(self, accept: bool, text: str | None = None) -> None:
        self._need("dialogs")
        await self._enter("dialog")
        if self.device.dialog is not None:
            self._hands.log(
                "dialog", text=("accept" if accept else "dismiss") + (f" {text}" if text else "")
            )
        self._hands.begin()
        self.device.answer(accept, text)

    async def screenshot(self, full: bool = False) -> bytes:
        self._need("screenshot")
        await self._enter("screenshot")
        refuse_if_dialog(self.device)
        scene = self.device.scene()
        offset = self.device.tab.scroll_y if full else 0.0
        boxes = [
            (_lowered(e.box, 0.0 if e.pinned else offset), 255 - 8 * min(e.depth, 16))
            for e in scene.elements
            if e.box is not None and e.visible
        ]
        height = max(scene.viewport.height, scene.height) if full else scene.viewport.height
        return draw(int(scene.viewport.width), int(height), boxes)

    @property
    def lost(self) -> bool:
        """Whether the device is gone."""
        return self.device.dead == "driver_lost"

    async def close(self) -> None:
        self._closed = True


def _lowered(box: Rect, by: float) -> Rect:
    return Rect(box.x, box.y + by, box.width, box.height)
