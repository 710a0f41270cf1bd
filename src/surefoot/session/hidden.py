"""Texts that no answer of a session shows again: what was entered into password fields, and what was
entered under a name (contracts.md, 0017; rows B034, B037).

A page may repeat such a text in a label, a title or a dialog. It is hidden on whole tokens only, so
that a short secret never eats into other words; under four characters only as the whole field. A field
that a named text was entered into is followed by provenance: whatever it holds is hidden.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from urllib.parse import quote, quote_plus

from msgspec import Struct

from surefoot.text import normalize, single_line
from surefoot.tree import Tree

SHORT = 4
"""Texts below this length are hidden only where they are the whole field (contracts.md, 0017)."""
MAX_TEXTS = 1_000
MAX_SHADOWED = 4_000
"""Texts the daemon's own log keeps hidden, of all sessions together; the oldest go first."""


class HiddenText(Struct, frozen=True):
    """One text to hide; ``name`` is the variable it was entered under, ``None`` for a password."""

    text: str
    name: str | None = None

    @property
    def mark(self) -> str:
        """What an answer shows in its place."""
        return "<secret>" if self.name is None else f"<var:{self.name}>"


class HiddenTexts:
    """The texts of one session and what stands for each: ``<var:NAME>``, else ``<secret>``.

    ``shadow`` learns everything this one learns (the daemon's log, which outlives the session).
    """

    def __init__(self, shadow: ShadowedTexts | None = None) -> None:
        self._texts: dict[str, HiddenText] = {}
        self._shown_as: dict[str, str] = {}
        self._pattern: re.Pattern[str] | None = None
        self._stale = False
        self._fields: dict[str, str] = {}
        self._shadow = shadow

    def __bool__(self) -> bool:
        return bool(self._shown_as)

    @property
    def full(self) -> bool:
        """Whether it takes no further text; whoever wants one hidden must be refused then."""
        return len(self._texts) >= MAX_TEXTS

    @property
    def texts(self) -> tuple[HiddenText, ...]:
        """What is hidden, in the order it was learned."""
        return tuple(self._texts.values())

    @property
    def marks(self) -> tuple[tuple[str, str], ...]:
        """Every spelling that is hidden with what is shown in its place."""
        return tuple(self._shown_as.items())

    def learn(self, text: str, name: str | None = None) -> None:
        """Hide the text from now on, in every spelling an answer may give it (never a blank one)."""
        known = self._texts.get(text)
        if not text.strip() or (known is None and self.full):
            return
        if known is not None and (name is None or known.name == name):
            return
        hidden = self._texts[text] = HiddenText(text, name)
        for written in spellings(text):
            if name is not None or written not in self._shown_as:
                self._shown_as[written] = hidden.mark
        self._stale = True
        if self._shadow is not None:
            self._shadow.learn(hidden)

    def bind(self, handle: str, name: str) -> None:
        """A named text went into this field: whatever it holds from now on is hidden."""
        if len(self._fields) < MAX_TEXTS:
            self._fields[handle] = name

    def release(self, handle: str) -> None:
        """The field was filled anew with a text of no name."""
        self._fields.pop(handle, None)

    def follow(self, tree: Tree) -> None:
        """Learn what the bound fields hold in a new capture: a page may have rewritten it."""
        for handle, name in self._fields.items():
            node = tree.find_handle(handle)
            if node is not None and node.value:
                self.learn(node.value, name)

    def hide(self, field: str) -> str:
        """A field's text without them."""
        whole = self._shown_as.get(field) or self._shown_as.get(normalize(field))
        if whole is not None:
            return whole
        if self._stale:
            self._pattern = pattern_of(self._shown_as)
            self._stale = False
        if self._pattern is None:
            return field
        return self._pattern.sub(lambda found: self._shown_as[found.group()], field)

    def hide_lines(self, text: str) -> str:
        """Rendered text without them: page text stands there in quotes."""
        for written, mark in self._shown_as.items():
            if len(written) < SHORT:
                text = re.sub(rf'(?<!id=)"{re.escape(written)}"', f'"{mark}"', text)
        return self.hide(text)


class ShadowedTexts:
    """What the daemon's log must not hold: the texts of every session, those that are over included."""

    def __init__(self, limit: int = MAX_SHADOWED) -> None:
        self._limit = limit
        self._marks: dict[str, str] = {}
        self._pattern: re.Pattern[str] | None = None
        self._stale = False

    def learn(self, hidden: HiddenText) -> None:
        """Hide it from now on."""
        for written in spellings(hidden.text):
            self._marks.pop(written, None)
            self._marks[written] = hidden.mark
        while len(self._marks) > self._limit:
            del self._marks[next(iter(self._marks))]
        self._stale = True

    def hide(self, text: str) -> str:
        """A line, or a trace of several, without them."""
        if self._stale:
            self._pattern = pattern_of(self._marks)
            self._stale = False
        if self._pattern is None:
            return text
        return self._pattern.sub(lambda found: self._marks[found.group()], text)


def spellings(text: str) -> frozenset[str]:
    """How an answer, a URL, a script or a trace may write a text."""
    plain = {text, normalize(text)}
    written = set(plain)
    for form in plain:
        written |= {
            single_line(form),
            quote(form, safe=""),
            quote_plus(form),
            json.dumps(form, ensure_ascii=False)[1:-1],
            json.dumps(form)[1:-1],
            repr(form)[1:-1],
        }
    return frozenset(form for form in written if form.strip())


def pattern_of(texts: Iterable[str]) -> re.Pattern[str] | None:
    """Finds the texts that are long enough, the longest first, where they are no part of a word."""
    long = sorted((text for text in texts if len(text) >= SHORT), key=len, reverse=True)
    return re.compile("|".join(map(_token, long))) if long else None


def _token(text: str) -> str:
    """The text where it is no part of a longer word."""
    before = r"(?<!\w)" if re.match(r"\w", text) else ""
    after = r"(?!\w)" if re.search(r"\w\Z", text) else ""
    return f"{before}{re.escape(text)}{after}"
