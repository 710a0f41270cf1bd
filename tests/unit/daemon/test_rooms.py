"""The real service: sessions nobody uses, platforms nobody has, the end."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from surefoot.commands import CallerKind, Terminal
from surefoot.daemon import Work
from surefoot.daemon.platforms import Platforms
from surefoot.daemon.rooms import CommandService
from surefoot.drivers import Driver
from surefoot.drivers.sim import SimDriver
from surefoot.errors import ErrorCode, SurefootError
from surefoot.session import IDLE_MS
from surefoot.wire import Call, DaemonStatus


class Caller:
    """A command line in ``/``."""

    kind: CallerKind = "cli"
    cwd = "/"
    terminal = Terminal()
    lease = None

    @property
    def env(self) -> Mapping[str, str]:
        return {}

    async def read_file(self, path: str, max_bytes: int) -> bytes:
        raise AssertionError("no file is wanted")

    async def emit(self, data: object, text: str) -> None:
        raise AssertionError("nothing streams")


class Control:
    def status(self) -> DaemonStatus:
        raise AssertionError("no status is wanted")

    async def stop(self) -> None:
        raise AssertionError("nothing stops")

    async def cancel(self, session: str) -> bool:
        return False


made: list[SimDriver] = []


async def sim() -> Driver:
    made.append(SimDriver())
    return made[-1]


async def run(service: CommandService, *argv: str) -> object:
    call: Call = service.parse(argv, {})
    caller = Caller()
    plan = await service.plan(call, caller)
    work = Work(
        caller=caller,
        control=Control(),
        session=plan.session,
        deadline_ms=float("inf"),
    )
    return (await service.execute(call, work)).data


@pytest.fixture
def service(tmp_path: Path) -> CommandService:
    return CommandService(tmp_path / "state", {"sim": sim})


async def test_a_session_counts_until_it_is_closed(service: CommandService) -> None:
    await run(service, "open", "demo", "--platform", "sim", "--session", "a")
    assert service.open_sessions() == 1
    await run(service, "close", "--session", "a")
    assert service.open_sessions() == 0


async def test_a_session_nobody_used_for_too_long_is_closed(service: CommandService) -> None:
    await run(service, "open", "demo", "--platform", "sim", "--session", "old")
    await run(service, "open", "demo", "--platform", "sim", "--session", "new")
    old = service._store.get("old")
    old.last_used_ms -= IDLE_MS
    await service.tidy()
    assert service._store.find("old") is None
    assert service._store.find("new") is not None


async def test_closing_ends_every_session_and_driver(service: CommandService) -> None:
    await run(service, "open", "demo", "--platform", "sim", "--session", "a")
    await run(service, "open", "demo", "--platform", "sim", "--session", "b")
    await service.close()
    await service.close()
    assert service.open_sessions() == 0


async def test_a_platform_that_is_not_there_is_named_with_those_that_are() -> None:
    with pytest.raises(SurefootError) as caught:
        await Platforms({"sim": sim}).get("android")
    assert caught.value.code is ErrorCode.UNSUPPORTED_PLATFORM
    assert caught.value.details == {"platform": "android", "platforms": ["sim"]}


async def test_a_platforms_driver_is_made_once() -> None:
    platforms = Platforms({"sim": sim})
    assert await platforms.get("sim") is await platforms.get("sim")
