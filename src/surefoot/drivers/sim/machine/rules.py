"""Running an app's rules: what happened, whose rule it is, and what it does to the device."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from surefoot.drivers.protocol import DriverEvent
from surefoot.drivers.sim.machine.element import Element, Memory, holds, interpolate
from surefoot.drivers.sim.spec import Action, Rule
from surefoot.errors import ErrorCode, SurefootError

if TYPE_CHECKING:
    from surefoot.drivers.sim.machine.device import SimDevice, TabState

MAX_CASCADE = 30
"""How deep actions may cause further actions before the app's data is called wrong."""


class Rules:
    """The rules of the screen a device shows, and the actions they cause."""

    def __init__(self, device: SimDevice) -> None:
        self._device = device
        self._cascade = 0

    def apply(self, rule: Rule) -> bool:
        """Whether the rule's condition holds."""
        return rule.when is None or holds(rule.when, self._device.variables)

    def trigger(self, name: str, element: Element | None) -> bool:
        """Run the rules on ``name`` for the element, else for its nearest ancestor that has some."""
        tab = self._device.tab
        for target in element.lineage() if element else ():
            found = [
                rule
                for rule in self._device.screen.on
                if (wanted := getattr(rule, name)) is not None and target.named(wanted)
            ]
            chosen = [rule for rule in found if self.apply(rule)]
            for rule in chosen:
                self.run(rule.do, tab)
            if found:
                return True
        return False

    def approach(self, element: Element) -> bool:
        """What happens between the caller's decision to act on an element and the act; once each."""
        left = (element.template.number("swaps") or 0) - element.memory.swaps
        acted = False
        if left > 0:
            done = element.memory.swaps + 1
            self._device.swap(self._device.tab, element)
            self._device.tab.memories[element.identity] = Memory(self._device.new_handle(), swaps=done)
            acted = True
        for at, rule in enumerate(self._device.screen.on):
            if (
                rule.approach is None
                or at in self._device.tab.spent
                or not element.named(rule.approach)
            ):
                continue
            if self.apply(rule):
                self._device.tab.spent.add(at)
                self.run(rule.do, self._device.tab)
                acted = True
        return acted

    def chord(self, chord: str, focused: Element | None) -> bool:
        """Run the rules for a key; false when there are none."""
        fired = False
        for rule in self._device.screen.on:
            if rule.key is None or rule.key.lower() != chord.lower():
                continue
            if rule.at is not None and (focused is None or not focused.named(rule.at)):
                continue
            if self.apply(rule):
                self.run(rule.do, self._device.tab)
                fired = True
        return fired

    def captured(self) -> None:
        """Count a capture, then run the rules that wait for that many."""
        device = self._device
        tab = device.tab
        device.captures += 1
        tab.captures += 1
        for rule in self._device.screen.on:
            if rule.captures == tab.captures and self.apply(rule):
                self.run(rule.do, tab)

    def run(self, actions: Sequence[Action], tab: TabState) -> None:
        """Do the actions in order on a tab."""
        self._cascade += 1
        try:
            if self._cascade > MAX_CASCADE:
                raise SurefootError(
                    ErrorCode.COMMAND_FAILED,
                    f"the rules of app {self._device.app.spec.name!r} cause each other without end",
                    details={"reason": "app_loops"},
                )
            for action in actions:
                self._do(action, tab)
                self._device.changed()
        finally:
            self._cascade -= 1

    def _do(self, action: Action, tab: TabState) -> None:
        device = self._device
        variables = device.variables
        if action.go is not None:
            device.go(action.go, tab, keep=action.keep)
        for name, text in (action.set or {}).items():
            variables[name] = interpolate(text, variables)
        for name, amount in (action.add or {}).items():
            variables[name] = str(_number(variables[name]) + amount)
        if action.toggle is not None:
            variables[action.toggle] = "" if variables[action.toggle] not in ("", "0") else "1"
        if action.dialog is not None:
            device.open_dialog = action.dialog
            device.effects.dialog = device.dialog
            device.tell(DriverEvent(kind="dialog_opened", detail=action.dialog.kind))
        if action.open_tab is not None:
            opened = device.add_tab(action.open_tab.screen)
            device.effects.opened_tab = opened.number
            if action.open_tab.active:
                device.active = len(device.tabs) - 1
            device.tell(DriverEvent(kind="tab_opened", detail=action.open_tab.screen))
        if action.swap is not None:
            element = device.scene().named(action.swap)
            if element is not None:
                device.swap(tab, element)
        if action.focus is not None:
            device.focus(device.scene().named(action.focus))
        if action.after is not None:
            device.push(tab, action.after.ms, work=action.after)
        if action.download is not None:
            device.effects.download = action.download
            device.tell(DriverEvent(kind="download", detail=action.download))
        if action.back:
            device.travel("back", tab)
        if action.crash:
            device.die("app_crashed")
        if action.lose:
            device.die("driver_lost")


def _number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        return 0
