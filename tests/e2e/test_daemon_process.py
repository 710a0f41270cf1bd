"""Daemons as processes: started on first use, exactly one, gone when they should be."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.support.command import (
    SUREFOOT,
    SUREFOOT_PY,
    answer,
    environment,
    failure,
    started,
    surefoot,
)

from surefoot import Surefoot
from surefoot.client import launch
from surefoot.errors import SurefootError
from surefoot.wire import StatePaths


@pytest.fixture
def state(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "state"
    launch.end(StatePaths(tmp_path / "state"), {"SUREFOOT_DAEMON_TIMEOUT": "3000"})


def daemon_pid(state: Path) -> int:
    pid = answer(surefoot(state, "daemon", "status", "--json"))["data"]["pid"]
    assert isinstance(pid, int)
    return pid


def gone(pid: int, seconds: float = 5.0) -> bool:
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.01)
    return False


def open_demo(state: Path, session: str = "s") -> None:
    done = surefoot(state, "open", "demo", "--platform", "sim", "--session", session)
    assert done.returncode == 0, done.stderr


# Starting


def test_the_first_command_starts_a_daemon_and_the_next_one_uses_it(state: Path) -> None:
    assert daemon_pid(state) == daemon_pid(state)


def test_B115_ten_first_commands_at_once_start_one_daemon(state: Path) -> None:
    with ThreadPoolExecutor(10) as pool:
        pids = set(pool.map(lambda _: daemon_pid(state), range(10)))
    assert len(pids) == 1
    log = (state / "run" / "daemon.log").read_text()
    assert log.count(" ready version=") == 1


def test_the_command_and_the_entry_point_find_the_same_daemon(state: Path) -> None:
    pid = daemon_pid(state)
    for command in (SUREFOOT, SUREFOOT_PY):
        done = surefoot(state, "daemon", "status", "--json", command=command)
        assert answer(done)["data"]["pid"] == pid


@pytest.mark.parametrize("command", [SUREFOOT, SUREFOOT_PY])
def test_a_caller_without_standard_streams_starts_a_daemon_that_serves(
    state: Path, command: Path
) -> None:
    closed = f"{command} daemon status <&- >&- 2>&-"
    for _ in range(2):  # the one that starts it, and one that finds it
        done = subprocess.run(["sh", "-c", closed], env=environment(state), check=False, timeout=60)
        assert done.returncode == 0
    assert daemon_pid(state) > 1


def test_the_flag_names_the_state_directory(state: Path, tmp_path: Path) -> None:
    done = surefoot(tmp_path / "other", "daemon", "status", "--json", "--state-dir", str(state))
    assert answer(done)["data"]["stateDir"] == str(state)
    assert not (tmp_path / "other").exists()


def test_the_first_callers_variables_do_not_stick_to_the_daemon(state: Path) -> None:
    done = surefoot(state, "daemon", "status", "--json", env={"AD_VAR_SECRET": "x", "NO_COLOR": "1"})
    variables = Path(f"/proc/{answer(done)['data']['pid']}/environ").read_bytes().split(b"\0")
    names = {item.partition(b"=")[0].decode() for item in variables}
    assert not {
        name for name in names if name.startswith(("AD_VAR_", "SUREFOOT_")) or name == "NO_COLOR"
    }


def test_the_daemon_keeps_nothing_of_its_first_caller_open(state: Path) -> None:
    reader, writer = os.pipe()
    os.set_inheritable(writer, True)
    subprocess.run(
        [SUREFOOT, "session", "list"],
        env=environment(state),
        pass_fds=(writer,),
        capture_output=True,
        check=True,
    )
    os.close(writer)
    os.set_blocking(reader, False)
    with os.fdopen(reader, "rb") as left:
        assert left.read() == b""


def test_a_state_directory_that_cannot_be_is_a_typed_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = surefoot(tmp_path / "file", "session", "list", "--json")
    assert (done.returncode, failure(done)) == (1, ("COMMAND_FAILED", "state_dir_unusable"))


def test_a_working_directory_that_is_gone_is_a_typed_error(state: Path, tmp_path: Path) -> None:
    place = tmp_path / "gone"
    place.mkdir()
    done = subprocess.run(
        ["sh", "-c", f"rmdir {place} && {SUREFOOT} session list --json"],
        cwd=place,
        env=environment(state),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, failure(done)) == (2, ("INVALID_ARGS", "cwd_missing"))


# Ending


def test_stopping_ends_the_process_and_takes_its_socket_along(state: Path) -> None:
    pid = daemon_pid(state)
    assert surefoot(state, "daemon", "stop").returncode == 0
    assert gone(pid)
    assert not (state / "run" / "daemon.sock").exists()


def test_stopping_where_nothing_runs_starts_nothing(state: Path) -> None:
    done = surefoot(state, "daemon", "stop")
    assert (done.returncode, done.stdout) == (0, "no daemon is running\n")
    assert not (state / "run" / "daemon.sock").exists()


def test_a_command_right_after_a_stop_gets_a_new_daemon(state: Path) -> None:
    pid = daemon_pid(state)
    surefoot(state, "daemon", "stop")
    assert daemon_pid(state) != pid


def test_an_idle_daemon_leaves(state: Path) -> None:
    done = surefoot(state, "daemon", "status", "--json", env={"SUREFOOT_IDLE_EXIT": "200"})
    assert gone(answer(done)["data"]["pid"])


def test_a_daemon_with_a_session_is_not_idle(state: Path) -> None:
    idle = {"SUREFOOT_IDLE_EXIT": "200"}
    surefoot(state, "open", "demo", "--platform", "sim", "--session", "s", env=idle)
    pid = daemon_pid(state)
    assert not gone(pid, 0.8)
    assert surefoot(state, "close", "--session", "s").returncode == 0
    assert gone(pid)


def test_a_terminated_daemon_closes_in_order(state: Path) -> None:
    pid = daemon_pid(state)
    os.kill(pid, signal.SIGTERM)
    assert gone(pid)
    assert "stopped" in (state / "run" / "daemon.log").read_text()
    assert not (state / "run" / "daemon.sock").exists()


# Dying


def test_B114_after_a_kill_the_next_command_works_at_once(state: Path) -> None:
    pid = daemon_pid(state)
    os.kill(pid, signal.SIGKILL)
    assert gone(pid)
    assert (state / "run" / "daemon.sock").exists()
    done = surefoot(state, "session", "list")
    assert (done.returncode, done.stderr) == (0, "")


def test_B114_ten_commands_after_a_kill_start_one_daemon(state: Path) -> None:
    os.kill(daemon_pid(state), signal.SIGKILL)
    with ThreadPoolExecutor(10) as pool:
        assert len(set(pool.map(lambda _: daemon_pid(state), range(10)))) == 1


@pytest.mark.parametrize("kind", ["file", "socket"])
def test_something_else_in_the_sockets_place_is_no_obstacle(state: Path, kind: str) -> None:
    (state / "run").mkdir(parents=True, mode=0o700)
    place = state / "run" / "daemon.sock"
    if kind == "file":
        place.write_text("")
    else:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as left_behind:
            left_behind.bind(str(place))
    assert surefoot(state, "session", "list").returncode == 0


def test_a_request_whose_daemon_is_killed_says_that_it_does_not_know(state: Path) -> None:
    open_demo(state)
    pid = daemon_pid(state)
    running = started(state, "wait", "60000", "--session", "s", "--json")
    time.sleep(0.5)
    os.kill(pid, signal.SIGKILL)
    out, err = running.communicate(timeout=10)
    error = json.loads(out)["error"]
    assert (running.returncode, err) == (1, "")
    assert (error["code"], error["details"]["reason"]) == ("COMMAND_FAILED", "daemon_lost")
    assert len(error["diagnosticId"]) == 12
    assert error["logPath"] == str(state / "run" / "daemon.log")


# Hanging


def test_B116_a_daemon_that_does_not_answer_is_named_and_can_be_reset(state: Path) -> None:
    impatient = {"SUREFOOT_DAEMON_TIMEOUT": "300"}
    pid = daemon_pid(state)
    os.kill(pid, signal.SIGSTOP)
    begun = time.monotonic()
    done = surefoot(state, "session", "list", "--json", env=impatient)
    waited = time.monotonic() - begun
    error = answer(done)["error"]
    assert (done.returncode, failure(done)) == (1, ("TIMEOUT", "daemon_unresponsive"))
    assert waited < 3
    assert error["details"]["pid"] == pid
    assert "surefoot daemon stop" in error["hint"]
    stop = surefoot(state, "daemon", "stop", env=impatient)
    assert (stop.returncode, stop.stdout) == (0, f"daemon {pid} stopped by force\n")
    assert gone(pid)
    assert surefoot(state, "session", "list").returncode == 0


@pytest.mark.parametrize("way", ["command", "client"])
def test_B113_a_bound_of_the_request_is_kept_with_a_daemon_that_does_not_answer(
    state: Path, way: str
) -> None:
    pid = daemon_pid(state)
    os.kill(pid, signal.SIGSTOP)
    begun = time.monotonic()
    if way == "command":
        error = answer(surefoot(state, "session", "list", "--json", "--timeout", "700"))["error"]
        told = (error["code"], error["details"])
    else:
        client = Surefoot(state_dir=state, timeout_ms=700)
        with pytest.raises(SurefootError) as caught:
            client.session_list()
        client.disconnect()
        told = (caught.value.code, caught.value.details)
    waited = time.monotonic() - begun
    os.kill(pid, signal.SIGKILL)
    assert (told[0], told[1]["reason"], told[1]["waitedMs"]) == ("TIMEOUT", "daemon_unresponsive", 700)
    assert waited < 3


def test_B116_a_daemon_that_falls_silent_in_a_request_is_named_too(state: Path) -> None:
    open_demo(state)
    pid = daemon_pid(state)
    impatient = {"SUREFOOT_DAEMON_TIMEOUT": "400"}
    running = started(state, "wait", "60000", "--session", "s", "--json", env=impatient)
    time.sleep(0.5)
    os.kill(pid, signal.SIGSTOP)
    out, _ = running.communicate(timeout=10)
    os.kill(pid, signal.SIGKILL)
    assert json.loads(out)["error"]["details"]["reason"] == "daemon_unresponsive"


def test_a_long_request_of_a_living_daemon_is_not_silence(state: Path) -> None:
    open_demo(state)
    done = surefoot(state, "wait", "1000", "--session", "s", env={"SUREFOOT_DAEMON_TIMEOUT": "200"})
    assert (done.returncode, done.stderr) == (0, "")


# Another version (row B120)


@pytest.fixture
def other_version(tmp_path: Path) -> Path:
    """The command of another version, beside this version's entry point."""
    place = tmp_path / "bin"
    place.mkdir()
    text = SUREFOOT.read_text().replace('VERSION = "0.1.0"', 'VERSION = "9.9.9"')
    (place / "surefoot").write_text(text)
    (place / "surefoot").chmod(0o755)
    (place / "python").symlink_to(SUREFOOT.with_name("python"))
    (place / "surefoot-py").symlink_to(SUREFOOT_PY)
    return place / "surefoot"


def test_B120_an_idle_daemon_of_another_version_is_replaced_in_passing(
    state: Path, other_version: Path
) -> None:
    pid = daemon_pid(state)
    done = surefoot(state, "devices", command=other_version)
    assert (done.returncode, done.stderr) == (0, "")
    assert gone(pid)


def test_B120_a_daemon_of_another_version_with_sessions_stays_and_says_so(
    state: Path, other_version: Path
) -> None:
    open_demo(state)
    pid = daemon_pid(state)
    done = surefoot(state, "devices", "--json", command=other_version)
    assert (done.returncode, failure(done)) == (1, ("COMMAND_FAILED", "daemon_version_mismatch"))
    assert surefoot(state, "session", "list", command=other_version).returncode == 0
    assert daemon_pid(state) == pid
