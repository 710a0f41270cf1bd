"""Selector text to AST and back (surface.md; decisions.md, "`.ad` lexer corners"; public fault B076).

::

    selector    := alternative ( "||" alternative )*
    alternative := term+
    term        := string-key "=" value | bool-key [ "=" ( "true" | "false" ) ]
    value       := '"' JSON string '"' | "'" literal, \\' its only escape "'" | bare
    bare        := no ASCII blank, no '"', not starting with a quote, no "||"

A bool key alone means ``true``. Errors are ``INVALID_ARGS`` with ``details``: ``reason``
(``selector_…``), ``column`` (1-based, code points of the selector text), ``excerpt`` (with a caret),
``expected`` and, for an unknown key, ``nearest`` where there is one.
"""

from __future__ import annotations

import re

from surefoot.errors import SurefootError, invalid_args
from surefoot.selectors.model import (
    BOOL_KEYS,
    KEYS,
    STRING_KEYS,
    Alternative,
    Equals,
    Selector,
    State,
    StringKey,
    Term,
)
from surefoot.text import caret_excerpt, nearest, normalize, normalize_id, quoted, utf8_length

MAX_SELECTOR_BYTES = 65_536
"""A selector has to fit the longest line of a script (decisions.md, "bounds")."""

_REF_WORD = re.compile(r"e[0-9]+(~s[0-9]+)?")
_ID_WORD = re.compile(r"#[^\s=\"']+")
_PLAIN_WORDS = re.compile(r"[^=|\"'@#]+")

BLANKS = " \t\r\n\f\v"

# What people write for a key of ours; shown as the nearest spelling, never accepted.
SYNONYMS = {
    "name": "label",
    "aria-label": "label",
    "content-desc": "label",
    "desc": "label",
    "title": "label",
    "testid": "id",
    "data-testid": "id",
    "identifier": "id",
    "resource-id": "id",
    "type": "role",
    "class": "role",
    "tag": "role",
    "disabled": "enabled",
    "invisible": "hidden",
    "clickable": "hittable",
    "readonly": "editable",
    "app": "appname",
    "window": "windowtitle",
}

_KEY = re.compile(r"[^\s=\"'|]+")
_SELECTOR_START = re.compile(rf"[{BLANKS}]*(?:{'|'.join(KEYS)})=")
_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_HEX4 = re.compile("[0-9a-fA-F]{4}")
_EXPECTED_TERM = 'a term such as role="button" or label="Save"'


def parse_selector(text: str) -> Selector:
    """The AST of ``text``. Raises ``INVALID_ARGS`` as the module says; nothing is guessed."""
    return _Parser(text).selector()


def looks_like_selector(text: str) -> bool:
    """Whether ``text`` starts like a term (a known key and ``=``), so is not meant literally."""
    return _SELECTOR_START.match(text) is not None


def write_selector(selector: Selector) -> str:
    """The canonical text: ``role="button" label="Save" editable=true || label="Save"``.

    Strings are JSON with every control, direction and invisible code point escaped, so the text is
    one line; ``parse_selector`` of it gives the same AST.
    """
    return " || ".join(
        " ".join(map(write_term, alternative.terms)) for alternative in selector.alternatives
    )


