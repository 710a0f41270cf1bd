"""An answer or an error without the texts its session hides (contracts.md, 0017; rows B034, B037)."""

from __future__ import annotations

import dataclasses
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from surefoot.commands.descriptor import Answer
from surefoot.errors import SurefootError
from surefoot.session import HiddenTexts

T = TypeVar("T")

KEPT = frozenset(
    {
        "action",
        "call_site_id",
        "checked",
        "code",
        "command",
        "diagnostic",
        "direction",
        "excerpt",
        "field",
        "id",
        "kind",
        "layer",
        "locator",
        "logPath",
        "path",
        "pin",
        "platform",
        "predicate",
        "quality",
        "reason",
        "ref",
        "region",
        "role",
        "session",
        "state",
        "tiebreak",
        "window",
    }
)
"""Fields that never hold what a page says: ids, refs, paths, enums."""


def without_hidden(hidden: HiddenTexts, answer: Answer[Any]) -> Answer[Any]:
    """The answer as it may be shown; what recordings are made of (``resolved``) stays."""
    if not hidden:
        return answer
    data, worded = _hide(hidden, answer.data), answer.worded
    if worded is None:
        return dataclasses.replace(answer, data=data)
    return dataclasses.replace(answer, data=data, worded=lambda: hidden.hide_lines(worded()))


def hide_in_error(hidden: HiddenTexts, error: SurefootError) -> None:
    """Hide them in an error, in place; the password of a URL is hidden in any session, and in none."""
    error.message = hidden.hide_lines(error.message)
    error.args = (error.message,)
    if error.hint is not None:
        error.hint = hidden.hide_lines(error.hint)
    error.details = {
        key: value if key in KEPT else _hide(hidden, value) for key, value in error.details.items()
    }


def _hide(hidden: HiddenTexts, value: T) -> T:
    shown: Any = value
    if isinstance(value, str):
        shown = hidden.hide(value)
    elif isinstance(value, Struct):
        fields = {
            name: _hide(hidden, old)
            for name in value.__struct_fields__
            if name not in KEPT and isinstance(old := getattr(value, name), str | Struct | tuple | dict)
        }
        shown = msgspec.structs.replace(value, **fields)
    elif isinstance(value, dict):
        shown = {key: old if key in KEPT else _hide(hidden, old) for key, old in value.items()}
    elif isinstance(value, list | tuple):
        shown = type(value)(_hide(hidden, item) for item in value)
    return shown  # type: ignore[no-any-return]
