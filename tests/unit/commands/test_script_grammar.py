"""The commands a script may hold are the descriptors' own (surface.md, "`.ad` lines")."""

from __future__ import annotations

import shlex
from typing import Any

import pytest

from surefoot.commands import DESCRIPTORS, SCRIPT_GRAMMAR, Descriptor
from surefoot.commands.language.grammar import COMMON
from surefoot.errors import SurefootError
from surefoot.plan import load_plan
from surefoot.script import GrammarIssue, Scope, Token, ValidStep, tokenize

EXAMPLES = [
    (one, example)
    for one in DESCRIPTORS
    if one.scriptable
    for example in one.examples
    if not any((argument.flag or "") in example for argument in one.flags if argument.caller_only)
]


def read(line: str) -> ValidStep | tuple[GrammarIssue, ...]:
    tokens = tokenize(line)
    return SCRIPT_GRAMMAR.validate(tokens[0], tokens[1:])


def step(line: str) -> ValidStep:
    found = read(line)
    assert isinstance(found, ValidStep), found
    return found


def issue(line: str) -> GrammarIssue:
    found = read(line)
    assert not isinstance(found, ValidStep)
    (only,) = found
    return only


@pytest.mark.parametrize(("one", "example"), EXAMPLES, ids=[example for _, example in EXAMPLES])
def test_the_normal_form_of_a_step_is_its_own_normal_form(
    one: Descriptor[Any, Any], example: str
) -> None:
    words = shlex.split(example)[1:]
    for common in COMMON:  # these belong to the caller
        if common.flag in words:
            at = words.index(common.flag)
            del words[at : at + (1 if common.kind == "bool" else 2)]
    tokens = [Token(text=word, column=at + 1) for at, word in enumerate(words)]
    found = SCRIPT_GRAMMAR.validate(tokens[0], tokens[1:])
    assert isinstance(found, ValidStep), found
    again = [Token(text=found.command), *(Token(text=word, quoted=True) for word in found.positionals)]
    for name, value in found.flags.items():
        for single in value if isinstance(value, tuple) else (value,):
            again.append(Token(text=f"--{name}"))
            if single is not True:
                again.append(Token(text=str(single), quoted=True))
    repeated = SCRIPT_GRAMMAR.validate(again[0], again[1:])
    assert isinstance(repeated, ValidStep)
    assert (repeated.command, repeated.positionals, repeated.flags, repeated.targets) == (
        found.command,
        found.positionals,
        found.flags,
        found.targets,
    )


@pytest.mark.parametrize(
    ("line", "targets"),
    [
        ("press id=a", (0,)),
        ('press @e1 "Save"', (0,)),
        ("press 10 20", ()),
        ("get text id=a", (1,)),
        ("is visible id=a", (1,)),
        ("wait id=a 500", (0,)),
        ("wait text hello 500", ()),
        ("wait absent id=a", ()),
        ("fill id=a text", (0,)),
        ("drag id=a id=b", (0, 1)),
        ('upload id=a "f.png"', (0,)),
        ("tab select 2", ()),
    ],
)
def test_targets_are_told_by_their_places(line: str, targets: tuple[int, ...]) -> None:
    assert step(line).targets == targets


def test_a_selector_in_several_words_is_one_positional() -> None:
    found = step('fill role=textbox label="Full name" "Ada"')
    assert found.positionals == ('role=textbox label="Full name"', "Ada")
    assert found.columns == (6, 37)


def test_a_command_of_two_words_keeps_the_second_as_a_positional() -> None:
    found = step("dialog accept Ada")
    assert (found.command, found.positionals) == ("dialog", ("accept", "Ada"))


def test_flags_are_told_by_their_long_names_without_defaults() -> None:
    assert step("press id=a --count 1 --settle").flags == {"settle": True}
    assert step("snapshot -i -d 5").flags == {"interactive": True, "depth": 5}


def test_a_quoted_word_is_never_a_flag() -> None:
    assert step('type "--settle"').positionals == ("--settle",)


@pytest.mark.parametrize(
    "line",
    [
        "session list",
        "batch --steps []",
        "replay other.ad",
        "daemon stop",
        "devices",
        "help",
        "events",
        "frobnicate x",
        "WAIT 1",
        "Press id=a",
    ],
)
def test_a_script_cannot_hold_it(line: str) -> None:
    assert issue(line).rule == "command"


@pytest.mark.parametrize(
    ("line", "column", "rule"),
    [
        ("press id=a --cuont 3", 12, "flag"),
        ("press id=a --count 99", 20, "argument"),
        ("press colour=red", 7, "selector"),
        ('press "label="', 7, "selector"),
        ("is shiny id=a", 4, "argument"),
        ("press id=a extra", 12, "argument"),
        ("open http://x/ --save-script=a.ad", 16, "flag"),
        ("press id=a --json", 12, "flag"),
        ("wait visible id=a", 6, "argument"),
    ],
)
def test_a_refusal_points_at_the_word_at_fault(line: str, column: int, rule: str) -> None:
    found = issue(line)
    assert (found.column, found.rule) == (column, rule)


def test_a_save_flag_in_a_script_is_refused() -> None:
    """B091-script-line."""
    assert issue("close --save-script=x.ad").reason == "caller_only_flag"


@pytest.mark.parametrize(
    "line",
    [
        "wait ${MS}",
        "wait id=a ${MS}",
        "press ${TARGET}",
        'press label="${NAME}"',
        "press id=a --count ${N}",
        "fill id=a ${TEXT}",
        "scroll ${DIRECTION}",
        "is ${PREDICATE} id=a",
        "swipe ${X} 1 2 3",
    ],
)
def test_a_word_with_a_variable_waits_for_its_value(line: str) -> None:
    found = step(line)
    assert any("${" in str(word) for word in (*found.positionals, *found.flags.values()))