def write_term(term: Term) -> str:
    """One term in canonical form."""
    if isinstance(term, Equals):
        return f"{term.key}={quoted(term.value)}"
    return f"{term.key}={'true' if term.value else 'false'}"


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def selector(self) -> Selector:
        size = utf8_length(self.text)
        if size > MAX_SELECTOR_BYTES:
            raise self.error(
                "selector_too_long",
                f"The selector has {size} bytes; at most {MAX_SELECTOR_BYTES} are read",
                expected=f"at most {MAX_SELECTOR_BYTES} bytes",
            )
        self.skip_blanks()
        if self.done():
            raise self.error("selector_empty", "The selector is empty", expected=_EXPECTED_TERM)
        alternatives = [self.alternative()]
        while not self.done():
            self.at += len("||")
            alternatives.append(self.alternative())
        return Selector(tuple(alternatives))

    def alternative(self) -> Alternative:
        """Terms up to ``||`` or the end, where it stops."""
        terms: list[Term] = []
        self.skip_blanks()
        while not self.done() and not self.at_bar():
            start = self.at
            term = self.term()
            if any(term.key == other.key for other in terms):
                raise self.error(
                    "selector_duplicate_key",
                    f"The key {term.key} is given twice in one alternative",
                    at=start,
                    length=len(term.key),
                    expected="each key once; separate alternatives with ||",
                )
            terms.append(term)
            self.skip_blanks()
        if not terms:
            raise self.error(
                "selector_empty_alternative",
                "An alternative of the selector is empty",
                length=2 if self.at_bar() else 1,
                expected=_EXPECTED_TERM,
            )
        return Alternative(tuple(terms))

    def term(self) -> Term:
        start = self.at
        found = _KEY.match(self.text, start)
        if found is None:
            raise self.error("selector_not_a_term", "A key is missing", expected=_EXPECTED_TERM)
        key = found.group()
        self.at = found.end()
        has_value = self.text.startswith("=", self.at)
        if key in BOOL_KEYS:
            if has_value:
                self.at += 1
                return State(key, self.boolean(key))
            self.require_boundary(start)
            return State(key, True)
        if not has_value:
            raise self.not_a_term(start, key)
        if key not in STRING_KEYS:
            raise self.unknown_key(start, key)
        self.at += 1
        return Equals(key, self.string(key))

    def boolean(self, key: str) -> bool:
        start = self.at
        word = self.raw_value(key)
        if word not in ("true", "false"):
            raise self.error(
                "selector_bad_boolean",
                f"{key} is true or false, not {quoted(word)}",
                at=start,
                length=max(1, self.at - start),
                expected="true or false",
            )
        return word == "true"

    def string(self, key: StringKey) -> str:
        start = self.at
        value = self.raw_value(key)
        same = normalize_id(value) if key == "id" else normalize(value)
        if not same and key != "value":
            raise self.error(
                "selector_empty_value",
                f"{key} is empty, which denotes nothing",
                at=start,
                length=max(1, self.at - start),
                expected=f"some text after {key}=",
            )
        return value

    def raw_value(self, key: str) -> str:
        start = self.at
        if self.done() or self.text[start] in BLANKS:
            raise self.error(
                "selector_empty_value", f"{key}= has no value", expected=f"a value for {key}"
            )
        quote = self.text[start]
        if quote == '"':
            value = self.json_string()
        elif quote == "'":
            value = self.literal_string()
        else:
            return self.bare()
        self.require_boundary(start)
        return value

    def bare(self) -> str:
        text, start = self.text, self.at
        end = start
        while end < len(text) and text[end] not in BLANKS and not text.startswith("||", end):
            if text[end] == '"':
                raise self.error(
                    "selector_quote_in_value",
                    "A double quote inside an unquoted value",
                    at=end,
                    expected="the whole value in double quotes",
                )
            end += 1
        if end == start:
            raise self.error("selector_empty_value", "The value is missing", expected="a value")
        self.at = end
        return text[start:end]

    def json_string(self) -> str:
        text, start = self.text, self.at
        out: list[str] = []
        at = start + 1
        while True:
            if at >= len(text):
                raise self.unclosed(start, '"')
            char = text[at]
            if char == '"':
                self.at = at + 1
                return "".join(out)
            if char == "\\":
                decoded, at = self.escape(at)
                out.append(decoded)
                continue
            if char < " ":
                raise self.error(
                    "selector_control_character",
                    f"A control character (U+{ord(char):04X}) inside a quoted value",
                    at=at,
                    expected="its JSON escape, such as \\n",
                )
            out.append(char)
            at += 1

    def escape(self, at: int) -> tuple[str, int]:
        """The character the escape at ``at`` stands for, and where to go on."""
        kind = self.text[at + 1 : at + 2]
        if kind in _ESCAPES and kind:
            return _ESCAPES[kind], at + 2
        if kind == "u":
            unit = self.code_unit(at)
            if unit is not None and 0xD800 <= unit < 0xDC00:
                low = self.code_unit(at + 6)
                if low is not None and 0xDC00 <= low < 0xE000:
                    return chr(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00)), at + 12
            elif unit is not None and not 0xDC00 <= unit < 0xE000:
                return chr(unit), at + 6
        raise self.error(
            "selector_bad_escape",
            "Not a JSON escape",
            at=at,
            length=2,
            expected='one of \\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX (surrogates in pairs)',
        )

    def code_unit(self, at: int) -> int | None:
        if not self.text.startswith("\\u", at):
            return None
        digits = _HEX4.match(self.text, at + 2)
        return int(digits.group(), 16) if digits else None

    def literal_string(self) -> str:
        text, start = self.text, self.at
        out: list[str] = []
        at = start + 1
        while at < len(text):
            if text.startswith("\\'", at):
                out.append("'")
                at += 2
            elif text[at] == "'":
                self.at = at + 1
                return "".join(out)
            else:
                out.append(text[at])
                at += 1
        raise self.unclosed(start, "'")

    # -- position ------------------------------------------------------------------------------------

    def done(self) -> bool:
        return self.at >= len(self.text)

    def at_bar(self) -> bool:
        return self.text.startswith("||", self.at)

    def skip_blanks(self) -> None:
        while not self.done() and self.text[self.at] in BLANKS:
            self.at += 1

    def require_boundary(self, start: int) -> None:
        if self.done() or self.text[self.at] in BLANKS or self.at_bar():
            return
        raise self.error(
            "selector_missing_blank",
            f"Text follows {quoted(self.text[start : self.at][:40])} without a blank",
            expected="a blank, || or the end",
        )

    # -- errors --------------------------------------------------------------------------------------

    def unclosed(self, start: int, quote: str) -> SurefootError:
        return self.error(
            "selector_unclosed_quote",
            f"The quote {quote} is never closed",
            at=start,
            expected=f"a closing {quote}",
        )

    def meant(self, key: str) -> str:
        """What a word that is no term may have been meant to be, as the caller would write it."""
        if _REF_WORD.fullmatch(key):
            return f"To use a ref write @{key}."
        if _ID_WORD.fullmatch(key):
            return f"To match an id write id={quoted(key[1:])}."
        whole = self.text.strip()
        said = whole if _PLAIN_WORDS.fullmatch(whole) else key
        return f"To match a text write label={quoted(said[:60])}."

    def not_a_term(self, start: int, key: str) -> SurefootError:
        near = nearest_key(key)
        hint = None if near else self.meant(key)
        return self.error(
            "selector_not_a_term",
            f"{quoted(key[:60])} is no selector term",
            at=start,
            length=len(key),
            expected="key=value",
            near=near,
            hint=hint,
        )

    def unknown_key(self, start: int, key: str) -> SurefootError:
        return self.error(
            "selector_unknown_key",
            f"Unknown selector key {quoted(key[:60])}",
            at=start,
            length=len(key),
            expected="one of " + " ".join(KEYS),
            near=nearest_key(key),
        )

    def error(
        self,
        reason: str,
        what: str,
        *,
        expected: str,
        at: int | None = None,
        length: int = 1,
        near: str | None = None,
        hint: str | None = None,
    ) -> SurefootError:
        column = (self.at if at is None else at) + 1
        meant = f"; did you mean {near}?" if near else "."
        details: dict[str, object] = {
            "reason": reason,
            "column": column,
            "expected": expected,
            "excerpt": caret_excerpt(self.text, column, length),
        }
        if near:
            details["nearest"] = near
        return invalid_args(
            f"{what} (column {column}){meant}",
            hint=hint or f"Expected {expected}.",
            **details,
        )


def nearest_key(word: str) -> str | None:
    """The selector key that ``word`` most likely means."""
    return SYNONYMS.get(word.lower()) or nearest(word, KEYS)
