"""The virtual device: tabs, variables, timers and rules of one open app. Synchronous.

The device is given the time and knows nothing of waiting, deadlines or guards (that is :mod:`.app` and
:mod:`.guards`): it renders scenes, keeps what elements remember and runs the rules of the app's data.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count

from surefoot.drivers.protocol import Dialog, DriverEvent, Tab
from surefoot.drivers.sim.element import Element, Identity, Memory, holds, interpolate
from surefoot.drivers.sim.log import Performed
from surefoot.drivers.sim.scene import Moment, Scene, render
from surefoot.drivers.sim.spec import Action, Delayed, DialogSpec, LoadedApp, Rule, ScreenSpec, walk
from surefoot.errors import ErrorCode, SurefootError
from surefoot.tree import Rect

MAX_CASCADE = 30
"""How deep actions may cause further actions before the app's data is called wrong."""


@dataclass(slots=True)
class TabState:
    """One tab: the screen it shows, since when, and what its elements remember."""

    number: int
    screen: str
    entered: float
    mount: int
    history: list[str] = field(default_factory=list)
    future: list[str] = field(default_factory=list)
    memories: dict[Identity, Memory] = field(default_factory=dict)
    captures: int = 0
    scroll_y: float = 0.0
    focus: str | None = None
    spent: set[int] = field(default_factory=set)


@dataclass(slots=True)
class Effects:
    """What one input caused; reset before each."""

    navigated: bool = False
    dialog: Dialog | None = None
    opened_tab: int | None = None
    download: str | None = None


@dataclass(order=True, slots=True)
class Timer:
    due: float
    order: int
    mount: int = field(compare=False)
    tab: int = field(compare=False)
    work: Delayed | None = field(compare=False, default=None)
    rule: Rule | None = field(compare=False, default=None)


