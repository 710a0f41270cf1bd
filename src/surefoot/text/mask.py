"""Where a field holds a text that must not be told, however it spells it.

The one matcher of everything that leaves a session: answers, errors, logs, reports, evidence and
scripts. A page repeats what was entered as it stands, in a URL (``%21``, ``+``), in source text
(``&amp;``, ``\\u0021``, ``\\n``) or in several of these at once.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from typing import NamedTuple
from urllib.parse import unquote

from surefoot.text.normal import normalize

SHORT = 4
"""A text below this length is found only where it is the whole field (contracts.md, 0017)."""
MAX_LAYERS = 3
"""So often a spelling may be spelled again: ``%2521`` is two layers."""

_SPELLED = re.compile(
    r"(?i:%[0-7][0-9a-f]|%[cd][0-9a-f]%[89ab][0-9a-f]|%e[0-9a-f](?:%[89ab][0-9a-f]){2}"
    r"|%f[0-7](?:%[89ab][0-9a-f]){3}"
    r"|&(?:\#[0-9]{1,7}|\#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});)"
    r"|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}"
    r"|\\U[0-9a-fA-F]{8}|\\x[0-9a-fA-F]{2}|\\[nrtbf\"'/\\]"
)
_PLUS = re.compile(rf"\+|{_SPELLED.pattern}")
_BEGUN = re.compile(r"(?:%[0-9a-fA-F]{0,2})+\Z|&#?\w*\Z|\\(?:[uUx][0-9a-fA-F]*)?\Z")
_USERINFO = re.compile(r"(?<=://)([^/?#\s\"'<>@:]*):(?!\$\{[A-Z0-9_]+\}@)([^/?#\s\"'<>]+)@")
_SHORT_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}


def without_userinfo(text: str) -> str:
    """``text`` with ``<secret>`` for the password of every URL in it, however short it is. A variable
    in its place stays."""
    return _USERINFO.sub(r"\1:<secret>@", text) if "://" in text else text


def url_password(url: str) -> str | None:
    """The password a URL logs in with, decoded; ``None`` where it holds none."""
    found = _USERINFO.search(url)
    return None if found is None else unquote(found[2])


class Mask:
    """Texts that must not be told, and what is shown in the place of each.

    ``shown`` says it for each text; the empty one and blanks are never looked for. A text is found on
    whole tokens, so that a short secret never eats into other words; ``inside_words`` finds it
    anywhere. Texts under :data:`SHORT` characters are found only as the whole field.
    """

    def __init__(self, shown: Mapping[str, str], *, inside_words: bool = False) -> None:
        self._shown: dict[str, str] = {}
        for text, mark in shown.items():
            for form in (text, normalize(text)):
                if form.strip():
                    self._shown.setdefault(form, mark)
        self._long = sorted((t for t in self._shown if len(t) >= SHORT), key=len, reverse=True)
        tokens = [re.escape(text) if inside_words else _token(text) for text in self._long]
        self._pattern = re.compile("|".join(tokens)) if self._long else None

    def hide(self, field: str) -> str:
        """The field with a mark for every text in it; the same field where it holds none."""
        if not self._shown:
            return field
        readings = [_AS_IT_STANDS, *_readings(field)]
        for layers in readings:
            whole = self._whole(layers[-1].text if layers else field)
            if whole is not None:
                return whole
        if self._pattern is None:
            return field
        found = [
            (*_origin(layers, *hit.span()), self._shown[hit.group()])
            for layers in readings
            for hit in self._pattern.finditer(layers[-1].text if layers else field)
        ]
        return _marked(field, found) if found else field

    def holds(self, field: str) -> bool:
        """Whether :meth:`hide` would change it."""
        return self.hide(field) != field

    def hide_cut(self, field: str) -> str:
        """A field that a bound cut, without the start of a text that it may end in."""
        for layers in (_AS_IT_STANDS, *_readings(field)):
            text = layers[-1].text if layers else field
            begun = _BEGUN.search(text)
            for end in (len(text), *(() if begun is None else (begun.start(),))):
                for long in self._long:
                    for size in range(min(len(long) - 1, end), SHORT - 1, -1):
                        if text.endswith(long[:size], 0, end):
                            start, _ = _origin(layers, end - size, end)
                            return field[:start] + self._shown[long]
        return field

    def _whole(self, text: str) -> str | None:
        return self._shown.get(text) or self._shown.get(normalize(text))


def _marked(field: str, found: list[tuple[int, int, str]]) -> str:
    """The field with the marks in the place of their spans; of spans that overlap the first one's."""
    found.sort(key=lambda span: (span[0], -span[1]))
    kept: list[str] = []
    at = 0
    for start, end, mark in found:
        if start >= at:
            kept += field[at:start], mark
        at = max(at, end)
    return "".join((*kept, field[at:]))


