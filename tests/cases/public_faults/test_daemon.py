"""The daemon: it answers while something hangs, dies without a trace, and is alone."""

from __future__ import annotations

import json
import os
import signal
import stat
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.support.command import answer, surefoot
from tests.support.faults import Hands, cases, hands_of
from tests.support.pages import Pages

from surefoot.client import launch
from surefoot.wire import StatePaths

BY_COMMAND = True


@pytest.fixture
def own(tmp_path: Path, serve: Pages) -> Iterator[Hands]:
    """Hands whose daemon this test may hurt."""
    with hands_of(tmp_path, serve, by_command=True) as hands:
        yield hands


def pid_of(hands: Hands) -> int:
    pid = hands.do("daemon", "status")["pid"]
    assert isinstance(pid, int)
    return pid


def gone(pid: int, seconds: float = 10.0) -> bool:
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        if not Path(f"/proc/{pid}").exists() or "Z" in Path(f"/proc/{pid}/stat").read_text().split()[2]:
            return True
        time.sleep(0.02)
    return False


def children(pid: int) -> set[int]:
    """The process's descendants."""
    found: set[int] = set()
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int(
                    (entry / "stat").read_text().rpartition(")")[2].split()[1]
                )
            except OSError:
                continue
    grown = {pid}
    while grown:
        grown = {child for child, parent in parents.items() if parent in grown}
        found |= grown
    return found


HANG = "<button onclick='while (true);'>Hang</button><p>Page</p>"


# B112: what a session hangs in, and the command that hangs with it.
@cases(
    "B112",
    a_page_in_an_endless_loop=("web", ("press", "label=Hang", "--timeout", "20000")),
    a_device_that_never_answers=("sim", ("press", "label=Hang", "--timeout", "20000")),
    a_long_wait=("web", ("wait", "label=Never", "20000")),
)
def test_the_control_lane_answers_while_a_session_hangs(
    hands: Hands, case: tuple[str, tuple[str, ...]]
) -> None:
    platform, argv = case
    if platform == "web":
        hands.show(HANG)
    else:
        hands.app('document "App"(button "Hang" =A)', hangs=["pointer", "native", "direct"])
    stuck = hands.start("--json", *argv)
    try:
        time.sleep(0.6)
        assert stuck.poll() is None
        for control in (("session", "list"), ("daemon", "status"), ("events",)):
            begun = time.monotonic()
            hands.do(*control)
            assert time.monotonic() - begun < 1
        begun = time.monotonic()
        hands.do("close")
        assert time.monotonic() - begun < 5
        out, _ = stuck.communicate(timeout=10)
        error = json.loads(out)["error"]
        assert stuck.returncode == 1
        assert error["hint"]
    finally:
        stuck.kill()
    hands.show("<button>Fine</button>")
    hands.do("press", "label=Fine")


# B113: an operation that never answers, and a bound from the caller or from the device itself.
@cases(
    "B113",
    a_press=(["pointer", "native", "direct"], ("press", "label=Go", "--timeout", "400"), {}),
    a_fill=(["fill"], ("fill", "label=Name", "x", "--timeout", "400"), {}),
    a_capture=(["observe"], ("snapshot", "--timeout", "400"), {}),
    a_picture=(["screenshot"], ("screenshot", "--timeout", "400"), {}),
    the_devices_own_bound=(["observe"], ("snapshot",), {"deadlineMs": 400}),
)
def test_a_call_that_is_never_answered_ends_typed(
    hands: Hands, case: tuple[list[str], tuple[str, ...], dict[str, int]]
) -> None:
    hanging, argv, more = case
    hands.app('document "App"(button "Go", textbox "Name")', hangs=hanging, **more)
    begun = time.monotonic()
    ended = hands.ask(*argv)
    assert time.monotonic() - begun < 5
    assert ended.code == "TIMEOUT"
    assert ended.error["hint"]
    assert hands.do("session", "list")["sessions"]
    hands.do("close")


@cases("B113", a_page_that_never_answers=HANG)
def test_a_hanging_page_ends_typed_and_leaves_no_process(own: Hands, case: str) -> None:
    own.show(case)
    daemon = pid_of(own)
    family = children(daemon)
    assert family
    begun = time.monotonic()
    ended = own.ask("press", "label=Hang", "--timeout", "1500")
    assert time.monotonic() - begun < 8
    assert ended.code in ("TIMEOUT", "COMMAND_FAILED")
    assert own.do("session", "list")["sessions"]
    own.do("daemon", "stop")
    assert all(gone(pid) for pid in (daemon, *family))


