"""The real socket and the installed command against a daemon whose commands only test transport."""

from __future__ import annotations

import json
import os
import signal
import socket
import stat
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from tests.support.command import SUREFOOT, answer, environment, failure, started, surefoot
from tests.support.daemon_host import Hosted, hosted

from surefoot.wire import (
    FROM_DAEMON,
    HEADER,
    MAX_REPLY_BYTES,
    PROTOCOL,
    Kind,
    decode_header,
    encode_frame,
)


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[Hosted]:
    with hosted(tmp_path / "state") as host:
        yield host


def state(daemon: Hosted) -> Path:
    return daemon.paths.state


def raw(daemon: Hosted) -> socket.socket:
    link = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    link.settimeout(10)
    link.connect(str(daemon.paths.socket))
    return link


def frame(link: socket.socket) -> tuple[Kind, int, bytes]:
    kind, number, length = decode_header(exactly(link, HEADER.size), FROM_DAEMON, MAX_REPLY_BYTES)
    return kind, number, exactly(link, length)


def exactly(link: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        more = link.recv(size - len(data))
        if not more:
            raise EOFError
        data += more
    return data


def to_the_end(link: socket.socket) -> None:
    while True:
        frame(link)


def call(number: int, command: str, *words: str, version: str = "0.1.0", **options: object) -> bytes:
    body = {
        "protocol": PROTOCOL,
        "version": version,
        "kind": "client",
        "cwd": "/",
        "env": {},
        "call": {"command": command, "arguments": {"words": words}, "options": options},
    }
    return encode_frame(Kind.CALL, number, json.dumps(body).encode())


def reply(link: socket.socket, number: int) -> dict[str, object]:
    while True:
        kind, at, payload = frame(link)
        if kind is Kind.REPLY and at == number:
            body = msgspec.json.decode(payload)
            assert isinstance(body, dict)
            return body


def reason(body: dict[str, object]) -> object:
    error = body["error"]
    assert isinstance(error, dict)
    return error["details"]["reason"]


def still_serves(daemon: Hosted) -> bool:
    return surefoot(state(daemon), "session", "list").returncode == 0


# What a command prints and how it exits


def test_a_success_prints_and_exits_with_0(daemon: Hosted) -> None:
    done = surefoot(state(daemon), "echo", "a b", "ü")
    assert (done.returncode, done.stderr) == (0, "")
    assert answer(done)["data"] == {"words": ["a b", "ü"]}


def test_bad_arguments_exit_with_2(daemon: Hosted) -> None:
    assert surefoot(state(daemon), "nonsense").returncode == 2


def test_a_failed_request_exits_with_1_and_names_where_to_look(daemon: Hosted) -> None:
    done = surefoot(state(daemon), "fail", "--json")
    error = answer(done)["error"]
    assert done.returncode == 1
    assert (error["code"], error["details"]["reason"]) == ("ELEMENT_NOT_FOUND", "gone")
    assert error["logPath"] == str(daemon.paths.log)
    assert error["diagnosticId"] in daemon.paths.log.read_text()


def test_a_bug_is_UNKNOWN_with_a_diagnostic_id_and_its_trace_stays_in_the_log(daemon: Hosted) -> None:
    done = surefoot(state(daemon), "boom", "--json")
    error = answer(done)["error"]
    assert (done.returncode, error["code"]) == (1, "UNKNOWN")
    assert "secret-value-in-a-bug" not in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    log = daemon.paths.log.read_text()
    assert f"diagnosticId={error['diagnosticId']}" in log
    assert "Traceback" in log


def test_what_the_caller_entered_is_not_in_the_log(daemon: Hosted) -> None:
    surefoot(state(daemon), "echo", "hunter2")
    surefoot(state(daemon), "hunter2")
    log = daemon.paths.log.read_text()
    assert "ok echo" in log
    assert "hunter2" not in log


def test_an_argument_that_is_not_utf8_is_named(daemon: Hosted) -> None:
    done = surefoot(state(daemon), "echo", b"\xff\xfe", "--json")
    assert done.returncode == 2
    assert answer(done)["error"]["details"] == {"argument": 2, "reason": "not_utf8"}


def test_only_the_variables_of_a_request_are_sent(daemon: Hosted) -> None:
    more = {"AD_VAR_USER": "me", "SUREFOOT_SESSION": "s", "NO_COLOR": "1", "SECRET_TOKEN": "x"}
    done = surefoot(state(daemon), "who", env=more)
    assert answer(done)["data"]["env"] == {
        "AD_VAR_USER": "me",
        "SUREFOOT_SESSION": "s",
        "NO_COLOR": "1",
        "SUREFOOT_STATE_DIR": str(state(daemon)),
    }


def test_a_command_owns_no_lease_and_says_where_it_was_run(daemon: Hosted, tmp_path: Path) -> None:
    done = surefoot(state(daemon), "who", cwd=tmp_path)
    data = answer(done)["data"]
    assert (data["kind"], data["cwd"], data["lease"]) == ("cli", str(tmp_path), None)


def test_a_big_output_arrives_whole(daemon: Hosted) -> None:
    done = surefoot(state(daemon), "big", "5000000")
    assert answer(done)["data"]["big"] == "x" * 5_000_000


def test_an_output_beyond_the_limit_is_a_typed_error(daemon: Hosted) -> None:
    done = surefoot(state(daemon), "big", str(MAX_REPLY_BYTES + 1), "--json")
    assert (done.returncode, failure(done)) == (1, ("COMMAND_FAILED", "reply_too_large"))


# Files belong to the caller


def test_the_daemon_reads_a_file_through_its_caller(daemon: Hosted, tmp_path: Path) -> None:
    (tmp_path / "a file.ad").write_text("press id=x")
    done = surefoot(state(daemon), "read", str(tmp_path / "a file.ad"), "100")
    assert answer(done)["data"] == {"bytes": 10, "text": "press id=x"}


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda _: None, "file_not_found"),
        (lambda path: path.mkdir(), "not_a_file"),
        (lambda path: os.mkfifo(path), "not_a_file"),
        (lambda path: path.write_text("x" * 101), "file_too_large"),
        (lambda path: path.symlink_to(path), "file_unreadable"),
    ],
    ids=["missing", "directory", "fifo", "too long", "loop"],
)
def test_a_file_that_cannot_be_read_is_bad_input(
    daemon: Hosted, tmp_path: Path, make: object, expected: str
) -> None:
    assert callable(make)
    make(tmp_path / "it")
    done = surefoot(state(daemon), "read", str(tmp_path / "it"), "100", "--json")
    assert (done.returncode, failure(done)) == (2, ("INVALID_ARGS", expected))


