"""Help topics: one text file each, written for agents, 80 columns.

A line that starts with two blanks and ``surefoot`` is a command, a block under ``name.ad:`` a script; a
test runs all of them in order (``tests/e2e/test_help_topics.py``), so that no example can rot.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files

from surefoot import __version__
from surefoot.selectors import BOOL_KEYS, STRING_KEYS

NAMES = ("workflow", "scripting", "selectors", "mcp")

_WORDS = {"{string_keys}": " ".join(STRING_KEYS), "{bool_keys}": " ".join(BOOL_KEYS)}


def _read(name: str) -> str:
    text = files(__name__).joinpath(f"{name}.txt").read_text(encoding="utf-8")
    for placeholder, words in _WORDS.items():
        text = text.replace(placeholder, words)
    return text.rstrip("\n")


TOPICS: Mapping[str, str] = {
    "version": f"surefoot {__version__}",
    **{name: _read(name) for name in NAMES},
}
