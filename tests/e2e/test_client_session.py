"""The Python client against a real daemon and the virtual device."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.support.command import answer, surefoot

from surefoot import AsyncSurefoot, ErrorCode, Surefoot, SurefootError
from surefoot.client import launch
from surefoot.wire import InteractionData, OpenData, SnapshotData, StatePaths


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    state = tmp_path_factory.mktemp("client") / "state"
    yield state
    launch.end(StatePaths(state), {"SUREFOOT_DAEMON_TIMEOUT": "3000"})


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "state"
    launch.end(StatePaths(tmp_path / "state"), {"SUREFOOT_DAEMON_TIMEOUT": "3000"})


def sessions(state: Path) -> list[str]:
    listed = answer(surefoot(state, "session", "list", "--json"))["data"]["sessions"]
    return [item["session"] for item in listed]


def test_a_session_is_opened_acted_in_and_closed(shared: Path) -> None:
    with Surefoot(platform="sim", session="sync", state_dir=shared).open("demo") as s:
        assert isinstance(s.opened, OpenData)
        assert s.opened.session == "sync"
        screen = s.snapshot(interactive=True)
        assert isinstance(screen, SnapshotData)
        filled = s.fill(text="Ada", label="Name", role="textbox")
        assert isinstance(filled, InteractionData)
        assert filled.target is not None
        assert (filled.target.role, filled.target.label) == ("textbox", "Name")
        assert s.is_("enabled", role="button", label="Sign in").passed is True
        assert "sync" in sessions(shared)
    assert "sync" not in sessions(shared)


async def test_the_asynchronous_client_does_the_same(shared: Path) -> None:
    client = AsyncSurefoot(platform="sim", session="async", state_dir=shared)
    async with await client.open("demo") as s:
        await s.press("id=stay")
        assert (await s.is_("checked", "id=stay")).passed is True
    assert "async" not in await asyncio.to_thread(sessions, shared)


def test_a_failure_is_raised_typed(shared: Path) -> None:
    with (
        Surefoot(platform="sim", session="fails", state_dir=shared).open("demo") as s,
        pytest.raises(SurefootError) as caught,
    ):
        s.press(label="Nothing like it", role="button")
    assert caught.value.code is ErrorCode.ELEMENT_NOT_FOUND


def test_a_session_closed_inside_its_block_is_no_error(shared: Path) -> None:
    with Surefoot(platform="sim", session="twice", state_dir=shared).open("demo") as s:
        s.close()


def test_a_call_is_bounded_by_its_timeout(shared: Path) -> None:
    with Surefoot(platform="sim", session="bounded", state_dir=shared).open("demo") as s:
        with pytest.raises(SurefootError) as caught:
            s.with_options(timeout_ms=100).wait(text="never", timeout_ms=50)
        assert caught.value.code is ErrorCode.TIMEOUT


def test_options_are_of_the_copy_and_the_connection_is_shared(shared: Path) -> None:
    with Surefoot(state_dir=shared) as one:
        other = one.with_options(cost=True)
        other.session_list()
        one.session_list()
        assert other.last_cost is not None
        assert one.last_cost is None


def test_it_is_thread_safe(shared: Path) -> None:
    with Surefoot(state_dir=shared) as client, ThreadPoolExecutor(8) as pool:
        pids = set(pool.map(lambda _: client.daemon_status().pid, range(32)))
    assert len(pids) == 1


def test_paths_are_the_callers(shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with Surefoot(platform="sim", session="paths", state_dir=shared).open("demo") as s:
        assert s.screenshot(Path("shot.png")).path == str(tmp_path / "shot.png")
    assert (tmp_path / "shot.png").exists()


def test_ctrl_c_cancels_the_call_and_leaves_the_session_usable(shared: Path) -> None:
    with Surefoot(platform="sim", session="ctrl-c", state_dir=shared).open("demo") as s:
        timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            s.wait(60_000)
        timer.join()
        assert s.snapshot().total > 0


def test_it_starts_a_daemon_and_survives_its_death(own: Path) -> None:
    with Surefoot(state_dir=own) as client:
        first = client.daemon_status().pid
        os.kill(first, signal.SIGKILL)
        assert client.daemon_status().pid != first


def test_many_first_clients_start_one_daemon(own: Path) -> None:
    def pid(_: int) -> int:
        with Surefoot(state_dir=own) as client:
            return client.daemon_status().pid

    with ThreadPoolExecutor(6) as pool:
        assert len(set(pool.map(pid, range(6)))) == 1