def test_a_file_of_exactly_the_limit_is_read(daemon: Hosted, tmp_path: Path) -> None:
    (tmp_path / "full").write_bytes(b"x" * 100)
    done = surefoot(state(daemon), "read", str(tmp_path / "full"), "100")
    assert answer(done)["data"]["bytes"] == 100


# Deadlines, pre-emption, the control lane


def test_B113_a_request_that_never_ends_is_answered_at_its_deadline(daemon: Hosted) -> None:
    done = surefoot(state(daemon), "sleep", "60000", "--timeout=100", "--json")
    assert (done.returncode, failure(done)) == (1, ("TIMEOUT", "request_deadline"))
    assert "cancelled sleep" in daemon.service.log
    assert still_serves(daemon)


def test_B113_a_request_that_hears_no_cancel_is_answered_too(daemon: Hosted) -> None:
    begun = time.monotonic()
    done = surefoot(state(daemon), "deaf", "1200", "--timeout=100", "--json")
    assert failure(done) == ("TIMEOUT", "request_deadline")
    assert time.monotonic() - begun < 1.1
    assert still_serves(daemon)


@pytest.mark.parametrize("command", ["sleep", "deaf"])
def test_B112_the_control_lane_and_close_answer_while_a_session_is_stuck(
    daemon: Hosted, command: str
) -> None:
    stuck = started(state(daemon), command, "1800", "--json")
    assert daemon.service.started.wait(5)
    times = {}
    for control in ("session list", "daemon status", "close"):
        begun = time.monotonic()
        assert surefoot(state(daemon), *control.split()).returncode == 0
        times[control] = time.monotonic() - begun
    out, _ = stuck.communicate(timeout=10)
    assert max(times.values()) < 1.0, times
    assert json.loads(out)["error"]["details"]["reason"] == "preempted"
    assert surefoot(state(daemon), "echo").returncode == 0


def test_a_busy_session_says_what_it_is_busy_with(daemon: Hosted) -> None:
    stuck = started(state(daemon), "sleep", "60000")
    assert daemon.service.started.wait(5)
    done = surefoot(state(daemon), "echo", "--timeout=100", "--json")
    error = answer(done)["error"]
    assert (error["code"], error["details"]["reason"]) == ("TIMEOUT", "session_busy")
    assert error["details"]["busyWith"] == "sleep"
    surefoot(state(daemon), "close")
    stuck.communicate(timeout=10)


def test_another_session_does_not_wait(daemon: Hosted) -> None:
    stuck = started(state(daemon), "sleep", "60000", "--session=a")
    assert daemon.service.started.wait(5)
    assert surefoot(state(daemon), "echo", "--session=b", "--timeout=2000").returncode == 0
    surefoot(state(daemon), "close", "--session=a")
    stuck.communicate(timeout=10)


