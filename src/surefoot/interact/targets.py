"""From the words of a command to a target: a ref with its label, a selector, or a point."""

from __future__ import annotations

import math
from collections.abc import Sequence

from surefoot.drivers import Point
from surefoot.errors import invalid_args
from surefoot.interact.model import ElementTarget, PointTarget, RefTarget, SelectorTarget, Target
from surefoot.selectors import parse_selector
from surefoot.session import looks_like_ref, parse_ref

MAX_COORDINATE = 1_000_000.0


def parse_target(words: Sequence[str]) -> Target:
    """``["@e12"]``, ``["@e12", "Save"]``, ``['label="Save"']`` or ``["120", "48.5"]``.

    Raises ``INVALID_ARGS`` reason ``missing_target``, ``invalid_ref``, ``invalid_point`` or
    ``unexpected_argument``, and what the selector grammar raises.
    """
    if not words:
        raise invalid_args(
            "A target is missing.",
            hint='Give a ref (@e12), a selector (label="Save") or two coordinates (120 48).',
            reason="missing_target",
        )
    if len(words) == 2 and (_number(words[0]) is not None or _number(words[1]) is not None):
        return parse_point(words[0], words[1])
    if len(words) > (2 if looks_like_ref(words[0]) else 1):
        raise invalid_args(
            f"Unexpected argument after the target: {words[-1][:80]!r}.",
            hint='A selector is one argument; quote it: \'role="button" label="Save"\'.',
            reason="unexpected_argument",
        )
    return parse_element(words[0], words[1] if len(words) == 2 else None)


def parse_element(text: str, label: str | None = None) -> RefTarget | SelectorTarget:
    """A ref (``label`` is the trailing label written after it) or a selector chain."""
    if looks_like_ref(text):
        return RefTarget(parse_ref(text), label or None)
    return SelectorTarget(text, parse_selector(text))


def parse_point(x: str, y: str) -> PointTarget:
    """Two finite numbers, logical pixels of the top viewport. ``INVALID_ARGS`` ``invalid_point``."""
    numbers = (_number(x), _number(y))
    if numbers[0] is None or numbers[1] is None:
        raise invalid_args(
            f"{x[:40]!r} {y[:40]!r} is not a point.",
            hint="Give two numbers, e.g. `press 120 48`.",
            reason="invalid_point",
        )
    return PointTarget(Point(numbers[0], numbers[1]))


def _number(word: str) -> float | None:
    try:
        number = float(word)
    except ValueError:
        return None
    return number if math.isfinite(number) and abs(number) <= MAX_COORDINATE else None


def is_element(target: Target) -> bool:
    """Whether the target names an element rather than a point."""
    return isinstance(target, ElementTarget)
