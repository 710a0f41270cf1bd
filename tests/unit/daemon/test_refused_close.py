"""A close takes its session away from whatever runs there; one that is refused leaves it alone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.support.commands_room import FakeCaller

from surefoot.daemon import Diagnostics, Done, Running
from surefoot.daemon.rooms import CommandService
from surefoot.daemon.router import Router
from surefoot.drivers import App, Driver
from surefoot.drivers.sim import SimDriver
from surefoot.errors import SurefootError
from surefoot.wire import CloseData, DaemonStatus


class House:
    """The real service behind the real router; the apps are the virtual device's."""

    def __init__(self, directory: Path) -> None:
        async def sim() -> Driver:
            return SimDriver()

        self.directory = directory
        self.service = CommandService(directory / "state", {"sim": sim})
        self.log = Diagnostics(directory / "daemon.log", redact=self.service.redact)
        self.router = Router(self.service, self.log, status=_no_status, stop=_no_stop)
        self.running: list[Running] = []

    async def serve(self, *argv: str) -> Done | SurefootError:
        call = self.service.parse((*argv, "--session", "s"), {})
        return await self.router.serve(call, FakeCaller(self.directory), self.running.append)

    async def start(self, *argv: str) -> asyncio.Task[Done | SurefootError]:
        """Begin a command and come back when it holds its session."""
        task = asyncio.create_task(self.serve(*argv))
        await turns()
        assert not task.done()
        assert self.running[-1].waiting_for is None
        return task


async def turns() -> None:
    """Let everything that can run do so."""
    for _ in range(100):
        await asyncio.sleep(0)


def _no_status() -> DaemonStatus:
    raise AssertionError("no status is wanted")


def _no_stop() -> None:
    raise AssertionError("nothing stops")


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    made = House(tmp_path)
    yield made
    await made.service.close()
    made.log.close()


@pytest.mark.parametrize("force", [(), ("--force",)], ids=["plain", "force"])
async def test_a_refused_close_ends_nothing_that_runs(house: House, force: tuple[str, ...]) -> None:
    assert isinstance(await house.serve("open", "demo", "--platform", "sim"), Done)
    waiting = await house.start("wait", "60000")
    refused = await house.serve("close", "--save-script=x.ad", *force)
    assert isinstance(refused, SurefootError)
    assert refused.reason == "recording_not_armed"
    await turns()
    assert not waiting.done()
    assert house.running[-1].why is None
    assert isinstance(await house.serve("close"), Done)
    ended = await waiting
    assert isinstance(ended, SurefootError)
    assert ended.reason == "preempted"


async def test_a_close_whose_script_cannot_be_written_ends_nothing_either(house: House) -> None:
    opened = await house.serve("open", "demo", "--platform", "sim", "--save-script=mine.ad")
    assert isinstance(opened, Done)
    (house.directory / "mine.ad").write_text("somebody was faster")
    waiting = await house.start("wait", "60000")
    refused = await house.serve("close")
    assert isinstance(refused, SurefootError)
    assert refused.reason == "target_exists"
    assert not waiting.done()
    assert isinstance(await house.serve("close", "--no-record"), Done)
    await waiting


async def test_a_close_while_the_session_is_being_opened_says_what_it_ended(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(*_: object) -> App:
        await asyncio.Event().wait()
        raise AssertionError("nothing wakes it")

    monkeypatch.setattr(SimDriver, "open", never)
    opening = await house.start("open", "demo", "--platform", "sim")
    done = await house.serve("close")
    assert isinstance(done, Done)
    assert done.data == CloseData(session="s", closed=False, ended=("open",))
    ended = await opening
    assert isinstance(ended, SurefootError)
    assert ended.reason == "preempted"


async def test_a_close_names_the_commands_it_ended(house: House) -> None:
    assert isinstance(await house.serve("open", "demo", "--platform", "sim"), Done)
    waiting = await house.start("wait", "60000")
    done = await house.serve("close")
    assert isinstance(done, Done)
    assert done.data == CloseData(session="s", closed=True, ended=("wait",))
    await waiting
    missing = await house.serve("close")
    assert isinstance(missing, SurefootError)
    assert missing.code == "SESSION_NOT_FOUND"


async def test_the_log_of_a_bug_hides_what_sessions_keep_secret(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = await house.serve("open", "demo", "--platform", "sim", "--save-script=mine.ad")
    assert isinstance(opened, Done)
    session = house.service._store.get("s")
    session.hidden.learn("tulip-Walrus-93", "PW")
    session.hidden.learn("it's\ttabbed", "TABBED")

    def broken() -> None:
        raise ValueError(f"tulip-Walrus-93 and {session.hidden.texts[1].text!r}")

    monkeypatch.setattr(session.app, "dialog", broken)
    failed = await house.serve("dialog", "get")
    assert isinstance(failed, SurefootError)
    monkeypatch.undo()
    await house.serve("close", "--no-record")
    house.log.note("a late line about tulip-Walrus-93")
    log = (house.directory / "daemon.log").read_text()
    assert failed.diagnostic_id in log
    assert "ValueError: <var:PW> and" in log
    assert "a late line about <var:PW>" in log
    assert "tulip" not in log
    assert "tabbed" not in log
