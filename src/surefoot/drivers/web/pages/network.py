"""Which requests are open that a script in the page began? (for settle: "no fetch the action began")"""

from __future__ import annotations

import time
from typing import Any

from msgspec import Struct

COUNTED = frozenset({"XHR", "Fetch", "Document", "Script", "Stylesheet"})
"""Resource types whose arrival changes what the page shows; streams and pings never end."""

CAP = 4096


class Request(Struct, frozen=True):
    """One open request: when it began (``time.monotonic``), where to, of which type."""

    began: float
    url: str
    type: str
    session: str


class Requests:
    """The open requests of one page, kept by the protocol's events."""

    def __init__(self) -> None:
        self._open: dict[str, Request] = {}
        self.last_end = 0.0

    def will_be_sent(self, params: dict[str, Any], session: str) -> None:
        kind = params.get("type", "")
        if kind not in COUNTED or len(self._open) >= CAP:
            return
        known = self._open.get(params["requestId"])
        began = known.began if known else time.monotonic()
        self._open[params["requestId"]] = Request(began, params["request"]["url"], kind, session)

    def answered(self, params: dict[str, Any], _session: str) -> None:
        """An answer that streams on (server-sent events over fetch) is no longer waited for."""
        response = params.get("response") or {}
        if str(response.get("mimeType", "")).startswith("text/event-stream"):
            self._open.pop(params["requestId"], None)

    def ended(self, params: dict[str, Any], _session: str) -> None:
        if self._open.pop(params["requestId"], None) is not None:
            self.last_end = time.monotonic()

    def forget(self, session: str) -> None:
        self._open = {key: r for key, r in self._open.items() if r.session != session}

    def new_document(self, loader: str) -> None:
        """What the old document asked for is nobody's business any more; the new one's own stays."""
        self._open = {key: r for key, r in self._open.items() if key == loader}

    def begun_since(self, moment: float) -> list[Request]:
        """Open requests that began at or after ``moment`` (``time.monotonic``), oldest first."""
        return [r for r in self._open.values() if r.began >= moment]
