"""What a selector is: alternatives of and-ed terms (surface.md, "Selector terms")."""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Struct

StringKey = Literal["id", "role", "label", "text", "value", "appname", "windowtitle"]
BoolKey = Literal[
    "visible", "hidden", "enabled", "editable", "selected", "checked", "focused", "hittable"
]

STRING_KEYS: Final[tuple[StringKey, ...]] = (
    "id",
    "role",
    "label",
    "text",
    "value",
    "appname",
    "windowtitle",
)
BOOL_KEYS: Final[tuple[BoolKey, ...]] = (
    "visible",
    "hidden",
    "enabled",
    "editable",
    "selected",
    "checked",
    "focused",
    "hittable",
)
KEYS: Final[tuple[str, ...]] = (*STRING_KEYS, *BOOL_KEYS)


class Equals(Struct, frozen=True, gc=False, tag=True):
    """``key="value"``: equality after normalisation; ``value`` is kept as it was written."""

    key: StringKey
    value: str


class State(Struct, frozen=True, gc=False, tag=True):
    """``key=true`` or ``key=false``: a state of the node."""

    key: BoolKey
    value: bool


Term = Equals | State


class Alternative(Struct, frozen=True):
    """Terms that must all hold; at least one, no key twice."""

    terms: tuple[Term, ...]


class Selector(Struct, frozen=True):
    """Alternatives in order of preference; at least one. The first that matches anything wins."""

    alternatives: tuple[Alternative, ...]


def simple_terms(selector: Selector) -> tuple[tuple[StringKey, str], ...] | None:
    """The ``(key, value)`` pairs where the selector is one alternative of equality terms only."""
    if len(selector.alternatives) != 1:
        return None
    pairs: list[tuple[StringKey, str]] = []
    for term in selector.alternatives[0].terms:
        if not isinstance(term, Equals):
            return None
        pairs.append((term.key, term.value))
    return tuple(pairs)
