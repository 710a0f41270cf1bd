"""A small command grammar as a table: what the script and plan tests need of the room of commands."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from surefoot.errors import SurefootError
from surefoot.script import FlagValue, GrammarIssue, Rule, Token, ValidStep
from surefoot.selectors import parse_selector
from surefoot.text import nearest

Kind = Literal["text", "number", "target", "ref", "scope"]

_NUMBER = re.compile(r"\d+")
_TERM = re.compile(r"[a-z]+(=.*)?", re.DOTALL)


class Part(NamedTuple):
    """One positional: what it is, whether it may be missing, its words when the list is closed."""

    name: str
    kind: Kind = "text"
    optional: bool = False
    choices: tuple[str, ...] = ()


class Shape(NamedTuple):
    """One way to write a command: its positionals and the value kinds of its flags."""

    parts: tuple[Part, ...] = ()
    flags: Mapping[str, Kind | None] = {}


TARGET = Part("target", "target")
PRESS_FLAGS: Mapping[str, Kind | None] = {
    "count": "number",
    "settle": None,
    "verify": None,
    "button": "text",
}
FILL_FLAGS: Mapping[str, Kind | None] = {"settle": None, "verify": None, "delay-ms": "number"}
PREDICATES = (
    "visible",
    "hidden",
    "exists",
    "absent",
    "enabled",
    "editable",
    "selected",
    "checked",
    "focused",
)
TIMEOUT = Part("timeout", "number", optional=True)
SHORT = {"-i": "--interactive", "-d": "--depth", "-s": "--scope"}

SHAPES: Mapping[str, tuple[Shape, ...]] = {
    "open": (Shape((Part("target"),), {"relaunch": None}),),
    "close": (Shape(),),
    "press": (
        Shape((Part("x", "number"), Part("y", "number")), PRESS_FLAGS),
        Shape((Part("target", "ref"), Part("label")), PRESS_FLAGS),
        Shape((TARGET,), PRESS_FLAGS),
    ),
    "fill": (Shape((TARGET, Part("text")), FILL_FLAGS),),
    "type": (Shape((Part("text"),), {"delay-ms": "number"}),),
    "get": (Shape((Part("what", choices=("text", "attrs")), TARGET), {"record": None}),),
    "is": (
        Shape((Part("predicate", choices=("text",)), TARGET, Part("value")), {"record": None}),
        Shape((Part("predicate", choices=PREDICATES), TARGET), {"record": None}),
    ),
    "wait": (
        Shape((Part("ms", "number"),)),
        Shape((Part("form", choices=("text",)), Part("text"), TIMEOUT)),
        Shape((Part("form", choices=("absent",)), TARGET, TIMEOUT)),
        Shape((Part("form", choices=("stable",)), Part("quiet", "number", optional=True), TIMEOUT)),
        Shape((TARGET, TIMEOUT)),
    ),
    "drag": (Shape((Part("source", "target"), Part("destination", "target"))),),
    "snapshot": (Shape((), {"interactive": None, "depth": "number", "scope": "scope"}),),
}
SHAPES = {**SHAPES, "click": SHAPES["press"]}
NOT_IN_SCRIPTS = ("batch", "fragment", "replay", "session", "daemon", "test", "check")


class _Refused(Exception):
    def __init__(
        self,
        token: Token,
        message: str,
        expected: str | None = None,
        suggestion: str | None = None,
        rule: Rule = "argument",
    ) -> None:
        super().__init__(message)
        self.issue = GrammarIssue(
            message=message,
            column=token.column,
            width=token.width,
            rule=rule,
            expected=expected,
            suggestion=suggestion,
        )


class SmallGrammar:
    """Implements ``surefoot.script.CommandGrammar`` from ``SHAPES``."""

    def validate(self, command: Token, args: Sequence[Token]) -> ValidStep | tuple[GrammarIssue, ...]:
        try:
            return self._validate(command, list(args))
        except _Refused as refused:
            return (refused.issue,)

    def _validate(self, command: Token, args: list[Token]) -> ValidStep:
        shapes = SHAPES.get(command.text)
        if shapes is None:
            known = f'"{command.text}" is no command of a script'
            message = known if command.text in NOT_IN_SCRIPTS else f'unknown command "{command.text}"'
            raise _Refused(command, message, "a command", nearest(command.text, SHAPES), "command")
        flags, rest = self._flags(command, args, shapes[0].flags)
        for shape in shapes:
            first = shape.parts[0] if shape.parts else Part("")
            if rest and rest[0].text in first.choices:
                return self._fit(command, shape, rest, flags)
        furthest: _Refused | None = None
        for shape in shapes:
            try:
                return self._fit(command, shape, rest, flags)
            except _Refused as refused:
                if furthest is None or refused.issue.column >= furthest.issue.column:
                    furthest = refused
        assert furthest is not None
        raise furthest

    def _flags(
        self, command: Token, args: list[Token], known: Mapping[str, Kind | None]
    ) -> tuple[dict[str, FlagValue], list[Token]]:
        flags: dict[str, FlagValue] = {}
        rest: list[Token] = []
        pending = list(args)
        while pending:
            token = pending.pop(0)
            if not token.flag:
                rest.append(token)
                continue
            name = SHORT.get(token.text, token.text).removeprefix("--")
            if name not in known:
                near = nearest(token.text, [f"--{flag}" for flag in known])
                raise _Refused(
                    token, f'{command.text} has no flag "{token.text}"', "a flag", near, "flag"
                )
            kind = known[name]
            if kind is None:
                flags[name] = True
                continue
            if not pending:
                raise _Refused(token, f"--{name} needs a value", f"--{name} VALUE", rule="flag")
            value = pending.pop(0)
            _check(value, kind)
            number = kind == "number" and not value.open
            flags[name] = int(value.text) if number else value.text
        return flags, rest

    def _fit(
        self, command: Token, shape: Shape, args: list[Token], flags: dict[str, FlagValue]
    ) -> ValidStep:
        rest = list(args)
        taken: list[Token] = []
        targets: list[int] = []
        for at, part in enumerate(shape.parts):
            if not rest:
                if part.optional:
                    continue
                raise _Refused(command, f"{command.text} needs <{part.name}>", f"<{part.name}>")
            after = sum(not later.optional for later in shape.parts[at + 1 :])
            token = _joined(rest, len(rest) - after) if part.kind == "target" else rest.pop(0)
            _check(token, part.kind)
            if part.choices and token.text not in part.choices and not token.open:
                raise _Refused(
                    token,
                    f'{command.text} has no "{token.text}"',
                    " | ".join(part.choices),
                    nearest(token.text, part.choices),
                )
            if part.kind in ("target", "ref"):
                targets.append(len(taken))
            taken.append(token)
        if rest:
            raise _Refused(rest[0], f'{command.text} takes no "{rest[0].text}"', "the end of the line")
        return ValidStep(
            command=command.text,
            positionals=tuple(token.text for token in taken),
            columns=tuple(token.column for token in taken),
            flags=flags,
            targets=tuple(targets),
            target_flags=tuple(name for name in flags if shape.flags.get(name) == "scope"),
        )


def _joined(rest: list[Token], most: int) -> Token:
    """A target: one token, or the selector terms and bars that follow it."""
    first = rest.pop(0)
    if rest and not first.text.startswith("@") and "=" not in first.text and not first.open:
        raise _Refused(first, f'"{first.text}" is no selector', 'a selector: label="Save"')
    parts = [first.text]
    while (
        rest and len(parts) < most and _goes_on(parts[-1], rest[0]) and not first.text.startswith("@")
    ):
        parts.append(rest.pop(0).text)
    return Token(" ".join(parts), first.column, first.quoted, first.width)


def _goes_on(before: str, token: Token) -> bool:
    bar = token.text == "||" or before == "||"
    return bar or ("=" in token.text and _TERM.fullmatch(token.text) is not None)


def _check(token: Token, kind: Kind) -> None:
    if token.open:
        return
    if kind == "number" and not _NUMBER.fullmatch(token.text):
        raise _Refused(token, f'"{token.text}" is no whole number', "a whole number")
    if kind == "ref" and not token.text.startswith("@"):
        raise _Refused(token, f'"{token.text}" is no ref', "@e12")
    if kind == "target" and not token.text.startswith("@"):
        try:
            parse_selector(token.text)
        except SurefootError as error:
            error.details["given"] = token.text
            raise
