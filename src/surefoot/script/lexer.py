"""One line into tokens with their columns (surface.md, `.ad` lines; decisions.md, lexer corners).

Tokens split at white space. ``"…"`` is a JSON string; ``'…'`` is literal with ``\\'`` as its only
escape; a ``"`` inside a bare token quotes blanks up to its mate and stays in the text, for the
selector grammar reads it; two quoted tokens side by side are two tokens.
"""

from __future__ import annotations

import json
import re
from typing import Final

from msgspec import Struct

from surefoot.script.issues import Rule

_TOKEN = re.compile(
    r"""\s*(?:
        "(?P<double>(?:[^"\\]|\\.)*)"
      | '(?P<single>(?:[^'\\]|\\'|\\(?!'))*)'
      | (?P<bare>[^\s"'](?:[^\s"]+|"(?:[^"\\]|\\.)*")*)
    )""",
    re.VERBOSE,
)
_BLANKS = re.compile(r"\s*")
_DECODED_CONTROL = re.compile("[\x00\ud800-\udfff]")
_RAW_CONTROL = re.compile("[\x00-\x1f]")
_NAMED: Final = {"\x00": "U+0000"}


class Token(Struct, frozen=True, gc=False):
    """One token. ``text`` is decoded; ``column`` is 1-based, in code points; ``width`` its extent.

    ``quoted`` says it was written in quotes: then it is never a flag. ``open`` says the text still
    holds ``${…}`` (a variable, or an escaped literal): checks of its value wait until it is bound.
    """

    text: str
    column: int = 1
    quoted: bool = False
    width: int = 1

    @property
    def open(self) -> bool:
        return "${" in self.text

    @property
    def flag(self) -> bool:
        """Whether this token is spelled as a flag (``--count``, ``-i``), and not a negative number."""
        text = self.text
        return not self.quoted and len(text) > 1 and text[0] == "-" and not text[1].isdigit()


class LexFault(Exception):
    """Where a line stops being tokens. ``column`` is 1-based."""

    def __init__(self, column: int, message: str, expected: str, rule: Rule = "quoting") -> None:
        super().__init__(message)
        self.column = column
        self.message = message
        self.expected = expected
        self.rule = rule


def tokenize(line: str) -> list[Token]:
    """The tokens of a line that is no comment. Raises :class:`LexFault`."""
    tokens: list[Token] = []
    position = 0
    end = len(line)
    previous_end = -1
    while True:
        match = _TOKEN.match(line, position)
        if match is None:
            start = _blank_end(line, position)
            if start == end:
                return tokens
            raise LexFault(start + 1, "unterminated quote", f"a closing {line[start]}")
        kind = match.lastgroup
        assert kind is not None
        body = match.group(kind)
        position = match.end()
        start = position - len(body) - (0 if kind == "bare" else 2)
        if kind == "bare":
            if start == previous_end:
                raise LexFault(start + 1, "text right after a closing quote", "a blank between tokens")
            if position < end and line[position] == '"':
                raise LexFault(position + 1, "unterminated quote", 'a closing "')
            tokens.append(Token(body, start + 1, False, len(body)))
            continue
        previous_end = position
        text = json_string(body, start + 2) if kind == "double" else body.replace("\\'", "'")
        tokens.append(Token(text, start + 1, True, position - start))


def _blank_end(line: str, position: int) -> int:
    match = _BLANKS.match(line, position)
    return match.end() if match else position


def json_string(body: str, column: int) -> str:
    """The inside of a JSON string, decoded; ``column`` is where it starts in its line.

    Raises :class:`LexFault` for a bad escape, a raw control character, a lone surrogate or NUL.
    """
    if "\\" not in body and not _RAW_CONTROL.search(body):
        return body
    try:
        text = str(json.loads(f'"{body}"'))
    except json.JSONDecodeError as error:
        at = max(column, column + error.pos - 1)
        if error.msg.startswith("Invalid control"):
            raise LexFault(at, "a raw control character in a string", "an escape such as \\t") from None
        raise LexFault(
            at, "not an escape of a JSON string", '\\" \\\\ \\/ \\b \\f \\n \\r \\t or \\uXXXX'
        ) from None
    bad = _DECODED_CONTROL.search(text)
    if bad:
        name = _NAMED.get(bad.group(), "half of a surrogate pair")
        raise LexFault(column, f"{name} in a string", "text without it")
    return text


def split_assignment(token: Token) -> tuple[str, str | None]:
    """``name=value`` and ``--name="two words"`` as name and decoded value; None without ``=``.

    A value in double quotes is a JSON string, anything else is taken as it stands. Raises
    :class:`LexFault` when the quotes do not enclose the whole value.
    """
    name, equals, value = token.text.partition("=")
    if not equals:
        return name, None
    if token.quoted or not value.startswith('"'):
        return name, value
    column = token.column + len(name) + 1
    match = _TOKEN.match(value)
    if match is None or match.lastgroup != "double" or match.end() != len(value):
        raise LexFault(column, "the quotes do not enclose the value", 'one string: KEY="VALUE"')
    return name, json_string(match.group("double"), column + 1)
