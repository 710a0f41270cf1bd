"""Errors of the wire as exceptions of the client."""

from __future__ import annotations

from typing import Any

from surefoot.errors import ErrorCode, SurefootError
from surefoot.wire import ErrorBody


class ReplayDivergence(SurefootError):
    """A replay met a screen that is not the recorded one and stopped before it acted.

    ``divergence`` is the report (seed 0012, decision 4) as JSON values.
    """

    @property
    def divergence(self) -> dict[str, Any]:
        report = self.details.get("divergence")
        return report if isinstance(report, dict) else {}


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
    kind = ReplayDivergence if code is ErrorCode.REPLAY_DIVERGENCE else SurefootError
    error = kind(
        code, body.message, hint=body.hint, details=details, retriable=body.retriable is True or None
    )
    error.diagnostic_id = body.diagnostic_id
    if body.hint:
        error.add_note(f"hint: {body.hint}")
    error.add_note(f"log: {body.log_path} ({body.diagnostic_id})")
    return error
