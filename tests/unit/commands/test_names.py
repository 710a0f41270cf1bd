"""What a caller who has the wrong name is told: an argument's, or a command's of another tool."""

from __future__ import annotations

import re
import shlex
from typing import Any

import pytest

from surefoot.commands import DESCRIPTORS, GRAMMAR, Descriptor, help_page, parse_argv
from surefoot.commands.language.admission import admit
from surefoot.commands.language.elsewhere import MEANT, NO_SCRIPTS
from surefoot.commands.reference import reference_page
from surefoot.errors import SurefootError
from surefoot.wire import CallOptions


def refusal(command: str, arguments: dict[str, Any]) -> SurefootError:
    with pytest.raises(SurefootError) as caught:
        admit(GRAMMAR.by_name[command], arguments, CallOptions())
    return caught.value


@pytest.mark.parametrize("one", DESCRIPTORS, ids=lambda one: one.name)
def test_an_unknown_argument_is_answered_with_every_name_the_call_takes(
    one: Descriptor[Any, Any],
) -> None:
    hint = refusal(one.name, {"unheardOf": 1}).hint
    for argument in one.arguments:
        assert re.search(rf"\b{argument.wire}\b", hint)


def test_a_missing_argument_is_answered_with_the_names_of_the_call() -> None:
    error = refusal("upload", {"target": "@e1"})
    assert error.message == "upload needs <file>"
    assert error.hint.startswith("Its arguments: target (needed), files (needed), label. ")
    assert error.details == {"argument": "files", "reason": "argument_invalid"}


def test_following_the_hint_of_key_works() -> None:
    assert "chord (needed)" in refusal("key", {"key": "Enter"}).hint
    admit(GRAMMAR.by_name["key"], {"chord": "Enter"}, CallOptions())


@pytest.mark.parametrize(
    ("topic", "name"),
    [("open", "target"), ("upload", "files"), ("tab select", "index"), ("wait", "timeoutMs")],
)
def test_help_shows_the_name_in_json_where_the_line_s_word_is_another(topic: str, name: str) -> None:
    assert f"In JSON: {name}." in " ".join(help_page(topic).split())
    assert f"In JSON: {name}." in reference_page()


def test_help_says_nothing_of_names_that_are_as_they_look() -> None:
    assert "In JSON" not in help_page("press")
    assert "In JSON" not in help_page("key")


@pytest.mark.parametrize("word", MEANT)
def test_a_word_of_another_tool_is_answered_with_a_command_of_this_one(word: str) -> None:
    with pytest.raises(SurefootError) as caught:
        parse_argv([word, "@e1"], {})
    error = caught.value
    assert (error.code, error.reason) == ("INVALID_ARGS", "unknown_command")
    assert error.message.startswith(f'unknown command "{word}"')
    _, *words = shlex.split(error.details["suggestion"])
    assert any(" ".join(words[:length]) in GRAMMAR.by_name for length in (1, 2, 3))


@pytest.mark.parametrize(
    ("word", "line"),
    [
        ("select", "surefoot fill <the select> <option>"),
        ("tap", "surefoot press <target>"),
        ("goto", "surefoot open <url>"),
        ("DblClick", "surefoot press <target> --count 2"),
    ],
)
def test_the_commonest_words(word: str, line: str) -> None:
    with pytest.raises(SurefootError, match=re.escape(f"that is `{line}` here")):
        parse_argv([word], {})


@pytest.mark.parametrize("word", sorted(NO_SCRIPTS))
def test_no_code_is_run_in_an_app(word: str) -> None:
    with pytest.raises(SurefootError, match="no code is run in an app"):
        parse_argv([word, "1+1"], {})


@pytest.mark.parametrize("element", ["@e12", 'role=checkbox label="Terms"'])
def test_check_tells_who_wants_to_tick_a_box_how(element: str) -> None:
    error = refusal("check", {"files": [element]})
    assert error.reason == "not_a_script"
    assert "`surefoot press <target>`" in error.hint
