"""Command lines in what we say, as the calls a surface without a shell makes.

``surefoot snapshot -i`` is ``snapshot {"interactive": true}`` there. Only our own words are read:
text of an app stands in JSON strings (:func:`surefoot.text.quoted`), which are passed over.
"""

from __future__ import annotations

import json
import re
import shlex
from contextlib import suppress
from typing import Any

from surefoot.commands.language.admission import names_hint
from surefoot.commands.language.grammar import Token
from surefoot.commands.table import GRAMMAR
from surefoot.errors import SurefootError

_TICKED = re.compile(r'"(?:[^"\\\n]|\\.)*"|`surefoot ([^`\n]+)`')
_LINE = re.compile(r"^( *(?:hint: |next: |- … more: )?)surefoot (.+)$", re.MULTILINE)
_PLACEHOLDER = re.compile(r"<[^<>]*>")
_USAGE = "Usage: surefoot "
_SAID = frozenset({"warnings", "hint", "next"})
_OPTIONS = {"timeout": "timeoutMs", "no_record": "noRecord"}


def tool_name(command: str) -> str:
    """``session save-script`` is ``session_save_script``."""
    return command.replace(" ", "_").replace("-", "_")


def with_calls(text: str) -> str:
    """The text with each command line in it (between backticks, or a line of its own) as a call."""
    text = _TICKED.sub(lambda found: f"`{_call(found[1])}`" if found[1] else found[0], text)
    return _LINE.sub(lambda found: found[1] + _call(found[2]), text)


def data_with_calls(value: Any, name: str = "") -> Any:
    """A result (JSON values) with what it says to the caller so; nothing else in it is touched."""
    if isinstance(value, dict):
        return {key: data_with_calls(item, key) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [data_with_calls(item, name) for item in value]
    return with_calls(value) if isinstance(value, str) and name in _SAID else value


def for_calls(error: SurefootError, command: str) -> SurefootError:
    """The error of a call of ``command`` with a hint that names calls and their arguments."""
    found = GRAMMAR.by_name.get(command)
    if found is not None and error.hint.startswith(_USAGE):
        error.hint = names_hint(found)
    error.hint = with_calls(error.hint)
    return error


def _call(line: str) -> str:
    """``press {"target": "@e12"}``; only the name where the rest is no more than a sketch."""
    kept = _PLACEHOLDER.sub(lambda found: found[0].replace(" ", "\u00a0"), line)
    try:
        words = shlex.split(kept)
        read = GRAMMAR.split([Token(word) for word in words])
    except (ValueError, SurefootError):
        return _named(line)
    values: dict[str, Any] = read.values
    with suppress(SurefootError):  # a sketch: what stands for its words is left out
        values = read.fields()
    wires = {argument.name: argument.wire for argument in read.descriptor.arguments}
    arguments = {wires[name]: value for name, value in values.items()}
    arguments |= {_OPTIONS.get(name, name): value for name, value in read.common.items()}
    arguments.pop("json", None)
    name = tool_name(read.descriptor.name)
    if not arguments:
        return name
    return f"{name} {json.dumps(arguments, ensure_ascii=False)}".replace("\u00a0", " ")


def _named(line: str) -> str:
    words = line.split()
    known = (" ".join(words[:length]) for length in range(len(words), 0, -1))
    name = next((name for name in known if name in GRAMMAR.by_name), None)
    return f"surefoot {line}" if name is None else tool_name(name)
