"""The virtual device: tabs, variables, timers and rules of one open app. Synchronous.

The device is given the time and knows nothing of waiting, deadlines or guards (that is :mod:`.app` and
:mod:`.guards`): it renders scenes, keeps what elements remember and runs the rules of the app's data.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count

from surefoot.drivers.protocol import Dialog, DriverEvent, Tab
from surefoot.drivers.sim.log import Performed
from surefoot.drivers.sim.machine.element import Element, Identity, Memory, interpolate
from surefoot.drivers.sim.machine.rules import Rules
from surefoot.drivers.sim.machine.scene import Moment, Scene, render
from surefoot.drivers.sim.spec import Delayed, DialogSpec, LoadedApp, Rule, ScreenSpec, walk
from surefoot.errors import ErrorCode, SurefootError
from surefoot.tree import Rect


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
        self.tell = on_event
        self.rules = Rules(self)
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
        self.add_tab(app.spec.start)

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
            tab.memories[element.identity] = element.memory = Memory(f"n{self.new_handle()}")
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
        if rule is not None and self.rules.apply(rule):
            self.rules.run(rule.do, tab)
        if timer.work is not None:
            self.rules.run(timer.work.do, tab)

    def next_due(self) -> float | None:
        """When the next timed thing happens, or ``None``."""
        return self._timers[0].due if self._timers else None

    def new_handle(self) -> str:
        return f"n{next(self._handles)}"

    def changed(self) -> None:
        self.last_change = self.now

    def moving_until(self) -> float:
        """Until when something on the screen keeps moving; when it was entered if nothing does."""
        scene = self.scene()
        times = [element.template.number("moving") or 0 for element in scene.elements]
        return self.tab.entered + max(times, default=0)

    # -- screens and tabs

    def add_tab(self, screen: str) -> TabState:
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
                self.push(tab, wait, rule=rule)
        for element in walk(self.app.roots[tab.screen]):
            for attribute in ("late", "gone"):
                wait = element.number(attribute)
                if wait is not None:
                    self.push(tab, wait)

    def push(
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
        self.tell(DriverEvent(kind="dialog_closed", detail="accepted" if accept else "dismissed"))
        if spec.into is not None and accept:
            self.variables[spec.into] = text if text is not None else (spec.default or "")
        self.rules.run(spec.accept if accept else spec.dismiss, self.tab)

    # -- elements that are replaced, and the end

    def swap(self, tab: TabState, element: Element) -> None:
        """Replace an element, and everything in it, by equal new ones."""
        for identity, memory in list(tab.memories.items()):
            if memory.handle in {element.memory.handle, *(e.handle for e in _below(element))}:
                del tab.memories[identity]
        self.changed()

    def die(self, how: str) -> None:
        """The app crashes (``app_crashed``) or the device is gone (``driver_lost``)."""
        if self.dead is None:
            self.dead = how
            self.tell(DriverEvent(kind="crashed" if how == "app_crashed" else "lost"))

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
            self.rules.trigger("blur", before)
        if element is not None and self.tab.focus == handle:
            self.rules.trigger("focus", element)

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