@cases("B114", once=1, many_callers_at_once=8)
def test_after_a_kill_the_first_command_works(own: Hands, case: int) -> None:
    own.show("<p>Page</p>")
    daemon = pid_of(own)
    family = children(daemon)
    os.kill(daemon, signal.SIGKILL)
    assert gone(daemon)
    with ThreadPoolExecutor(case) as pool:
        pids = set(pool.map(lambda _: pid_of(own), range(case)))
    assert len(pids) == 1
    assert all(gone(pid) for pid in family)
    lost = own.ask("snapshot")
    assert lost.code == "SESSION_NOT_FOUND"
    own.show("<p>Page</p>")


@cases("B114", a_socket_file=None, a_pid_of_something_else=os.getpid())
def test_remains_of_a_daemon_are_no_obstacle(own: Hands, case: int | None) -> None:
    run = own.state / "run"
    run.mkdir(parents=True, mode=0o700)
    if case is None:
        (run / "daemon.sock").write_text("")
    else:
        (run / "daemon.pid").write_text(f"{case}\n")
        (run / "daemon.lock").write_text(f"{case}\n")
    assert own.do("session", "list")["sessions"] == []


def client_pid(hands: Hands) -> int:
    with hands.client() as client:
        return client.daemon_status().pid


@cases("B115", ten_commands=(10, 0), ten_clients=(0, 10), some_of_each=(4, 4))
def test_first_callers_at_once_start_one_daemon(own: Hands, case: tuple[int, int]) -> None:
    commands, clients = case
    callers = [pid_of] * commands + [client_pid] * clients
    with ThreadPoolExecutor(len(callers)) as pool:
        assert len(set(pool.map(lambda ask: ask(own), callers))) == 1
    log = (own.state / "run" / "daemon.log").read_text()
    assert log.count(" ready version=") == 1


# B116: a daemon that takes connections and answers none, before a request and in one.
@cases("B116", a_command=("session", "list"), an_action=("open", "http://127.0.0.1:9/"))
def test_a_daemon_that_does_not_answer_is_named_with_the_command_that_ends_it(
    own: Hands, case: tuple[str, ...]
) -> None:
    pid = pid_of(own)
    os.kill(pid, signal.SIGSTOP)
    begun = time.monotonic()
    refused = own.ask(*case, env={"SUREFOOT_DAEMON_TIMEOUT": "300"})
    assert time.monotonic() - begun < 4
    assert refused.refused == ("TIMEOUT", "daemon_unresponsive")
    assert refused.error["details"]["pid"] == pid
    assert "`surefoot daemon stop`" in refused.error["hint"]
    stopped = own.run("daemon", "stop", env={"SUREFOOT_DAEMON_TIMEOUT": "300"})
    assert stopped.returncode == 0
    assert gone(pid)
    assert own.do("session", "list")["sessions"] == []


# B120: how the daemon goes while a call is running.
@cases("B120", asked_to_stop="stop", killed="kill", terminated="term")
def test_a_call_whose_daemon_goes_ends_with_an_error_that_says_what_to_do(
    own: Hands, case: str
) -> None:
    own.app('document "App"(button "Go")', slow={"observe": 4000})
    pid = pid_of(own)
    running = own.start("--json", "snapshot")
    time.sleep(0.6)
    assert running.poll() is None
    if case == "stop":
        own.do("daemon", "stop")
    else:
        os.kill(pid, signal.SIGKILL if case == "kill" else signal.SIGTERM)
    out, err = running.communicate(timeout=10)
    error = json.loads(out)["error"]
    assert (running.returncode, err) == (1, "")
    assert error["code"] in ("COMMAND_FAILED", "SESSION_NOT_FOUND")
    assert error["hint"]
    assert own.do("session", "list")["sessions"] == []


# B121: names that leave the directory of sessions, or that are none.
@cases(
    "B121",
    parent="..",
    itself=".",
    empty="",
    a_path="a/../b",
    an_absolute_path="/tmp/x",
    a_backslash="a\\b",
    a_line_break="a\nb",
    an_escape_sequence="\x1b[2J",
    a_blank_at_the_end="a ",
    a_slash_at_the_end="a/",
    much_too_long="x" * 300,
)
def test_a_session_name_that_is_no_name_is_refused_at_admission(hands: Hands, case: str) -> None:
    hands.do("session", "list")
    before = sorted(hands.state.rglob("*"))
    for argv in (
        ("open", "demo", "--platform", "sim", f"--session={case}"),
        ("snapshot", f"--session={case}"),
        ("close", f"--session={case}"),
    ):
        done = surefoot(hands.state, *argv, "--json")
        assert (done.returncode, answer(done)["error"]["code"]) == (2, "INVALID_ARGS")
        assert "\x1b" not in done.stdout
    done = surefoot(hands.state, "snapshot", "--json", env={"SUREFOOT_SESSION": case or ".."})
    assert answer(done)["error"]["code"] == "INVALID_ARGS"
    assert sorted(hands.state.rglob("*")) == before


