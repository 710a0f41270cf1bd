"""``python -m surefoot.commands.project``: writes the client's methods from the descriptors.

The client imports nothing of the daemon's insides, so its methods are generated, committed, and held
equal to this projection by a test (architecture.md, decision 1).
"""

from __future__ import annotations

import keyword
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import surefoot
from surefoot.commands.descriptor import Descriptor
from surefoot.commands.language.arguments import Argument
from surefoot.commands.table import DESCRIPTORS

TERMS = ("id", "role", "label")
RETURNS_A_SESSION = frozenset({"open"})

HEADER = '''"""Both clients' methods, from ``python -m surefoot.commands.project``; never edited."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Literal, TypeVar

from surefoot.client.arguments import given, located
from surefoot.client.errors import denied
from surefoot.errors import SurefootError
from surefoot.wire import (
{imports}
)

if TYPE_CHECKING:
    from surefoot.client.client import AsyncSession, Session

R = TypeVar("R")
'''


def client_module(descriptors: Iterable[Descriptor[Any, Any]] = DESCRIPTORS) -> str:
    """The text of ``client/_methods.py``, formatted."""
    listed = list(descriptors)
    results = sorted({one.result.__name__ for one in listed if one.name not in RETURNS_A_SESSION})
    parts = [HEADER.replace("{imports}", "\n".join(f"    {name}," for name in results))]
    for asynchronous in (True, False):
        parts.append(_base(asynchronous))
        parts.extend(_method(one, asynchronous) for one in listed)
    return _formatted("\n".join(parts))


def method_name(command: str) -> str:
    """``session save-script`` is ``session_save_script``; ``is`` is ``is_``."""
    name = command.replace(" ", "_").replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


def _base(asynchronous: bool) -> str:
    name, prefix, session = (
        ("AsyncMethods", "async ", "AsyncSession") if asynchronous else ("Methods", "", "Session")
    )
    return f'''

class {name}(ABC):
    """One method a command."""

    @abstractmethod
    {prefix}def _call(self, command: str, arguments: dict[str, object], result: type[R]) -> R: ...

    @abstractmethod
    {prefix}def _open(self, arguments: dict[str, object]) -> {session}: ...
'''


def _method(one: Descriptor[Any, Any], asynchronous: bool) -> str:
    arguments = [a for a in one.arguments if a.name != one.traits.timeout_policy.unbounded_when]
    target = next((a for a in arguments if one.targets == (a.name,) and a.flag is None), None)
    label = next((a for a in arguments if a.name == "label" and target is not None), None)
    plain = [a for a in arguments if a not in (target, label)]
    fields = ", ".join(f'"{a.wire}": {a.name}' for a in plain)
    value = f"given({{{fields}}})"
    if target is not None:
        terms = ", ".join(f"{term}={term}" for term in TERMS)
        takes = label is not None
        value = f'located("{target.wire}", {target.name}, {terms}, takes_label={takes}) | {value}'
    result = (
        ("AsyncSession" if asynchronous else "Session")
        if one.name in RETURNS_A_SESSION
        else one.result.__name__
    )
    call = (
        f"_open({value})"
        if one.name in RETURNS_A_SESSION
        else f'_call("{one.name}", {value}, {result})'
    )
    prefix, wait = ("async ", "await ") if asynchronous else ("", "")
    signature = _signature(plain, target, arguments)
    method = f'''
    {prefix}def {method_name(one.name)}({signature}) -> {result}:
        """{one.summary.replace(chr(92), chr(92) * 2)}"""
        return {wait}self.{call}
'''
    return method + (_asked(signature, prefix, wait) if one.name == "is" else "")


def _asked(signature: str, prefix: str, wait: str) -> str:
    """``holds``: the predicates of ``is_`` as a truth value."""
    names = re.findall(r"(\w+): ", signature.replace("record: bool = False", ""))
    given = ", ".join(f"{name}={name}" for name in names)
    return f'''
    {prefix}def holds({signature.replace(", record: bool = False", "")}) -> bool:
        """Whether a predicate holds: `is_` as a truth value."""
        try:
            {wait}self.is_({given})
        except SurefootError as error:
            return denied(error)
        return True
'''


def _signature(plain: Sequence[Argument], target: Argument | None, order: Sequence[Argument]) -> str:
    positional: list[str] = []
    named: list[str] = []
    optional_seen = False
    words = [a for a in order if a.flag is None and (a in plain or a is target)]
    for at, argument in enumerate(words):
        required = argument.required and argument is not target
        if required and not optional_seen:
            positional.append(f"{argument.name}: {_type(argument)}")
        elif argument.required or at == 0 or target is None:
            optional_seen = True
            positional.append(f"{argument.name}: {_optional(argument, argument.required)}")
        else:
            named.append(f"{argument.name}: {_optional(argument, argument.required)}")
    if target is not None:
        named += [f"{term}: str | None = None" for term in TERMS]
    for a in plain:
        if a.flag is not None:
            named.append(f"{a.name}: {_type(a) if a.required else _optional(a, False)}")
    return ", ".join(["self", *positional, *(["*", *named] if named else [])])


def _type(argument: Argument) -> str:
    if argument.kind == "choice":
        return f"Literal[{', '.join(repr(choice) for choice in argument.choices)}]"
    text = "str | PathLike[str]" if argument.path else "str"
    return {
        "bool": "bool",
        "int": "int",
        "number": "float",
        "text": text,
        "optional_text": f"bool | {text}",
        "texts": f"Sequence[{text}]",
        "json": "str | Sequence[Sequence[str] | Mapping[str, object]]",
    }[argument.kind]


def _optional(argument: Argument, required: bool) -> str:
    if required or argument.default is None:
        return f"{_type(argument)} | None = None"
    return f"{_type(argument)} = {argument.default!r}"


def _formatted(text: str) -> str:
    ruff = Path(sys.executable).with_name("ruff")
    command = [str(ruff), "format", "--quiet", "--line-length", "104", "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    return done.stdout


def main() -> None:
    """Write the module."""
    path = Path(surefoot.__file__).parent / "client" / "_methods.py"
    path.write_text(client_module(), encoding="utf-8")


if __name__ == "__main__":
    main()
