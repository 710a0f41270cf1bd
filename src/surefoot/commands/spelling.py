"""How a refusal names the nearest valid spelling."""

from __future__ import annotations

from collections.abc import Iterable

from surefoot.text import nearest


def did_you_mean(word: str, valid: Iterable[str]) -> str:
    """``"; did you mean `press`?"``, or an empty string when nothing valid is near."""
    found = nearest(word, valid)
    return f"; did you mean `{found}`?" if found else ""
