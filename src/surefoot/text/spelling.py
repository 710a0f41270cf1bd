"""How a refusal shows what was written and what was meant: nearest spelling, caret excerpt."""

from __future__ import annotations

from collections.abc import Iterable

from surefoot.text.terminal import char_columns, single_line

EXCERPT_CHARS = 100
_MAX_WORD = 64


def nearest(word: str, options: Iterable[str]) -> str | None:
    """The option that ``word`` most likely means, or ``None`` when none is close.

    Close is an edit distance (insert, delete, replace, swap of neighbours; case ignored) of at most
    a third of the longer word, or ``word`` being a prefix of at least three letters. Ties go to the
    option named first.
    """
    lowered = word[:_MAX_WORD].lower()
    if not lowered:
        return None
    best: tuple[int, str] | None = None
    for option in options:
        target = option.lower()
        distance = edit_distance(lowered, target)
        allowed = max(1, max(len(lowered), len(target)) // 3)
        if len(lowered) >= 3 and target.startswith(lowered):
            distance = min(distance, 1)
        if distance <= allowed and distance < len(target) and (best is None or distance < best[0]):
            best = (distance, option)
    return best[1] if best else None


def edit_distance(left: str, right: str) -> int:
    """Optimal string alignment distance: edits and swaps of neighbours each cost one."""
    before: list[int] = []
    current = list(range(len(right) + 1))
    for row, char in enumerate(left, start=1):
        before, previous = current, before
        current = [row]
        for column, other in enumerate(right, start=1):
            cost = min(before[column] + 1, current[-1] + 1, before[column - 1] + (char != other))
            if row > 1 and column > 1 and char == right[column - 2] and left[row - 2] == other:
                cost = min(cost, previous[column - 2] + 1)
            current.append(cost)
    return current[-1]


def caret_excerpt(line: str, column: int, length: int = 1) -> str:
    """Two lines: the part of ``line`` around ``column`` and carets below the place.

    ``column`` is 1-based, in code points, and may be one past the end. The excerpt is at most
    ``EXCERPT_CHARS`` code points of the line and safe to print; the carets stand below what they
    name even where the line holds wide or escaped characters.
    """
    start = max(0, min(column - 1, len(line)))
    low = max(0, min(start - EXCERPT_CHARS // 2, len(line) - EXCERPT_CHARS))
    high = min(len(line), low + EXCERPT_CHARS)
    stop = min(max(start + length, start + 1), high)
    head = _visible(line[low:start])
    marked = _visible(line[start:stop])
    tail = _visible(line[stop:high])
    left = "…" if low > 0 else ""
    right = "…" if high < len(line) else ""
    pad = " " * _columns(left + head)
    carets = "^" * max(1, _columns(marked))
    return f"{left}{head}{marked}{tail}{right}\n{pad}{carets}"


def _visible(text: str) -> str:
    """Escape what is unsafe, but leave quotes and backslashes as they were written."""
    return "".join(char if char in '"\\' else single_line(char) for char in text)


def _columns(text: str) -> int:
    return sum(map(char_columns, text))
