"""The acting script that every document gets at its start, in surefoot's isolated world."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources

PARTS = ("base", "gate", "aim", "field", "rest", "api")
"""The parts below ``js/`` in order: each may use names of the ones before it."""


@cache
def acting_source() -> str:
    """The whole script; evaluating it twice in one world does nothing the second time."""
    folder = resources.files(__package__) / "js"
    body = "\n".join((folder / f"{part}.js").read_text(encoding="utf-8") for part in PARTS)
    again = "if (globalThis.__surefootAct) return void __surefootAct.listen();"
    return f"(() => {{\n'use strict';\n{again}\n{body}\n}})();"


def invoke(function: str, *arguments: object) -> str:
    """The expression that calls a function of the acting script with JSON arguments."""
    return f"__surefootAct.{function}({','.join(json.dumps(a) for a in arguments)})"
