"""The arguments of a command, read from its args struct: the one source of grammar, help and schema.

A field is declared as ``Annotated[int, flag("...", value="N", ge=1, le=20)]`` or
``Annotated[str, word("...")]``; :func:`arguments_of` turns a struct into :class:`Argument` values.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

import msgspec
from msgspec import Struct
from msgspec.structs import FieldInfo, fields

Kind = Literal["bool", "int", "number", "text", "choice", "texts", "optional_text", "json"]

_KEY = "surefoot"


class Args(Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """Base of every args struct: immutable, camelCase on the wire, no unknown fields."""


class _Declared(Struct, frozen=True, kw_only=True):
    flag: str | None = None
    short: str | None = None
    value: str = ""
    caller_only: bool = False
    path: bool = False
    pattern: str | None = None
    recorded: bool = True
    ge: float | None = None
    le: float | None = None


class Argument(Struct, frozen=True, kw_only=True):
    """One argument. ``flag`` is ``None`` for a positional; bounds are inclusive.

    ``optional_text`` is a flag whose value may only follow ``=`` (``--save-script[=path]``); on the
    wire it is ``true`` or a string. ``json`` is text on a command line; elsewhere the list itself may
    stand in its place. ``caller_only`` arguments own a session's lifecycle: they are
    refused in scripts and batch steps (fault B091). ``recorded`` false: it shapes a response and
    never enters a script. ``path``: relative to the caller's directory.
    """

    name: str
    wire: str
    kind: Kind
    help: str
    flag: str | None
    short: str | None
    value: str
    required: bool
    default: Any
    choices: tuple[str, ...]
    ge: float | None
    le: float | None
    pattern: str | None
    caller_only: bool
    path: bool
    recorded: bool

    @property
    def usage(self) -> str:
        """``[--count N]``, ``[-i]``, ``[-e K=V]…``; empty for a positional."""
        if self.flag is None:
            return ""
        spelling = self.short or self.flag
        if self.kind == "bool":
            return f"[{spelling}]"
        if self.kind == "optional_text":
            return f"[{self.flag}[={self.value}]]"
        many = "…" if self.kind == "texts" else ""
        inner = f"{spelling} {self.value}"
        return inner if self.required else f"[{inner}]{many}"

    @property
    def told_name(self) -> str | None:
        """Its name in JSON where the command line's word for it does not already say it."""
        shown = self.value if self.flag is None else _camel(self.flag.removeprefix("--"))
        return None if shown == self.wire else self.wire

    @property
    def range_text(self) -> str:
        """``from 1 to 20``, ``at least 0``, ``at most 5``; empty without bounds."""
        if self.ge is None:
            return "" if self.le is None else f"at most {_plain(self.le)}"
        if self.le is None:
            return f"at least {_plain(self.ge)}"
        return f"from {_plain(self.ge)} to {_plain(self.le)}"


def _camel(spelling: str) -> str:
    first, *rest = spelling.split("-")
    return first + "".join(word.capitalize() for word in rest)


def _plain(number: float) -> str:
    return str(int(number)) if number == int(number) else repr(number)


def word(
    text: str, *, value: str = "", ge: float | None = None, le: float | None = None, path: bool = False
) -> msgspec.Meta:
    """Declare a positional: its help line, its value name, its bounds."""
    return _meta(text, _Declared(value=value, path=path, ge=ge, le=le))


def flag(
    text: str,
    *,
    spelling: str | None = None,
    short: str | None = None,
    value: str = "",
    ge: float | None = None,
    le: float | None = None,
    pattern: str | None = None,
    caller_only: bool = False,
    path: bool = False,
    recorded: bool = True,
) -> msgspec.Meta:
    """Declare a flag: ``--field-name`` unless ``spelling`` says otherwise."""
    declared = _Declared(
        flag=spelling or "--",
        short=short,
        value=value,
        caller_only=caller_only,
        path=path,
        pattern=pattern,
        recorded=recorded and not caller_only,
        ge=ge,
        le=le,
    )
    return _meta(text, declared)


def _meta(text: str, declared: _Declared) -> msgspec.Meta:
    """The bounds stand in the schema and in the declaration: msgspec takes none on an optional."""
    keywords = {"pattern": declared.pattern, "minimum": declared.ge, "maximum": declared.le}
    schema = {name: value for name, value in keywords.items() if value is not None}
    return msgspec.Meta(description=text, extra_json_schema=schema or None, extra={_KEY: declared})


@cache
def arguments_of(struct: type[Struct]) -> tuple[Argument, ...]:
    """The arguments of an args struct in declaration order. ``TypeError`` for an undeclared field."""
    return tuple(_argument(struct, field) for field in fields(struct))


def by_wire(struct: type[Struct]) -> Mapping[str, Argument]:
    """The arguments by their camelCase name."""
    return {argument.wire: argument for argument in arguments_of(struct)}


def _argument(struct: type[Struct], field: FieldInfo) -> Argument:
    meta, inner = _unwrap(field.type)
    if meta is None or meta.extra is None or _KEY not in meta.extra:
        raise TypeError(f"{struct.__name__}.{field.name} declares neither word() nor flag()")
    declared: _Declared = meta.extra[_KEY]
    kind, choices = _kind(struct, field.name, inner)
    spelled = declared.flag
    if spelled == "--":
        spelled = "--" + field.name.replace("_", "-")
    return Argument(
        name=field.name,
        wire=field.encode_name,
        kind=kind,
        help=meta.description or "",
        flag=spelled,
        short=declared.short,
        value=declared.value or ("|".join(choices) if choices else field.name.upper()),
        required=field.required,
        default=None if field.default is msgspec.NODEFAULT else field.default,
        choices=choices,
        ge=declared.ge,
        le=declared.le,
        pattern=declared.pattern,
        caller_only=declared.caller_only,
        path=declared.path,
        recorded=declared.recorded,
    )


def _unwrap(annotation: Any) -> tuple[msgspec.Meta | None, Any]:
    meta = next((item for item in getattr(annotation, "__metadata__", ()) if _is_meta(item)), None)
    return meta, getattr(annotation, "__origin__", annotation) if meta is not None else annotation


def _is_meta(item: object) -> bool:
    return isinstance(item, msgspec.Meta)


def _kind(struct: type[Struct], name: str, annotation: Any) -> tuple[Kind, tuple[str, ...]]:
    members = [annotation]
    if get_origin(annotation) in (Union, UnionType):
        members = [member for member in get_args(annotation) if member is not NoneType]
    if set(members) == {bool, str}:
        return "optional_text", ()
    if str in members and any(get_origin(member) is tuple for member in members):
        return "json", ()
    member = members[0]
    if len(members) == 1:
        if get_origin(member) is Literal:
            return "choice", tuple(str(choice) for choice in get_args(member))
        if get_origin(member) is tuple:
            return "texts", ()
        simple: dict[Any, Kind] = {bool: "bool", int: "int", float: "number", str: "text"}
        if member in simple:
            return simple[member], ()
    raise TypeError(f"{struct.__name__}.{name} has a type the grammar cannot read: {annotation!r}")
