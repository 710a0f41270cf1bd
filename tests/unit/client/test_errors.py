"""A failed reply as an exception."""

from __future__ import annotations

import pytest

from surefoot.client import ReplayDivergence
from surefoot.client.errors import error_from
from surefoot.errors import ErrorCode, SurefootError
from surefoot.wire import ErrorBody, UnavailableScreen


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


REPORT = {
    "version": 1,
    "kind": "action-failure",
    "step": {"index": 2, "source": {"path": "a.ad", "line": 4}},
    "action": "press label=Save",
    "cause": {"code": "ELEMENT_NOT_FOUND", "message": "Nothing matches."},
    "screen": {"state": "unavailable", "reason": "no_session", "hint": "Open it."},
    "suggestions": [],
    "suggestionCount": 0,
    "resume": {"allowed": True, "from": 2, "planDigest": "0" * 64, "alternateFrom": 3},
    "repairHint": "manual",
}


def test_a_divergence_is_its_own_exception_with_the_typed_report() -> None:
    error = error_from(body("REPLAY_DIVERGENCE", divergence=REPORT))
    assert isinstance(error, ReplayDivergence)
    report = error.divergence
    assert (report.kind, report.repair_hint, report.step.index) == ("action-failure", "manual", 2)
    assert report.screen == UnavailableScreen(reason="no_session", hint="Open it.")
    assert (report.resume.from_, report.resume.alternate_from) == (2, 3)
    assert report.resume.repair_session_held is False
    assert error.details["divergence"] == REPORT


def test_a_report_of_a_newer_daemon_stays_in_the_details() -> None:
    newer = {**REPORT, "version": 2}
    error = error_from(body("REPLAY_DIVERGENCE", divergence=newer))
    assert type(error) is SurefootError
    assert (error.code, error.details["divergence"]) == (ErrorCode.REPLAY_DIVERGENCE, newer)


def test_a_code_of_a_newer_daemon_is_UNKNOWN_and_kept() -> None:
    error = error_from(body("NEW_CODE"))
    assert (error.code, error.details) == (ErrorCode.UNKNOWN, {"code": "NEW_CODE"})


@pytest.mark.parametrize(("code", "expected"), [("DEVICE_IN_USE", True), ("TIMEOUT", False)])
def test_only_what_may_be_retried_says_so(code: str, expected: bool) -> None:
    assert error_from(body(code)).retriable is expected
