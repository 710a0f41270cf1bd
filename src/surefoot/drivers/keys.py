"""Which key is meant by a name? (US layout; ``ctrl+a``, ``Enter``) The same names on every platform."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from difflib import get_close_matches

from msgspec import Struct

from surefoot.errors import invalid_args

ALT, CTRL, META, SHIFT = 1, 2, 4, 8

MODIFIERS = {
    "alt": ALT, "option": ALT,
    "ctrl": CTRL, "control": CTRL,
    "meta": META, "cmd": META, "command": META, "super": META,
    "shift": SHIFT,
    "mod": META if sys.platform == "darwin" else CTRL,
}  # fmt: skip


class Key(Struct, frozen=True):
    """One key: DOM ``key`` and ``code``, Windows virtual key code, the text it types, its side."""

    key: str
    code: str
    vk: int
    text: str = ""
    location: int = 0


NAMED = {
    "enter": Key("Enter", "Enter", 13, "\r"),
    "return": Key("Enter", "Enter", 13, "\r"),
    "tab": Key("Tab", "Tab", 9),
    "escape": Key("Escape", "Escape", 27),
    "esc": Key("Escape", "Escape", 27),
    "backspace": Key("Backspace", "Backspace", 8),
    "delete": Key("Delete", "Delete", 46),
    "insert": Key("Insert", "Insert", 45),
    "space": Key(" ", "Space", 32, " "),
    "home": Key("Home", "Home", 36),
    "end": Key("End", "End", 35),
    "pageup": Key("PageUp", "PageUp", 33),
    "pagedown": Key("PageDown", "PageDown", 34),
    "arrowleft": Key("ArrowLeft", "ArrowLeft", 37),
    "arrowup": Key("ArrowUp", "ArrowUp", 38),
    "arrowright": Key("ArrowRight", "ArrowRight", 39),
    "arrowdown": Key("ArrowDown", "ArrowDown", 40),
    "left": Key("ArrowLeft", "ArrowLeft", 37),
    "up": Key("ArrowUp", "ArrowUp", 38),
    "right": Key("ArrowRight", "ArrowRight", 39),
    "down": Key("ArrowDown", "ArrowDown", 40),
    "plus": Key("+", "Equal", 187, "+"),
    "capslock": Key("CapsLock", "CapsLock", 20),
    "contextmenu": Key("ContextMenu", "ContextMenu", 93),
    "printscreen": Key("PrintScreen", "PrintScreen", 44),
    "pause": Key("Pause", "Pause", 19),
    "shift": Key("Shift", "ShiftLeft", 16, "", 1),
    "control": Key("Control", "ControlLeft", 17, "", 1),
    "ctrl": Key("Control", "ControlLeft", 17, "", 1),
    "alt": Key("Alt", "AltLeft", 18, "", 1),
    "meta": Key("Meta", "MetaLeft", 91, "", 1),
    **{f"f{n}": Key(f"F{n}", f"F{n}", 111 + n) for n in range(1, 13)},
}

# (unshifted, shifted, code, virtual key) of the US layout's printing keys
_PRINTING = (
    *((c.lower(), c, f"Key{c}", ord(c)) for c in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
    *(
        (str(n), shifted, f"Digit{n}", 48 + n)
        for n, shifted in enumerate(")!@#$%^&*(")
    ),
    ("-", "_", "Minus", 189),
    ("=", "+", "Equal", 187),
    ("[", "{", "BracketLeft", 219),
    ("]", "}", "BracketRight", 221),
    ("\\", "|", "Backslash", 220),
    (";", ":", "Semicolon", 186),
    ("'", '"', "Quote", 222),
    ("`", "~", "Backquote", 192),
    (",", "<", "Comma", 188),
    (".", ">", "Period", 190),
    ("/", "?", "Slash", 191),
    (" ", " ", "Space", 32),
)  # fmt: skip

PLAIN = {low: Key(low, code, vk, low) for low, _, code, vk in _PRINTING}
SHIFTED = {high: Key(high, code, vk, high) for _, high, code, vk in _PRINTING if high != " "}


class Chord(Struct, frozen=True):
    """A key with the modifiers held while it is struck (bits 1 alt, 2 ctrl, 4 meta, 8 shift)."""

    key: Key
    modifiers: int = 0

    @property
    def text(self) -> str:
        """What it types: nothing while ctrl, alt or meta is held."""
        return "" if self.modifiers & (ALT | CTRL | META) else self.key.text


def character(char: str) -> Chord:
    """The chord that types one character; one no US key has gets an event with its text alone."""
    if char in ("\n", "\r"):
        return Chord(NAMED["enter"])
    if char == "\t":
        return Chord(NAMED["tab"])
    if char in PLAIN:
        return Chord(PLAIN[char])
    if char in SHIFTED:
        return Chord(SHIFTED[char], SHIFT)
    return Chord(Key(char, "", 0, char))


def parse_chord(text: str) -> Chord:
    """``Enter``, ``ctrl+a``, ``Shift+Tab``, ``ctrl++``. ``INVALID_ARGS`` for an unknown name."""
    if text == "+" or text.endswith("++"):
        held, last = text[:-1].rstrip("+").split("+") if len(text) > 1 else [], "+"
    else:
        *held, last = (part.strip() or part for part in text.split("+"))
    modifiers = 0
    for name in held:
        bit = MODIFIERS.get(name.lower())
        if bit is None:
            raise _unknown(name, text, MODIFIERS)
        modifiers |= bit
    key = NAMED.get(last.lower())
    if key is None and len(last) == 1:
        if modifiers and last.isalpha():  # a letter is its key there: shift says the case
            last = last.lower()
        if modifiers & SHIFT:
            upper = last.upper() if len(last.upper()) == 1 else last
            last = next((high for low, high, *_ in _PRINTING if low == last), upper)
        chord = character(last)
        key, modifiers = chord.key, modifiers | chord.modifiers
    if key is None:
        raise _unknown(last, text, (*NAMED, *MODIFIERS))
    return Chord(key, modifiers)


def _unknown(name: str, text: str, known: Iterable[str]) -> Exception:
    near = get_close_matches(name.lower(), list(known), 1)
    guess = near[0] if near else None
    if guess in NAMED and guess not in MODIFIERS:
        guess = NAMED[guess].key
    hint = f"Did you mean {guess}?" if guess else "Examples: Enter, Tab, Escape, ArrowDown, ctrl+a."
    return invalid_args(
        f"There is no key {name!r} in {text!r}.", hint=hint, reason="unknown_key", key=name
    )
