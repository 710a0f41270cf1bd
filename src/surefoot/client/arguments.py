"""From Python arguments to the arguments of a call."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping

from surefoot.errors import invalid_args


def given(arguments: Mapping[str, object]) -> dict[str, object]:
    """What was given, as JSON values: ``None`` is left out, paths become text. ``INVALID_ARGS``
    ``bytes_given`` for bytes."""
    return {name: _plain(value) for name, value in arguments.items() if value is not None}


def _plain(value: object) -> object:
    if isinstance(value, os.PathLike):
        return _plain(os.fspath(value))
    if isinstance(value, bytes | bytearray | memoryview):
        raise invalid_args(
            "Bytes are no argument of a call: give text, or a path as text.",
            hint="Decode them first: `os.fsdecode(path)`.",
            reason="bytes_given",
        )
    if isinstance(value, Mapping):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value


def located(
    field: str,
    target: str | None,
    *,
    id: str | None,
    role: str | None,
    label: str | None,
    takes_label: bool,
) -> dict[str, object]:
    """The target argument: a ref or selector as text, or a selector of the given terms.

    Beside a ref, ``label`` is the label it was shown with. Raises ``INVALID_ARGS`` when both a target
    and terms are given.
    """
    terms = {"id": id, "role": role, "label": label}
    if target is None:
        text = selector(terms)
        return {field: text} if text else {}
    if id is not None or role is not None or (label is not None and not takes_label):
        raise invalid_args(
            "Give a target or the terms of a selector, not both.", reason="target_and_terms"
        )
    return given({field: target, "label": label})


def selector(terms: Mapping[str, str | None]) -> str:
    """``role="button" label="Save"``; empty without terms."""
    return " ".join(
        f"{name}={json.dumps(value, ensure_ascii=False)}"
        for name, value in terms.items()
        if value is not None
    )