# Callers that leave


def wait_for(daemon: Hosted, line: str) -> None:
    ends = time.monotonic() + 5
    while line not in daemon.service.log:
        assert time.monotonic() < ends, daemon.service.log
        time.sleep(0.01)


def test_ctrl_c_cancels_the_request_and_exits_with_130(daemon: Hosted) -> None:
    running = started(state(daemon), "sleep", "60000")
    assert daemon.service.started.wait(5)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=5)
    assert (running.returncode, out, err) == (130, "", "")
    assert "cancelled sleep" in daemon.service.log


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_caller_that_dies_takes_its_request_along(daemon: Hosted, number: signal.Signals) -> None:
    running = started(state(daemon), "sleep", "60000")
    assert daemon.service.started.wait(5)
    running.send_signal(number)
    running.communicate(timeout=5)
    wait_for(daemon, "cancelled sleep")


def test_a_reader_that_leaves_ends_a_stream(daemon: Hosted) -> None:
    running = started(state(daemon), "stream")
    assert running.stdout is not None
    assert running.stdout.readline() == "line 0\n"
    running.stdout.close()
    assert running.wait(timeout=5) == 141
    assert running.stderr is not None
    assert running.stderr.read() == ""
    running.stderr.close()
    wait_for(daemon, "end stream")


def test_a_reader_that_leaves_does_not_change_what_has_run(daemon: Hosted) -> None:
    """The request was over before its output was written, so its exit code stands."""
    script = f"{SUREFOOT} big 3000000 | head -c 10; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", script],
        env=environment(state(daemon)),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == '{"success"0\n'
    assert done.stderr == ""


