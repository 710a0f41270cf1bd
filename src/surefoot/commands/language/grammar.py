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

from surefoot.commands.descriptor import Descriptor
from surefoot.commands.language.admission import admit, admit_values, check_options, with_usage
from surefoot.commands.language.arguments import Args, Argument, arguments_of, flag
from surefoot.commands.language.elsewhere import NO_SCRIPTS, meant_by
from surefoot.commands.language.forms import read_int, read_number
from surefoot.commands.language.spelling import Pending, refused, told, unknown
from surefoot.errors import SurefootError
from surefoot.session import admit_name
from surefoot.wire import Call, CallOptions, Level

AnyDescriptor = Descriptor[Any, Any]
LEVELS = ("digest", "default", "full")
LIST_HINT = "Run `surefoot help` for the list of commands."


class Common(Args, frozen=True, kw_only=True):
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


class Line(Struct, frozen=True, kw_only=True):
    """A line read but not admitted: the command, its positionals and its flags by field name."""

    descriptor: AnyDescriptor
    words: list[str]
    values: dict[str, Any]
    common: dict[str, Any]

    def fields(self) -> dict[str, Any]:
        """Every argument by field name, positionals read through the form. ``INVALID_ARGS``."""
        return {**self.descriptor.form.read(self.descriptor.name, self.words), **self.values}


class Grammar:
    """The grammar of a table of descriptors."""

    def __init__(self, descriptors: Iterable[AnyDescriptor]) -> None:
        self.by_name = {descriptor.name: descriptor for descriptor in descriptors}
        self.groups: dict[str, list[str]] = {}
        for name in self.by_name:
            parts = name.split(" ")
            for at in range(1, len(parts)):
                self.groups.setdefault(" ".join(parts[:at]), []).append(" ".join(parts[at:]))
        self._common = spellings(COMMON)

    def find(self, name: str) -> AnyDescriptor:
        """The descriptor of a command. ``INVALID_ARGS`` names the nearest valid spelling."""
        found = self.by_name.get(name)
        if found is None:
            raise self._unknown(name.split(" "))
        return found

    def parse(self, argv: Sequence[str], env: Mapping[str, str]) -> ParsedCall:
        """A call from argv (without the program's name). No words, or ``--help``: the help command."""
        asked = self._help(argv)
        if asked is not None:
            return asked
        line = self.split([Token(word) for word in argv])
        descriptor = line.descriptor
        try:
            fields = line.fields()
        except SurefootError as error:
            raise with_usage(error, descriptor) from None
        wires = {argument.name: argument.wire for argument in descriptor.arguments}
        arguments = {wires[name]: value for name, value in fields.items()}
        options = call_options(line.common, env)
        admit(descriptor, arguments, options)
        call = Call(command=descriptor.name, arguments=arguments, options=options)
        return ParsedCall(call=call, state_dir=line.common.get("state_dir"))

    def step(self, line: Line) -> Struct:
        """The args struct of a script line; values that are pending are not checked yet."""
        if line.common:
            name = "--" + next(iter(line.common)).replace("_", "-")
            raise refused(
                f"a script line takes no {name}", given=name, hint="Give it to `surefoot replay`."
            )
        own = next((f for f in line.descriptor.flags if f.caller_only and f.name in line.values), None)
        if own is not None:
            raise refused(
                f"a script line takes no {own.flag}: it is the caller's",
                given=own.flag,
                hint="Give it to the command that opens or replays the session.",
                reason="caller_only_flag",
            )
        args: Struct = admit_values(line.descriptor, line.fields())
        return args

    def split(self, tokens: Sequence[Token]) -> Line:
        """Find the command, then read every other token as a flag, a flag's value or a positional."""
        common: dict[str, Any] = {}
        position = self._leading(tokens, 0, common)
        if position >= len(tokens):
            raise refused("no command given", hint=LIST_HINT)
        name = tokens[position].text
        position += 1
        while name in self.groups:
            position = self._leading(tokens, position, common)
            second = tokens[position].text if position < len(tokens) else ""
            longer = f"{name} {second}"
            if longer in self.by_name or longer in self.groups:
                name, position = longer, position + 1
            elif name in self.by_name:
                break
            else:
                raise self._unknown([*name.split(" "), second] if second else name.split(" "))
        descriptor = self.by_name.get(name)
        if descriptor is None:
            raise self._unknown([name])
        values: dict[str, Any] = {}
        words: list[str] = []
        try:
            self._rest(descriptor, tokens, position, words, values, common)
        except SurefootError as error:
            raise with_usage(error, descriptor) from None
        return Line(descriptor=descriptor, words=words, values=values, common=common)

    def _help(self, argv: Sequence[str]) -> ParsedCall | None:
        ends = argv.index("--") if "--" in argv else len(argv)
        flags = [word for word in argv[:ends] if word.startswith("-")]
        bare = not argv or (len(flags) == len(argv) and all(word in self._common for word in flags))
        version = bool(argv) and argv[0] == "--version"
        if not bare and not version and not any(word in ("--help", "-h") for word in flags):
            return None
        topic = " ".join(word for word in argv[:ends] if not word.startswith("-"))
        while topic and topic not in self.by_name and topic not in self.groups:
            topic = topic.rpartition(" ")[0]
        options = CallOptions(json="--json" in flags)
        if version:
            topic = "version"
        call = Call(command="help", arguments={"topic": topic} if topic else {}, options=options)
        return ParsedCall(call=call)

    def _leading(self, tokens: Sequence[Token], position: int, common: dict[str, Any]) -> int:
        """Read common flags up to the next word of the command's name."""
        while position < len(tokens) and looks_like_flag(tokens[position]):
            spelling = tokens[position].text.partition("=")[0]
            argument = self._common.get(spelling)
            if argument is None:
                raise unknown(
                    f"unknown flag {told(spelling)} before the command",
                    spelling,
                    self._common,
                    hint="Common flags may stand anywhere; a command's own flags follow its name.",
                )
            position = take(argument, tokens, position, common)
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
        own = spellings(descriptor.flags)
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
                position = take(own[spelling], tokens, position, values)
            elif spelling in self._common:
                position = take(self._common[spelling], tokens, position, common)
            else:
                raise unknown(
                    f"{descriptor.name} has no flag {told(spelling)}",
                    spelling,
                    [*own, *self._common],
                    hint=f"Usage: surefoot {descriptor.usage}. Text that begins with a dash goes after "
                    f"`--`. Run `surefoot help {descriptor.name}`.",
                    flag=spelling,
                )

    def _unknown(self, words: list[str]) -> SurefootError:
        deep = next((at for at in range(len(words), 0, -1) if " ".join(words[:at]) in self.groups), 0)
        if deep:
            first, rest = " ".join(words[:deep]), words[deep:]
            listed = ", ".join(f"`{first} {second}`" for second in self.groups[first])
            hint = f"Run `surefoot help {first}`."
            if not rest:
                return refused(
                    f"{first} needs one of {listed}", given=first, hint=hint, reason="unknown_command"
                )
            message = f"{first} has no {told(rest[0])}"
            return unknown(
                message,
                rest[0],
                self.groups[first],
                tail=f" (there is {listed})",
                hint=hint,
                reason="unknown_command",
            )
        name = " ".join(words)
        if name.lower() in NO_SCRIPTS:
            return refused(
                f"unknown command {told(name)}: no code is run in an app",
                given=name,
                hint="Read with `surefoot get attrs <target>`, act with `surefoot press <target>`.",
                reason="unknown_command",
            )
        line = meant_by(name)
        if line is not None:
            return refused(
                f"unknown command {told(name)}; that is `{line}` here",
                given=name,
                hint=f"Run `{line}`. {LIST_HINT}",
                suggestion=line,
                reason="unknown_command",
            )
        return unknown(
            f"unknown command {told(name)}",
            name,
            [*self.by_name, *self.groups],
            hint=LIST_HINT,
            reason="unknown_command",
        )


