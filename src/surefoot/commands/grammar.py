"""From the words of a command line to a call: one grammar for argv and for script lines.

It is a projection of the descriptors (architecture.md, decision 1): it knows no command by name.
Common flags may stand anywhere; ``--flag=value`` and ``--flag value`` mean the same; ``--`` ends flags;
a negative number is never a flag.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any

from msgspec import Struct
from msgspec.structs import asdict

from surefoot.commands.admission import admit, check_options, with_usage
from surefoot.commands.arguments import Args, Argument, arguments_of, flag
from surefoot.commands.descriptor import Descriptor
from surefoot.commands.forms import read_int, read_number
from surefoot.commands.spelling import did_you_mean
from surefoot.errors import SurefootError, invalid_args
from surefoot.text import quoted
from surefoot.wire import Call, CallOptions, Level

AnyDescriptor = Descriptor[Any, Any]


class Common(Args):
    """The flags every command takes, wherever they stand."""

    session: Annotated[str | None, flag("The session to use.", value="NAME")] = None
    platform: Annotated[str | None, flag("The platform to use: web, sim.", value="P")] = None
    json: Annotated[bool, flag("Print one JSON object.")] = False
    level: Annotated[Level, flag("How much a response shows.")] = "default"
    no_record: Annotated[bool, flag("Keep this action out of a recording.")] = False
    timeout: Annotated[int | None, flag("Bound the whole request.", value="MS", ge=1)] = None
    state_dir: Annotated[str | None, flag("Where the daemon keeps its state.", value="DIR")] = None
    debug: Annotated[bool, flag("Log this request in full.")] = False
    cost: Annotated[bool, flag("Show captures, polls and milliseconds.")] = False
    help: Annotated[bool, flag("Show help and do nothing.", short="-h")] = False


COMMON = arguments_of(Common)


class Token(Struct, frozen=True):
    """One word. ``literal``: it was quoted in a script, so it is text even if it begins with ``-``."""

    text: str
    literal: bool = False


class ParsedCall(Struct, frozen=True, kw_only=True):
    """What a command line asks. ``state_dir`` was already used by whoever found this daemon."""

    call: Call
    state_dir: str | None = None


class _Split(Struct, frozen=True, kw_only=True):
    descriptor: AnyDescriptor
    words: list[str]
    values: dict[str, Any]
    common: dict[str, Any]


class Grammar:
    """The grammar of a table of descriptors."""

    def __init__(self, descriptors: Iterable[AnyDescriptor]) -> None:
        self.by_name = {descriptor.name: descriptor for descriptor in descriptors}
        self.groups: dict[str, list[str]] = {}
        for name in self.by_name:
            first, _, second = name.partition(" ")
            if second:
                self.groups.setdefault(first, []).append(second)
        self._common = _spellings(COMMON)

    def find(self, name: str) -> AnyDescriptor:
        """The descriptor of a command. ``INVALID_ARGS`` names the nearest valid spelling."""
        found = self.by_name.get(name)
        if found is None:
            raise self._unknown(name.split(" "))
        return found

    def parse(self, argv: Sequence[str], env: Mapping[str, str]) -> ParsedCall:
        """A call from argv (without the program's name). No words, or ``--help``: the help command."""
        tokens = [Token(word) for word in argv]
        asked = self._help(tokens)
        if asked is not None:
            return asked
        split = self._split(tokens)
        options = _options(split.common, env)
        arguments = self._arguments(split)
        args = admit(split.descriptor, arguments, options)
        arguments = {key: value for key, value in arguments.items() if value is not None}
        del args
        call = Call(command=split.descriptor.name, arguments=arguments, options=options)
        return ParsedCall(call=call, state_dir=split.common.get("state_dir"))

    def line(self, tokens: Sequence[Token]) -> tuple[AnyDescriptor, Struct]:
        """The command and its admitted args of one script line. ``INVALID_ARGS`` otherwise."""
        split = self._split(tokens)
        if split.common:
            name = next(iter(split.common)).replace("_", "-")
            raise invalid_args(f"a script line takes no --{name}; give it to `surefoot replay`")
        return split.descriptor, admit(split.descriptor, self._arguments(split), CallOptions())

    def _arguments(self, split: _Split) -> dict[str, Any]:
        descriptor = split.descriptor
        try:
            fields = descriptor.form.read(descriptor.name, split.words)
        except SurefootError as error:
            raise with_usage(error, descriptor) from None
        wires = {argument.name: argument.wire for argument in descriptor.arguments}
        return {wires[name]: value for name, value in {**fields, **split.values}.items()}

    def _help(self, tokens: list[Token]) -> ParsedCall | None:
        words = [token.text for token in tokens]
        ends = words.index("--") if "--" in words else len(words)
        if words and not any(word in ("--help", "-h") for word in words[:ends]):
            return None
        topic = " ".join(word for word in words[:ends] if not word.startswith("-"))
        while topic and topic not in self.by_name and topic not in self.groups:
            topic = topic.rpartition(" ")[0]
        arguments = {"topic": topic} if topic else {}
        as_json = "--json" in words[:ends]
        return ParsedCall(
            call=Call(command="help", arguments=arguments, options=CallOptions(json=as_json))
        )

    def _split(self, tokens: Sequence[Token]) -> _Split:
        """Find the command, then read every other token as a flag, a flag's value or a positional."""
        common: dict[str, Any] = {}
        position = self._leading(tokens, 0, common)
        if position >= len(tokens):
            raise invalid_args("no command given", hint="Run `surefoot help` for the list of commands.")
        name = tokens[position].text
        position += 1
        if name in self.groups:
            position = self._leading(tokens, position, common)
            second = tokens[position].text if position < len(tokens) else ""
            if f"{name} {second}" in self.by_name:
                name, position = f"{name} {second}", position + 1
            elif name not in self.by_name:
                raise self._unknown([name, second] if second else [name])
        descriptor = self.by_name.get(name)
        if descriptor is None:
            raise self._unknown([name])
        values: dict[str, Any] = {}
        words: list[str] = []
        try:
            self._rest(descriptor, tokens, position, words, values, common)
        except SurefootError as error:
            raise with_usage(error, descriptor) from None
        return _Split(descriptor=descriptor, words=words, values=values, common=common)

    def _leading(self, tokens: Sequence[Token], position: int, common: dict[str, Any]) -> int:
        """Read common flags up to the next word of the command's name."""
        while position < len(tokens) and looks_like_flag(tokens[position]):
            spelling = tokens[position].text.partition("=")[0]
            argument = self._common.get(spelling)
            if argument is None:
                near = did_you_mean(spelling, self._common)
                raise invalid_args(
                    f"unknown flag {quoted(spelling)} before the command{near}",
                    hint="Common flags may stand anywhere; a command's own flags follow its name.",
                )
            position = _take(argument, tokens, position, common)
        return position

    def _rest(
        self,
        descriptor: AnyDescriptor,
        tokens: Sequence[Token],
        position: int,
        words: list[str],
        values: dict[str, Any],
        common: dict[str, Any],
    ) -> None:
        own = _spellings(descriptor.flags)
        while position < len(tokens):
            token = tokens[position]
            if token.text == "--" and not token.literal:
                words.extend(later.text for later in tokens[position + 1 :])
                return
            if not looks_like_flag(token):
                words.append(token.text)
                position += 1
                continue
            spelling = token.text.partition("=")[0]
            if spelling in own:
                position = _take(own[spelling], tokens, position, values)
            elif spelling in self._common:
                position = _take(self._common[spelling], tokens, position, common)
            else:
                near = did_you_mean(spelling, [*own, *self._common])
                raise invalid_args(
                    f"{descriptor.name} has no flag {quoted(spelling)}{near}",
                    hint=None
                    if near
                    else f"To pass it as text, put `--` before it: "
                    f"surefoot {descriptor.name} … -- {spelling}. "
                    f"Run `surefoot help {descriptor.name}`.",
                    flag=spelling,
                )

    def _unknown(self, words: list[str]) -> SurefootError:
        first = words[0]
        if first in self.groups:
            listed = ", ".join(f"`{first} {second}`" for second in self.groups[first])
            if len(words) == 1:
                return invalid_args(
                    f"{first} needs one of: {listed}", hint=f"Run `surefoot help {first}`."
                )
            near = did_you_mean(words[1], self.groups[first])
            return invalid_args(
                f"{first} has no {quoted(words[1])}{near} (there is {listed})",
                hint=f"Run `surefoot help {first}`.",
            )
        name = " ".join(words)
        near = did_you_mean(name, [*self.by_name, *self.groups])
        return invalid_args(
            f"unknown command {quoted(name)}{near}",
            hint="Run `surefoot help` for the list of commands.",
        )


def looks_like_flag(token: Token) -> bool:
    """Whether a token is read as a flag: unquoted, begins with ``-``, and is neither ``-`` nor a number."""
    text = token.text
    if token.literal or len(text) < 2 or text[0] != "-":
        return False
    return re.fullmatch(r"-\.?\d.*", text) is None


def _spellings(arguments: Iterable[Argument]) -> dict[str, Argument]:
    table: dict[str, Argument] = {}
    for argument in arguments:
        for spelling in (argument.flag, argument.short):
            if spelling is not None:
                table[spelling] = argument
    return table


def _take(argument: Argument, tokens: Sequence[Token], position: int, into: dict[str, Any]) -> int:
    """Read one flag and its value into ``into``; the position after it."""
    spelling, equals, inline = tokens[position].text.partition("=")
    position += 1
    if argument.name in into and argument.kind != "texts":
        raise invalid_args(f"{spelling} is given twice", argument=argument.wire)
    if argument.kind == "bool":
        if equals:
            raise invalid_args(f"{spelling} takes no value", argument=argument.wire)
        into[argument.name] = True
        return position
    if argument.kind == "optional_text":
        if equals and not inline:
            raise invalid_args(
                f"{spelling}= needs a {argument.value} after the =", argument=argument.wire
            )
        into[argument.name] = inline if equals else True
        return position
    if equals:
        text = inline
    elif (
        position < len(tokens)
        and not looks_like_flag(tokens[position])
        and tokens[position].text != "--"
    ):
        text, position = tokens[position].text, position + 1
    else:
        raise invalid_args(
            f"{spelling} needs a value: {spelling} {argument.value}", argument=argument.wire
        )
    if argument.kind == "texts":
        into[argument.name] = [*into.get(argument.name, []), text]
    else:
        into[argument.name] = _scalar(argument, spelling, text)
    return position


def _scalar(argument: Argument, spelling: str, text: str) -> Any:
    match argument.kind:
        case "int":
            return read_int(text, spelling)
        case "number":
            return read_number(text, spelling)
        case _:
            return text


def _options(common: Mapping[str, Any], env: Mapping[str, str]) -> CallOptions:
    """The common flags as call options; the environment fills what the line leaves open."""
    values = {**common}
    values.pop("state_dir", None)
    values.pop("help", None)
    if "timeout" in values:
        values["timeout_ms"] = values.pop("timeout")
    for name, variable in (("session", "SUREFOOT_SESSION"), ("platform", "SUREFOOT_PLATFORM")):
        if name not in values and env.get(variable):
            values[name] = env[variable]
    if values.get("level", "default") not in ("digest", "default", "full"):
        near = did_you_mean(values["level"], ("digest", "default", "full"))
        raise invalid_args(
            f"--level must be one of digest|default|full, not {quoted(values['level'])}{near}"
        )
    options = CallOptions(**values)
    check_options(options)
    return options


def option_flags(options: CallOptions) -> dict[str, Any]:
    """The options that differ from their defaults, by field name."""
    default = asdict(CallOptions())
    return {name: value for name, value in asdict(options).items() if value != default[name]}