@pytest.mark.parametrize("line", ["press ${A} ${B} ${C}", "fill ${A}", "press id=a --nope ${A}"])
def test_a_variable_does_not_excuse_a_wrong_number_of_words(line: str) -> None:
    issue(line)


@pytest.mark.parametrize(
    ("line", "value", "said"),
    [
        ("wait label=Next ${PW}", "hunter22x", 'timeout must be a whole number, not "${PW}"'),
        ("scroll down ${PW}", "hunter22x", 'amount must be a number, not "${PW}"'),
        ("press id=a --count ${PW}", "hunter22x", '--count must be a whole number, not "${PW}"'),
        ("is ${PW} id=a", "hunter22x", 'is has no predicate "${PW}"'),
        ("wait id=a ${PW}", "987654321", "what ${PW} stands for does not fit here"),
        ("press ${PW}", "foo=hunter22x", "what ${PW} stands for does not fit here"),
        ("press ${PW}", 'label="hunter22x', "what ${PW} stands for does not fit here"),
        ("scroll down ${PW}", "xq", 'amount must be a number, not "${PW}"'),
    ],
)
def test_a_value_that_does_not_fit_is_told_by_its_name(line: str, value: str, said: str) -> None:
    with pytest.raises(SurefootError) as caught:
        load_plan(
            f"{line}\n".encode(),
            path="a.ad",
            grammar=SCRIPT_GRAMMAR,
            scope=Scope.of(cli={"PW": value}),
        )
    told = f"{caught.value.message} {caught.value.hint} {caught.value.details}"
    assert said in caught.value.message
    assert value not in told
    assert value[:6] not in told


def test_the_range_a_value_is_outside_of_is_told() -> None:
    scope = Scope.of(cli={"MS": "987654321"})
    with pytest.raises(SurefootError) as caught:
        load_plan(b"wait id=a ${MS}\n", path="a.ad", grammar=SCRIPT_GRAMMAR, scope=scope)
    assert caught.value.details["expected"] == "from 0 to 3600000"


BAD = {
    "open": (
        'open ""',
        "open http://",
        "open javascript:alert(1)",
        "open http://a.test --viewport 10x10",
        "open http://a.test --viewport 16385x100",
        "open http://a.test --cdp nowhere",
        "open http://a.test --cdp http://b.test --headed",
        'open http://a.test --profile ""',
    ),
    "close": ("close now",),
    "snapshot": ("snapshot -d -1", "snapshot -s @x", 'snapshot -s ""', "snapshot -s 'label='"),
    "press": ("press", "press label=", "press @e0", "press 1 2 --count 21", "press 10000000 1"),
    "click": ("click foo", "click id=a --button up"),
    "longpress": ("longpress id=a --hold-ms 60001",),
    "hover": ("hover id=a --hold-ms -1",),
    "drag": ("drag @e1", "drag @e1 foo"),
    "swipe": ("swipe 1 2 3", "swipe 1 2 3 x", "swipe 1 2 3 4 60001"),
    "upload": ("upload id=a", 'upload id=a ""'),
    "fill": ("fill id=a", "fill id=a b --delay-ms 5001", "fill id=a b --record-as low"),
    "type": ("type", 'type ""'),
    "key": ("key", 'key ""', "key Nope", "key ctl+a"),
    "scroll": (
        "scroll sideways",
        "scroll down 0",
        "scroll down --pixels 0",
        "scroll down 1 --pixels 9",
        "scroll top 2",
        "scroll down --until @e3",
    ),
    "back": ("back 1",),
    "forward": ("forward 1",),
    "reload": ("reload 1",),
    "viewport": ("viewport 10x10", "viewport 16385x100", "viewport 640"),
    "get": ("get txt id=a", "get text foo"),
    "is": ("is shiny id=a", "is exists @e1", "is text id=a", "is visible id=a b"),
    "find": ("find", 'find "\u200b"', "find a dance", "find a fill", "find a wait soon"),
    "wait": (
        "wait",
        "wait 3600001",
        'wait text "\u200b"',
        "wait stable 500 100",
        "wait id=a soon",
        "wait absent @e1",
    ),
    "tab select": ("tab select", "tab select 0"),
    "tab close": ("tab close 0",),
    "screenshot": ('screenshot ""', "screenshot a b"),
    "dialog wait": ("dialog wait soon", "dialog wait 3600001"),
    "dialog accept": ("dialog accept a b",),
    "dialog dismiss": ("dialog dismiss a",),
}


def test_every_command_of_a_script_has_bad_lines_below() -> None:
    assert set(BAD) == {one.name for one in DESCRIPTORS if one.scriptable}


@pytest.mark.parametrize("line", [line for lines in BAD.values() for line in lines])
def test_what_no_device_could_do_is_refused_before_the_first_step(line: str) -> None:
    issue(line)


@pytest.mark.parametrize(
    ("line", "column"),
    [
        ("key Nope", 5),
        ("open http://", 6),
        ("open http://a.test --viewport 10x10", 31),
        ("press 10000000 1", 7),
        ('screenshot ""', 12),
    ],
)
def test_a_refusal_stands_at_the_word_it_is_about(line: str, column: int) -> None:
    assert issue(line).column == column


def test_a_whole_number_is_written_in_full() -> None:
    assert SCRIPT_GRAMMAR.args("scroll", ["down"], {"pixels": 1_000_000})[1].pixels == 1_000_000  # type: ignore[attr-defined]
