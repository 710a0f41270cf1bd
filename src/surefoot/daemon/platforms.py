"""The platforms of this build; a driver is made on first use and closed with the daemon."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from surefoot.drivers import Driver, DriverFactory
from surefoot.errors import ErrorCode, SurefootError


class Platforms:
    """Drivers by platform. Implements ``commands.DriverRegistry``."""

    def __init__(self, factories: Mapping[str, DriverFactory]) -> None:
        self._factories = dict(factories)
        self._drivers: dict[str, Driver] = {}
        self._making = asyncio.Lock()

    @property
    def platforms(self) -> Sequence[str]:
        return tuple(self._factories)

    async def get(self, platform: str) -> Driver:
        """The platform's driver. Raises ``UNSUPPORTED_PLATFORM``."""
        factory = self._factories.get(platform)
        if factory is None:
            raise SurefootError(
                ErrorCode.UNSUPPORTED_PLATFORM,
                f"There is no platform {platform!r} here; there is {', '.join(self._factories)}.",
                details={"platform": platform, "platforms": list(self._factories)},
            )
        async with self._making:
            if platform not in self._drivers:
                self._drivers[platform] = await factory()
            return self._drivers[platform]

    def pid(self) -> int | None:
        """The process of the first driver that owns one: the browser."""
        return next((one.pid for one in self._drivers.values() if one.pid is not None), None)

    async def close(self) -> None:
        """Close every driver, each whatever happens to the others; then raise the first problem."""
        drivers = list(self._drivers.values())
        self._drivers.clear()
        ends = await asyncio.gather(*(one.close() for one in drivers), return_exceptions=True)
        for end in ends:
            if isinstance(end, BaseException):
                raise end


async def sim() -> Driver:
    """The virtual device."""
    from surefoot.drivers.sim import SimDriver

    return SimDriver()


async def web() -> Driver:
    """Chromium."""
    from surefoot.drivers.web import WebDriver

    return WebDriver()


FACTORIES: Mapping[str, DriverFactory] = {"web": web, "sim": sim}
