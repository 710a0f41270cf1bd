"""Starting a daemon, and what is said when it cannot be."""

from __future__ import annotations

import fcntl
import os
import sys
from pathlib import Path

import pytest

from surefoot.cli import thin
from surefoot.client import launch
from surefoot.errors import ErrorCode, SurefootError
from surefoot.wire import StatePaths, prepare


@pytest.fixture
def paths(tmp_path: Path) -> StatePaths:
    found = StatePaths(tmp_path / "state")
    prepare(found)
    return found


def test_where_nobody_listens_there_is_no_daemon(paths: StatePaths) -> None:
    with pytest.raises(launch.NoDaemonError):
        launch.ping(paths)


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("exit 1", "it ended while starting"),
        ("shift 4; echo it has a reason >/dev/fd/$1", "it has a reason"),
        ("shift 4; echo ready >/dev/fd/$1", "it said it was ready and then"),
    ],
    ids=["silent", "told", "lied"],
)
def test_a_daemon_that_cannot_start_is_a_typed_error_with_its_log(
    paths: StatePaths, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, said: str
) -> None:
    fake = tmp_path / "python"
    fake.write_text(f"#!/bin/sh\n{script}\n")
    fake.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(fake))
    with pytest.raises(SurefootError) as caught:
        launch.ensure(paths)
    assert (caught.value.code, caught.value.reason) == (ErrorCode.COMMAND_FAILED, "daemon_start_failed")
    assert said in caught.value.message
    assert str(paths.log) in caught.value.hint


def test_a_start_that_does_not_end_is_bounded(
    paths: StatePaths, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launch, "START_MS", 60)
    lock = os.open(paths.start_lock, os.O_RDWR | os.O_CREAT)
    fcntl.flock(lock, fcntl.LOCK_EX)
    try:
        with pytest.raises(SurefootError) as caught:
            launch.ensure(paths)
    finally:
        os.close(lock)
    assert caught.value.reason == "daemon_start_failed"


def test_a_lock_nobody_holds_has_no_holder(paths: StatePaths) -> None:
    paths.lock.touch()
    paths.info.write_text('{"pid": 1234}')
    assert launch.holder(paths) is None


def test_the_holder_of_the_lock_is_the_recorded_process(paths: StatePaths) -> None:
    lock = os.open(paths.lock, os.O_RDWR | os.O_CREAT)
    fcntl.flock(lock, fcntl.LOCK_EX)
    try:
        paths.info.write_text('{"pid": 1234}')
        assert launch.holder(paths) == 1234
    finally:
        os.close(lock)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"pid": "x"}', '{"pid": 1}', '{"pid": -1}'])
def test_a_record_that_names_no_process_of_ours_is_never_killed(paths: StatePaths, text: str) -> None:
    lock = os.open(paths.lock, os.O_RDWR | os.O_CREAT)
    fcntl.flock(lock, fcntl.LOCK_EX)
    try:
        paths.info.write_text(text)
        assert launch.holder(paths) is None
        assert launch.end(paths) == (None, False)
    finally:
        os.close(lock)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 10_000),
        ("250", 250),
        ("-1", 10_000),
        ("soon", 10_000),
        ("9" * 12, 10_000),
        ("0", 1),
        ("²", 10_000),
    ],
)
def test_patience_is_a_number_of_milliseconds(text: str, expected: int) -> None:
    assert launch.reply_ms({"SUREFOOT_DAEMON_TIMEOUT": text}) == expected
    assert thin.silence_ms([b"back"], {b"SUREFOOT_DAEMON_TIMEOUT": text.encode()}) == expected


@pytest.mark.parametrize(
    ("env", "timeout_ms", "expected"),
    [("", 1500, 1500), ("", 1, 500), ("", 60_000, 10_000), ("300", 1500, 300), ("2000", 700, 700)],
)
def test_a_request_waits_no_longer_for_a_silent_daemon_than_its_own_bound(
    env: str, timeout_ms: int, expected: int
) -> None:
    assert launch.reply_ms({"SUREFOOT_DAEMON_TIMEOUT": env}, timeout_ms) == expected
    bound = str(timeout_ms).encode()
    for argv in ([b"back", b"--timeout", bound], [b"--timeout=" + bound, b"back"]):
        assert thin.silence_ms(argv, {b"SUREFOOT_DAEMON_TIMEOUT": env.encode()}) == expected


def test_what_follows_the_end_of_flags_bounds_nothing() -> None:
    assert thin.silence_ms([b"type", b"--", b"--timeout", b"700"], {}) == launch.REPLY_MS
