"""JSON schemas of what a command takes and answers: what tool surfaces show."""

from __future__ import annotations

from typing import Any

import msgspec

from surefoot.commands.descriptor import Descriptor


def input_schema(descriptor: Descriptor[Any, Any]) -> dict[str, Any]:
    """The schema of a command's arguments, self-contained; field names in camelCase."""
    return _flat(msgspec.json.schema(descriptor.args))


def output_schema(descriptor: Descriptor[Any, Any]) -> dict[str, Any]:
    """The schema of a command's result."""
    return msgspec.json.schema(descriptor.result)


def _flat(schema: dict[str, Any]) -> dict[str, Any]:
    """The object itself instead of a reference to its only definition."""
    name = schema["$ref"].rpartition("/")[2]
    body: dict[str, Any] = dict(schema["$defs"][name])
    body.pop("title", None)
    body.pop("description", None)
    return body
