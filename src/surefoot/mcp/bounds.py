"""Bounds on what one tool result holds: a page of 20,000 nodes must not fill a context window."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

MAX_TEXT_BYTES = 64 * 1024
MAX_STRUCTURED_BYTES = 128 * 1024
_ROOM_FOR_MARKS = 256
LESS = "ask for less: snapshot with interactive, depth or scope; find"


def bounded_text(text: str, limit: int = MAX_TEXT_BYTES) -> str:
    """The text, cut at a line's end to ``limit`` UTF-8 bytes; the last line then says what is missing.

    Half a surrogate pair, which no UTF-8 can hold, becomes U+FFFD.
    """
    text = _whole(text.rstrip("\n"))
    data = text.encode()
    if len(data) <= limit:
        return text
    room = max(0, limit - _ROOM_FOR_MARKS)
    kept = data[:room].decode(errors="ignore")
    kept = kept[: kept.rfind("\n")] if "\n" in kept else kept
    missing = len(text) - len(kept)
    return f"{kept}\n… {missing} more characters ({LESS})"


def bounded_data(data: Mapping[str, Any], limit: int = MAX_STRUCTURED_BYTES) -> dict[str, Any]:
    """The object, or with its longest list cut so that it takes at most ``limit`` bytes of JSON.

    What was cut is named: ``truncated`` is true and ``omitted`` counts by field.
    """
    whole = _encodable(dict(data))
    size = len(msgspec.json.encode(whole))
    if size <= limit:
        return whole
    name = max(
        (
            key
            for key, value in whole.items()
            if isinstance(value, Sequence) and not isinstance(value, str)
        ),
        key=lambda key: len(msgspec.json.encode(whole[key])),
        default=None,
    )
    if name is not None:
        rest = {key: value for key, value in whole.items() if key != name}
        room = limit - len(msgspec.json.encode(rest)) - _ROOM_FOR_MARKS
        kept = _prefix(whole[name], room)
        if room > 0:
            omitted = {name: len(whole[name]) - len(kept)}
            return {**whole, name: kept, "truncated": True, "omitted": omitted}
    return {"truncated": True, "omitted": {"bytes": size}, "hint": f"Too large; {LESS}."}


def _prefix(items: Sequence[Any], room: int) -> list[Any]:
    kept: list[Any] = []
    for item in items:
        room -= len(msgspec.json.encode(item)) + 1
        if room < 0:
            break
        kept.append(item)
    return kept


def _whole(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _encodable(data: dict[str, Any]) -> dict[str, Any]:
    try:
        msgspec.json.encode(data)
    except UnicodeEncodeError:
        plain: dict[str, Any] = json.loads(_whole(json.dumps(data, ensure_ascii=False)))
        return plain
    return data
