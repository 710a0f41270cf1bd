"""The ``sim`` platform: opens bundled apps, app files, and apps handed over in memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import resources
from pathlib import Path

from surefoot.drivers.clock import Clock, SystemClock
from surefoot.drivers.protocol import (
    App,
    Capability,
    Device,
    DriverEvent,
    Finding,
    OpenRequest,
)
from surefoot.drivers.sim.app import SimApp
from surefoot.drivers.sim.machine import SimDevice, capture
from surefoot.drivers.sim.spec import (
    ALL_CAPABILITIES,
    AppSpec,
    LoadedApp,
    load_app,
    load_app_file,
    screen_app,
)
from surefoot.errors import ErrorCode, SurefootError, invalid_args
from surefoot.text import nearest
from surefoot.tree import Node, Observation


def bundled_apps() -> Sequence[str]:
    """The names of the apps that come with the package, sorted."""
    folder = resources.files("surefoot.drivers.sim") / "apps"
    return sorted(
        entry.name.removesuffix(".json") for entry in folder.iterdir() if entry.name.endswith(".json")
    )


def load_bundled(name: str) -> LoadedApp:
    """A bundled app by name. ``APP_NOT_FOUND`` with the nearest name."""
    names = bundled_apps()
    if name not in names:
        near = nearest(name, names)
        raise SurefootError(
            ErrorCode.APP_NOT_FOUND,
            f"there is no bundled app {name!r}",
            hint=f"Did you mean `{near}`?"
            if near
            else f"Bundled apps: {', '.join(names)}; or give a .json file.",
            details={"reason": "no_such_app", "apps": list(names)},
        )
    data = (resources.files("surefoot.drivers.sim") / "apps" / f"{name}.json").read_bytes()
    return load_app(data)


class SimDriver:
    """The sim driver. ``apps`` adds apps by name, before the bundled ones; all live on ``clock``."""

    def __init__(
        self, clock: Clock | None = None, apps: Mapping[str, AppSpec | str] | None = None
    ) -> None:
        self._clock: Clock = clock or SystemClock()
        self._apps = dict(apps or {})
        self._open: list[SimApp] = []

    @property
    def platform(self) -> str:
        return "sim"

    @property
    def capabilities(self) -> frozenset[Capability]:
        return frozenset(ALL_CAPABILITIES)

    @property
    def pid(self) -> int | None:
        return None

    def _load(self, target: str) -> LoadedApp:
        known = self._apps.get(target)
        if known is not None:
            return load_app(known)
        if target.endswith(".json") or "/" in target:
            return load_app_file(Path(target))
        return load_bundled(target)

    async def open(self, request: OpenRequest, on_event: Callable[[DriverEvent], None]) -> SimApp:
        """Open an app by name, or an app file by its path (with a ``/`` or ending in ``.json``)."""
        loaded = self._load(request.target)
        device = SimDevice(loaded, self._clock.now_ms(), on_event, viewport=request.viewport)
        app = SimApp(device, self._clock)
        self._open.append(app)
        return app

    async def reopen(self, app: App, request: OpenRequest) -> None:
        if not isinstance(app, SimApp) or app not in self._open:
            raise invalid_args("this app was not opened by this driver", reason="foreign_app")
        app.device.reopen(self._load(request.target), self._clock.now_ms(), request.viewport)

    async def devices(self) -> Sequence[Device]:
        return [Device(id="sim", name="virtual device", platform="sim", available=True)]

    async def doctor(self) -> Sequence[Finding]:
        return [Finding(name="sim", ok=True, found=f"bundled apps: {', '.join(bundled_apps())}")]

    async def close(self) -> None:
        for app in self._open:
            await app.close()
        self._open.clear()


async def open_sim(
    app: AppSpec | str, clock: Clock | None = None, events: list[DriverEvent] | None = None
) -> SimApp:
    """Open an app for a test: an :class:`AppSpec`, or the notation of a single screen."""
    spec = screen_app(app) if isinstance(app, str) else app
    driver = SimDriver(clock, {spec.name: spec})
    request = OpenRequest(target=spec.name, session="test", state_dir="")
    return await driver.open(request, (events if events is not None else []).append)


def node_of(app: SimApp, target: str) -> Node:
    """The node that a key (or ``#id``) names on the screen as it is now, for a test to act on.

    Makes no capture and passes no time; ``LookupError`` when nothing has that name.
    """
    element = app.device.scene().named(target)
    if element is None:
        raise LookupError(f"nothing on screen {app.device.tab.screen!r} is called {target!r}")
    return capture(app.device, counted=False, always=True).tree[element.index]


def observe_screen(tree: str) -> tuple[Observation, Mapping[str, int]]:
    """The observation of one screen in the notation, and the node index of each ``=key``.

    Synchronous, no clock: what tests of the pure core build trees with.
    """
    device = SimDevice(load_app(screen_app(tree)), 0.0, lambda _: None)
    observation = capture(device)
    keys = {element.key: element.index for element in device.scene().elements if element.key}
    return observation, keys
