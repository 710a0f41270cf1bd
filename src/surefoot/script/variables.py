"""``${VAR}``, ``${VAR:-default}`` and ``\\${VAR}``: found, checked, and filled in late.

A value is data: it never becomes tokens, flags or selector syntax. A default is script text, read where
it stands. Precedence (decisions.md): ``-e`` over ``AD_VAR_*`` over ``env`` over built-ins.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Final, NewType

from msgspec import Struct

from surefoot.errors import SurefootError, invalid_args

Template = NewType("Template", str)
"""Script text in which ``${…}`` is a variable and ``\\${`` the two characters."""

NAME: Final = re.compile(r"[A-Z_][A-Z0-9_]*")
RESERVED_PREFIX: Final = "AD_"
SHELL_PREFIX: Final = "AD_VAR_"
BUILT_INS: Final = ("AD_PLATFORM", "AD_SESSION", "AD_FILENAME", "AD_DEVICE", "AD_ARTIFACTS")

_REFERENCE = re.compile(
    r"\\\$\{|\$\{(?:(?P<name>[A-Z_][A-Z0-9_]*)(?P<sign>:-(?P<default>(?:[^}\\$]|\$(?!\{)|\\.)*))?\})?",
    re.DOTALL,
)
_TERM_STOP = re.compile(r"""\s|\|\||"|\$\{|\\\$\{""")


class Reference(Struct, frozen=True, gc=False):
    """One ``${NAME}`` of a template. ``offset`` is 0-based; ``default`` None when there is none."""

    name: str
    default: str | None
    offset: int
    end: int


class MalformedReference(Exception):
    """``${`` that begins no variable; ``offset`` is 0-based in the template."""

    def __init__(self, offset: int) -> None:
        super().__init__(offset)
        self.offset = offset


