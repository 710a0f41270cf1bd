"""A script back to text that its own parser, and agent-device 0.21, read as the same steps.

Double-quoted tokens, long flags, numbers bare, annotations in canonical form; never ``--settle`` or
``--verify`` (surface.md, `.ad` lines) and never a ref (public fault B111; seed 0012, R4).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from surefoot.errors import ErrorCode, SurefootError, invalid_args
from surefoot.identity import Evidence, TargetEvidence, stringify, write_evidence
from surefoot.script.checks import check_action
from surefoot.script.grammar import CommandGrammar, FlagValue, ValidStep
from surefoot.script.issues import IssueList
from surefoot.script.lexer import tokenize
from surefoot.script.model import (
    Action,
    Comment,
    Context,
    ContextEntry,
    Env,
    FragmentReference,
    Guard,
    HealComplete,
    Include,
    Node,
    Script,
)
from surefoot.script.parser import MAX_LINE_BYTES, MAX_STEPS
from surefoot.script.reserved import FRAGMENT_REF, HEAL_COMPLETE, PREFIX
from surefoot.script.source import MAX_SOURCE_BYTES
from surefoot.script.variables import Template
from surefoot.text import utf8_length

OMITTED_FLAGS: Final = frozenset({"settle", "verify"})
QUOTED_CONTEXT: Final = frozenset({"device"})
"""Context values the peer always writes in quotes."""

_NUMBER = re.compile(r"\d+(?:\.\d+)?", re.ASCII)
_SIMPLE_VALUE = re.compile(r"[A-Za-z0-9_./:@%+,-]+")
_UNWRITABLE = re.compile("[\x00\ud800-\udfff]")
_FLAG_NAME = re.compile(r"[a-z][a-z0-9-]*")


def action_node(
    command: str,
    positionals: Sequence[Template],
    flags: Mapping[str, FlagValue] | None = None,
    evidence: Evidence | None = None,
) -> Action:
    """An action to be written. Positionals are templates: recorded text goes through ``literal()``.

    Raises ``INVALID_ARGS``, reason ``text_unwritable``, for NUL or half a surrogate pair.
    """
    text = _action_line(command, positionals, flags or {})
    tokens = tokenize(text)
    return Action(command=tokens[0], args=tuple(tokens[1:]), evidence=evidence, text=text)


def write_script(script: Script, grammar: CommandGrammar) -> str:
    """The script's text, every line ending in ``\\n``.

    Each action is put into its normal form by ``grammar`` first, so what is written parses again.
    Raises ``INVALID_ARGS`` with the findings of :mod:`surefoot.script.issues`, or ``COMMAND_FAILED``,
    reason ``ref_not_portable`` (details ``path, line, step, command, ref``), when a target is a ref.
    Nothing is written anywhere: the text is returned whole or not at all.
    """
    issues = IssueList()
    lines: list[str] = []
    step = 0
    for node in script.nodes:
        if isinstance(node, Action):
            step += 1
            line = node.line or len(lines) + 1
            valid = check_action(node, grammar, issues, line)
            if valid is not None:
                _refuse_refs(script.path, line, step, valid)
                if node.evidence is not None:
                    lines.append(annotation_line(node.evidence))
                lines.append(_action_line(valid.command, valid.positionals, valid.flags))
        else:
            lines += _other_lines(node)
    error = issues.error(script.path)
    if error:
        raise error
    return _bounded(script.path, lines, step)


def annotation_line(evidence: Evidence) -> str:
    """The reserved comment of the evidence, canonical (seed 0012, decision 3)."""
    name = "target-v1" if isinstance(evidence, TargetEvidence) else "targets-v1"
    return f"{PREFIX}{name} {write_evidence(evidence)}"


def reference_line(reference: FragmentReference) -> str:
    """The reserved comment that pins the include on the line below it (seed 0020)."""
    site, digest = _quoted(reference.call_site_id), _quoted(reference.digest)
    return f'{PREFIX}{FRAGMENT_REF} {{"callSiteId":{site},"digest":{digest}}}'


def include_lines(locator: str, reference: FragmentReference) -> tuple[str, str]:
    """A pinned include as it is written: its reference, then itself."""
    return reference_line(reference), f"include {_quoted(locator)}"


def _action_line(command: str, positionals: Sequence[str], flags: Mapping[str, FlagValue]) -> str:
    parts = [command, *map(_token, positionals)]
    for name, value in flags.items():
        if value is False or name in OMITTED_FLAGS:
            continue
        if not _FLAG_NAME.fullmatch(name):
            raise invalid_args(f'"{name}" is no flag name', reason="text_unwritable")
        if value is True:
            parts.append(f"--{name}")
            continue
        for single in value if isinstance(value, tuple) else (value,):
            parts += [f"--{name}", _token(single) if isinstance(single, str) else _number(single)]
    return " ".join(parts)


def _number(value: float) -> str:
    return str(int(value)) if float(value).is_integer() else repr(value)


def _token(text: str) -> str:
    return text if _NUMBER.fullmatch(text) else _quoted(text)


def _quoted(text: str) -> str:
    if _UNWRITABLE.search(text):
        raise invalid_args(
            "a script cannot hold NUL or half of a surrogate pair", reason="text_unwritable"
        )
    return stringify(text)


def _value(text: str) -> str:
    return text if _SIMPLE_VALUE.fullmatch(text) else _quoted(text)


def _context_pair(entry: ContextEntry) -> str:
    value = _quoted(entry.value) if entry.key in QUOTED_CONTEXT else _value(entry.value)
    return f"{entry.key}={value}"


def _other_lines(node: Node) -> list[str]:
    match node:
        case Comment(text=text):
            if "\n" in text or (text and not text.startswith("#")):
                raise invalid_args("a comment is one line that begins with #", reason="text_unwritable")
            return [text]
        case Context(entries=entries):
            return [" ".join(["context", *map(_context_pair, entries)])]
        case Env(key=key, value=value):
            if "${" in value:
                raise invalid_args(f"the value of env {key} names a variable", reason="text_unwritable")
            return [f"env {key}={_value(value)}"]
        case Guard(kind=kind, version=version):
            return [f"{kind}-v{version}"]
        case HealComplete():
            return [f"{PREFIX}{HEAL_COMPLETE}"]
        case Include(locator=locator, reference=reference):
            if reference is None:
                return [f"include {_quoted(locator)}"]
            return [*include_lines(locator, reference)]
        case Action():
            raise AssertionError("actions are written by write_script")


def _refuse_refs(path: str, line: int, step: int, valid: ValidStep) -> None:
    targets = [valid.positionals[at] for at in valid.targets]
    targets += [str(valid.flags[name]) for name in valid.target_flags if name in valid.flags]
    for target in targets:
        if target.startswith("@"):
            raise SurefootError(
                ErrorCode.COMMAND_FAILED,
                f"{path}:{line}: {valid.command} targets {target}, a ref of one session;"
                " a script can only hold selectors. Nothing was written.",
                hint="Repeat that step with a selector, or on an element that has an id or a label.",
                details={
                    "reason": "ref_not_portable",
                    "path": path,
                    "line": line,
                    "step": step,
                    "command": valid.command,
                    "ref": target,
                },
            )


def _bounded(path: str, lines: list[str], steps: int) -> str:
    text = "".join(f"{line}\n" for line in lines)
    too_long = next(
        (at for at, line in enumerate(lines, 1) if utf8_length(line) > MAX_LINE_BYTES), None
    )
    problem = None
    if too_long is not None:
        problem = ("line_too_long", too_long, f"the line would be longer than {MAX_LINE_BYTES:,} bytes")
    elif utf8_length(text) > MAX_SOURCE_BYTES:
        problem = ("script_too_large", 1, f"the script would be larger than {MAX_SOURCE_BYTES:,} bytes")
    elif steps > MAX_STEPS:
        problem = ("too_many_steps", 1, f"the script would have more than {MAX_STEPS:,} steps")
    if problem is None:
        return text
    reason, line, message = problem
    raise invalid_args(
        f"{path}:{line}: {message}. Nothing was written.", reason=reason, path=path, line=line
    )
