"""A daemon with a real browser: pages that hang, processes that are killed, nothing left running."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.command import answer, failure, started, surefoot

from surefoot.client import launch
from surefoot.wire import StatePaths

PAGE = """<!doctype html><title>A page</title>
<button onclick="while (true) {}">Hang</button> <button>Calm</button>"""


@pytest.fixture
def state(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "state"
    launch.end(StatePaths(tmp_path / "state"), {"SUREFOOT_DAEMON_TIMEOUT": "5000"})
    assert left_running(tmp_path) == []


@pytest.fixture
def page(tmp_path: Path) -> str:
    (tmp_path / "page.html").write_text(PAGE)
    return f"file://{tmp_path}/page.html"


def left_running(tmp_path: Path, seconds: float = 5.0) -> list[str]:
    """Command lines of processes that were started for this test's state directory and still live."""
    ends = time.monotonic() + seconds
    while found := _processes(os.fsencode(tmp_path / "state")):
        if time.monotonic() > ends:
            break
        time.sleep(0.05)
    return found


def _processes(marker: bytes) -> list[str]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                words = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if marker in words:
                found.append(words.replace(b"\0", b" ").decode(errors="replace"))
    return found


def status(state: Path) -> tuple[int, int]:
    data = answer(surefoot(state, "daemon", "status", "--json"))["data"]
    return data["pid"], data["browserPid"]


def test_B112_a_page_that_hangs_blocks_neither_the_control_lane_nor_close(
    state: Path, page: str
) -> None:
    assert surefoot(state, "open", page).returncode == 0
    stuck = started(state, "press", 'role="button" label="Hang"', "--json")
    time.sleep(0.7)
    times = {}
    for command in ("session list", "daemon status", "close"):
        begun = time.monotonic()
        done = surefoot(state, *command.split(), "--json")
        times[command] = time.monotonic() - begun
        assert done.returncode == 0, done.stdout
    out, _ = stuck.communicate(timeout=10)
    assert max(times.values()) < 1.0, times
    assert json.loads(out)["error"]["details"]["reason"] == "preempted"
    assert answer(surefoot(state, "session", "list", "--json"))["data"]["sessions"] == []
    assert surefoot(state, "open", page).returncode == 0


def test_B114_a_killed_daemon_leaves_no_browser_and_the_next_command_works(
    state: Path, page: str, tmp_path: Path
) -> None:
    assert surefoot(state, "open", page).returncode == 0
    daemon, _ = status(state)
    os.kill(daemon, signal.SIGKILL)
    assert left_running(tmp_path) == []
    lost = surefoot(state, "snapshot", "--json")
    assert failure(lost)[0] == "SESSION_NOT_FOUND"
    assert surefoot(state, "open", page).returncode == 0
    assert surefoot(state, "press", 'label="Calm"').returncode == 0


def test_a_killed_browser_is_a_typed_error_and_can_be_opened_again(state: Path, page: str) -> None:
    assert surefoot(state, "open", page).returncode == 0
    _, browser = status(state)
    os.kill(browser, signal.SIGKILL)
    done = surefoot(state, "snapshot", "--json")
    assert (done.returncode, failure(done)) == (1, ("COMMAND_FAILED", "driver_lost"))
    assert surefoot(state, "close").returncode == 0
    assert surefoot(state, "open", page).returncode == 0
    assert surefoot(state, "press", 'label="Calm"').returncode == 0


def test_stopping_the_daemon_leaves_no_browser_and_no_profile(
    state: Path, page: str, tmp_path: Path
) -> None:
    assert surefoot(state, "open", page).returncode == 0
    assert surefoot(state, "daemon", "stop").returncode == 0
    assert left_running(tmp_path) == []
    assert list((state / "browser").glob("profile-*")) == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_ending_the_daemon_in_a_request_leaves_nothing(
    state: Path, page: str, tmp_path: Path, number: signal.Signals
) -> None:
    assert surefoot(state, "open", page).returncode == 0
    daemon, _ = status(state)
    stuck = started(state, "press", 'label="Hang"', "--json")
    time.sleep(0.7)
    os.kill(daemon, number)
    out, err = stuck.communicate(timeout=15)
    expected = "daemon_stopping" if number is signal.SIGTERM else "daemon_lost"
    assert (stuck.returncode, err) == (1, "")
    assert json.loads(out)["error"]["details"]["reason"] == expected
    assert left_running(tmp_path) == []
