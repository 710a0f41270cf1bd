"""What went wrong, in one type (contracts.md, "Errors"; seed 0012 refers to it as ADR 0010).

The code is from a closed list; a finer distinction rides in ``details["reason"]`` (snake_case).
Nobody parses messages. A message names the target and what was seen; it never embeds raw tool
output or secrets.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from enum import StrEnum
from typing import Any


class ErrorCode(StrEnum):
    """The closed list of error codes a caller can see."""

    INVALID_ARGS = "INVALID_ARGS"
    COMMAND_FAILED = "COMMAND_FAILED"
    UNSUPPORTED_OPERATION = "UNSUPPORTED_OPERATION"
    UNSUPPORTED_PLATFORM = "UNSUPPORTED_PLATFORM"
    DEVICE_NOT_FOUND = "DEVICE_NOT_FOUND"
    DEVICE_IN_USE = "DEVICE_IN_USE"
    APP_NOT_FOUND = "APP_NOT_FOUND"
    SESSION_NOT_FOUND = "SESSION_NOT_FOUND"
    ELEMENT_NOT_FOUND = "ELEMENT_NOT_FOUND"
    ELEMENT_OFFSCREEN = "ELEMENT_OFFSCREEN"
    ELEMENT_COVERED = "ELEMENT_COVERED"
    ELEMENT_DISABLED = "ELEMENT_DISABLED"
    AMBIGUOUS_MATCH = "AMBIGUOUS_MATCH"
    DIALOG_PENDING = "DIALOG_PENDING"
    TIMEOUT = "TIMEOUT"
    REPLAY_DIVERGENCE = "REPLAY_DIVERGENCE"
    REPAIR_SESSION_EXPIRED = "REPAIR_SESSION_EXPIRED"
    UNKNOWN = "UNKNOWN"


RETRIABLE = frozenset({ErrorCode.DEVICE_IN_USE})

DEFAULT_HINTS: Mapping[ErrorCode, str] = {
    ErrorCode.INVALID_ARGS: "Run `surefoot help <command>` for the accepted form.",
    ErrorCode.COMMAND_FAILED: "Run `surefoot snapshot -i` to see the current screen.",
    ErrorCode.UNSUPPORTED_OPERATION: "Run `surefoot capabilities` to see what this platform supports.",
    ErrorCode.UNSUPPORTED_PLATFORM: "Run `surefoot devices` to see the platforms available here.",
    ErrorCode.DEVICE_NOT_FOUND: "Run `surefoot doctor` to see what is missing.",
    ErrorCode.DEVICE_IN_USE: "Another session holds the device; run `surefoot session list`.",
    ErrorCode.APP_NOT_FOUND: "Check the app name or URL and run `surefoot open` again.",
    ErrorCode.SESSION_NOT_FOUND: "Run `surefoot open <url|app>` first, or `surefoot session list`.",
    ErrorCode.ELEMENT_NOT_FOUND: "Run `surefoot snapshot -i` to see what is on the screen.",
    ErrorCode.ELEMENT_OFFSCREEN: "Run `surefoot scroll down --until <selector>` (or up …) first.",
    ErrorCode.ELEMENT_COVERED: "Deal with the covering element first.",
    ErrorCode.ELEMENT_DISABLED: "Wait until it is enabled: `surefoot wait '<selector> enabled=true'`.",
    ErrorCode.AMBIGUOUS_MATCH: "Use one of the listed refs, or add terms to the selector.",
    ErrorCode.DIALOG_PENDING: "Answer it with `surefoot dialog accept` or `surefoot dialog dismiss`.",
    ErrorCode.TIMEOUT: "Raise --timeout, or run `surefoot snapshot -i` to see the current screen.",
    ErrorCode.REPLAY_DIVERGENCE: "Read the divergence; repair, then resume as it says.",
    ErrorCode.REPAIR_SESSION_EXPIRED: (
        "Start the repair again: `surefoot replay <script> --save-script`."
    ),
    ErrorCode.UNKNOWN: "Run again with --debug and read the log named by logPath.",
}


class SurefootError(Exception):
    """The one error a caller can reach.

    ``details`` holds JSON values only. ``hint`` is given only where the code's default misleads.
    ``diagnostic_id`` (12 hex digits) finds the failure in the daemon's log.
    """

    def __init__(
        self,
        code: ErrorCode,
        message: str,
        *,
        hint: str | None = None,
        details: Mapping[str, Any] | None = None,
        retriable: bool | None = None,
    ) -> None:
        super().__init__(message)
        self.code = ErrorCode(code)
        self.message = message
        self.hint = hint if hint is not None else DEFAULT_HINTS[self.code]
        self.details: dict[str, Any] = dict(details or {})
        self.retriable = retriable if retriable is not None else self.code in RETRIABLE
        self.diagnostic_id = secrets.token_hex(6)

    @property
    def reason(self) -> str | None:
        """The machine reason in ``details``, when the code alone is not enough."""
        reason = self.details.get("reason")
        return reason if isinstance(reason, str) else None

    def __repr__(self) -> str:
        reason = f" ({self.reason})" if self.reason else ""
        return f"SurefootError({self.code}{reason}: {self.message})"


class CaptureUnreadable(SurefootError):
    """A capture that could judge the screen only as *not readable now* (a content verdict).

    Typed apart from mechanism failures (a dead browser, a broken pipe): waits and launch-race
    retries ride this out and nothing else. ``verdict`` is one of the platform's content verdicts;
    on the web ``empty_document``, ``navigating``, ``crashed_recovering`` (decisions.md).
    """

    def __init__(self, verdict: str, message: str, *, hint: str | None = None) -> None:
        super().__init__(
            ErrorCode.COMMAND_FAILED,
            message,
            hint=hint or "The screen is not readable yet; run the command again in a moment.",
            details={"reason": "capture_unreadable", "verdict": verdict},
        )
        self.verdict = verdict


def invalid_args(message: str, *, hint: str | None = None, **details: Any) -> SurefootError:
    """An ``INVALID_ARGS`` error; keyword arguments become ``details``."""
    return SurefootError(ErrorCode.INVALID_ARGS, message, hint=hint, details=details)
