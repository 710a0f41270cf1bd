"""Texts that no answer of a session shows again: what was entered into password fields, and what was
entered under a name (contracts.md, 0017; rows B034, B037).

A page may repeat such a text in a label, a title or a dialog. It is hidden on whole tokens only, so
that a short secret never eats into other words; under four characters only as the whole field. A field
that a named text was entered into is followed by provenance: whatever it holds is hidden.
"""

from __future__ import annotations

import re

from msgspec import Struct

from surefoot.text import SHORT, Mask, single_line, without_userinfo
from surefoot.tree import Tree

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
        self._mask: Mask | None = None
        self._fields: dict[str, str] = {}
        self._shadow = shadow

    def __bool__(self) -> bool:
        return bool(self._texts)

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
        """Every text that is hidden with what is shown in its place."""
        return tuple((one.text, one.mark) for one in self._texts.values())

    def learn(self, text: str, name: str | None = None) -> None:
        """Hide the text from now on, in every spelling an answer may give it (never a blank one)."""
        known = self._texts.get(text)
        if not text.strip() or (known is None and self.full):
            return
        if known is not None and (name is None or known.name == name):
            return
        hidden = self._texts[text] = HiddenText(text, name)
        self._mask = None
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
        """A field's text without them, and without the password of any URL."""
        if self._mask is None:
            self._mask = Mask(dict(self.marks))
        return self._mask.hide(without_userinfo(field))

    def hide_lines(self, text: str) -> str:
        """Rendered text without them: page text stands there in quotes."""
        for written, mark in self.marks:
            if len(written) < SHORT:
                text = re.sub(rf'(?<!id=)"{re.escape(single_line(written))}"', f'"{mark}"', text)
        return self.hide(text)


class ShadowedTexts:
    """What the daemon's log must not hold: the texts of every session, those that are over included."""

    def __init__(self, limit: int = MAX_SHADOWED) -> None:
        self._limit = limit
        self._marks: dict[str, str] = {}
        self._mask: Mask | None = None

    def learn(self, hidden: HiddenText) -> None:
        """Hide it from now on."""
        self._marks.pop(hidden.text, None)
        self._marks[hidden.text] = hidden.mark
        while len(self._marks) > self._limit:
            del self._marks[next(iter(self._marks))]
        self._mask = None

    def hide(self, text: str) -> str:
        """A line, or a trace of several, without them."""
        if self._mask is None:
            self._mask = Mask(self._marks)
        return self._mask.hide(without_userinfo(text))
