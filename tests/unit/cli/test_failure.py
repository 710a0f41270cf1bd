"""What the command says without a daemon is what the daemon would have said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from surefoot.cli import failure
from surefoot.commands import Terminal, render
from surefoot.errors import ErrorCode, SurefootError, invalid_args
from surefoot.wire import StatePaths

PATHS = StatePaths(Path("/state"))
ERRORS = [
    invalid_args("No.", reason="cwd_missing"),
    SurefootError(ErrorCode.COMMAND_FAILED, "It failed.", hint="Do this.", details={"reason": "x"}),
    SurefootError(ErrorCode.UNKNOWN, "Nobody knows."),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: error.code.value)
@pytest.mark.parametrize("as_json", [False, True], ids=["text", "json"])
def test_an_error_is_printed_as_the_daemon_prints_it(
    error: SurefootError, as_json: bool, capfd: pytest.CaptureFixture[str]
) -> None:
    argv = ["session", "list", *(["--json"] if as_json else [])]
    code = failure.report(error, argv, PATHS)
    expected = render(None, error, Terminal(), as_json=as_json, log_path=str(PATHS.log))
    assert capfd.readouterr() == (expected.stdout, expected.stderr)
    assert code == expected.exit_code


def test_a_json_flag_after_the_end_of_flags_is_text(capfd: pytest.CaptureFixture[str]) -> None:
    failure.report(ERRORS[0], ["type", "--", "--json"], PATHS)
    assert capfd.readouterr().out == ""


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        ("daemon_unresponsive", "daemon_unresponsive"),
        ("daemon_foreign", "daemon_foreign"),
        ("daemon_lost", "daemon_lost"),
        ("daemon_leaving", "daemon_start_failed"),
        ("daemon_missing", "daemon_start_failed"),
        ("cwd_missing", "cwd_missing"),
    ],
)
def test_every_reason_of_the_thin_command_has_its_error(reason: str, expected: str) -> None:
    assert failure.explain(reason, PATHS, 1500).reason == expected


@pytest.mark.parametrize(
    ("pid", "forced", "text"),
    [
        (None, False, "no daemon is running\n"),
        (7, False, "daemon 7 stopped\n"),
        (7, True, "daemon 7 stopped by force\n"),
    ],
)
def test_how_a_stop_ended(
    pid: int | None, forced: bool, text: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert failure.stopped([], pid, forced) == 0
    assert capfd.readouterr().out == text
    failure.stopped(["--json"], pid, forced)
    assert json.loads(capfd.readouterr().out) == {
        "success": True,
        "data": {"stopping": pid is not None, "pid": pid, "sessions": 0, "forced": forced},
    }
