"""From an arguments object to a typed args struct: the one gate every surface passes.

CLI, client, batch steps and script lines all end here, so a value out of range is the same error on
each. Nothing has been executed when it raises.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from surefoot.commands.descriptor import Descriptor
from surefoot.commands.language.arguments import Argument, arguments_of
from surefoot.commands.language.forms import number_text
from surefoot.commands.language.spelling import is_pending, refused, told, unknown
from surefoot.errors import DEFAULT_HINTS, ErrorCode, SurefootError
from surefoot.wire import CallOptions

A = TypeVar("A", bound=Struct)

MAX_TIMEOUT_MS = 24 * 60 * 60 * 1000
_TYPES: Mapping[str, tuple[tuple[type, ...], str]] = {
    "bool": ((bool,), "true or false"),
    "int": ((int,), "a whole number"),
    "number": ((int, float), "a number"),
    "text": ((str,), "text"),
    "choice": ((str,), "text"),
    "optional_text": ((bool, str), "true or text"),
    "texts": ((list, tuple), "a list of texts"),
    "json": ((str, list, tuple), "a list, or its JSON"),
}


def admit(descriptor: Descriptor[A, Any], arguments: Mapping[str, Any], options: CallOptions) -> A:
    """The args struct for ``arguments`` (camelCase). Raises ``INVALID_ARGS`` with usage as hint, or,
    for a name too many or too few, the names this command takes."""
    known = {argument.wire: argument.name for argument in arguments_of(descriptor.args)}
    try:
        for name in arguments:
            if name not in known:
                message = f"{descriptor.name} has no argument {told(name)}"
                raise unknown(message, name, known, hint=names_hint(descriptor))
        if arguments.get("record") and options.no_record:
            raise refused("--record and --no-record exclude each other", reason="record_conflict")
    except SurefootError as error:
        raise with_usage(error, descriptor) from None
    return admit_values(descriptor, {known[name]: value for name, value in arguments.items()})


def admit_values(descriptor: Descriptor[A, Any], values: Mapping[str, Any]) -> A:
    """The args struct for values by field name. Pending values (see ``Pending``) are not checked."""
    try:
        pending = False
        for argument in arguments_of(descriptor.args):
            value = values.get(argument.name)
            if value is None:
                if argument.required:
                    raise refused(
                        f"{descriptor.name} needs {spelled(argument)}",
                        argument=argument.wire,
                        hint=names_hint(descriptor),
                    )
            elif _holds_pending(value):
                pending = True
            else:
                check_value(argument, value)
        args = _build(descriptor, values, pending)
        descriptor.check(args)
    except SurefootError as error:
        raise with_usage(error, descriptor) from None
    return args


def _build(descriptor: Descriptor[A, Any], values: Mapping[str, Any], pending: bool) -> A:
    if pending:  # the constructor takes what it is given; a bound line is admitted again
        return descriptor.args(**{k: tuple(v) if isinstance(v, list) else v for k, v in values.items()})
    wires = {argument.name: argument.wire for argument in arguments_of(descriptor.args)}
    try:
        return msgspec.convert(
            {wires[name]: value for name, value in values.items()}, descriptor.args, strict=True
        )
    except msgspec.ValidationError as error:
        raise refused(f"{descriptor.name}: {error}") from None


def _texts(value: object) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list | tuple) else []


def _holds_pending(value: object) -> bool:
    if isinstance(value, list | tuple):
        return any(map(is_pending, value))
    return is_pending(value)


def names_hint(descriptor: Descriptor[Any, Any]) -> str:
    """The names of a call's arguments, as JSON has them; what must be there first."""
    listed = sorted(descriptor.arguments, key=lambda argument: not argument.required)
    names = [f"{one.wire} (needed)" if one.required else one.wire for one in listed]
    return f"Its arguments: {', '.join(names) or 'none'}. Run `surefoot help {descriptor.name}`."


def check_options(options: CallOptions) -> None:
    """The range of ``--timeout``."""
    if options.timeout_ms is not None and not 1 <= options.timeout_ms <= MAX_TIMEOUT_MS:
        raise refused(
            f"--timeout must be from 1 to {MAX_TIMEOUT_MS} milliseconds, not {options.timeout_ms}",
            argument="timeout",
        )


def with_usage(error: SurefootError, descriptor: Descriptor[Any, Any]) -> SurefootError:
    """The error with the command's usage as its hint, unless its hint says something more precise."""
    if error.code is ErrorCode.INVALID_ARGS and error.hint == DEFAULT_HINTS[error.code]:
        error.hint = f"Usage: surefoot {descriptor.usage}. Run `surefoot help {descriptor.name}`."
    return error


def spelled(argument: Argument) -> str:
    """How a person names the argument: its flag, else ``<value>``."""
    return argument.flag or f"<{argument.value}>"


def check_value(argument: Argument, value: Any) -> None:
    """Type, choices, range and pattern of one value; ``INVALID_ARGS`` names the argument."""
    name = spelled(argument)
    types, said = _TYPES[argument.kind]
    wrong = not isinstance(value, types)
    wrong |= isinstance(value, bool) and bool not in types
    wrong |= argument.kind == "texts" and not wrong and not all(isinstance(v, str) for v in value)
    if wrong:
        raise refused(f"{name} must be {said}", argument=argument.wire)
    if argument.path and "\0" in (value if isinstance(value, str) else "".join(_texts(value))):
        raise refused(
            f"{name} holds a NUL character, which no path does",
            argument=argument.wire,
            reason="path_invalid",
        )
    if argument.choices and value not in argument.choices:
        listed = "|".join(argument.choices)
        message = f"{name} must be one of {listed}, not {told(value)}"
        raise unknown(message, value, argument.choices, argument=argument.wire)
    if argument.kind in ("int", "number"):
        inside = (argument.ge is None or value >= argument.ge) and (
            argument.le is None or value <= argument.le
        )
        if not inside:
            given = number_text(value)
            message = f"{name} must be {argument.range_text}, not {given}"
            raise refused(message, given=given, argument=argument.wire, expected=argument.range_text)
    if argument.path and value == "":
        raise refused(f"{name} must not be empty", given="", argument=argument.wire)
    if argument.pattern and isinstance(value, str) and re.search(argument.pattern, value) is None:
        message = f"{name} must match {argument.pattern}, not {told(value)}"
        raise refused(message, given=value, argument=argument.wire)