class SimDevice:
    """A deterministic device running one app: same data, same inputs at the same times, same trees.

    ``performed`` logs every input; ``captures`` counts the observations made of any screen.
    """

    def __init__(
        self,
        app: LoadedApp,
        now: float,
        on_event: Callable[[DriverEvent], None],
        *,
        viewport: tuple[int, int] | None = None,
    ) -> None:
        self.performed: list[Performed] = []
        self.captures = 0
        self.dead: str | None = None
        self._on_event = on_event
        self._handles = count(1)
        self._mounts = count(1)
        self._orders = count(1)
        self._open(app, now, viewport)

    def _open(self, app: LoadedApp, now: float, viewport: tuple[int, int] | None) -> None:
        self.app = app
        self.now = now
        self.dead = None
        self.variables: dict[str, str] = dict(app.spec.variables)
        width, height = viewport or app.spec.viewport
        self.viewport = Rect(0, 0, width, height)
        self.effects = Effects()
        self.open_dialog: DialogSpec | None = None
        self.last_change = now
        self.last_input = now
        self._timers: list[Timer] = []
        self._tab_numbers = count(1)
        self.tabs: list[TabState] = []
        self.active = 0
        self._cascade = 0
        self._add_tab(app.spec.start)

    def reopen(self, app: LoadedApp, now: float, viewport: tuple[int, int] | None) -> None:
        """Show another app (or the same one afresh); handles are never given out twice."""
        self._open(app, now, viewport)

    # -- what is shown

    @property
    def tab(self) -> TabState:
        return self.tabs[self.active]

    @property
    def screen(self) -> ScreenSpec:
        return self.app.spec.screens[self.tab.screen]

    @property
    def age(self) -> float:
        """Ms since the active tab's screen was entered."""
        return self.now - self.tab.entered

    def scene(self, *, captures: int | None = None) -> Scene:
        """The active tab as it is now; ``captures`` overrides how many captures it has seen."""
        tab = self.tab
        scene = self._render(tab, captures)
        self._remember(tab, scene)
        if self._clamp(tab, scene):
            scene = self._render(tab, captures)
            self._remember(tab, scene)
        return scene

    def _render(self, tab: TabState, captures: int | None) -> Scene:
        foreign = frozenset(w.id for w in self.screen.windows if w.foreign)
        moment = Moment(
            variables=self.variables,
            viewport=self.viewport,
            scroll_y=tab.scroll_y,
            age=self.now - tab.entered,
            captures=tab.captures if captures is None else captures,
            foreign_windows=foreign,
        )
        return render(self.app.roots[tab.screen], tab.memories, moment)

    @staticmethod
    def _clamp(tab: TabState, scene: Scene) -> bool:
        moved = tab.scroll_y > scene.max_scroll_y
        tab.scroll_y = min(tab.scroll_y, scene.max_scroll_y)
        for element in scene.elements:
            memory = element.memory
            if memory.scroll_x > element.max_x or memory.scroll_y > element.max_y:
                memory.scroll_x = min(memory.scroll_x, element.max_x)
                memory.scroll_y = min(memory.scroll_y, element.max_y)
                moved = True
        return moved

    def _remember(self, tab: TabState, scene: Scene) -> None:
        """Give handles to new elements and forget those that are gone."""
        shown = {element.identity for element in scene.elements}
        new = [element for element in scene.elements if element.identity not in tab.memories]
        for element in new:
            tab.memories[element.identity] = element.memory = Memory(f"n{next(self._handles)}")
            if element.has("focused") and tab.focus is None:
                tab.focus = element.handle
        for identity in [i for i in tab.memories if i not in shown]:
            gone = tab.memories.pop(identity)
            if tab.focus == gone.handle:
                tab.focus = None

    # -- time

    def advance(self, now: float) -> None:
        """Run everything that is due by ``now``, each at its own time."""
        while self._timers and self._timers[0].due <= now and self.dead is None:
            timer = heapq.heappop(self._timers)
            tab = next((t for t in self.tabs if t.number == timer.tab), None)
            if tab is None or tab.mount != timer.mount:
                continue
            self.now = max(self.now, timer.due)
            self._fire(timer, tab, now)
        self.now = max(self.now, now)

    def _fire(self, timer: Timer, tab: TabState, now: float) -> None:
        self.changed()
        rule = timer.rule
        if rule is not None and rule.every is not None:
            # A clock that jumped far fires once for all the turns it jumped over.
            missed = int((now - timer.due) // rule.every)
            due = timer.due + rule.every * (missed + 1)
            heapq.heappush(
                self._timers, Timer(due, next(self._orders), timer.mount, timer.tab, rule=rule)
            )
        if rule is not None and self._applies(rule):
            self.run(rule.do, tab)
        if timer.work is not None:
            self.run(timer.work.do, tab)

    def next_due(self) -> float | None:
        """When the next timed thing happens, or ``None``."""
        return self._timers[0].due if self._timers else None

    def changed(self) -> None:
        self.last_change = self.now

    def moving_until(self) -> float:
        """Until when something on the screen keeps moving; when it was entered if nothing does."""
        scene = self.scene()
        times = [element.template.number("moving") or 0 for element in scene.elements]
        return self.tab.entered + max(times, default=0)

    # -- screens and tabs

    def _add_tab(self, screen: str) -> TabState:
        tab = TabState(next(self._tab_numbers), screen, self.now, 0)
        self.tabs.append(tab)
        self._enter(tab, screen)
        return tab

    def _enter(self, tab: TabState, screen: str, keep: bool = False) -> None:
        tab.screen = screen
        tab.entered = self.now
        tab.mount = next(self._mounts)
        tab.captures = 0
        tab.spent = set()
        if not keep:
            tab.memories = {}
            tab.focus = None
            tab.scroll_y = 0.0
        else:
            tab.memories = {i: memory for i, memory in tab.memories.items() if i[0]}
            alive = {memory.handle for memory in tab.memories.values()}
            tab.focus = tab.focus if tab.focus in alive else None
        self._start_timers(tab)
        self.changed()

    def _start_timers(self, tab: TabState) -> None:
        for rule in self.app.spec.screens[tab.screen].on:
            wait = rule.after if rule.after is not None else rule.every
            if wait is not None:
                self._push(tab, wait, rule=rule)
        for element in walk(self.app.roots[tab.screen]):
            for attribute in ("late", "gone"):
                wait = element.number(attribute)
                if wait is not None:
                    self._push(tab, wait)

    def _push(
        self, tab: TabState, wait: float, *, work: Delayed | None = None, rule: Rule | None = None
    ) -> None:
        timer = Timer(self.now + wait, next(self._orders), tab.mount, tab.number, work, rule)
        heapq.heappush(self._timers, timer)

    def go(self, screen: str, tab: TabState, *, keep: bool = False) -> None:
        """Navigate: the screen's elements are new, but keyed ones survive with ``keep``."""
        tab.history.append(tab.screen)
        tab.future = []
        self._enter(tab, screen, keep)
        self.effects.navigated = self.effects.navigated or not keep

    def travel(self, step: str, tab: TabState | None = None) -> bool:
        """Go ``back`` or ``forward`` in a tab's history; false when there is no screen there."""
        tab = tab or self.tab
        source, other = (tab.history, tab.future) if step == "back" else (tab.future, tab.history)
        if not source:
            return False
        other.append(tab.screen)
        self._enter(tab, source.pop())
        self.effects.navigated = True
        return True

    def reload(self) -> None:
        self._enter(self.tab, self.tab.screen)
        self.effects.navigated = True

    def describe_tab(self, number: int) -> Tab:
        at = next(i for i, tab in enumerate(self.tabs) if tab.number == number)
        screen = self.app.spec.screens[self.tabs[at].screen]
        return Tab(
            index=at + 1,
            url=screen.url or f"sim://{self.app.spec.name}/{self.tabs[at].screen}",
            title=interpolate(screen.title, self.variables) or self.app.spec.name,
            active=at == self.active,
        )

    def select(self, at: int) -> None:
        self.active = at
        self.changed()

    def close_tab(self, at: int) -> None:
        del self.tabs[at]
        if self.active >= at and self.active > 0:
            self.active -= 1
        self.changed()

    # -- dialogs

    @property
    def dialog(self) -> Dialog | None:
        spec = self.open_dialog
        if spec is None:
            return None
        return Dialog(
            kind=spec.kind,
            message=interpolate(spec.message, self.variables),
            default=spec.default,
            url=self.describe_tab(self.tab.number).url,
        )

    def answer(self, accept: bool, text: str | None) -> None:
        """Close the open dialog and run what its answer causes."""
        spec = self.open_dialog
        if spec is None:
            raise SurefootError(
                ErrorCode.COMMAND_FAILED, "no dialog is open", details={"reason": "no_dialog"}
            )
        self.open_dialog = None
        self.changed()
        self._on_event(DriverEvent(kind="dialog_closed", detail="accepted" if accept else "dismissed"))
        if spec.into is not None and accept:
            self.variables[spec.into] = text if text is not None else (spec.default or "")
        self.run(spec.accept if accept else spec.dismiss, self.tab)

    # -- rules

    def _applies(self, rule: Rule) -> bool:
        return rule.when is None or holds(rule.when, self.variables)

    def trigger(self, name: str, element: Element | None) -> bool:
        """Run the rules on ``name`` for the element, else for its nearest ancestor that has some."""
        tab = self.tab
        for target in element.lineage() if element else ():
            found = [
                rule
                for rule in self.screen.on
                if (wanted := getattr(rule, name)) is not None and target.named(wanted)
            ]
            chosen = [rule for rule in found if self._applies(rule)]
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
            self._swap(self.tab, element)
            self.tab.memories[element.identity] = Memory(f"n{next(self._handles)}", swaps=done)
            acted = True
        for at, rule in enumerate(self.screen.on):
            if rule.approach is None or at in self.tab.spent or not element.named(rule.approach):
                continue
            if self._applies(rule):
                self.tab.spent.add(at)
                self.run(rule.do, self.tab)
                acted = True
        return acted

    def chord(self, chord: str, focused: Element | None) -> bool:
        """Run the rules for a key; false when there are none."""
        fired = False
        for rule in self.screen.on:
            if rule.key is None or rule.key.lower() != chord.lower():
                continue
            if rule.at is not None and (focused is None or not focused.named(rule.at)):
                continue
            if self._applies(rule):
                self.run(rule.do, self.tab)
                fired = True
        return fired

    def captured(self) -> None:
        """Count a capture, then run the rules that wait for that many."""
        self.captures += 1
        tab = self.tab
        tab.captures += 1
        for rule in self.screen.on:
            if rule.captures == tab.captures and (self._applies(rule)):
                self.run(rule.do, tab)

    def _swap(self, tab: TabState, element: Element) -> None:
        """Replace an element, and everything in it, by equal new ones."""
        for identity, memory in list(tab.memories.items()):
            if memory.handle in {element.memory.handle, *(e.handle for e in _below(element))}:
                del tab.memories[identity]
        self.changed()

    def run(self, actions: Sequence[Action], tab: TabState) -> None:
        """Do the actions in order on a tab."""
        self._cascade += 1
        try:
            if self._cascade > MAX_CASCADE:
                raise SurefootError(
                    ErrorCode.COMMAND_FAILED,
                    f"the rules of app {self.app.spec.name!r} cause each other without end",
                    details={"reason": "app_loops"},
                )
            for action in actions:
                self._do(action, tab)
                self.changed()
        finally:
            self._cascade -= 1

    def _do(self, action: Action, tab: TabState) -> None:
        variables = self.variables
        if action.go is not None:
            self.go(action.go, tab, keep=action.keep)
        for name, text in (action.set or {}).items():
            variables[name] = interpolate(text, variables)
        for name, amount in (action.add or {}).items():
            variables[name] = str(_number(variables[name]) + amount)
        if action.toggle is not None:
            variables[action.toggle] = "" if variables[action.toggle] not in ("", "0") else "1"
        if action.dialog is not None:
            self.open_dialog = action.dialog
            self.effects.dialog = self.dialog
            self._on_event(DriverEvent(kind="dialog_opened", detail=action.dialog.kind))
        if action.open_tab is not None:
            opened = self._add_tab(action.open_tab.screen)
            self.effects.opened_tab = opened.number
            if action.open_tab.active:
                self.active = len(self.tabs) - 1
            self._on_event(DriverEvent(kind="tab_opened", detail=action.open_tab.screen))
        if action.swap is not None:
            element = self.scene().named(action.swap)
            if element is not None:
                self._swap(tab, element)
        if action.focus is not None:
            self.focus(self.scene().named(action.focus))
        if action.after is not None:
            self._push(tab, action.after.ms, work=action.after)
        if action.download is not None:
            self.effects.download = action.download
            self._on_event(DriverEvent(kind="download", detail=action.download))
        if action.back:
            self.travel("back", tab)
        if action.crash:
            self.die("app_crashed")
        if action.lose:
            self.die("driver_lost")

    def die(self, how: str) -> None:
        """The app crashes (``app_crashed``) or the device is gone (``driver_lost``)."""
        if self.dead is None:
            self.dead = how
            self._on_event(DriverEvent(kind="crashed" if how == "app_crashed" else "lost"))

    # -- focus

    def focus(self, element: Element | None) -> None:
        """Move the focus; the element that loses it runs its ``blur`` rules."""
        handle = element.handle if element else None
        if handle == self.tab.focus:
            return
        before = self.focused()
        self.tab.focus = handle
        self.changed()
        if before is not None:
            self.trigger("blur", before)
        if element is not None and self.tab.focus == handle:
            self.trigger("focus", element)

    def focused(self) -> Element | None:
        scene = self.scene()
        handle = self.tab.focus
        return None if handle is None else scene.by_handle(handle)

    # -- what tests ask

    def key_of(self, handle: str) -> str:
        """The key (``=A`` in the notation) of a live element, ``""`` when it has none or is gone."""
        element = self.scene().by_handle(handle)
        return element.key if element else ""


def _below(element: Element) -> list[Element]:
    waiting, found = list(element.kids), []
    while waiting:
        kid = waiting.pop()
        found.append(kid)
        waiting.extend(kid.kids)
    return found


def _number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        return 0
