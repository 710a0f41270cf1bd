"""The daemon's log."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from surefoot.daemon import Diagnostics
from surefoot.errors import ErrorCode, SurefootError


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Diagnostics]:
    made = Diagnostics(tmp_path / "daemon.log", redact=lambda text: text.replace("hunter2", "<var:PW>"))
    yield made
    made.close()


def test_a_failure_is_found_by_its_diagnostic_id(log: Diagnostics) -> None:
    error = SurefootError(ErrorCode.TIMEOUT, "message with hunter2", details={"reason": "late"})
    log.failed("wait", "shop", 12.34, error)
    line = log.path.read_text()
    assert (
        f"failed wait session=shop ms=12.3 code=TIMEOUT reason=late diagnosticId={error.diagnostic_id}"
        in line
    )
    assert "message" not in line


def test_debug_adds_where_a_failure_arose(log: Diagnostics) -> None:
    try:
        raise SurefootError(ErrorCode.TIMEOUT, "too late for hunter2")
    except SurefootError as error:
        log.failed("wait", "shop", 1.0, error, in_full=True)
    text = log.path.read_text()
    assert "Traceback" in text
    assert "too late for <var:PW>" in text


def test_a_bug_leaves_its_trace_with_secrets_redacted(log: Diagnostics) -> None:
    try:
        raise ValueError("hunter2")
    except ValueError as error:
        log.unexpected("fill", "abc", error)
    text = log.path.read_text()
    assert "unexpected fill diagnosticId=abc" in text
    assert "ValueError: <var:PW>" in text
    assert "hunter2" not in text


def test_the_log_is_private_and_stays_so_when_it_rotates(tmp_path: Path) -> None:
    log = Diagnostics(tmp_path / "daemon.log", max_bytes=100)
    for number in range(10):
        log.note(f"a line that fills it {number}")
    log.close()
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["daemon.log", "daemon.log.1", "daemon.log.2"]
    assert {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()} == {0o600}
