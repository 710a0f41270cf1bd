"""Errors of the wire as exceptions of the client."""

from __future__ import annotations

from typing import Any

import msgspec

from surefoot.errors import ErrorCode, SurefootError
from surefoot.wire import Divergence, ErrorBody


class ReplayDivergence(SurefootError):
    """A replay met a screen that is not the recorded one and stopped before it acted.

    ``divergence`` is the typed report (seed 0012, decision 4); ``details["divergence"]`` the same as
    JSON values.
    """

    divergence: Divergence


def error_from(body: ErrorBody) -> SurefootError:
    """The exception for a failed reply; it keeps the daemon's diagnostic id, and its log as a note.

    A code this version does not know (a newer daemon's) becomes ``UNKNOWN`` with the code in details.
    """
    details = dict(body.details)
    try:
        code = ErrorCode(body.code)
    except ValueError:
        code = ErrorCode.UNKNOWN
        details.setdefault("code", body.code)
    report = _report(code, details)
    kind = SurefootError if report is None else ReplayDivergence
    error = kind(
        code, body.message, hint=body.hint, details=details, retriable=body.retriable is True or None
    )
    if report is not None and isinstance(error, ReplayDivergence):
        error.divergence = report
    error.diagnostic_id = body.diagnostic_id
    if body.hint:
        error.add_note(f"hint: {body.hint}")
    error.add_note(f"log: {body.log_path} ({body.diagnostic_id})")
    return error


def denied(error: SurefootError) -> bool:
    """``False`` for an error that says no more than that a predicate does not hold, as nothing that
    could is there; raises every other one."""
    if error.reason in ("predicate_failed", "selector_not_found", "ref_target_gone"):
        return False
    raise error


def _report(code: ErrorCode, details: dict[str, Any]) -> Divergence | None:
    """The report of a divergence; ``None`` for one this version cannot read (it stays in details)."""
    if code is not ErrorCode.REPLAY_DIVERGENCE:
        return None
    try:
        return msgspec.convert(details.get("divergence"), Divergence)
    except msgspec.ValidationError:
        return None
