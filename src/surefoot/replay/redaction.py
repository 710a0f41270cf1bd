"""What a report may show of values: ``<var:NAME>`` for a variable's value, ``<text>`` for typed text.

contracts.md (0017), by provenance: only values a replayed step used, as :class:`surefoot.text.Mask`
finds them. Ids, refs, paths and enums are never rewritten. Every field is cut to its bound on a code
point and then ends in ``…``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from surefoot.plan import Plan
from surefoot.script import references
from surefoot.text import Mask, scrub_surrogates, truncate_utf8, utf8_length, without_userinfo

CUT_BYTES = 60
"""A quoted text in a message may have been cut when it is at least this long."""
ELLIPSIS = "…"
TYPED = "<text>"

# A quote that is never closed reaches to the end: to try each of thousands anew would take for ever.
_QUOTED = re.compile(r'"((?:\\.|[^"\\])*+)("|\\?\Z)', re.DOTALL)


class Redactor:
    """Replaces the values it was given. ``hits`` says whether it ever did."""

    def __init__(self, values: Iterable[tuple[str, str]]) -> None:
        """``values`` are pairs of a value and what is shown in its place; its first pair counts."""
        self.hits = False
        shown: dict[str, str] = {}
        for value, token in values:
            shown.setdefault(value, token)
        self._mask = Mask(shown)

    def text(self, text: str) -> str:
        """``text`` without the values."""
        shown = _QUOTED.sub(self._without_cut_value, self._mask.hide(without_userinfo(text)))
        self.hits = self.hits or shown != text
        return shown

    def _without_cut_value(self, match: re.Match[str]) -> str:
        """A quoted text that was cut inside a value shows the start of it; not here."""
        inside = match[1]
        if utf8_length(inside) < CUT_BYTES:
            return match[0]
        return f'"{self._mask.hide_cut(inside)}{match[2]}'


class Fields:
    """A report's fields: redacted, then cut to ``limit`` UTF-8 bytes; ``cut`` says if any was."""

    def __init__(self, redactor: Redactor, limit: int) -> None:
        self._redactor = redactor
        self._limit = limit
        self.cut = False

    def text(self, text: str) -> str:
        """A human-readable field."""
        return self.plain(self._redactor.text(text))

    def optional(self, text: str | None) -> str | None:
        """The same; nothing stays nothing."""
        return self.text(text) if text else None

    def plain(self, text: str) -> str:
        """A field that is never rewritten, only cut (and made encodable): an id, a path, a role."""
        text, _ = scrub_surrogates(text)
        if utf8_length(text) <= self._limit:
            return text
        self.cut = True
        return truncate_utf8(text, self._limit - len(ELLIPSIS.encode())) + ELLIPSIS


def variables_used(plan: Plan, ordinal: int, values: Mapping[str, str]) -> list[tuple[str, str]]:
    """The values of the variables that the steps up to ``ordinal`` name, each with its ``<var:NAME>``.

    The steps a resume skipped count: their values may stand on the screen.
    """
    names: dict[str, None] = {}
    for step in plan.steps[:ordinal]:
        texts: list[str] = list(step.positionals)
        for value in step.flags.values():
            texts += [value] if isinstance(value, str) else value if isinstance(value, tuple) else ()
        for text in texts:
            names.update((reference.name, None) for reference in references(text))
    return [(values[name], f"<var:{name}>") for name in names if name in values]


def typed_text(command: str, positionals: Sequence[str]) -> list[tuple[str, str]]:
    """The text a step enters, which its own failure never tells."""
    before_last = positionals[-2] if len(positionals) > 1 else ""
    enters = (
        command in ("fill", "type")
        or (command == "find" and before_last in ("fill", "type"))
        or (command == "dialog" and before_last == "accept")
    )
    return [(positionals[-1], TYPED)] if enters and positionals else []
