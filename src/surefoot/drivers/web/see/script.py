"""The walker: the script that reads one document, put together from its parts under ``js/``."""

from __future__ import annotations

from functools import cache
from importlib import resources

PARTS = (
    *("dom", "areas", "styles", "roles", "names", "states"),
    *("record", "walk", "cover", "emit", "watch", "api"),
)
"""The script's parts in order: each may use names of the ones before it at load time."""


@cache
def walker_source() -> str:
    """The whole script; evaluating it twice in one world does nothing the second time.

    May be given to ``Page.addScriptToEvaluateOnNewDocument`` (with ``worldName``); a capture
    installs it by itself where it is missing.
    """
    folder = resources.files(__package__) / "js"
    parts = [(folder / f"{part}.js").read_text(encoding="utf-8") for part in PARTS]
    body = "\n".join(parts)
    return f"(() => {{\n'use strict';\nif (globalThis.__surefoot) return;\n{body}\n}})();"
