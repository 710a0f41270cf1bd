"""How positionals map to arguments, both ways: data for the plain cases, one class for each odd one."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from msgspec import Struct

from surefoot.commands.language.spelling import is_pending, join_words, refused, told, unknown

_NUMBER = re.compile(r"[-+]?\d+(\.\d+)?")


def number_text(value: float) -> str:
    """The shortest decimal spelling: ``12``, ``12.5``."""
    if value == int(value):
        return str(int(value))
    return f"{value:g}" if float(f"{value:g}") == value else repr(value)


def is_number(token: str) -> bool:
    return _NUMBER.fullmatch(token) is not None


def read_number(token: str, name: str) -> float:
    """A finite decimal number. ``INVALID_ARGS`` names what it was meant for."""
    if is_pending(token):
        return cast(float, token)
    if not is_number(token):
        raise refused(f"{name} must be a number, not {told(token)}", given=token, argument=name)
    return float(token)


def read_int(token: str, name: str) -> int:
    """A decimal integer. ``INVALID_ARGS`` names what it was meant for."""
    if is_pending(token):
        return cast(int, token)
    if re.fullmatch(r"[-+]?\d{1,15}", token) is None:
        raise refused(f"{name} must be a whole number, not {told(token)}", given=token, argument=name)
    return int(token)


@dataclass(frozen=True)
class Nothing:
    """A command without positionals."""

    usage: str = ""
    fields: tuple[str, ...] = ()

    def read(self, command: str, words: list[str]) -> dict[str, Any]:
        if words:
            raise refused(f"{command} takes no {told(words[0])}", given=words[0])
        return {}

    def write(self, args: Struct) -> list[str]:  # noqa: ARG002 - the Form protocol
        return []


@dataclass(frozen=True)
class Word:
    """One positional: ``kind`` says how its token is read."""

    field: str
    value: str
    kind: str = "text"
    choices: tuple[str, ...] = ()
    optional: bool = False

    @property
    def usage(self) -> str:
        inner = "|".join(self.choices) if self.choices else f"<{self.value}>"
        return f"[{inner.strip('<>')}]" if self.optional else inner

    def read(self, command: str, token: str) -> object:
        if self.choices:
            if token not in self.choices and not is_pending(token):
                listed = f" (one of {'|'.join(self.choices)})"
                raise unknown(f"{command} has no {told(token)}", token, self.choices, tail=listed)
            return token
        if self.kind == "int":
            return read_int(token, self.value)
        return read_number(token, self.value) if self.kind == "number" else token


@dataclass(frozen=True)
class Words:
    """A fixed run of positionals; only the last ones may be optional."""

    parts: tuple[Word, ...]

    @property
    def usage(self) -> str:
        return " ".join(part.usage for part in self.parts)

    @property
    def fields(self) -> tuple[str, ...]:
        return tuple(part.field for part in self.parts)

    def read(self, command: str, words: list[str]) -> dict[str, Any]:
        if len(words) > len(self.parts):
            extra = words[len(self.parts)]
            raise refused(f"{command} takes no {told(extra)}", given=extra)
        for part in self.parts[len(words) :]:
            if not part.optional:
                raise refused(f"{command} needs {part.usage}")
        pairs = zip(self.parts, words, strict=False)
        return {part.field: part.read(command, token) for part, token in pairs}

    def write(self, args: Struct) -> list[str]:
        return [spell(value) for part in self.parts if (value := getattr(args, part.field)) is not None]


def words(*parts: Word) -> Words:
    return Words(parts)


def spell(value: object) -> str:
    """A value as one token of a command line."""
    if isinstance(value, str):
        return value
    return number_text(value) if isinstance(value, int | float) else str(value)


@dataclass(frozen=True)
class Target:
    """``<@ref ["label"] | selector | x y>`` and what stands before and after it.

    A selector may come as several tokens (``role=button 'label="Save"'``): every token but the fixed
    ones around it belongs to it. ``points`` says whether ``x y`` is accepted.
    """

    before: tuple[Word, ...] = ()
    after: tuple[Word, ...] = ()
    points: bool = False
    refs: bool = True
    field: str = "target"

    @property
    def usage(self) -> str:
        kinds = [
            *(['@ref ["label"]'] if self.refs else []),
            "selector",
            *(["x y"] if self.points else []),
        ]
        target = f"<{' | '.join(kinds)}>"
        return (
            " ".join(part.usage for part in self.before)
            + ((" " if self.before else "") + target)
            + "".join(f" {part.usage}" for part in self.after)
        )

    @property
    def fields(self) -> tuple[str, ...]:
        own = (self.field, *(("label",) if self.refs else ()), *(("x", "y") if self.points else ()))
        return (*(part.field for part in self.before), *own, *(part.field for part in self.after))

    def read(self, command: str, words: list[str]) -> dict[str, Any]:
        result: dict[str, Any] = {}
        rest = list(words)
        for part in self.before:
            if not rest:
                raise refused(f"{command} needs {part.usage}")
            result[part.field] = part.read(command, rest.pop(0))
        if not rest:
            raise refused(f"{command} needs a target: {self.target_kinds}")
        required = [part for part in self.after if not part.optional]
        if self.points and is_number(rest[0]):
            if len(rest) < 2:
                raise refused(f"{command} needs both x and y, got only {told(rest[0])}", given=rest[0])
            result["x"] = read_number(rest.pop(0), "x")
            result["y"] = read_number(rest.pop(0), "y")
            return result | self._tail(command, rest)
        count = self._target_length(rest, len(required))
        own, rest = rest[:count], rest[count:]
        if own[0].startswith("@"):
            result[self.field] = own[0]
            if len(own) > 1:
                result["label"] = own[1]
        else:
            result[self.field] = join_words(own)
        return result | self._tail(command, rest)

    @property
    def target_kinds(self) -> str:
        kinds = ["a ref (@e12)"] if self.refs else []
        kinds.append("a selector ('role=button label=\"Save\"')")
        if self.points:
            kinds.append("a point (x y)")
        return ", ".join(kinds)

    def _target_length(self, rest: list[str], required: int) -> int:
        if rest[0].startswith("@"):
            spare = len(rest) - 1 - required
            labelled = (
                self.refs and spare > 0 and (not self.after or spare > len(self.after) - required)
            )
            return 2 if labelled else 1
        limit = max(1, len(rest) - required)
        count = 1
        while count < limit and continues_selector(rest[count - 1], rest[count]):
            count += 1
        return count

    def _tail(self, command: str, rest: list[str]) -> dict[str, Any]:
        return Words(self.after).read(command, rest)

    def write(self, args: Struct) -> list[str]:
        out = Words(self.before).write(args)
        if self.points and getattr(args, "x", None) is not None:
            out += [spell(args.x), spell(args.y)]  # type: ignore[attr-defined]
        else:
            out.append(getattr(args, self.field))
            if self.refs and getattr(args, "label", None) is not None:
                out.append(args.label)  # type: ignore[attr-defined]
        return out + Words(self.after).write(args)


_TERM = re.compile(r"[a-z]+(=.*)?", re.DOTALL)


def continues_selector(previous: str, token: str) -> bool:
    """Whether ``token`` goes on with the selector begun before it."""
    if token == "||" or previous == "||":
        return True
    return "=" in token and _TERM.fullmatch(token) is not None


@dataclass(frozen=True)
class Custom:
    """A form with rules of its own (``wait``, ``find``): its reader and its writer."""

    usage: str
    fields: tuple[str, ...]
    reader: Callable[[str, list[str]], Mapping[str, Any]]
    writer: Callable[[Any], list[str]]

    def read(self, command: str, words: list[str]) -> dict[str, Any]:
        return dict(self.reader(command, words))

    def write(self, args: Struct) -> list[str]:
        return self.writer(args)


@dataclass(frozen=True)
class Rest:
    """A first part and then one or more tokens (``upload <target> <file>…``)."""

    first: Target
    field: str
    value: str

    @property
    def usage(self) -> str:
        return f"{self.first.usage} <{self.value}>…"

    @property
    def fields(self) -> tuple[str, ...]:
        return (*self.first.fields, self.field)

    def read(self, command: str, words: list[str]) -> dict[str, Any]:
        if len(words) < 2:
            raise refused(f"{command} needs {self.usage}")
        count = 1
        if not words[0].startswith("@"):
            while count < len(words) - 1 and continues_selector(words[count - 1], words[count]):
                count += 1
        return {**self.first.read(command, words[:count]), self.field: words[count:]}

    def write(self, args: Struct) -> list[str]:
        return [*self.first.write(args), *getattr(args, self.field)]


@dataclass(frozen=True)
class Several:
    """One or more tokens for one tuple field (``check <file>…``)."""

    field: str
    value: str

    @property
    def usage(self) -> str:
        return f"<{self.value}>…"

    @property
    def fields(self) -> tuple[str, ...]:
        return (self.field,)

    def read(self, command: str, words: list[str]) -> dict[str, Any]:
        if not words:
            raise refused(f"{command} needs {self.usage}")
        return {self.field: words}

    def write(self, args: Struct) -> list[str]:
        return list(getattr(args, self.field))


@dataclass(frozen=True)
class Tail:
    """Any number of tokens for one tuple field (``help daemon status``)."""

    field: str
    value: str

    @property
    def usage(self) -> str:
        return f"[{self.value}…]"

    @property
    def fields(self) -> tuple[str, ...]:
        return (self.field,)

    def read(self, command: str, words: list[str]) -> dict[str, Any]:  # noqa: ARG002 - the protocol
        return {self.field: join_words(words)} if words else {}

    def write(self, args: Struct) -> list[str]:
        value = getattr(args, self.field)
        return value.split() if value else []
