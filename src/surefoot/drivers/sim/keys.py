"""Names of keys and chords (``Enter``, ``ctrl+a``)."""

from __future__ import annotations

from msgspec import Struct

from surefoot.errors import SurefootError, invalid_args
from surefoot.text import nearest

MODIFIERS = {
    "ctrl": "ctrl",
    "control": "ctrl",
    "shift": "shift",
    "alt": "alt",
    "option": "alt",
    "meta": "meta",
    "cmd": "meta",
    "command": "meta",
}
NAMES = (
    *("Enter", "Tab", "Escape", "Backspace", "Delete", "Space", "Insert"),
    *("ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End", "PageUp", "PageDown"),
    *(f"F{number}" for number in range(1, 13)),
)
_KNOWN = {name.lower(): name for name in NAMES} | {
    "return": "Enter",
    "esc": "Escape",
    "up": "ArrowUp",
    "down": "ArrowDown",
    "left": "ArrowLeft",
    "right": "ArrowRight",
    "del": "Delete",
    " ": "Space",
}


class Chord(Struct, frozen=True):
    """A key with its modifiers; ``key`` is a name of :data:`NAMES` or one character."""

    key: str
    modifiers: frozenset[str] = frozenset()

    @property
    def text(self) -> str | None:
        """What it types into a field, when it types anything."""
        if self.modifiers - {"shift"}:
            return None
        if self.key == "Space":
            return " "
        return self.key if len(self.key) == 1 else None


def parse_chord(chord: str) -> Chord:
    """Read ``ctrl+a``; ``INVALID_ARGS`` for a name nobody knows."""
    *before, last = chord.split("+") if chord not in ("+", " ") else [chord]
    if chord.endswith("++"):
        before, last = before[:-1], "+"
    modifiers = set()
    for part in before:
        modifier = MODIFIERS.get(part.strip().lower())
        if modifier is None:
            raise _unknown(part, chord)
        modifiers.add(modifier)
    if len(last) == 1 and last != " ":
        return Chord(last, frozenset(modifiers))
    key = _KNOWN.get(last.lower())
    if key is None:
        raise _unknown(last, chord)
    return Chord(key, frozenset(modifiers))


def _unknown(part: str, chord: str) -> SurefootError:
    meant = nearest(part, [*NAMES, *MODIFIERS])
    return invalid_args(
        f"unknown key {part!r} in {chord!r}",
        hint=f"Did you mean `{meant}`?"
        if meant
        else f"Known keys: {', '.join(NAMES)}, and single characters.",
        reason="unknown_key",
    )
