"""``python -m surefoot.commands.reference``: writes ``docs/commands.md`` from the descriptors.

A test holds the page equal to this projection (architecture.md, decision 1).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from surefoot.commands.descriptor import By, Descriptor
from surefoot.commands.language.arguments import Argument
from surefoot.commands.language.grammar import COMMON
from surefoot.commands.output.help import GROUPS, argument_row
from surefoot.commands.table import DESCRIPTORS

HEADER = """\
# Commands

Made by `python -m surefoot.commands.reference` from the descriptors in `src/surefoot/commands`; a test
holds this page equal to them. `surefoot help <command>` prints the same with examples.
"""

TRAITS = """\
## Traits

What each command declares of itself: what a success does to the session's ref frame, what a recording
keeps of it, when a replay verifies its evidence, whether it only observes (and stays out of a repair),
whether a script, a fragment and a batch may hold it, and the lane it runs on. A `/` separates values
that depend on an argument.
"""


def reference_page() -> str:
    """The whole page."""
    parts = [HEADER]
    for group in GROUPS:
        parts.append(f"## {group}\n")
        parts += [_command(one) for one in DESCRIPTORS if one.group == group]
    parts.append("## Flags of every command\n")
    parts.append(_table("flag", COMMON))
    parts.append(TRAITS)
    parts.append(_traits())
    return "\n".join(parts)


def _command(one: Descriptor[Any, Any]) -> str:
    out = [f"### `{one.name}`\n", one.summary, "", "```", f"surefoot {one.usage}", "```", ""]
    words = tuple(argument for argument in one.arguments if argument.flag is None)
    for title, listed in (("argument", words), ("flag", one.flags)):
        if listed:
            out.append(_table(title, listed))
    if one.notes:
        out += [" ".join(one.notes), ""]
    return "\n".join(out)


def _table(title: str, listed: tuple[Argument, ...]) -> str:
    rows = [f"| {title} | |", "| --- | --- |"]
    for spelling, text in map(argument_row, listed):
        rows.append(f"| `{_cell(spelling)}` | {_cell(text)} |")
    return "\n".join([*rows, ""])


def _traits() -> str:
    rows = [
        "| command | ref frame | recording | identity | observes | script | fragment | batch | lane |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for one in DESCRIPTORS:
        traits = one.traits
        cells = (
            f"`{one.name}`",
            _value(traits.ref_frame_effect),
            _value(traits.recording_effect),
            _value(traits.target_identity_verification),
            _value(traits.observation_only),
            _value(one.scriptable),
            _value(traits.fragment_safe),
            _value(traits.batchable),
            traits.lane,
        )
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join([*rows, ""])


def _value(trait: object) -> str:
    if isinstance(trait, By):
        values = dict.fromkeys([*map(_value, trait.table.values()), _value(trait.otherwise)])
        return " / ".join(values)
    if isinstance(trait, bool):
        return "yes" if trait else "no"
    return str(trait).replace("_", "-")


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def main() -> None:
    """Write the page of this checkout."""
    path = Path(__file__).parents[3] / "docs" / "commands.md"
    path.write_text(reference_page(), encoding="utf-8")


if __name__ == "__main__":
    main()