class _Layer(NamedTuple):
    """A text read: ``starts`` are where each spelled piece begins in it, ``pieces`` its length there,
    and its span in the text it was read from."""

    text: str
    starts: list[int]
    pieces: list[tuple[int, int, int]]

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """The span of the text read from that a span of ``text`` stands for."""
        return self._place(start)[0], self._place(end - 1)[1]

    def _place(self, at: int) -> tuple[int, int]:
        number = bisect_right(self.starts, at) - 1
        if number < 0:
            return at, at + 1
        length, low, high = self.pieces[number]
        past = at - self.starts[number] - length
        return (low, high) if past < 0 else (high + past, high + past + 1)


_AS_IT_STANDS: tuple[_Layer, ...] = ()


def _readings(field: str) -> Iterable[tuple[_Layer, ...]]:
    """The field with its spellings read, layer upon layer; a ``+`` as itself and as a blank."""
    for spelled in (_SPELLED, _PLUS) if "+" in field or "%2" in field else (_SPELLED,):
        layers: tuple[_Layer, ...] = ()
        text = field
        for _ in range(MAX_LAYERS):
            layer = _read(text, spelled)
            if layer is None:
                break
            layers = (*layers, layer)
            yield layers
            text = layer.text


def _read(text: str, spelled: re.Pattern[str]) -> _Layer | None:
    parts: list[str] = []
    starts: list[int] = []
    pieces: list[tuple[int, int, int]] = []
    length = at = 0
    for found in spelled.finditer(text):
        plain = _plain(found.group())
        if plain is None:
            continue
        low, high = found.span()
        length += low - at
        starts.append(length)
        pieces.append((len(plain), low, high))
        parts += text[at:low], plain
        length += len(plain)
        at = high
    return _Layer("".join((*parts, text[at:])), starts, pieces) if starts else None


def _plain(spelled: str) -> str | None:
    """What one spelled character stands for."""
    head = spelled[0]
    if head == "+":
        return " "
    if head == "%":
        try:
            return bytes.fromhex(spelled.replace("%", "")).decode("utf-8")
        except UnicodeDecodeError:
            return None
    if head == "&":
        plain = html.unescape(spelled)
        return None if plain == spelled else plain
    if spelled[1] not in "uUx":
        return _SHORT_ESCAPES.get(spelled[1].lower(), spelled[1])
    codes = [int(digits, 16) for digits in re.findall(r"[0-9a-fA-F]{2,}", spelled)]
    if len(codes) == 2:
        return chr(0x10000 + ((codes[0] - 0xD800) << 10) + (codes[1] - 0xDC00))
    return chr(codes[0]) if codes[0] <= 0x10FFFF else None


def _origin(layers: tuple[_Layer, ...], start: int, end: int) -> tuple[int, int]:
    for layer in reversed(layers):
        start, end = layer.origin(start, end)
    return start, end


def _token(text: str) -> str:
    """The text where it is no part of a longer word."""
    before = r"(?<!\w)" if re.match(r"\w", text) else ""
    after = r"(?!\w)" if re.search(r"\w\Z", text) else ""
    return f"{before}{re.escape(text)}{after}"
