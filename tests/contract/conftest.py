"""The stages the driver contracts play on: the virtual device, and pages in a real Chromium."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio
from tests.contract.contracts import Opened

from surefoot.drivers import Clock, Driver, DriverEvent, OpenRequest
from surefoot.drivers.sim import SimDriver, VirtualClock

APPS = Path(__file__).parent / "apps"


class DriverStage:
    """Opens contract apps on one driver; ``pattern`` makes a target of an app's name."""

    def __init__(self, driver: Driver, clock: Clock, pattern: str, state_dir: Path) -> None:
        self._driver = driver
        self._clock = clock
        self._pattern = pattern
        self._state_dir = str(state_dir)
        self._opened: list[Opened] = []

    def _request(self, name: str) -> OpenRequest:
        target = self._pattern.format(name=name)
        session = f"contract-{len(self._opened)}"
        return OpenRequest(
            target=target, session=session, state_dir=self._state_dir, viewport=(800, 600)
        )

    async def open(self, name: str) -> Opened:
        events: list[DriverEvent] = []
        app = await self._driver.open(self._request(name), events.append)
        self._opened.append(Opened(app, self._driver, self._clock, events))
        return self._opened[-1]

    async def reopen(self, opened: Opened, name: str) -> None:
        await self._driver.reopen(opened.app, self._request(name))

    async def close(self) -> None:
        """Close every app this stage opened; the driver stays."""
        for opened in self._opened:
            await opened.app.close()


@pytest_asyncio.fixture
async def sim_app(tmp_path: Path) -> AsyncIterator[DriverStage]:
    """Contract apps on the virtual device, in virtual time."""
    clock = VirtualClock()
    driver = SimDriver(clock)
    yield DriverStage(driver, clock, f"{APPS}/{{name}}.json", tmp_path)
    await driver.close()
