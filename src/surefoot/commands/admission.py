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

from surefoot.commands.arguments import Argument, arguments_of
from surefoot.commands.descriptor import Descriptor
from surefoot.commands.spelling import did_you_mean
from surefoot.errors import ErrorCode, SurefootError, invalid_args
from surefoot.text import quoted
from surefoot.wire import CallOptions

A = TypeVar("A", bound=Struct)

MAX_TIMEOUT_MS = 24 * 60 * 60 * 1000
_TYPES: Mapping[str, tuple[type, ...]] = {
    "bool": (bool,),
    "int": (int,),
    "number": (int, float),
    "text": (str,),
    "choice": (str,),
    "optional_text": (bool, str),
    "texts": (list, tuple),
}
_NAMES = {
    "bool": "true or false",
    "int": "a whole number",
    "number": "a number",
    "text": "text",
    "choice": "text",
    "optional_text": "true or text",
    "texts": "a list of texts",
}


def admit(descriptor: Descriptor[A, Any], arguments: Mapping[str, Any], options: CallOptions) -> A:
    """The args struct for ``arguments`` (camelCase). Raises ``INVALID_ARGS`` with usage as hint."""
    try:
        args = _convert(descriptor, arguments)
        if getattr(args, "record", False) and options.no_record:
            raise invalid_args("--record and --no-record exclude each other", reason="record_conflict")
        descriptor.check(args)
    except SurefootError as error:
        raise with_usage(error, descriptor) from None
    return args


def check_options(options: CallOptions) -> None:
    """Range of ``--timeout``; names are checked where they are resolved."""
    if options.timeout_ms is not None and not 1 <= options.timeout_ms <= MAX_TIMEOUT_MS:
        raise invalid_args(
            f"--timeout must be from 1 to {MAX_TIMEOUT_MS} milliseconds, not {options.timeout_ms}",
            argument="timeout",
        )


def with_usage(error: SurefootError, descriptor: Descriptor[Any, Any]) -> SurefootError:
    """The error with the command's usage as its hint, unless it says something more precise."""
    if error.code is ErrorCode.INVALID_ARGS and error.hint == _DEFAULT_HINT:
        error.hint = f"Usage: surefoot {descriptor.usage}. Run `surefoot help {descriptor.name}`."
    return error


_DEFAULT_HINT = invalid_args("").hint


def _convert(descriptor: Descriptor[A, Any], arguments: Mapping[str, Any]) -> A:
    known = {argument.wire: argument for argument in arguments_of(descriptor.args)}
    for name in arguments:
        if name not in known:
            near = did_you_mean(name, known)
            raise invalid_args(f"{descriptor.name} has no argument {quoted(name)}{near}", argument=name)
    for argument in known.values():
        if argument.wire in arguments and arguments[argument.wire] is not None:
            check_value(argument, arguments[argument.wire])
        elif argument.required:
            raise invalid_args(f"{descriptor.name} needs {spelled(argument)}", argument=argument.wire)
    try:
        return msgspec.convert(dict(arguments), descriptor.args, strict=True)
    except msgspec.ValidationError as error:
        raise invalid_args(f"{descriptor.name}: {error}") from None


def spelled(argument: Argument) -> str:
    """How a person names the argument: its flag, else ``<value>``."""
    return argument.flag or f"<{argument.value}>"


def check_value(argument: Argument, value: Any) -> None:
    """Type, choices, range and pattern of one value; ``INVALID_ARGS`` names the argument."""
    name = spelled(argument)
    wrong_type = not isinstance(value, _TYPES[argument.kind]) or (
        isinstance(value, bool) and argument.kind not in ("bool", "optional_text")
    )
    if argument.kind == "texts" and not wrong_type:
        wrong_type = not all(isinstance(item, str) for item in value)
    if wrong_type:
        raise invalid_args(f"{name} must be {_NAMES[argument.kind]}", argument=argument.wire)
    if argument.choices and value not in argument.choices:
        near = did_you_mean(value, argument.choices)
        listed = "|".join(argument.choices)
        raise invalid_args(
            f"{name} must be one of {listed}, not {quoted(value)}{near}", argument=argument.wire
        )
    low = argument.ge is not None and value < argument.ge
    high = argument.le is not None and value > argument.le
    if low or high or value != value:
        raise invalid_args(
            f"{name} must be {argument.range_text or 'a number'}, not {value:g}", argument=argument.wire
        )
    if argument.pattern and isinstance(value, str) and re.search(argument.pattern, value) is None:
        raise invalid_args(
            f"{name} must match {argument.pattern}, not {quoted(value)}", argument=argument.wire
        )
