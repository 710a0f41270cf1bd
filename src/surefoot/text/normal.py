"""What makes two captured texts the same: one normalisation for matching, recording and evidence.

The rule is surface.md's (selector terms) and identity.md 7's: NFC, white-space runs (no-break space
included) to one blank, trimmed, default-ignorable code points dropped except the joiners U+200C and
U+200D. Comparison afterwards is case-sensitive. Ids are NFC only.
"""

from __future__ import annotations

import re
from unicodedata import normalize as _unicode_normalize

# Default_Ignorable_Code_Point of the Unicode Character Database (DerivedCoreProperties.txt), without
# the joiners U+200C and U+200D, which carry meaning in several scripts and in emoji sequences.
DEFAULT_IGNORABLE_RANGES: tuple[tuple[int, int], ...] = (
    (0x00AD, 0x00AD),
    (0x034F, 0x034F),
    (0x061C, 0x061C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200B),
    (0x200E, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFF8),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
)


def char_class(ranges: tuple[tuple[int, int], ...]) -> str:
    """The ranges (inclusive code points) as the inside of a regular expression's ``[...]``."""
    return "".join(f"\\U{low:08x}-\\U{high:08x}" for low, high in ranges)


_IGNORABLE = re.compile(f"[{char_class(DEFAULT_IGNORABLE_RANGES)}]+")
_SURROGATE_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_SURROGATE = re.compile("[\ud800-\udfff]")


def normalize(text: str) -> str:
    """The form in which labels, texts and values are compared. Idempotent.

    White space is what ``str.isspace`` calls so (Unicode white space and the four ASCII
    information separators).
    """
    if not text.isascii():
        text = _unicode_normalize("NFC", _IGNORABLE.sub("", text))
    return " ".join(text.split())


def normalize_id(text: str) -> str:
    """The form in which ids are compared: NFC only, blanks and invisible code points kept."""
    return text if text.isascii() else _unicode_normalize("NFC", text)


def truncate_utf8(text: str, max_bytes: int) -> str:
    """The longest prefix of ``text`` of at most ``max_bytes`` UTF-8 bytes that ends on a code point.

    Raises ``ValueError`` for a negative bound.
    """
    if max_bytes < 0:
        raise ValueError("max_bytes must not be negative")
    if len(text) * 4 <= max_bytes or (text.isascii() and len(text) <= max_bytes):
        return text
    data = text.encode("utf-8", "surrogatepass")
    if len(data) <= max_bytes:
        return text
    end = max_bytes
    while end > 0 and data[end] & 0xC0 == 0x80:
        end -= 1
    return data[:end].decode("utf-8", "surrogatepass")


def utf8_length(text: str) -> int:
    """The number of UTF-8 bytes of ``text``; a lone surrogate counts three."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def scrub_surrogates(text: str) -> tuple[str, int]:
    """``text`` as well-formed Unicode, and how many code points had to be replaced by U+FFFD.

    Two surrogates that form a pair become the character they mean, which is no replacement.
    """
    if text.isascii() or _SURROGATE.search(text) is None:
        return text, 0
    joined = _SURROGATE_PAIR.sub(_join_pair, text)
    return _SURROGATE.subn("\ufffd", joined)


def _join_pair(match: re.Match[str]) -> str:
    high, low = map(ord, match.group())
    return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
