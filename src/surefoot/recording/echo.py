"""What a script may say of the texts its session parameterised: ``${NAME}``, never the literal.

contracts.md, "Parameterised inputs" (0017), session-scoped echo protection; identity.md 6. A text of a
password field that got no name is kept out of evidence and selectors too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

from surefoot.errors import SurefootError
from surefoot.identity import MAX_STRING_BYTES, without_digits
from surefoot.script import Template, literal, placeholder
from surefoot.selectors import Equals, Selector, Term, echoes, parse_selector, write_term
from surefoot.session import HiddenText
from surefoot.text import normalize, single_line, utf8_length

SHORT = 4
"""A literal below this length is looked for only where it is the whole field."""


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
    def _evidence_forms(self) -> tuple[tuple[str, str], ...]:
        return tuple((normalize(one.text), shown_as(one)) for one in self._hidden)

    def in_evidence(self, field: str) -> str:
        """A field of evidence with placeholders; a literal that the field's bound cut counts too."""
        for form, shown in self._evidence_forms:
            if field == form:
                return shown
            if len(form) < SHORT:
                continue
            field = field.replace(form, shown)
            if utf8_length(field) > MAX_STRING_BYTES - 4:
                field = _without_cut(field, form, shown)
        return field

    def in_section(self, section: str) -> str:
        """A ``section`` with placeholders: it holds texts without their digits, so that the rest of a
        literal is an echo as well, however short it is."""
        hidden = self.in_evidence(section)
        for one in self._hidden:
            rest = without_digits(normalize(one.text))
            if rest is not None and rest != normalize(one.text):
                hidden = re.sub(rf"(?<!\w){re.escape(rest)}", shown_as(one), hidden)
        return hidden

    def in_text(self, text: str) -> Template:
        """A caller's text as script text: named literals as ``${NAME}``, the rest escaped."""
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
            isinstance(term, Equals)
            and term.key != "role"
            and any(
                one.name is not None and echoes(normalize(term.value), normalize(one.text))
                for one in self._hidden
            )
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
        yield literal(text)


def shown_as(one: HiddenText) -> str:
    """What evidence shows in a literal's place."""
    return "<secret>" if one.name is None else f"${{{one.name}}}"


def _terms(selector: Selector) -> Iterator[Term]:
    for alternative in selector.alternatives:
        yield from alternative.terms


def _without_cut(field: str, form: str, shown: str) -> str:
    for size in range(min(len(form) - 1, len(field)), SHORT - 1, -1):
        if field.endswith(form[:size]):
            return field[:-size] + shown
    return field
