"""A reader of scripts as it was before fragments, frozen: the least of it that shows where it stops.

Blank lines and comments are skipped, header lines are read, every other line is an action; actions are
then dispatched one by one, and a name that is no command is refused before its handler. Never to be
taught anything: what it does with a guarded artefact is evidence.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

KNOWN_COMMANDS = frozenset(
    (
        *("open", "close", "click", "press", "fill", "type", "scroll", "swipe", "wait", "get", "is"),
        *("find", "snapshot", "screenshot", "back", "home", "alert", "longpress", "record", "trace"),
    )
)
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\S+')


class InvalidArgs(Exception):
    """The old reader's INVALID_ARGS."""


@dataclass(frozen=True)
class OldAction:
    """One line: the command word, and the rest of its tokens."""

    command: str
    positionals: tuple[str, ...]


@dataclass
class OldReader:
    """Dispatches actions to a platform that only writes down what it was told to do."""

    handled: list[OldAction] = field(default_factory=list)

    def replay(self, text: str) -> None:
        """Parse all, then dispatch in order. Raises :class:`InvalidArgs` at the first unknown
        command."""
        for action in parse(text):
            self.dispatch(action)

    def dispatch(self, action: OldAction) -> None:
        if action.command not in KNOWN_COMMANDS:
            raise InvalidArgs(f"Unknown command: {action.command}")
        self.handled.append(action)


def parse(text: str) -> list[OldAction]:
    """The actions of a script, unknown ones among them."""
    actions: list[OldAction] = []
    for raw in text.splitlines():
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        tokens = [json.loads(token) if token[0] == '"' else token for token in _TOKEN.findall(line)]
        if tokens[0] in ("context", "env"):
            continue
        actions.append(OldAction(command=tokens[0], positionals=tuple(tokens[1:])))
    return actions
