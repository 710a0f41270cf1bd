"""A successful command as an entry of the session's action log (contracts.md, "Authoring recordings").

The line is the command's own spelling, projected from its descriptor: positionals without the targets,
long flags, no flag that only shapes a response. Literal ``${`` is escaped; ``--record-as NAME`` writes
``${NAME}`` and the literal is nowhere in the entry (contracts.md, 0017).
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from surefoot.commands.context import Context
from surefoot.commands.descriptor import Answer, Descriptor
from surefoot.recording import recorded_targets
from surefoot.script import literal, placeholder
from surefoot.session import ActionRecord, ReplayStep, Session

_MARK = "\0target"
_TEXTS = ("text", "value")


def record(
    context: Context,
    session: Session,
    descriptor: Descriptor[Any, Any],
    args: Struct,
    answer: Answer[Any],
) -> tuple[str, ...]:
    """Keep the action where it is one that recordings keep; the warnings for its response."""
    effect = descriptor.recording_effect(args)
    forced = bool(getattr(args, "record", False))
    replayed = isinstance(context.provenance, ReplayStep)
    if context.options.no_record or effect == "none":
        return ()
    if effect == "on_request" and not forced and not replayed:
        return ()
    warnings = _warnings(session, descriptor, args, answer)
    phase = descriptor.target_identity_verification(args)
    targets, evidence = recorded_targets(
        descriptor.name, [(found.observation, found.node) for found in answer.resolved], phase
    )
    named = _named_targets(descriptor, args)[: len(targets)]
    words = _words(descriptor, context.template or args, named, bound=context.template is None)
    session.record(
        ActionRecord(
            command=descriptor.name,
            targets=targets[: len(named)],
            target_at=words.index(_MARK) if _MARK in words else 0,
            positionals=tuple(word for word in words if word != _MARK),
            flags=tuple(_flags(descriptor, args)),
            evidence=evidence,
            provenance=context.provenance,
            observation_only=descriptor.observation_only(args),
            forced=forced,
            warnings=warnings,
        )
    )
    return warnings


def _named_targets(descriptor: Descriptor[Any, Any], args: Struct) -> list[str]:
    """The arguments a chain replaces: a selector the caller wrote for a check or a wait is kept."""
    return [name for name in descriptor.rewritten if getattr(args, name) is not None]


def _words(
    descriptor: Descriptor[Any, Any], args: Struct, named: list[str], *, bound: bool
) -> list[str]:
    """The line's positionals: a mark for each resolved target, text parameterised or escaped.

    A target that nothing resolved (a fast path, an absence) stays as the caller wrote it. Args that
    are not ``bound`` are a replayed step's template and stay as they are.
    """
    changes: dict[str, Any] = dict.fromkeys(named, _MARK)
    if named and hasattr(args, "label"):
        changes["label"] = None
    name_as: str | None = getattr(args, "record_as", None)
    for argument in descriptor.arguments:
        text = getattr(args, argument.name)
        if argument.flag is not None or argument.name in changes or not isinstance(text, str):
            continue
        if not bound:
            continue
        if name_as is not None and argument.name in _TEXTS:
            changes[argument.name] = placeholder(name_as)
        else:
            changes[argument.name] = literal(text)
    return descriptor.form.write(msgspec.structs.replace(args, **changes))


def _flags(descriptor: Descriptor[Any, Any], args: Struct) -> list[tuple[str, str | int | bool]]:
    out: list[tuple[str, str | int | bool]] = []
    for argument in descriptor.flags:
        value = getattr(args, argument.name)
        if not argument.recorded or argument.flag is None or value == argument.default:
            continue
        for single in value if argument.kind == "texts" else (value,):
            written = literal(single) if isinstance(single, str) else single
            out.append((argument.flag[2:], written))
    return out


def _warnings(
    session: Session, descriptor: Descriptor[Any, Any], args: Struct, answer: Answer[Any]
) -> tuple[str, ...]:
    if not session.recording_active:
        return ()
    typed = descriptor.name in ("fill", "type") and getattr(args, "record_as", None) is None
    secret = any(resolved.node.password for resolved in answer.resolved)
    if typed and secret:
        return ("A literal goes into a password field of the recording; use --record-as NAME.",)
    return ()