class Unresolved(Exception):
    """A variable without value and without default."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class Scope(Struct, frozen=True):
    """The variables of one run, already merged: ``values`` by name."""

    values: Mapping[str, str] = {}

    @classmethod
    def of(
        cls,
        *,
        cli: Mapping[str, str] | None = None,
        shell: Mapping[str, str] | None = None,
        script: Mapping[str, str] | None = None,
        built_ins: Mapping[str, str] | None = None,
    ) -> Scope:
        """Merge the four layers. ``shell`` is what :func:`shell_variables` returns."""
        return cls({**(built_ins or {}), **(script or {}), **(shell or {}), **(cli or {})})


def shell_variables(environment: Mapping[str, str]) -> dict[str, str]:
    """The ``AD_VAR_NAME`` entries of an environment, as ``NAME``."""
    return {
        key.removeprefix(SHELL_PREFIX): value
        for key, value in environment.items()
        if key.startswith(SHELL_PREFIX) and NAME.fullmatch(key.removeprefix(SHELL_PREFIX))
    }


def name_problem(name: str) -> str | None:
    """Why ``name`` cannot be set as a variable, or None."""
    if not NAME.fullmatch(name):
        return "keys must be uppercase letters, digits, and underscores (e.g. APP_ID)"
    if name.startswith(RESERVED_PREFIX):
        return f"the AD_* namespace is reserved for built-in variables; rename {name}"
    return None


def parse_assignments(entries: Iterable[str]) -> dict[str, str]:
    """The ``-e KEY=VALUE`` arguments of a call. The last of a name wins.

    ``INVALID_ARGS``, reason ``env_invalid``, for a key that cannot be set.
    """
    values: dict[str, str] = {}
    for entry in entries:
        name, equals, value = entry.partition("=")
        if not equals:
            raise invalid_args('-e needs "KEY=VALUE"', reason="env_invalid", entry=name)
        problem = name_problem(name)
        if problem:
            raise invalid_args(f'-e "{name}": {problem}', reason="env_invalid", entry=name)
        values[name] = value
    return values


def literal(text: str) -> Template:
    """Text as a template that expands to itself: ``${`` is escaped."""
    return Template(text.replace("${", "\\${"))


def placeholder(name: str) -> Template:
    """``${NAME}``; ``INVALID_ARGS`` when the name cannot be set by a caller."""
    problem = name_problem(name)
    if problem:
        raise invalid_args(f'variable "{name}": {problem}', reason="env_invalid", entry=name)
    return Template(f"${{{name}}}")


def references(template: str) -> tuple[Reference, ...]:
    """The variables a template names, in order. Raises :class:`MalformedReference`."""
    if "${" not in template:
        return ()
    found: list[Reference] = []
    for match in _REFERENCE.finditer(template):
        name = match["name"]
        if name is not None:
            found.append(Reference(name, match["default"], match.start(), match.end()))
        elif match.group() == "${":
            raise MalformedReference(match.start())
    return tuple(found)


def expand(template: str, scope: Scope) -> str:
    """The template with its variables filled in. Raises :class:`Unresolved`, ``MalformedReference``."""
    if "${" not in template:
        return template

    def fill(match: re.Match[str]) -> str:
        if match["name"] is None:
            return _plain(match)
        value, is_default = _value(match, scope)
        return _default_text(value) if is_default else value

    return _REFERENCE.sub(fill, template)


def expand_selector(template: str, scope: Scope) -> str:
    """As :func:`expand`, for selector source: a value can fill a term but never add or end one.

    Inside ``"…"`` a value is escaped; in a bare term value the whole value gets quotes. A variable
    that stands for a key or a whole selector is filled in as it is, and checked once it is bound.
    """
    if "${" not in template:
        return template
    out: list[str] = []
    position = 0
    in_quotes = False
    while position < len(template):
        char = template[position]
        if in_quotes and char == "\\" and not template.startswith("\\${", position):
            out.append(template[position : position + 2])
            position += 2
        elif char == '"':
            in_quotes = not in_quotes
            out.append(char)
            position += 1
        elif in_quotes:
            match = _REFERENCE.match(template, position)
            piece, position = _quoted_piece(template, position, match, scope)
            out.append(piece)
        elif char == "=":
            out.append(char)
            piece, position = _bare_value(template, position + 1, scope)
            out.append(piece)
        else:
            match = _REFERENCE.match(template, position)
            if match:
                out.append(expand(match.group(), scope))
                position = match.end()
            else:
                out.append(char)
                position += 1
    return "".join(out)


def _quoted_piece(
    template: str, position: int, match: re.Match[str] | None, scope: Scope
) -> tuple[str, int]:
    if match is None:
        return template[position], position + 1
    if match["name"] is None:
        return _plain(match), match.end()
    value, is_default = _value(match, scope)
    return (value if is_default else json.dumps(value, ensure_ascii=False)[1:-1]), match.end()


def _bare_value(template: str, position: int, scope: Scope) -> tuple[str, int]:
    """A bare term value from ``position`` on: quoted as a whole when a variable's value is in it."""
    parts: list[str] = []
    has_value = False
    while position < len(template):
        stop = _TERM_STOP.search(template, position)
        at = stop.start() if stop else len(template)
        parts.append(template[position:at])
        position = at
        match = _REFERENCE.match(template, position) if stop else None
        if match is None:
            break
        if match["name"] is None:
            parts.append(_plain(match))
        else:
            value, is_default = _value(match, scope)
            has_value = has_value or not is_default
            parts.append(value)
        position = match.end()
    text = "".join(parts)
    return (json.dumps(text, ensure_ascii=False) if has_value else text), position


def _plain(match: re.Match[str]) -> str:
    if match.group() == "${":
        raise MalformedReference(match.start())
    return "${"


def _value(match: re.Match[str], scope: Scope) -> tuple[str, bool]:
    """The variable's value, or its default as written and True."""
    name = match["name"]
    value = scope.values.get(name)
    if value is not None:
        return value, False
    if match["sign"] is None:
        raise Unresolved(name)
    return match["default"], True


def _default_text(default: str) -> str:
    return default.replace("\\}", "}")


def unresolved_error(name: str, path: str, line: int, column: int) -> SurefootError:
    """The error of a variable that has no value when it is needed (after validation: a bug's net)."""
    return invalid_args(
        f"Unresolved variable ${{{name}}} at {path}:{line}:{column}",
        reason="variable_unresolved",
        name=name,
        path=path,
        line=line,
        column=column,
    )
