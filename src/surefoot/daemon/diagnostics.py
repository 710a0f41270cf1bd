"""The daemon's log: one line a request, and everything about what should not have happened.

A line never holds what a caller entered (arguments, texts, selectors, URLs); it names the command,
the session, the outcome and the diagnostic id. ``redact`` runs over every formatted line, traces
included, so that registered secrets stay out of it.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from logging.handlers import RotatingFileHandler
from pathlib import Path

from surefoot.errors import SurefootError

MAX_LOG_BYTES = 5 * 1024 * 1024
KEPT_LOGS = 2

Redact = Callable[[str], str]


class _Redacting(logging.Formatter):
    def __init__(self, redact: Redact) -> None:
        super().__init__("%(asctime)s %(levelname)s %(message)s")
        self._redact = redact

    def format(self, record: logging.LogRecord) -> str:
        return self._redact(super().format(record))


class _PrivateFile(RotatingFileHandler):
    def _open(self):  # type: ignore[no-untyped-def]
        number = os.open(
            self.baseFilename, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o600
        )
        return os.fdopen(number, self.mode, encoding="utf-8", errors="backslashreplace")


class Diagnostics:
    """Where a failure can be looked up by its diagnostic id."""

    def __init__(self, path: Path, redact: Redact = str, max_bytes: int = MAX_LOG_BYTES) -> None:
        self.path = path
        self.logger = logging.Logger("surefoot.daemon", logging.INFO)
        handler = _PrivateFile(path, maxBytes=max_bytes, backupCount=KEPT_LOGS)
        handler.setFormatter(_Redacting(redact))
        self.logger.addHandler(handler)

    def note(self, message: str) -> None:
        """One line about the daemon itself."""
        self.logger.info("%s", message)

    def succeeded(self, command: str, session: str, ms: float) -> None:
        self.logger.info("ok %s session=%s ms=%.1f", command, session, ms)

    def failed(
        self, command: str, session: str, ms: float, error: SurefootError, *, in_full: bool = False
    ) -> None:
        """A request that failed in an ordinary way; ``in_full`` (``--debug``) adds where it arose."""
        self.logger.info(
            "failed %s session=%s ms=%.1f code=%s reason=%s diagnosticId=%s",
            command,
            session,
            ms,
            error.code,
            error.reason,
            error.diagnostic_id,
            exc_info=error if in_full else None,
        )

    def unexpected(self, what: str, diagnostic_id: str, error: BaseException) -> None:
        """A bug: the whole trace, under the id that the caller got."""
        self.logger.error("unexpected %s diagnosticId=%s", what, diagnostic_id, exc_info=error)

    def close(self) -> None:
        for handler in list(self.logger.handlers):
            handler.close()
            self.logger.removeHandler(handler)
