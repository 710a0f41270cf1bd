"""How a refusal names what was given and the nearest valid spelling."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from surefoot.errors import SurefootError, invalid_args
from surefoot.text import ellipsize, nearest, quoted

MISSPELT = "argument_invalid"


class Pending(str):
    """A word of a script that still holds ``${…}``: its place is checked now, its value when bound."""

    __slots__ = ()


def is_pending(value: object) -> bool:
    return isinstance(value, Pending)


def join_words(words: Sequence[str]) -> str:
    """Several words as one; pending when any of them is."""
    joined = " ".join(words)
    return Pending(joined) if any(map(is_pending, words)) else joined


def told(word: str) -> str:
    """A caller's word as a message shows it: in quotes, on one line, bounded."""
    return quoted(ellipsize(word, 80))


def refused(
    message: str, *, given: str | None = None, hint: str | None = None, **details: Any
) -> SurefootError:
    """``INVALID_ARGS``; ``details.given`` is the word at fault, so that a script can point at it. The
    reason is :data:`MISSPELT` where nothing finer is said."""
    details.setdefault("reason", MISSPELT)
    if given is not None:
        details["given"] = given
    return invalid_args(message, hint=hint, **details)


@contextmanager
def about(word: str, argument: str) -> Iterator[None]:
    """A refusal of another room raised inside is one of ``word``, so that a script can point at it."""
    try:
        yield
    except SurefootError as error:
        error.details.setdefault("given", word)
        error.details.setdefault("argument", argument)
        raise


def unknown(
    message: str, word: str, valid: Iterable[str], *, tail: str = "", **details: Any
) -> SurefootError:
    """``INVALID_ARGS`` with the nearest valid spelling in the message and in ``details.suggestion``."""
    found = nearest(word, valid)
    if found is not None:
        details["suggestion"] = found
        message = f"{message}; did you mean {told(found)}?"
    return refused(f"{message}{tail}", given=word, **details)
