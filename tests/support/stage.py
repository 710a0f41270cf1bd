"""A session on the virtual device, with the ref of a thing by its key and the inputs it received."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from surefoot.drivers import Capability
from surefoot.drivers.sim import AppSpec, ScreenSpec, SimApp, VirtualClock, node_of, open_sim
from surefoot.drivers.sim.spec import Action, DialogSpec, Rule
from surefoot.interact import PointTarget, RefTarget, SelectorTarget, observe, parse_target
from surefoot.session import RefFrame, Session, SessionStore, parse_ref, pinned

__all__ = ["Action", "DialogSpec", "Rule", "ScreenSpec", "Stage", "app", "stage"]


def app(tree: str, *rules: Rule, without: Sequence[Capability] = (), **screens: str) -> AppSpec:
    """An app with a ``start`` screen and further screens by name. The platform has every
    fast path unless ``without`` takes it away."""
    texts = (tree, *screens.values())
    names = {name for text in texts for name in re.findall(r"if=!?([A-Za-z]+)", text)}
    described = {"start": ScreenSpec(tree=tree, on=rules)}
    described |= {name: ScreenSpec(tree=text) for name, text in screens.items()}
    return AppSpec(
        name="stage",
        start="start",
        screens=described,
        variables=dict.fromkeys(sorted(names), ""),
        without=tuple(without),
    )


NO_FAST_PATHS: tuple[Capability, ...] = ("native_target", "direct_selector")


@dataclass
class Stage:
    """A session under test."""

    session: Session
    app: SimApp
    clock: VirtualClock

    async def snapshot(self) -> RefFrame:
        """A complete snapshot: a capture (or an unchanged one) and the frame published from it."""
        return self.session.refs.publish_complete(await observe(self.session))

    def ref(self, key: str, label: str | None = None) -> RefTarget:
        """The plain ref of an element in the current screen's own numbering."""
        return RefTarget(parse_ref(f"@e{node_of(self.app, key).index + 1}"), label)

    def pinned_ref(self, key: str) -> RefTarget:
        index = node_of(self.app, key).index
        return RefTarget(parse_ref(pinned(f"e{index + 1}", self.session.refs.generation)))

    def set(self, name: str, value: str = "1") -> None:
        """Change a variable of the app by itself, as a page does without being touched."""
        self.app.device.variables[name] = value
        self.app.device.changed()

    def pressed(self) -> list[str]:
        """The keys of the elements that were pressed, in order."""
        return [done.key for done in self.app.device.performed if done.kind == "press"]

    def inputs(self) -> list[str]:
        """The kinds of everything that was sent to the device, in order."""
        return [done.kind for done in self.app.device.performed]


def sets(trigger: str, key: str, name: str) -> Rule:
    """When ``trigger`` happens to the element, the variable becomes ``1``."""
    return Rule(do=(Action(set={name: "1"}),), **{trigger: key})  # type: ignore[arg-type]


async def stage(source: AppSpec | str, directory: Path) -> Stage:
    """Open an app in a fresh session; a string is one screen on a platform without fast paths."""
    clock = VirtualClock()
    spec = app(source, without=NO_FAST_PATHS) if isinstance(source, str) else source
    opened = await open_sim(spec, clock)
    session = SessionStore(directory / "state", clock=clock).add("test", "sim", opened)
    return Stage(session, opened, clock)


def selector(text: str) -> SelectorTarget:
    target = parse_target([text])
    assert isinstance(target, SelectorTarget)
    return target


def point(x: float, y: float) -> PointTarget:
    target = parse_target([str(x), str(y)])
    assert isinstance(target, PointTarget)
    return target
