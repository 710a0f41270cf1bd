"""Every flag of every command arrives at its handler from argv; the descriptors make the table."""

from __future__ import annotations

import dataclasses
import shlex
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.support.commands_room import Room

from surefoot.commands import DESCRIPTORS, GRAMMAR, Answer, Context, Descriptor, parse_argv
from surefoot.commands.language.admission import admit
from surefoot.commands.language.arguments import Argument
from surefoot.commands.language.grammar import COMMON
from surefoot.errors import SurefootError
from surefoot.wire import Call, CallOptions, StoppedData

# What a flag needs beside it to mean anything; the flags themselves come from the descriptors.
COMPANY: dict[tuple[str, str], list[str]] = {
    ("open", "--force"): ["--save-script"],
    ("close", "--force"): ["--save-script"],
    ("session fragment start", "--entry-timeout"): ["--entry", "id=row"],
    ("session fragment start", "--force"): ["--entry", "id=row"],
    ("replay", "--from"): ["--plan-digest", "0" * 64],
    ("replay", "--plan-digest"): ["--from", "3"],
    ("replay", "--composition-digest"): ["--from", "token"],
}
# Flags with a pattern of their own.
VALUES = {
    "--viewport": "800x600",
    "--cdp": "http://127.0.0.1:9222",
    "--record-as": "NAME",
    "--plan-digest": "a" * 64,
    "--composition-digest": "sha256:" + "b" * 64,
    "--from": "3",
    "--until": "id=row",
    "--entry": "id=row",
    "--button": "right",
    "--level": "full",
}


def words_of(one: Descriptor[Any, Any], without: str) -> list[str]:
    """Positionals of the first example that stand alone, with a fill for ``find --record-as``."""
    if one.name == "find" and without == "--record-as":
        return ["Email", "fill", "x"]
    for example in one.examples:
        call = parse_argv(shlex.split(example)[1:], {}).call
        args = admit(one, call.arguments, CallOptions())
        words = one.form.write(args)
        if one.name == "scroll":
            return words[:1]
        return words
    raise AssertionError(one.name)


def value_of(argument: Argument) -> tuple[list[str], Any]:
    """The words of a flag and what must arrive."""
    spelling = argument.flag
    assert spelling is not None
    if argument.kind == "bool":
        return [spelling], True
    if argument.kind == "optional_text":
        return [f"{spelling}=out.ad"], "out.ad"
    if argument.kind == "texts":
        return [spelling, "A=1", spelling, "B=2"], ("A=1", "B=2")
    if argument.kind in ("int", "number"):
        number = int(argument.ge or 0) + 1
        return [spelling, str(number)], number
    text = VALUES.get(spelling, "some text")
    return [spelling, text], text


FLAGS = [(one, argument) for one in DESCRIPTORS for argument in one.flags]


