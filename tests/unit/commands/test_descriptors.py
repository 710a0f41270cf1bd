"""Every descriptor is complete: traits, help, forms, examples (architecture.md, decision 1)."""

from __future__ import annotations

import shlex
from dataclasses import MISSING, fields
from typing import Any, get_args

import pytest

from surefoot.commands import DESCRIPTORS, GRAMMAR, Descriptor, Traits, parse_argv
from surefoot.commands.descriptor import (
    By,
    IdentityVerification,
    Lane,
    RecordingEffect,
    RefFrameEffect,
)
from surefoot.commands.language.arguments import arguments_of
from surefoot.commands.output.help import GROUPS

SURFACE = [
    "back",
    "batch",
    "capabilities",
    "check",
    "click",
    "close",
    "daemon status",
    "daemon stop",
    "devices",
    "dialog accept",
    "dialog dismiss",
    "dialog get",
    "dialog wait",
    "diff snapshot",
    "doctor",
    "drag",
    "events",
    "fill",
    "find",
    "forward",
    "fragment digest",
    "fragment graph",
    "fragment pin",
    "fragment verify",
    "get",
    "help",
    "hover",
    "is",
    "key",
    "longpress",
    "open",
    "press",
    "reload",
    "replay",
    "screenshot",
    "scroll",
    "session fragment abort",
    "session fragment save",
    "session fragment start",
    "session list",
    "session save-script",
    "snapshot",
    "swipe",
    "tab close",
    "tab list",
    "tab select",
    "type",
    "upload",
    "viewport",
    "wait",
]

each = pytest.mark.parametrize("one", DESCRIPTORS, ids=lambda one: one.name.replace(" ", "-"))


def test_the_table_holds_exactly_the_commands_of_this_version() -> None:
    assert sorted(one.name for one in DESCRIPTORS) == SURFACE


@pytest.mark.parametrize("trait", [field.name for field in fields(Traits)])
def test_a_trait_has_no_default(trait: str) -> None:
    field = next(field for field in fields(Traits) if field.name == trait)
    assert field.default is MISSING
    assert field.default_factory is MISSING


@each
def test_every_trait_value_is_one_that_the_contract_names(one: Descriptor[Any, Any]) -> None:
    traits = one.traits
    for value, allowed in (
        (traits.ref_frame_effect, get_args(RefFrameEffect)),
        (traits.recording_effect, get_args(RecordingEffect)),
        (traits.target_identity_verification, get_args(IdentityVerification)),
        (traits.observation_only, (True, False)),
        (traits.lane, get_args(Lane)),
    ):
        values = [*value.table.values(), value.otherwise] if isinstance(value, By) else [value]
        assert all(item in allowed for item in values)
    assert 0 < traits.timeout_policy.default_ms <= 1_800_000


@each
def test_a_trait_that_depends_on_an_argument_names_one_and_its_values(
    one: Descriptor[Any, Any],
) -> None:
    for field in fields(Traits):
        value = getattr(one.traits, field.name)
        if isinstance(value, By):
            argument = next(item for item in one.arguments if item.name == value.field)
            allowed = {*argument.choices} if argument.choices else {None}
            assert set(value.table) <= allowed


@each
def test_every_argument_says_what_it_is(one: Descriptor[Any, Any]) -> None:
    for argument in one.arguments:
        assert argument.help
        assert argument.value


@each
def test_form_and_flags_together_fill_every_argument_once(one: Descriptor[Any, Any]) -> None:
    flags = [argument.name for argument in one.flags]
    assert sorted([*one.form.fields, *flags]) == sorted(a.name for a in one.arguments)


@each
def test_targets_are_arguments(one: Descriptor[Any, Any]) -> None:
    assert {*one.targets, *one.rewritten} <= {argument.name for argument in one.arguments}
    assert set(one.rewritten) <= set(one.targets)


@each
def test_there_is_a_group_a_summary_and_an_example(one: Descriptor[Any, Any]) -> None:
    assert one.group in GROUPS
    assert one.summary.endswith(".")
    assert one.examples


@pytest.mark.parametrize(
    "example", [example for one in DESCRIPTORS for example in one.examples], ids=lambda text: text
)
def test_every_example_is_a_line_that_can_be_run(example: str) -> None:
    words = shlex.split(example)
    assert words[0] == "surefoot"
    call = parse_argv(words[1:], {}).call
    assert " ".join(words[1:]).startswith(call.command)


@each
def test_a_command_that_takes_a_target_expires_the_frame_or_only_reads(
    one: Descriptor[Any, Any],
) -> None:
    if one.rewritten and one.traits.observation_only is False:
        assert one.traits.ref_frame_effect == "expires"


def test_only_fragment_safe_commands_are_scriptable_ones() -> None:
    assert [one.name for one in DESCRIPTORS if one.traits.fragment_safe and not one.scriptable] == []


def test_nothing_that_owns_a_lifecycle_may_stand_in_a_fragment() -> None:
    lifecycle = {one.name for one in DESCRIPTORS if not one.traits.fragment_safe and one.scriptable}
    assert lifecycle == {"open", "close", "find"}


def test_commands_that_never_wait_for_a_session() -> None:
    free = {one.name for one in DESCRIPTORS if one.traits.lane in ("control", "free")}
    assert free == {
        "check",
        "session list",
        "daemon status",
        "daemon stop",
        "events",
        "devices",
        "fragment digest",
        "fragment graph",
        "fragment pin",
        "fragment verify",
        "capabilities",
        "doctor",
        "help",
    }
    assert GRAMMAR.find("close").traits.lane == "preempt"


@each
def test_a_spelling_means_one_flag_only(one: Descriptor[Any, Any]) -> None:
    from surefoot.commands.language.grammar import COMMON

    spelled = [
        spelling
        for argument in (*one.flags, *COMMON)
        for spelling in (argument.flag, argument.short)
        if spelling is not None
    ]
    assert len(spelled) == len(set(spelled))


def test_an_argument_that_declares_nothing_is_an_error() -> None:
    from msgspec import Struct

    class Loose(Struct):
        name: str

    with pytest.raises(TypeError, match="declares neither word"):
        arguments_of(Loose)
