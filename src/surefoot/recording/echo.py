"""What a script may say of the texts its session parameterised: ``${NAME}``, never the literal.

contracts.md, "Parameterised inputs" (0017), session-scoped echo protection; identity.md 6. A text of a
password field that got no name is kept out of evidence and selectors too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

from surefoot.errors import SurefootError
from surefoot.identity import MAX_STRING_BYTES
from surefoot.script import Template, literal, placeholder
from surefoot.selectors import Equals, Selector, Term, parse_selector, write_term
from surefoot.session import HiddenText
from surefoot.text import SHORT, Mask, normalize, single_line, utf8_length


class Echoes:
    """The texts of one session that no recording may hold."""

    def __init__(self, texts: Iterable[HiddenText]) -> None:
        self._hidden = sorted(texts, key=lambda one: -len(one.text))

    def __bool__(self) -> bool:
        return bool(self._hidden)

    @cached_property
    def literals(self) -> tuple[str, ...]:
        """For whoever builds selectors that must not hold them."""
        return tuple(one.text for one in self._hidden)

    @cached_property
    def _evidence(self) -> Mask:
        return Mask({one.text: shown_as(one) for one in self._hidden}, inside_words=True)

    @cached_property
    def _named(self) -> Mask:
        named = {one.text: one.mark for one in self._hidden if one.name is not None}
        return Mask(named, inside_words=True)

    def in_evidence(self, field: str) -> str:
        """A field of evidence with placeholders; a literal that the field's bound cut counts too."""
        cut = utf8_length(field) > MAX_STRING_BYTES - 4
        hidden = self._evidence.hide(field)
        return self._evidence.hide_cut(hidden) if cut else hidden

    def in_text(self, text: str) -> Template:
        """A caller's text as script text: named literals as ``${NAME}``, the rest escaped. One that the
        text spells otherwise (in a URL) no placeholder could stand for: its name is told."""
        return Template("".join(self._pieces(text, str)))

    def in_selector(self, text: str) -> Template:
        """A caller's selector as script text; it stays as written unless a term holds a literal."""
        try:
            selector = parse_selector(text)
        except SurefootError:
            return self.in_text(text)
        if not any(map(self._is_echo, _terms(selector))):
            return literal(text)
        return Template(
            " || ".join(" ".join(map(self._term, one.terms)) for one in selector.alternatives)
        )

    def _term(self, term: Term) -> str:
        if not isinstance(term, Equals) or not self._is_echo(term):
            return literal(write_term(term))
        inside = single_line(normalize(term.value))
        return f'{term.key}="{"".join(self._pieces(inside, single_line))}"'

    def _is_echo(self, term: Term) -> bool:
        return (
            isinstance(term, Equals) and term.key != "role" and self._named.holds(normalize(term.value))
        )

    def _pieces(self, text: str, written: Callable[[str], str]) -> Iterator[str]:
        for one in self._hidden:
            if one.name is None:
                continue
            for form in map(written, dict.fromkeys((one.text, normalize(one.text)))):
                if text == form:
                    yield placeholder(one.name)
                    return
                if len(one.text) >= SHORT and form in text:
                    before, _, after = text.partition(form)
                    yield from self._pieces(before, written)
                    # A backslash before `${` would escape it: the name is told then, not the literal.
                    yield f"<var:{one.name}>" if before.endswith("\\") else placeholder(one.name)
                    yield from self._pieces(after, written)
                    return
        yield literal(self._named.hide(text))


def shown_as(one: HiddenText) -> str:
    """What evidence shows in a literal's place."""
    return "<secret>" if one.name is None else f"${{{one.name}}}"


def _terms(selector: Selector) -> Iterator[Term]:
    for alternative in selector.alternatives:
        yield from alternative.terms
