"""The stages the driver contracts play on: the virtual device, and pages in a real Chromium."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio
from tests.contract.contracts import Opened
from tests.support.pages import Pages

from surefoot.drivers import Clock, Driver, DriverEvent, OpenRequest, SystemClock
from surefoot.drivers.sim import SimDriver, VirtualClock
from surefoot.drivers.web import WebDriver

APPS = Path(__file__).parent / "apps"


class DriverStage:
    """Opens contract apps on one driver.

    ``pattern`` makes a target of an app's name; nothing can be opened at the target ``missing``.
    """

    def __init__(
        self, driver: Driver, clock: Clock, pattern: str, missing: str, state_dir: Path
    ) -> None:
        self._driver = driver
        self._clock = clock
        self._pattern = pattern
        self._missing = missing
        self._state_dir = str(state_dir)
        self._opened: list[Opened] = []

    def _request(self, target: str) -> OpenRequest:
        session = f"contract-{len(self._opened)}"
        return OpenRequest(
            target=target, session=session, state_dir=self._state_dir, viewport=(800, 600)
        )

    async def _open(self, target: str) -> Opened:
        events: list[DriverEvent] = []
        app = await self._driver.open(self._request(target), events.append)
        self._opened.append(Opened(app, self._driver, self._clock, events))
        return self._opened[-1]

    async def open(self, name: str) -> Opened:
        return await self._open(self._pattern.format(name=name))

    async def open_missing(self) -> Opened:
        return await self._open(self._missing)

    async def reopen(self, opened: Opened, name: str) -> None:
        await self._driver.reopen(opened.app, self._request(self._pattern.format(name=name)))

    async def close(self) -> None:
        """Close every app this stage opened; the driver stays."""
        for opened in self._opened:
            await opened.app.close()


def closed_port() -> int:
    """A port of the loopback nobody listens on."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


@pytest_asyncio.fixture
async def sim_app(tmp_path: Path) -> AsyncIterator[DriverStage]:
    """Contract apps on the virtual device, in virtual time."""
    clock = VirtualClock()
    driver = SimDriver(clock)
    yield DriverStage(driver, clock, f"{APPS}/{{name}}.json", f"{APPS}/missing.json", tmp_path)
    await driver.close()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def web_driver() -> AsyncIterator[WebDriver]:
    """One browser for the module, as a daemon has one."""
    driver = WebDriver()
    yield driver
    await driver.close()


@pytest_asyncio.fixture(loop_scope="module")
async def web_app(web_driver: WebDriver, serve: Pages, tmp_path: Path) -> AsyncIterator[DriverStage]:
    """Contract apps as pages in a real Chromium, each test in contexts of its own."""
    pattern, missing = f"{serve.folder(APPS)}/{{name}}.html", f"http://127.0.0.1:{closed_port()}/"
    stage = DriverStage(web_driver, SystemClock(), pattern, missing, tmp_path)
    yield stage
    await stage.close()
