"""A successful command as an entry of the session's action log (contracts.md, "Authoring recordings").

The line is the command's own spelling, projected from its descriptor: positionals without the targets,
long flags, no flag that only shapes a response. Literal ``${`` is escaped; ``--record-as NAME`` writes
``${NAME}`` and the literal is nowhere in the entry (contracts.md, 0017).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import msgspec
from msgspec import Struct

from surefoot.check import Manner
from surefoot.commands.context import Context
from surefoot.commands.descriptor import Answer, Descriptor
from surefoot.commands.families.common import input_file
from surefoot.commands.families.shapes import KeyArgs, enters_text
from surefoot.commands.language.arguments import Argument
from surefoot.errors import SurefootError
from surefoot.recording import Echoes, StepLog, authoring_of, fragment_of, recorded_targets
from surefoot.script import placeholder, references
from surefoot.selectors import Selector, parse_selector
from surefoot.session import ActionRecord, ReplayStep, Session, looks_like_ref

_MARK = "\0target"
_FILES = "files"
_TEXTS = ("text", "value")
_SELECTORS = ("target", "selector", "absent", "until", "source", "destination", "scope")
"""Arguments a caller names an element by."""


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
    on_request = effect == "on_request" and not forced and not replayed
    if context.options.no_record or effect == "none" or on_request:
        _note_entered(session, args, answer)
        return ()
    warnings = _warnings(context, session, args, answer)
    echoes = Echoes(session.hidden.texts)
    targets, evidence = recorded_targets(
        descriptor.name,
        [(found.observation, found.node) for found in answer.resolved],
        descriptor.target_identity_verification(args),
        echoes,
        session.entered,
    )
    _note_entered(session, args, answer)
    named = _named_targets(descriptor, args)[: len(targets)]
    line = _Line(descriptor, context, echoes)
    words = line.words(args, named)
    record = ActionRecord(
        command=descriptor.name,
        targets=targets[: len(named)],
        target_at=words.index(_MARK) if _MARK in words else 0,
        positionals=tuple(word for word in words if word != _MARK),
        flags=tuple(line.flags(args)),
        evidence=evidence,
        provenance=context.provenance,
        observation_only=descriptor.observation_only(args),
        mutates=effect == "mutates",
        forced=forced,
        warnings=warnings,
    )
    session.record(record)
    kept = _kept(session, record)
    if kept is not None and answer.resolved:
        steps, ordinal = kept
        steps.keep(
            ordinal,
            record,
            [(found.observation, found.node) for found in answer.resolved],
            _written_selector(args),
            _manner(descriptor, args),
        )
    return warnings


def _note_entered(session: Session, args: Struct, answer: Answer[Any]) -> None:
    """What a field holds from now on is the session's own doing."""
    if enters_text(args):
        session.entered.update(found.node.handle for found in answer.resolved)


def _kept(session: Session, record: ActionRecord) -> tuple[StepLog, int] | None:
    """Where the step's capture is kept until it is saved, and the step's number there. A fragment has
    a buffer of its own beside the session's log."""
    authoring, fragment = authoring_of(session), fragment_of(session)
    if authoring is not None and authoring.active:
        return authoring.steps, len(session.actions)
    if fragment is None or not fragment.active:
        return None
    fragment.keep(record)
    return fragment.steps, len(fragment.records)


def _written_selector(args: Struct) -> Selector | None:
    """The selector the caller wrote, where there is one."""
    for name in _SELECTORS:
        text = getattr(args, name, None)
        if isinstance(text, str) and not looks_like_ref(text):
            with suppress(SurefootError):
                return parse_selector(text)
    return None


def _manner(descriptor: Descriptor[Any, Any], args: Struct) -> Manner:
    """How the step takes its target when it is replayed."""
    if descriptor.target_identity_verification(args) == "post_resolution":
        return "landmark"
    return "act" if descriptor.recording_effect(args) == "mutates" else "read"


def _named_targets(descriptor: Descriptor[Any, Any], args: Struct) -> list[str]:
    """The arguments a chain replaces: a selector the caller wrote for a check or a wait is kept, a ref
    never is."""
    given = [(name, getattr(args, name)) for name in descriptor.targets]
    return [
        name
        for name, value in given
        if value is not None and (name in descriptor.rewritten or looks_like_ref(value))
    ]


class _Line:
    """How one action is spelled in a script.

    The context's ``template`` are a replayed step's args before its variables were bound: they stay as
    they are. The file of an upload is kept as an absolute path: where the script will lie is not
    known yet.
    """

    def __init__(self, descriptor: Descriptor[Any, Any], context: Context, echoes: Echoes) -> None:
        self._descriptor = descriptor
        self._context = context
        self._template = context.template
        self._echoes = echoes

    def words(self, args: Struct, named: list[str]) -> list[str]:
        """The positionals: a mark for each resolved target, text parameterised or escaped.

        A target that nothing resolved (a fast path, an absence) stays as the caller wrote it.
        """
        source = self._template or args
        changes: dict[str, Any] = dict.fromkeys(named, _MARK)
        if named and hasattr(source, "label"):
            changes["label"] = None
        files: tuple[str, ...] = getattr(source, _FILES, ())
        if files:
            changes[_FILES] = tuple(map(self._file, files))
        name_as: str | None = getattr(source, "record_as", None)
        for argument in self._descriptor.arguments:
            if argument.flag is not None or argument.name in changes or self._template is not None:
                continue
            value = getattr(source, argument.name)
            if name_as is not None and argument.name in _TEXTS:
                changes[argument.name] = placeholder(name_as)
            else:
                changes[argument.name] = self._written(argument, value)
        return self._descriptor.form.write(msgspec.structs.replace(source, **changes))

    def _file(self, path: str) -> str:
        if self._template is None:
            return self._echoes.in_text(input_file(self._context, path))
        return path if references(path) else input_file(self._context, path)

    def flags(self, args: Struct) -> Iterator[tuple[str, str | int | bool]]:
        """The flags that say something, by long name; one that stands several times comes several
        times. What the act itself told (a dialog's message) counts where the template has nothing."""
        for argument in self._descriptor.flags:
            if not argument.recorded or argument.flag is None:
                continue
            value: Any = None if self._template is None else getattr(self._template, argument.name)
            bound = value is None or value == argument.default
            if bound:
                value = getattr(args, argument.name)
            if value == argument.default:
                continue
            for single in value if argument.kind == "texts" else (value,):
                yield argument.flag[2:], self._written(argument, single) if bound else single

    def _written(self, argument: Argument, value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(self._written(argument, item) for item in value)
        if not isinstance(value, str) or argument.choices:
            return value
        if argument.name in _SELECTORS:
            return self._echoes.in_selector(value)
        return self._echoes.in_text(value)


def _warnings(context: Context, session: Session, args: Struct, answer: Answer[Any]) -> tuple[str, ...]:
    if not session.recording_active or getattr(args, "record_as", None) is not None:
        return ()
    secret = any(resolved.node.password for resolved in answer.resolved)
    if secret and enters_text(args) and not isinstance(context.provenance, ReplayStep):
        instead = "use --record-as NAME"
        if isinstance(args, KeyArgs):
            instead = "enter the text by `surefoot fill <field> <text> --record-as NAME`"
        return (f"A literal goes into a password field of the recording; {instead}.",)
    return ()
