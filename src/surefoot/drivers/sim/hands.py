"""What an input does to the device once it was dispatched: presses, keys, drags, scrolling, focus."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from surefoot.drivers.keys import CTRL, META, SHIFT, Chord
from surefoot.drivers.protocol import Delivery, Direction, Download, Gesture, Point, ScrollOutcome
from surefoot.drivers.sim.guards import describe
from surefoot.drivers.sim.log import Kind, Performed
from surefoot.drivers.sim.machine import TOGGLE_ROLES, Effects, Element, SimDevice, is_hittable
from surefoot.errors import ErrorCode, SurefootError

_Choose = Callable[[Element, bool], None]


class Hands:
    """Applies inputs to a device and logs each one."""

    def __init__(self, device: SimDevice) -> None:
        self.device = device
        self.selecting = False
        """Whether the focused field's whole content is selected (``ctrl+a``)."""

    def begin(self) -> None:
        """Before an input: forget what the last one caused."""
        self.device.effects = Effects()
        self.device.last_input = self.device.now

    def delivery(self, point: Point | None = None, *, fallback_taken: bool = False) -> Delivery:
        """What the input since :meth:`begin` caused."""
        effects = self.device.effects
        opened = effects.opened_tab
        return Delivery(
            point=point,
            dialog=effects.dialog,
            opened_tab=None if opened is None else self.device.describe_tab(opened),
            navigated=effects.navigated,
            downloads=() if effects.download is None else (Download(name=effects.download),),
            fallback_taken=fallback_taken,
        )

    def log(
        self,
        kind: Kind,
        element: Element | None = None,
        *,
        point: Point | None = None,
        gesture: Gesture | None = None,
        text: str | None = None,
        delivered: bool = True,
    ) -> None:
        self.device.performed.append(
            Performed(
                kind=kind,
                at_ms=self.device.now,
                handle=element.handle if element else "",
                key=element.key if element else "",
                label=element.label if element else "",
                point=point,
                gesture=gesture,
                text=text,
                delivered=delivered,
            )
        )

    def point_at(self, element: Element | None, point: Point, gesture: Gesture) -> None:
        """A pointer gesture that hits ``element`` (or nothing) at ``point``."""
        kind: Kind = "hover" if gesture.kind == "hover" else "press"
        lost = element is not None and element.has("undelivered")
        self.log(kind, element, point=point, gesture=gesture, delivered=not lost)
        if element is not None and lost:
            raise SurefootError(
                ErrorCode.COMMAND_FAILED,
                f"input was sent and {describe(element)} never got it",
                details={"reason": "not_delivered"},
            )
        if element is None or not element.enabled:
            return
        self._react(element, gesture)

    def _react(self, element: Element, gesture: Gesture) -> None:
        device = self.device
        if gesture.kind == "hover":
            device.rules.trigger("hover", element)
            return
        tab, mount = device.tab, device.tab.mount
        self.selecting = False
        target = next((e for e in element.lineage() if self.activates(e)), element)
        device.focus(target if is_hittable(target, False) else None)
        if gesture.button == "right":
            device.rules.trigger("context", element)
            return
        if gesture.hold_ms > 0 and device.rules.trigger("long", element):
            return
        for nth in range(gesture.nth, gesture.nth + gesture.count):
            if device.dead is not None or device.tab is not tab or tab.mount != mount:
                return
            self._activate(target)
            device.rules.trigger("press", element)
            if nth == 2 and tab.mount == mount:
                device.rules.trigger("double", element)

    def activates(self, element: Element) -> bool:
        """Whether a press on the element (or in it) does something."""
        rules = self.device.screen.on
        has_rule = any(
            wanted is not None and element.named(wanted)
            for rule in rules
            for wanted in (rule.press, rule.double, rule.long, rule.context)
        )
        return is_hittable(element, has_rule)

    def _activate(self, element: Element) -> None:
        """What the platform itself does on a press: boxes toggle, options and tabs get selected."""
        memory, device = element.memory, self.device
        if element.role in TOGGLE_ROLES:
            memory.checked = "false" if element.checked == "true" else "true"
        elif element.role == "radio":
            self._only_one(element, lambda other, on: setattr(other.memory, "checked", _TRUTH[on]))
        elif element.role in ("option", "tab"):
            self._only_one(element, lambda other, on: setattr(other.memory, "selected", on))
        elif element.expanded is not None:
            memory.expanded = not element.expanded
        else:
            return
        device.changed()

    @staticmethod
    def _only_one(element: Element, choose: _Choose) -> None:
        group: Sequence[Element] = element.parent.kids if element.parent else [element]
        for other in group:
            if other.role == element.role:
                choose(other, other is element)

    def key(self, chord: Chord, written: str) -> None:
        """A key or chord: rules first, then what the platform does with it."""
        device = self.device
        focused = device.focused()
        self.log("key", focused, text=written)
        if device.rules.chord(written, focused):
            return
        name = chord.key.key
        if name == "Tab" and not chord.modifiers & ~SHIFT:
            self._move_focus(-1 if chord.modifiers & SHIFT else 1)
        elif name in ("Enter", " ") and focused is not None and not focused.takes_text:
            if focused.enabled:
                self._activate(focused)
                device.rules.trigger("press", focused)
        elif focused is not None and focused.editable and self._edit(focused, chord):
            return
        elif name in ("PageDown", "PageUp", "Home", "End"):
            way: dict[str, Direction] = {
                "PageDown": "down",
                "PageUp": "up",
                "Home": "top",
                "End": "bottom",
            }
            self.scroll_by(None, way[name], device.viewport.height)

    def _edit(self, field: Element, chord: Chord) -> bool:
        """Apply a key to the focused field; false when it means nothing there."""
        content = field.content or ""
        name = chord.key.key
        if name.lower() == "a" and chord.modifiers & (CTRL | META):
            self.selecting = True
            return True
        text = chord.text
        if name == "Enter":
            text = "\n" if field.has("multiline") else ""
        if name in ("Backspace", "Delete"):
            after = "" if self.selecting else (content[:-1] if name == "Backspace" else content)
        elif text:
            after = ("" if self.selecting else content) + text
        else:
            return False
        self.selecting = False
        self.put(field, after)
        return True

    def put(self, field: Element, content: str) -> None:
        """Set a field's content and run its ``fill`` rules."""
        bound = field.attribute("bind")
        if bound is not None:
            self.device.variables[bound] = content
        field.memory.value = content
        self.device.changed()
        self.device.rules.trigger("fill", field)

    def _move_focus(self, step: int) -> None:
        scene = self.device.scene()
        stops = [e for e in scene.elements if e.enabled and e.visible and self.activates(e)]
        if not stops:
            return
        at = next((i for i, e in enumerate(stops) if e.handle == self.device.tab.focus), None)
        start = (-1 if step > 0 else 0) if at is None else at
        self.device.focus(stops[(start + step) % len(stops)])

    def scroll(self, element: Element | None, direction: Direction, pixels: float) -> ScrollOutcome:
        """Scroll the element's container, else the page, and run its ``scroll`` rules."""
        self.log("scroll", element, text=direction)
        return self.scroll_by(element, direction, pixels)

    def scroll_by(self, element: Element | None, direction: Direction, pixels: float) -> ScrollOutcome:
        device = self.device
        axis = "x" if direction in ("left", "right") else "y"
        back = direction in ("up", "left", "top")
        distance = float("inf") if direction in ("top", "bottom") else max(0.0, pixels)
        container = next(
            (e for e in (element.lineage() if element else ()) if e.attribute("scroll") == axis), None
        )
        if container is not None:
            memory = container.memory
            before = memory.scroll_y if axis == "y" else memory.scroll_x
            most = container.max_y if axis == "y" else container.max_x
        else:
            before = device.tab.scroll_y if axis == "y" else 0.0
            most = device.scene().max_scroll_y if axis == "y" else 0.0
        after = max(0.0, before - distance) if back else min(most, before + distance)
        moved = after - before
        if container is None and axis == "y":
            device.tab.scroll_y = after
        elif container is not None and axis == "y":
            container.memory.scroll_y = after
        elif container is not None:
            container.memory.scroll_x = after
        if moved:
            device.changed()
        if container is not None:
            device.rules.trigger("scroll", container)
        return ScrollOutcome(
            moved_x=moved if axis == "x" else 0.0,
            moved_y=moved if axis == "y" else 0.0,
            at_edge=after <= 0.0 if back else after >= most,
        )


_PAGING: dict[str, Direction] = {"PageDown": "down", "PageUp": "up", "Home": "top", "End": "bottom"}
_TRUTH: dict[bool, Literal["true", "false"]] = {True: "true", False: "false"}