def looks_like_flag(token: Token) -> bool:
    """Whether a token is a flag: unquoted, begins with ``-``, is neither ``-`` nor a number."""
    text = token.text
    if token.literal or len(text) < 2 or text[0] != "-":
        return False
    return re.fullmatch(r"-\.?\d.*", text, re.DOTALL) is None


def spellings(arguments: Iterable[Argument]) -> dict[str, Argument]:
    """The arguments by each way to write their flag."""
    table: dict[str, Argument] = {}
    for argument in arguments:
        for spelling in (argument.flag, argument.short):
            if spelling is not None:
                table[spelling] = argument
    return table


def take(argument: Argument, tokens: Sequence[Token], position: int, into: dict[str, Any]) -> int:
    """Read one flag and its value into ``into``; the position after it."""
    token = tokens[position]
    spelling, equals, inline = token.text.partition("=")
    position += 1
    details = {"given": token.text, "argument": argument.wire}
    if argument.name in into and argument.kind != "texts":
        raise refused(f"{spelling} is given twice", **details)
    if argument.kind == "bool":
        if equals:
            raise refused(f"{spelling} takes no value", **details)
        into[argument.name] = True
        return position
    if argument.kind == "optional_text":
        if equals and not inline:
            raise refused(f"{spelling}= needs a {argument.value} after the =", **details)
        into[argument.name] = inline if equals else True
        return position
    text: str
    if equals:
        text = Pending(inline) if isinstance(token.text, Pending) and "${" in inline else inline
    elif (
        position < len(tokens)
        and not looks_like_flag(tokens[position])
        and tokens[position].text != "--"
    ):
        text, position = tokens[position].text, position + 1
    else:
        raise refused(f"{spelling} needs a value: {spelling} {argument.value}", **details)
    match argument.kind:
        case "texts":
            into[argument.name] = [*into.get(argument.name, []), text]
        case "int":
            into[argument.name] = read_int(text, spelling)
        case "number":
            into[argument.name] = read_number(text, spelling)
        case _:
            into[argument.name] = text
    return position


def call_options(common: Mapping[str, Any], env: Mapping[str, str]) -> CallOptions:
    """The common flags as call options; the environment fills what the line leaves open.

    ``INVALID_ARGS`` for a session name that cannot be one, an unknown level, a timeout out of range.
    """
    values = {name: value for name, value in common.items() if name not in ("state_dir", "help")}
    if "timeout" in values:
        values["timeout_ms"] = values.pop("timeout")
    for name, variable in (("session", "SUREFOOT_SESSION"), ("platform", "SUREFOOT_PLATFORM")):
        if name not in values and env.get(variable):
            values[name] = env[variable]
    if values.get("session") is not None:
        admit_name(values["session"])
    level = values.get("level", "default")
    if level not in LEVELS:
        raise unknown(
            f"--level has no {told(level)}", level, LEVELS, tail=f" (one of {'|'.join(LEVELS)})"
        )
    options = CallOptions(**values)
    check_options(options)
    return options