# B123: what others of this machine may read, whatever the caller's umask is.
@cases("B123", an_open_umask=0o000, a_usual_umask=0o022)
def test_the_state_is_the_owners_only(own: Hands, case: int) -> None:
    before = os.umask(case)
    try:
        own.app('document "App"(button "Go")')
        own.do("press", "label=Go")
        own.do("events")
    finally:
        os.umask(before)
    paths = [own.state, *own.state.rglob("*")]
    assert len(paths) > 4
    open_to_others = [
        str(path.relative_to(own.state.parent))
        for path in paths
        if stat.S_IMODE(path.lstat().st_mode) & 0o077
    ]
    assert open_to_others == []
    socket_mode = (own.state / "run" / "daemon.sock").stat().st_mode
    assert stat.S_ISSOCK(socket_mode)
    assert stat.S_IMODE(socket_mode) == 0o600


@cases("B123", made_by_another_program=0o777)
def test_a_directory_that_was_open_is_made_private_before_a_daemon_starts(
    own: Hands, case: int
) -> None:
    run = own.state / "run"
    run.mkdir(parents=True)
    for path in (own.state, run):
        path.chmod(case)
    pid_of(own)
    assert [stat.S_IMODE(path.stat().st_mode) for path in (own.state, run)] == [0o700, 0o700]


@cases("B123", the_peer_is_the_owner=None)
def test_the_other_end_of_the_socket_is_known_by_the_system(own: Hands, case: None) -> None:
    pid_of(own)
    with launch.connect(StatePaths(own.state), 2.0) as link:
        assert launch.peer_uid(link) == os.getuid()


# B127: what has a lifetime of its own: a repair ends with its daemon, what tells of it a day later.
STEPS = ("One", "Two")


def armed(own: Hands) -> tuple[str, ...]:
    """A repair that waits for its correction; the command line that would go on with it."""
    own.session = "sim"
    buttons = "main(" + ", ".join(f'button "{name}"' for name in STEPS) + ")"
    spec = {
        "format": "surefoot-sim-1",
        "name": "case",
        "start": "s",
        "screens": {"s": {"tree": buttons}},
    }
    own.file("app.json", json.dumps(spec))
    own.do("open", "./app.json", "--platform", "sim", "--save-script=flow.ad")
    for name in STEPS:
        own.do("press", f"label={name}")
    own.do("close")
    own.file("app.json", json.dumps(spec).replace("Two", "Second"))
    report = own.ask("replay", "flow.ad", "--save-script").error["details"]["divergence"]
    assert report["resume"]["repairSessionHeld"] is True
    past = str(report["step"]["index"] + 1)
    return ("replay", "flow.ad", "--from", past, "--plan-digest", report["resume"]["planDigest"])


@cases(
    "B127",
    an_action_in_its_session=("press", "label=Second"),
    its_resume=(),
    its_end=("close", "--save-script=out.ad"),
)
def test_a_repair_that_is_over_says_so_until_that_is_over_too(
    own: Hands, case: tuple[str, ...]
) -> None:
    resume = armed(own)
    argv = case or resume
    os.kill(pid_of(own), signal.SIGKILL)
    over = own.ask(*argv)
    assert over.refused == ("REPAIR_SESSION_EXPIRED", "daemon_lost")
    left = over.error["details"]["expiresAt"] / 1000 - time.time()
    assert 23 * 3600 < left <= 24 * 3600
    assert "replay flow.ad" in over.error["details"]["restart"]
    assert f"`{over.error['details']['restart']}`" in over.error["hint"]

    (record,) = (own.state / "repairs").glob("*.json")
    told = json.loads(record.read_text())
    record.write_text(json.dumps(told | {"expiresAt": time.time() - 1}))
    gone = own.ask(*argv)
    if argv == resume:  # a resume like any: its first step finds no session
        assert gone.code == "REPLAY_DIVERGENCE"
        assert gone.error["details"]["divergence"]["cause"]["code"] == "SESSION_NOT_FOUND"
    else:
        assert gone.code == "SESSION_NOT_FOUND"
        assert "surefoot open" in gone.error["hint"]
    assert not record.exists()
