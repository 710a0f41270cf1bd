"""Record on one screen, replay on another: the real commands over the virtual device."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import msgspec
from tests.support.commands_room import OnePlatform, Room
from tests.support.stage import app

from surefoot.drivers.sim import AppSpec, SimDriver
from surefoot.errors import ErrorCode, SurefootError
from surefoot.wire import AvailableScreen, Divergence, UnavailableScreen

SCRIPT = "flow.ad"


class Replays(Room):
    """A room whose one app ``stage`` may be another app the next time it is opened."""

    def change(self, source: AppSpec | str) -> None:
        """What the next ``open stage`` shows."""
        spec = app(source) if isinstance(source, str) else source
        self.platforms = OnePlatform(SimDriver(self.clock, {"stage": spec}))

    def write(self, *lines: str) -> Path:
        """A script by hand, after its ``context`` and its ``open stage``."""
        path = self.directory / SCRIPT
        text = "\n".join(["context platform=sim", "open stage", *lines, ""])
        path.write_text(text, encoding="utf-8")
        return path

    async def record(self, *commands: str) -> Path:
        """Record these command lines on the app as it is, after ``open``; the script is closed."""
        path = self.directory / SCRIPT
        path.unlink(missing_ok=True)
        await self.do("open", "stage", f"--save-script={SCRIPT}")
        for command in commands:
            await self.do(*shlex.split(command))
        await self.do("close")
        return path

    async def replay(self, *flags: str) -> Any:
        return await self.do("replay", SCRIPT, *flags)

    async def divergence(self, *flags: str) -> tuple[SurefootError, Divergence]:
        """The error of a replay that diverges, and its report."""
        error = await self.refused("replay", SCRIPT, *flags)
        assert error.code is ErrorCode.REPLAY_DIVERGENCE, error
        return error, msgspec.convert(error.details["divergence"], Divergence)

    async def report(self, *flags: str) -> Divergence:
        return (await self.divergence(*flags))[1]


def replays(directory: Path, source: AppSpec | str) -> Replays:
    """A room with the app to record on, or to replay on."""
    made = Replays(directory)
    made.change(source)
    return made


def available(report: Divergence) -> AvailableScreen:
    assert isinstance(report.screen, AvailableScreen), report.screen
    return report.screen


def unavailable(report: Divergence) -> UnavailableScreen:
    assert isinstance(report.screen, UnavailableScreen), report.screen
    return report.screen
