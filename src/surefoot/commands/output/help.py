"""Help pages, rendered from the descriptors: the list, one page a command, a few topics. 80 columns."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from typing import Any

from surefoot.commands.descriptor import Descriptor
from surefoot.commands.families import common
from surefoot.commands.language.arguments import Argument
from surefoot.commands.language.grammar import COMMON
from surefoot.commands.language.spelling import told, unknown
from surefoot.commands.table import DESCRIPTORS, GRAMMAR
from surefoot.commands.topics import NAMES, TOPICS

COLUMNS = 80
GROUPS = (common.SESSIONS, common.SEE, common.ACT, common.CHECK, common.PAGES, common.SYSTEM)


def check_topic(topic: str | None) -> None:
    """``INVALID_ARGS`` for a topic there is no page for."""
    if topic is None or topic in TOPICS or topic in GRAMMAR.by_name or topic in GRAMMAR.groups:
        return
    raise unknown(
        f"there is no help on {told(topic)}",
        topic,
        [*GRAMMAR.by_name, *GRAMMAR.groups, *TOPICS],
        hint=f"Run `surefoot help` for the list of commands; topics are {', '.join(NAMES)}.",
    )


def help_page(topic: str | None) -> str:
    """The page of a command, of a group of commands, of a topic, or the list of all commands."""
    check_topic(topic)
    if topic is None:
        return _overview()
    if topic in TOPICS:
        return TOPICS[topic]
    if topic in GRAMMAR.by_name:
        return _command(GRAMMAR.by_name[topic])
    members = [GRAMMAR.by_name[f"{topic} {second}"] for second in GRAMMAR.groups[topic]]
    return "\n\n".join(map(_command, members))


def _overview() -> str:
    out = [
        "surefoot: drive an app by its accessibility tree; replay without wrong acts",
        "",
        "Usage: surefoot <command> [arguments] [flags]",
    ]
    for group in GROUPS:
        members = [descriptor for descriptor in DESCRIPTORS if descriptor.group == group]
        out += ["", group]
        out += _table((descriptor.name, descriptor.summary) for descriptor in members)
    out += ["", "Flags of every command", *_table(map(argument_row, COMMON))]
    out += [
        "",
        "Run `surefoot help <command>` for its flags and examples; `surefoot help",
        "workflow` for how to work. More: scripting, selectors, mcp (the MCP server).",
    ]
    return "\n".join(out)


def _command(descriptor: Descriptor[Any, Any]) -> str:
    out = [f"surefoot {descriptor.name}: {descriptor.summary}", ""]
    out += textwrap.wrap(
        f"Usage: surefoot {descriptor.usage}",
        COLUMNS,
        subsequent_indent="    ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    words = [argument for argument in descriptor.arguments if argument.flag is None]
    if words:
        out += ["", "Arguments", *_table(map(argument_row, words))]
    if descriptor.flags:
        out += ["", "Flags", *_table(map(argument_row, descriptor.flags))]
    out += ["", "Examples", *(f"  {example}" for example in descriptor.examples)]
    if descriptor.notes:
        out.append("")
    for note in descriptor.notes:
        out += textwrap.wrap(note, COLUMNS)
    out += ["", "Common flags: " + _common_line()]
    return "\n".join(out)


def _common_line() -> str:
    text = " ".join(argument.flag or "" for argument in COMMON)
    return "\n  ".join(textwrap.wrap(text, COLUMNS - 16, break_on_hyphens=False))


def argument_row(argument: Argument) -> tuple[str, str]:
    """How it is written on a command line, and what there is to say of it."""
    if argument.flag is None:
        return argument.value, _argument_help(argument)
    spelling = argument.flag
    if argument.short is not None:
        spelling = f"{argument.short}, {spelling}"
    if argument.kind == "optional_text":
        spelling += f"[={argument.value}]"
    elif argument.kind != "bool":
        spelling += f" {argument.value}"
    return spelling, _argument_help(argument)


def _argument_help(argument: Argument) -> str:
    text = argument.help
    if argument.range_text and argument.kind in ("int", "number"):
        text = f"{text.rstrip('.')} ({argument.range_text})."
    if argument.kind == "texts" and argument.flag is not None:
        text = f"{text.rstrip('.')} (may be repeated)."
    return text if argument.told_name is None else f"{text} In JSON: {argument.told_name}."


def _table(rows: Iterable[tuple[str, str]]) -> list[str]:
    listed = list(rows)
    width = min(26, max(len(left) for left, _ in listed)) + 2
    out: list[str] = []
    for left, right in listed:
        body = textwrap.wrap(right, COLUMNS - width - 2) or [""]
        if len(left) > width - 2:
            out.append(f"  {left}")
            out += [f"  {'':{width}}{line}" for line in body]
            continue
        out.append(f"  {left:{width}}{body[0]}".rstrip())
        out += [f"  {'':{width}}{line}" for line in body[1:]]
    return out
