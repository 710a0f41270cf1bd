"""What a client does with the refs and nodes it was shown: a target of one, a screen as lines."""

from __future__ import annotations

import json
from typing import Protocol


class Shown(Protocol):
    """Anything with a ref: a node of a snapshot, a match of ``find``, an element of a difference."""

    @property
    def ref(self) -> str | None: ...


class Line(Protocol):
    """A node as one line shows it."""

    @property
    def depth(self) -> int: ...
    @property
    def role(self) -> str: ...
    @property
    def label(self) -> str | None: ...
    @property
    def ref(self) -> str | None: ...
    @property
    def value(self) -> str | None: ...
    @property
    def enabled(self) -> bool: ...
    @property
    def checked(self) -> str | None: ...
    @property
    def selected(self) -> bool | None: ...
    @property
    def expanded(self) -> bool | None: ...


def pinned(shown: Shown, generation: int | None) -> str:
    """The target of an element: ``@e12~s42``, its ref pinned to where it was shown, so that it never
    means another. Raises ``ValueError`` for one that was shown without a ref to act on."""
    if shown.ref is None or generation is None:
        raise ValueError("this element was shown without a ref")
    return f"@{shown.ref}~s{generation}"


def line_of(node: Line) -> str:
    """``  - textbox "Email" [@e5] value="a@b"``: as ``surefoot snapshot`` prints it, in short. Text of
    the app stands in JSON strings."""
    states = {
        "disabled": not node.enabled,
        "checked": node.checked == "true",
        "mixed": node.checked == "mixed",
        "unchecked": node.checked == "false",
        "selected": node.selected is True,
        "expanded": node.expanded is True,
        "collapsed": node.expanded is False,
    }
    parts = [f"{'  ' * node.depth}- {node.role}"]
    parts += [json.dumps(node.label, ensure_ascii=False)] if node.label else []
    parts += [f"[@{node.ref}]"] if node.ref else []
    parts += [f"value={json.dumps(node.value, ensure_ascii=False)}"] if node.value else []
    return " ".join([*parts, *(f"[{state}]" for state, holds in states.items() if holds)])
