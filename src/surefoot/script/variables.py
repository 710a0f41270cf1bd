"""``${VAR}``, ``${VAR:-default}`` and ``\\${VAR}``: found, checked, and filled in late.

A value is data: it never becomes tokens, flags or selector syntax. A default is script text, read where
it stands. Precedence (decisions.md): ``-e`` over ``AD_VAR_*`` over ``env`` over built-ins.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Final, NewType

from msgspec import Struct

from surefoot.errors import invalid_args

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


class Scope(Struct, frozen=True, kw_only=True, dict=True):
    """The variables of one run, in layers. :meth:`within` adds those of the script."""

    caller: Mapping[str, str] = {}
    script: Mapping[str, str] = {}
    built_ins: Mapping[str, str] = {}

    @classmethod
    def of(
        cls,
        *,
        cli: Mapping[str, str] | None = None,
        shell: Mapping[str, str] | None = None,
        built_ins: Mapping[str, str] | None = None,
    ) -> Scope:
        """What the caller brings: ``cli`` from :func:`parse_assignments`, ``shell`` from
        :func:`shell_variables`, ``built_ins`` by full name (``BUILT_INS``)."""
        return cls(caller={**(shell or {}), **(cli or {})}, built_ins=built_ins or {})

    def within(self, env: Mapping[str, str]) -> Scope:
        """The scope inside a script with these ``env`` lines."""
        return Scope(caller=self.caller, script=env, built_ins=self.built_ins)

    @cached_property
    def values(self) -> Mapping[str, str]:
        """Every variable with the value that wins."""
        return {**self.built_ins, **self.script, **self.caller}


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
            raise invalid_args('-e needs "KEY=VALUE"', reason="env_invalid")  # it may be the value
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

    return _REFERENCE.sub(lambda match: _piece(template, match.start(), scope, _as_is)[0], template)


def expand_selector(template: str, scope: Scope) -> str:
    """As :func:`expand`, for selector source: a value can fill a term but never add or end one.

    Inside ``"…"`` a value is escaped; a bare or ``'…'`` term value that a variable went into gets
    double quotes as a whole. A variable that stands for a key or a whole selector is filled in as it
    is, and checked once it is bound.
    """
    if "${" not in template:
        return template
    out: list[str] = []
    at = 0
    while at < len(template):
        if template[at] == "=":
            out.append("=")
            piece, at = _term_value(template, at + 1, scope)
        else:
            piece, at = _piece(template, at, scope, _as_is)
        out.append(piece)
    return "".join(out)


def _term_value(template: str, at: int, scope: Scope) -> tuple[str, int]:
    quote = template[at : at + 1]
    if quote == '"':
        return _json_value(template, at, scope)
    if quote == "'" and (found := _literal_value(template, at, scope)):
        return found
    return _bare_value(template, at, scope)


def _json_value(template: str, at: int, scope: Scope) -> tuple[str, int]:
    """A ``"…"`` value from its opening quote on."""
    out = ['"']
    at += 1
    while at < len(template):
        if template[at] == '"':
            return "".join([*out, '"']), at + 1
        if _escapes_next(template, at):
            out.append(template[at : at + 2])
            at += 2
        else:
            piece, at = _piece(template, at, scope, _json_inside)
            out.append(piece)
    return "".join(out), at


def _escapes_next(template: str, at: int) -> bool:
    """Whether a backslash here is a JSON escape; that of ``\\${`` belongs to the variable syntax."""
    return template[at] == "\\" and not any(template.startswith("\\${", at + skip) for skip in (0, 1))


def _literal_value(template: str, at: int, scope: Scope) -> tuple[str, int] | None:
    """A ``'…'`` value from its opening quote on; None when it never ends."""
    parts: list[str] = []
    start, has_value = at, False
    at += 1
    while at < len(template):
        if template[at] == "'":
            whole = json.dumps("".join(parts), ensure_ascii=False)
            return (whole if has_value else template[start : at + 1]), at + 1
        if template.startswith("\\'", at):
            parts.append("'")
            at += 2
            continue
        has_value = has_value or template.startswith(("${", "\\${"), at)
        piece, at = _piece(template, at, scope, _as_is)
        parts.append(piece)
    return None


def _bare_value(template: str, at: int, scope: Scope) -> tuple[str, int]:
    """A bare term value: quoted as a whole when a variable's value is in it."""
    parts: list[str] = []
    has_value = False
    while at < len(template):
        stop = _TERM_STOP.search(template, at)
        end = stop.start() if stop else len(template)
        parts.append(template[at:end])
        at = end
        match = _REFERENCE.match(template, at) if stop else None
        if match is None:
            break
        has_value = has_value or match["name"] in scope.values
        piece, at = _piece(template, at, scope, _as_is)
        parts.append(piece)
    text = "".join(parts)
    return (json.dumps(text, ensure_ascii=False) if has_value else text), at


def _piece(template: str, at: int, scope: Scope, encode: Callable[[str], str]) -> tuple[str, int]:
    """One character, or one variable with its value encoded (a default stays as written)."""
    match = _REFERENCE.match(template, at)
    if match is None:
        return template[at], at + 1
    if match["name"] is None:
        return _plain(match), match.end()
    value, is_default = _value(match, scope)
    return (_default_text(value) if is_default else encode(value)), match.end()


def _as_is(value: str) -> str:
    return value


def _json_inside(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)[1:-1]


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
