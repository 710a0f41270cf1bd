"""How text from a page is shown on one line without being able to pass for anything but text.

A page may put quotes, line breaks, escape sequences, direction overrides or invisible tag characters
into a label (public faults B069, B070). What is printed is always the inside of a JSON string: one
line, every code point that moves the cursor or hides or reorders text spelled as an escape.
"""

from __future__ import annotations

import re
from unicodedata import category, east_asian_width

from surefoot.text.normal import DEFAULT_IGNORABLE_RANGES, char_class

ELLIPSIS = "…"
MAX_CHARS_PER_COLUMN = 8

# Everything that has to be escaped: quotes and backslash (JSON), C0, DEL and C1 controls, line and
# paragraph separators, surrogates, annotation characters, and every default-ignorable code point
# but the two emoji presentation selectors. Direction controls are default-ignorable.
_KEPT_IGNORABLE = re.compile("[\ufe0e\ufe0f]")
_ESCAPED = re.compile(
    '["\\\\\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufff9-\ufffb'
    + char_class(DEFAULT_IGNORABLE_RANGES)
    + "]"
)
_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}


def single_line(text: str) -> str:
    """``text`` as the inside of a JSON string: one line, safe to print, decodable by any JSON reader.

    No output of this function contains a control character, a line break of any kind, a direction
    control, or an unescaped double quote; so a label cannot leave the quotes it is printed in.
    """
    return _ESCAPED.sub(_escape, text)


def quoted(text: str) -> str:
    """``text`` as a JSON string with its double quotes; ``json.loads`` gives ``text`` back."""
    return f'"{single_line(text)}"'


def _escape(match: re.Match[str]) -> str:
    char = match.group()
    if _KEPT_IGNORABLE.match(char):
        return char
    short = _SHORT.get(char)
    if short is not None:
        return short
    code = ord(char)
    if code < 0x10000:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"


def char_columns(char: str) -> int:
    """Terminal columns one code point takes: 0 (marks, controls, joiners), 1, or 2 (wide)."""
    if category(char) in ("Mn", "Me", "Cf", "Cc"):
        return 0
    return 2 if east_asian_width(char) in ("W", "F") else 1


def text_columns(text: str) -> int:
    """Terminal columns of a printable single line."""
    if text.isascii() and text.isprintable():
        return len(text)
    return sum(map(char_columns, text))


def ellipsize(text: str, columns: int) -> str:
    """``text`` in at most ``columns`` terminal columns, ending in an ellipsis when it was cut.

    Never cuts between a character and its combining marks, unless they are so many that the result
    would hold more than ``MAX_CHARS_PER_COLUMN`` code points a column. Below one column: ``""``.
    """
    if columns < 1:
        return ""
    bound = columns * MAX_CHARS_PER_COLUMN
    if len(text) <= bound and text_columns(text) <= columns:
        return text
    used = 0
    end = 0
    for position, char in enumerate(text[:bound]):
        used += char_columns(char)
        if used > columns - 1:
            break
        end = position + 1
    return text[:end] + ELLIPSIS
