"""What makes a tab unusable, as errors: a dialog, a crash, its end."""

from __future__ import annotations

from surefoot.drivers.protocol import Dialog
from surefoot.errors import ErrorCode, SurefootError


def dialog_error(dialog: Dialog) -> SurefootError:
    """A dialog blocks the page; it is for the caller to answer."""
    return SurefootError(
        ErrorCode.DIALOG_PENDING,
        f"A dialog ({dialog.kind}) is open: {dialog.message[:200]!r}.",
        details={
            "reason": "dialog_open",
            "dialog": {"kind": dialog.kind, "message": dialog.message, "default": dialog.default},
        },
    )


def crashed_error(url: str) -> SurefootError:
    """The tab's process died."""
    return SurefootError(
        ErrorCode.COMMAND_FAILED,
        "The page crashed.",
        hint="Run `surefoot open <url>` to start it afresh.",
        details={"reason": "app_crashed", "url": url},
    )


def closed_error() -> SurefootError:
    """The tab a call spoke to was closed (by the page itself or by somebody else)."""
    return SurefootError(
        ErrorCode.COMMAND_FAILED,
        "The tab was closed.",
        hint="Run `surefoot tab list`.",
        details={"reason": "tab_closed"},
    )


def no_tab_error() -> SurefootError:
    """Every tab of the session was closed."""
    return SurefootError(
        ErrorCode.COMMAND_FAILED,
        "No tab is open: the last one was closed.",
        hint="Run `surefoot open <url>`.",
        details={"reason": "tab_closed"},
    )