def test_a_closed_standard_output_is_no_crash(daemon: Hosted) -> None:
    done = subprocess.run(
        ["sh", "-c", f"{SUREFOOT} echo >&-"],
        env=environment(state(daemon)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_an_answer_that_could_not_be_written_is_no_success(daemon: Hosted) -> None:
    done = subprocess.run(
        ["sh", "-c", f"{SUREFOOT} echo >/dev/full"],
        env=environment(state(daemon)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "output_failed" in done.stderr
    assert "No space left on device" in done.stderr


def test_a_connection_that_ends_releases_its_lease(daemon: Hosted) -> None:
    with raw(daemon) as link:
        link.sendall(call(1, "who"))
        lease = reply(link, 1)["data"]["lease"]  # type: ignore[index]
    ends = time.monotonic() + 5
    while daemon.service.released_leases != [lease]:
        assert time.monotonic() < ends
        time.sleep(0.01)


# What nobody should send


@pytest.mark.parametrize(
    "garbage",
    [b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"\0" * 64, os.urandom(4096).replace(b"h", b"H"), b"K" * 64],
    ids=["http", "zeros", "random", "daemon kind"],
)
def test_garbage_is_answered_and_hung_up_on(daemon: Hosted, garbage: bytes) -> None:
    with raw(daemon) as link:
        link.sendall(garbage)
        seen = b""
        try:
            while more := link.recv(65536):
                seen += more
        except ConnectionResetError:
            pass
    assert b"INVALID_ARGS" in seen or seen == b""
    assert still_serves(daemon)


def test_an_oversized_frame_is_a_typed_error_before_it_is_read(daemon: Hosted) -> None:
    with raw(daemon) as link:
        link.sendall(b"c" + (5).to_bytes(4, "big") + (2**32 - 1).to_bytes(4, "big"))
        body = reply(link, 5)
    assert reason(body) == "frame_too_large"
    assert still_serves(daemon)


def test_half_a_frame_harms_nobody(daemon: Hosted) -> None:
    with raw(daemon) as link:
        link.sendall(call(1, "echo")[:20])
        assert still_serves(daemon)


def test_a_malformed_call_is_answered_and_the_connection_goes_on(daemon: Hosted) -> None:
    with raw(daemon) as link:
        body = json.dumps({"protocol": PROTOCOL, "version": "0.1.0", "surprise": 1})
        link.sendall(encode_frame(Kind.CALL, 1, body.encode()))
        assert reason(reply(link, 1)) == "bad_request"
        link.sendall(call(2, "echo", "still here"))
        assert reply(link, 2)["data"] == {"words": ["still here"]}


def test_a_number_in_use_is_refused(daemon: Hosted) -> None:
    with raw(daemon) as link:
        link.sendall(call(1, "sleep", "60000") + call(1, "echo"))
        assert reason(reply(link, 1)) == "bad_frame"
        with pytest.raises(EOFError):
            to_the_end(link)
    assert still_serves(daemon)


def test_too_many_requests_at_once_are_a_typed_error(daemon: Hosted) -> None:
    with raw(daemon) as link:
        link.sendall(b"".join(call(number, "sleep", "60000") for number in range(1, 66)))
        assert reason(reply(link, 65)) == "too_many_requests"


def test_requests_of_one_connection_run_at_once(daemon: Hosted) -> None:
    with raw(daemon) as link:
        link.sendall(call(1, "sleep", "60000") + call(2, "echo", "second", session="other"))
        assert reply(link, 2)["data"] == {"words": ["second"]}
        link.sendall(encode_frame(Kind.CANCEL, 1))
        assert reason(reply(link, 1)) == "cancelled"


def test_a_file_nobody_asked_for_is_ignored(daemon: Hosted) -> None:
    with raw(daemon) as link:
        link.sendall(encode_frame(Kind.FILE, 9, b"x") + encode_frame(Kind.CANCEL, 9) + call(1, "echo"))
        assert reply(link, 1)["success"] is True


def test_a_hello_is_answered_with_who_is_there(daemon: Hosted) -> None:
    with raw(daemon) as link:
        link.sendall(encode_frame(Kind.HELLO, 0))
        kind, _, payload = frame(link)
    assert kind is Kind.ACK
    assert json.loads(payload) == {"protocol": PROTOCOL, "version": "0.1.0", "pid": os.getpid()}


# Other versions (row B120)


def test_B120_another_version_makes_an_idle_daemon_leave_before_anything_runs(daemon: Hosted) -> None:
    with raw(daemon) as link:
        link.sendall(call(1, "echo", version="9.9.9"))
        assert frame(link)[0] is Kind.LEAVING
    assert daemon.ended()
    assert "begin echo" not in daemon.service.log


def test_B120_another_version_gets_a_structured_error_while_sessions_are_open(daemon: Hosted) -> None:
    daemon.service.sessions = 1
    with raw(daemon) as link:
        link.sendall(call(1, "echo", version="9.9.9"))
        body = reply(link, 1)
        assert reason(body) == "daemon_version_mismatch"
        assert "surefoot daemon stop" in body["error"]["hint"]  # type: ignore[index]
        link.sendall(call(2, "session list", version="9.9.9"))
        assert reply(link, 2)["success"] is True
    assert still_serves(daemon)


def test_B120_a_request_that_runs_when_the_daemon_stops_gets_a_structured_error(
    daemon: Hosted,
) -> None:
    running = started(state(daemon), "sleep", "60000", "--json")
    assert daemon.service.started.wait(5)
    assert surefoot(state(daemon), "daemon", "stop").returncode == 0
    out, err = running.communicate(timeout=5)
    error = json.loads(out)["error"]
    assert (running.returncode, err) == (1, "")
    assert error["details"]["reason"] == "daemon_stopping"
    assert "Run the command again" in error["hint"]
    assert daemon.ended()


def test_daemon_stop_answers_when_everything_is_closed(daemon: Hosted) -> None:
    surefoot(state(daemon), "daemon", "stop")
    assert daemon.service.log[-1] == "close service"
    assert not daemon.paths.socket.exists()


# Its life


def test_it_leaves_when_idle(tmp_path: Path) -> None:
    with hosted(tmp_path / "state", idle_exit_ms=150) as daemon:
        assert daemon.ended()
        assert daemon.service.log == ["start", "close service"]
        assert not daemon.paths.socket.exists()


def test_it_stays_while_a_session_is_open(tmp_path: Path) -> None:
    with hosted(tmp_path / "state", idle_exit_ms=100) as daemon:
        daemon.service.sessions = 1
        assert not daemon.ended(0.6)
        daemon.service.sessions = 0
        assert daemon.ended()


def test_it_stays_while_somebody_is_connected(tmp_path: Path) -> None:
    with hosted(tmp_path / "state", idle_exit_ms=100) as daemon:
        with raw(daemon) as link:
            link.sendall(call(1, "echo"))
            reply(link, 1)
            assert not daemon.ended(0.6)
        assert daemon.ended()


def test_it_leaves_when_its_socket_is_taken_away(tmp_path: Path) -> None:
    with hosted(tmp_path / "state", idle_exit_ms=1000) as daemon:
        daemon.paths.socket.unlink()
        assert daemon.ended()


def test_B123_its_files_are_private(daemon: Hosted) -> None:
    def mode(path: Path) -> int:
        return stat.S_IMODE(path.stat().st_mode)

    paths = daemon.paths
    assert [mode(one) for one in (paths.state, paths.run)] == [0o700, 0o700]
    files = (paths.socket, paths.lock, paths.info, paths.log)
    assert [mode(one) for one in files] == [0o600, 0o600, 0o600, 0o600]
