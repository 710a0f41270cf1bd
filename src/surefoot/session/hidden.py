"""Texts that no answer of a session shows again: what was entered into password fields, and what was
entered under a name (contracts.md, 0017; rows B034, B037).

A page may repeat such a text in a label, a title or a dialog. It is hidden on whole tokens only, so
that a short secret never eats into other words; under four characters only as the whole field.
"""

from __future__ import annotations

import re
from urllib.parse import quote, quote_plus

from surefoot.text import normalize, single_line

SHORT = 4
"""Texts below this length are hidden only where they are the whole field (contracts.md, 0017)."""
MAX_TEXTS = 1_000


class HiddenTexts:
    """The texts of one session and what stands for each: ``<var:NAME>``, else ``<secret>``."""

    def __init__(self) -> None:
        self._shown_as: dict[str, str] = {}
        self._pattern: re.Pattern[str] | None = None

    def __bool__(self) -> bool:
        return bool(self._shown_as)

    def learn(self, text: str, name: str | None = None) -> None:
        """Hide the text from now on, in every spelling an answer may give it (never a blank one)."""
        if not text.strip() or len(self._shown_as) >= MAX_TEXTS:
            return
        mark = "<secret>" if name is None else f"<var:{name}>"
        for spelling in {text, normalize(text)}:
            for written in {
                spelling,
                single_line(spelling),
                quote(spelling, safe=""),
                quote_plus(spelling),
            }:
                if name is not None or written not in self._shown_as:
                    self._shown_as[written] = mark
        long = sorted((text for text in self._shown_as if len(text) >= SHORT), key=len, reverse=True)
        self._pattern = re.compile("|".join(map(_token, long))) if long else None

    def hide(self, field: str) -> str:
        """A field's text without them."""
        whole = self._shown_as.get(field) or self._shown_as.get(normalize(field))
        if whole is not None:
            return whole
        if self._pattern is None:
            return field
        return self._pattern.sub(lambda found: self._shown_as[found.group()], field)

    def hide_lines(self, text: str) -> str:
        """Rendered text without them: page text stands there in quotes."""
        for written, mark in self._shown_as.items():
            if len(written) < SHORT:
                text = re.sub(rf'(?<!id=)"{re.escape(written)}"', f'"{mark}"', text)
        return self.hide(text)


def _token(text: str) -> str:
    """The text where it is no part of a longer word."""
    before = r"(?<!\w)" if re.match(r"\w", text) else ""
    after = r"(?!\w)" if re.search(r"\w\Z", text) else ""
    return f"{before}{re.escape(text)}{after}"
