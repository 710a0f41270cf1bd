"""A session's actions as script text: refs become selectors, or there is no script (seed 0012, R4)."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from surefoot.compose import fragment_script
from surefoot.errors import ErrorCode, SurefootError
from surefoot.identity import TargetEvidence, TargetsEvidence
from surefoot.script import (
    Action,
    CommandGrammar,
    Context,
    ContextEntry,
    Env,
    FlagValue,
    HealComplete,
    Script,
    Template,
    action_node,
    literal,
    write_script,
)
from surefoot.session import ActionRecord, RecordedTarget, worktree_root

UPLOAD = "upload"

TARGET_CLASS = "desktop"
"""``context target=`` on the web and on sim (decisions.md)."""


def script_text(
    path: Path,
    platform: str,
    records: Sequence[ActionRecord],
    grammar: CommandGrammar,
    *,
    context: Mapping[str, str] | None = None,
    env: Mapping[str, str] | None = None,
    healed: bool = False,
) -> str:
    """The whole script: the context header, then a line for each action.

    ``context`` and ``env`` are the header of the script that is healed: its steps keep their
    ``${NAME}``. ``healed`` ends it with the ``heal-complete`` sentinel.

    Raises ``COMMAND_FAILED``, reason ``target_not_portable`` (details ``line, command, label``), for an
    element that no selector and no evidence tells from others; nothing was written then. Raises what
    :func:`~surefoot.script.write_script` raises.
    """
    heading = {**(context or {}), "platform": platform}
    heading.setdefault("target", TARGET_CLASS)
    entries = tuple(ContextEntry(key=key, value=value) for key, value in heading.items())
    nodes: list[Context | Env | Action | HealComplete] = [Context(entries=entries)]
    nodes += [Env(key=key, value=value) for key, value in (env or {}).items()]
    for record in records:
        # An annotation takes a line of its own before the action's.
        lines = sum(2 if isinstance(node, Action) and node.evidence else 1 for node in nodes)
        line = lines + (2 if record.evidence is not None else 1)
        nodes.append(_action(record, path, line))
    if healed:
        nodes.append(HealComplete())
    return write_script(Script(path=str(path), nodes=tuple(nodes)), grammar)


def fragment_text(
    path: Path, platform: str, records: Sequence[ActionRecord], grammar: CommandGrammar
) -> str:
    """The whole fragment: ``fragment-v1``, its context, a line for each action (seed 0020).

    Raises what :func:`script_text` raises.
    """
    actions: list[Action] = []
    line = 2
    for record in records:
        line += 2 if record.evidence is not None else 1
        actions.append(_action(record, path, line))
    return write_script(fragment_script(str(path), platform, TARGET_CLASS, actions), grammar)


def _action(record: ActionRecord, path: Path, line: int) -> Action:
    for target in record.targets:
        if not _is_portable(target, record.evidence):
            raise _not_portable(record, target, path, line)
    words = list(map(Template, record.positionals))
    if record.command == UPLOAD:
        words = [Template(_from_script(word, path.parent)) for word in words]
    words[record.target_at : record.target_at] = [literal(t.chain.text) for t in record.targets]
    return action_node(record.command, words, _flags(record), record.evidence)


def _from_script(file: str, directory: Path) -> str:
    """A file an upload names, as the script says it: relative to the script's directory where both lie
    in one worktree (or one below the other), so that they can move together; else as it is."""
    inside = Path(file).is_relative_to(worktree_root(directory))
    return os.path.relpath(file, directory) if os.path.isabs(file) and inside else file


def _is_portable(target: RecordedTarget, evidence: TargetEvidence | TargetsEvidence | None) -> bool:
    """Whether a fresh session can find this very element: by its selector, else by its evidence."""
    if target.chain.is_exact:
        return True
    parts = (
        (evidence.source, evidence.destination)
        if isinstance(evidence, TargetsEvidence)
        else (evidence,)
    )
    return all(part is not None and part.verification == "verified" for part in parts)


def _flags(record: ActionRecord) -> dict[str, FlagValue]:
    """Long names to values; a name that stands several times becomes a tuple."""
    flags: dict[str, FlagValue] = {}
    for name, value in record.flags:
        held = flags.get(name)
        if held is None:
            flags[name] = value
        elif isinstance(held, tuple):
            flags[name] = (*held, str(value))
        else:
            flags[name] = (str(held), str(value))
    return flags


def _not_portable(record: ActionRecord, target: RecordedTarget, path: Path, line: int) -> SurefootError:
    named = f'"{target.label}"' if target.label else "an element without a name"
    return SurefootError(
        ErrorCode.COMMAND_FAILED,
        f"{path}:{line}: {record.command} on {named} cannot be written: nothing tells it from "
        f"{target.chain.match_count - 1} other elements in a fresh session. No script was written.",
        hint="Give the element a name or a test id, or end the session without a script: "
        "`surefoot close --no-record`.",
        details={
            "reason": "target_not_portable",
            "path": str(path),
            "line": line,
            "command": record.command,
            "label": target.label,
            "selector": target.chain.text,
        },
    )
