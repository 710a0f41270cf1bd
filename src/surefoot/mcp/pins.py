"""Which refs this client was shown, and by which publication (contracts.md, "Ref frames").

A plain ref of a client means the one it was last shown. Pinned to that publication (``@e12`` is
``@e12~s42``) it is refused when another one has taken its place, instead of naming another element.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterable

from surefoot.mcp.issued import Issued

MAX_SESSIONS = 64
MAX_REFS = 100_000
"""Refs remembered of one session; the ones shown first are forgotten first."""

_PLAIN = re.compile(r"@(e[1-9][0-9]{0,6})")


class Pins:
    """Refs by session and the generation each was last shown with. Bounded."""

    def __init__(self) -> None:
        self._sessions: OrderedDict[str, OrderedDict[str, int]] = OrderedDict()

    def remember(self, session: str, publications: Iterable[Issued]) -> None:
        """Merge what a result issued; a result that issued nothing leaves everything as it is."""
        for publication in publications:
            refs = self._sessions.setdefault(session, OrderedDict())
            self._sessions.move_to_end(session)
            for ref in publication.refs:
                refs[ref] = publication.generation
                refs.move_to_end(ref)
            while len(refs) > MAX_REFS:
                refs.popitem(last=False)
        while len(self._sessions) > MAX_SESSIONS:
            self._sessions.popitem(last=False)

    def pinned(self, session: str, target: str) -> str:
        """The target with its pin where it is a plain ref this client was shown, else as it is."""
        match = _PLAIN.fullmatch(target)
        shown = self._sessions.get(session)
        if match is None or shown is None or match[1] not in shown:
            return target
        return f"{target}~s{shown[match[1]]}"


def is_plain_ref(value: object) -> bool:
    """Whether an argument is a ref without a pin."""
    return isinstance(value, str) and _PLAIN.fullmatch(value) is not None