@pytest.mark.parametrize(
    ("one", "argument"), FLAGS, ids=[f"{one.name} {argument.flag}" for one, argument in FLAGS]
)
async def test_a_flag_arrives_at_the_handler(
    one: Descriptor[Any, Any], argument: Argument, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given, expected = value_of(argument)
    argv = [
        *one.name.split(),
        *given,
        *COMPANY.get((one.name, argument.flag or ""), []),
        "--",
        *words_of(one, argument.flag or ""),
    ]
    arrived = await arrive(one, argv, tmp_path, monkeypatch)
    assert getattr(arrived, argument.name) == expected


SHORTS = [(one, argument) for one, argument in FLAGS if argument.short is not None]


@pytest.mark.parametrize(
    ("one", "argument"), SHORTS, ids=[f"{one.name} {argument.short}" for one, argument in SHORTS]
)
async def test_a_short_flag_arrives_as_its_long_one(
    one: Descriptor[Any, Any], argument: Argument, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given, expected = value_of(argument)
    assert argument.short is not None
    short = [argument.short if word == argument.flag else word for word in given]
    argv = [*one.name.split(), *short, "--", *words_of(one, argument.flag or "")]
    arrived = await arrive(one, argv, tmp_path, monkeypatch)
    assert getattr(arrived, argument.name) == expected


@pytest.mark.parametrize("one", DESCRIPTORS, ids=lambda one: one.name)
async def test_positionals_arrive_at_the_handler(
    one: Descriptor[Any, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for example in one.examples:
        argv = shlex.split(example)[1:]
        call = parse_argv(argv, {}).call
        arrived = await arrive(one, argv, tmp_path, monkeypatch)
        assert arrived == admit(one, call.arguments, CallOptions())


COMMON_VALUES: dict[str, tuple[list[str], str, Any]] = {
    "session": (["--session", "s1"], "session", "s1"),
    "platform": (["--platform", "sim"], "platform", "sim"),
    "json": (["--json"], "json", True),
    "level": (["--level", "digest"], "level", "digest"),
    "no_record": (["--no-record"], "no_record", True),
    "timeout": (["--timeout", "4321"], "timeout_ms", 4321),
    "debug": (["--debug"], "debug", True),
    "cost": (["--cost"], "cost", True),
}


def test_every_common_flag_is_an_option_of_a_call_or_the_surface_s_own() -> None:
    assert {argument.name for argument in COMMON} == {*COMMON_VALUES, "state_dir", "help"}
    assert {field for _, field, _ in COMMON_VALUES.values()} == set(CallOptions.__struct_fields__)


@pytest.mark.parametrize("one", DESCRIPTORS, ids=lambda one: one.name)
async def test_the_common_flags_arrive_with_every_command(
    one: Descriptor[Any, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = [word for words, _, _ in COMMON_VALUES.values() for word in words]
    needed = [word for flag in one.flags if flag.required for word in value_of(flag)[0]]
    argv = [*one.name.split(), *given, *needed, "--", *words_of(one, "")]
    if one.name == "batch":
        argv[-1:] = ["--steps", '[["back"]]']
    seen: list[Context] = []
    await arrive(one, argv, tmp_path, monkeypatch, seen)
    for _, field, expected in COMMON_VALUES.values():
        assert getattr(seen[0].options, field) == expected


async def arrive(
    one: Descriptor[Any, Any],
    argv: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    contexts: list[Context] | None = None,
) -> Any:
    """Parse, cross the wire, execute with a handler that only looks."""
    seen: list[Any] = []

    async def look(context: Context, args: Any) -> Answer[StoppedData]:
        seen.append(args)
        if contexts is not None:
            contexts.append(context)
        return Answer(StoppedData(stopping=False, pid=1, sessions=0))

    changes = {"run": look, "platform": None, "recorded_as": None}
    monkeypatch.setitem(GRAMMAR.by_name, one.name, dataclasses.replace(one, **changes))  # type: ignore[arg-type]
    call = parse_argv(argv, {}).call
    crossed = msgspec.json.decode(msgspec.json.encode(call), type=Call)
    await Room(tmp_path).call(crossed)
    (only,) = seen
    return only


@pytest.mark.parametrize("one", DESCRIPTORS, ids=lambda one: one.name)
async def test_an_argument_no_command_has_is_refused_on_the_wire(
    one: Descriptor[Any, Any], tmp_path: Path
) -> None:
    room = Room(tmp_path)
    for name in ("replayPlanStep", "internal", "provenance", "resolvedNode", "unheardOf"):
        with pytest.raises(SurefootError, match="has no argument") as caught:
            await room.call(Call(command=one.name, arguments={name: True}))
        assert caught.value.code == "INVALID_ARGS"


@pytest.mark.parametrize("command", ["press", "fill", "snapshot", "wait", "batch"])
async def test_the_save_flag_belongs_to_the_commands_that_declare_it(
    command: str, tmp_path: Path
) -> None:
    """B091-save-flag-on-any-request."""
    with pytest.raises(SurefootError, match="has no argument"):
        await Room(tmp_path).call(Call(command=command, arguments={"saveScript": True}))
