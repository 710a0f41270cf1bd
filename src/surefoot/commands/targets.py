"""What a caller names an element with: checked before anything runs, then handed to ``interact``."""

from __future__ import annotations

import re
from typing import Protocol

from surefoot.commands.language.spelling import is_pending, refused, told
from surefoot.errors import SurefootError
from surefoot.selectors import KEYS, parse_selector
from surefoot.session import looks_like_ref, parse_ref

_TERM_STARTS = re.compile(rf"\s+(?=(?:{'|'.join(KEYS)})=)")


class Aimed(Protocol):
    """Args that name a target by ref, by selector or by point."""

    @property
    def target(self) -> str | None: ...

    @property
    def label(self) -> str | None: ...

    @property
    def x(self) -> float | None: ...

    @property
    def y(self) -> float | None: ...


def check_selector(text: str | None, *, argument: str = "selector") -> None:
    """``INVALID_ARGS`` unless ``text`` is a selector (or pending, or absent)."""
    if text is None or is_pending(text):
        return
    if looks_like_ref(text):
        raise refused(
            f"a selector is needed here, not the ref {told(text)}", given=text, argument=argument
        )
    try:
        parse_selector(text)
    except SurefootError as error:
        error.details.setdefault("given", text)
        error.details.setdefault("argument", argument)
        raise _shell_quoted(error, text) from None


def check_element(text: str | None, label: str | None = None, *, argument: str = "target") -> None:
    """``INVALID_ARGS`` unless ``text`` is a ref or a selector; only a ref may have a label."""
    if text is None or is_pending(text):
        return
    if looks_like_ref(text):
        try:
            parse_ref(text)
        except SurefootError as error:
            error.details.update(given=text, argument=argument)
            raise
        return
    if label is not None:
        raise refused("only a ref is followed by a label", given=label, argument="label")
    check_selector(text, argument=argument)


def check_aim(args: Aimed) -> None:
    """Exactly one of an element and a whole point."""
    point = (args.x is not None, args.y is not None)
    if args.target is None and point != (True, True):
        raise refused("a target is needed: a ref, a selector, or x and y", argument="target")
    if args.target is not None and any(point):
        raise refused("a target is either an element or a point, not both", argument="target")
    if args.target is None and args.label is not None:
        raise refused("only a ref is followed by a label", given=args.label, argument="label")
    check_element(args.target, args.label)


def _shell_quoted(error: SurefootError, text: str) -> SurefootError:
    """Where a shell has eaten the quotes of a value, show the spelling that survives it."""
    if not any(quote in text for quote in "\"'|"):
        terms = [_quoted_term(term) for term in _TERM_STARTS.split(text.strip())]
        spelling = " ".join(terms)
        if spelling != text.strip():
            error.details["suggestion"] = spelling
            error.hint = f"Quote it for the shell: '{spelling}'."
    return error


def _quoted_term(term: str) -> str:
    key, equals, value = term.partition("=")
    return f'{key}="{value}"' if equals and " " in value else term
