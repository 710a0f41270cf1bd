"""A failed reply as an exception."""

from __future__ import annotations

import pytest

from surefoot.client import ReplayDivergence
from surefoot.client.errors import error_from
from surefoot.errors import ErrorCode, SurefootError
from surefoot.wire import ErrorBody


def body(code: str, **details: object) -> ErrorBody:
    return ErrorBody(
        code=code,
        message="What was seen.",
        diagnostic_id="0123456789ab",
        log_path="/state/run/daemon.log",
        hint="Do this.",
        details=details,
    )


def test_everything_the_daemon_said_is_there() -> None:
    error = error_from(body("ELEMENT_COVERED", reason="covered"))
    assert type(error) is SurefootError
    assert (error.code, error.message, error.hint, error.reason, error.diagnostic_id) == (
        ErrorCode.ELEMENT_COVERED,
        "What was seen.",
        "Do this.",
        "covered",
        "0123456789ab",
    )


def test_a_trace_shows_the_hint_and_the_log() -> None:
    assert error_from(body("TIMEOUT")).__notes__ == [
        "hint: Do this.",
        "log: /state/run/daemon.log (0123456789ab)",
    ]


def test_a_divergence_is_its_own_exception_with_the_report() -> None:
    error = error_from(body("REPLAY_DIVERGENCE", divergence={"version": 1, "kind": "selector-miss"}))
    assert isinstance(error, ReplayDivergence)
    assert error.divergence == {"version": 1, "kind": "selector-miss"}


def test_a_code_of_a_newer_daemon_is_UNKNOWN_and_kept() -> None:
    error = error_from(body("NEW_CODE"))
    assert (error.code, error.details) == (ErrorCode.UNKNOWN, {"code": "NEW_CODE"})


@pytest.mark.parametrize(("code", "expected"), [("DEVICE_IN_USE", True), ("TIMEOUT", False)])
def test_only_what_may_be_retried_says_so(code: str, expected: bool) -> None:
    assert error_from(body(code)).retriable is expected
