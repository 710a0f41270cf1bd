"""Positionals to arguments and back, for every way a command can be written."""

from __future__ import annotations

from typing import Any

import pytest

from surefoot.commands import GRAMMAR, parse_argv
from surefoot.commands.language.admission import admit
from surefoot.errors import SurefootError
from surefoot.wire import CallOptions

FORMS: list[tuple[str, list[str], dict[str, Any]]] = [
    ("press", ["@e12"], {"target": "@e12"}),
    ("press", ["@e12~s42"], {"target": "@e12~s42"}),
    ("press", ["@e12", "Save"], {"target": "@e12", "label": "Save"}),
    ("press", ['label="Save"'], {"target": 'label="Save"'}),
    ("press", ["120", "48.5"], {"x": 120.0, "y": 48.5}),
    ("fill", ["@e6", "text"], {"target": "@e6", "text": "text"}),
    ("fill", ["@e6", "Email", "text"], {"target": "@e6", "label": "Email", "text": "text"}),
    ("fill", ["id=q", ""], {"target": "id=q", "text": ""}),
    ("fill", ["id=q", "a=b"], {"target": "id=q", "text": "a=b"}),
    ("type", ["  two  spaces "], {"text": "  two  spaces "}),
    ("key", ["ctrl+a"], {"chord": "ctrl+a"}),
    ("scroll", ["down"], {"direction": "down"}),
    ("scroll", ["down", "0.5"], {"direction": "down", "amount": 0.5}),
    ("swipe", ["1", "2", "3", "4"], {"x1": 1.0, "y1": 2.0, "x2": 3.0, "y2": 4.0}),
    ("swipe", ["1", "2", "3", "4", "50"], {"x1": 1.0, "y1": 2.0, "x2": 3.0, "y2": 4.0, "ms": 50}),
    ("drag", ["@e1", "id=b"], {"source": "@e1", "destination": "id=b"}),
    ("viewport", ["1280x720"], {"width": 1280, "height": 720}),
    ("get", ["text", "@e1"], {"what": "text", "target": "@e1"}),
    ("get", ["attrs", "@e1", "Save"], {"what": "attrs", "target": "@e1", "label": "Save"}),
    ("is", ["visible", "id=a"], {"predicate": "visible", "selector": "id=a"}),
    ("is", ["text", "id=a", "3 items"], {"predicate": "text", "selector": "id=a", "value": "3 items"}),
    ("is", ["text", "id=a", "label=b"], {"predicate": "text", "selector": "id=a", "value": "label=b"}),
    ("wait", ["500"], {"ms": 500}),
    ("wait", ["text", "Cart: 1"], {"text": "Cart: 1"}),
    ("wait", ["text", "Cart: 1", "300"], {"text": "Cart: 1", "timeout_ms": 300}),
    ("wait", ["absent", "role=dialog", "300"], {"absent": "role=dialog", "timeout_ms": 300}),
    ("wait", ["stable"], {"stable": True}),
    ("wait", ["stable", "200"], {"stable": True, "quiet_ms": 200}),
    ("wait", ["stable", "200", "900"], {"stable": True, "quiet_ms": 200, "timeout_ms": 900}),
    ("wait", ["id=a", "900"], {"target": "id=a", "timeout_ms": 900}),
    ("wait", ["@e1"], {"target": "@e1"}),
    ("find", ["Save"], {"query": "Save"}),
    ("find", ["text"], {"query": "text"}),
    ("find", ["label", "Email"], {"locator": "label", "query": "Email"}),
    ("find", ["label", "Email", "fill", "x"], {"locator": "label", "query": "Email", "action": "fill"}),
    ("find", ["Save", "click"], {"query": "Save", "action": "click"}),
    ("upload", ["id=f", "a.png", "b.png"], {"target": "id=f", "files": ("a.png", "b.png")}),
    ("upload", ["@e1", "a.png"], {"target": "@e1", "files": ("a.png",)}),
    ("dialog accept", ["Ada"], {"text": "Ada"}),
    ("dialog wait", ["200"], {"ms": 200}),
    ("tab close", [], {"index": None}),
    ("help", ["tab", "select"], {"topic": "tab select"}),
]


@pytest.mark.parametrize(
    ("name", "words", "expected"), FORMS, ids=[f"{name} {' '.join(words)}" for name, words, _ in FORMS]
)
def test_words_become_arguments(name: str, words: list[str], expected: dict[str, Any]) -> None:
    found = GRAMMAR.find(name)
    call = parse_argv([*name.split(), "--", *words], {}).call
    args = admit(found, call.arguments, CallOptions())
    assert {field: getattr(args, field) for field in expected} == expected


@pytest.mark.parametrize(
    ("name", "words"),
    [(name, words) for name, words, _ in FORMS],
    ids=[f"{name} {' '.join(words)}" for name, words, _ in FORMS],
)
def test_arguments_are_written_as_words_that_mean_the_same(name: str, words: list[str]) -> None:
    found = GRAMMAR.find(name)
    args = admit(found, parse_argv([*name.split(), "--", *words], {}).call.arguments, CallOptions())
    written = found.form.write(args)
    again = parse_argv([*name.split(), "--", *written], {}).call.arguments
    assert admit(found, again, CallOptions()) == args


@pytest.mark.parametrize(
    "argv",
    [
        ["press", "role=button", 'label="Save"'],
        ["press", 'role=button label="Save"'],
        ["press", "role=button", "||", "id=save"],
    ],
)
def test_a_selector_may_come_in_several_words(argv: list[str]) -> None:
    assert parse_argv(argv, {}).call.arguments["target"] == " ".join(argv[1:])


def test_a_selector_in_several_words_leaves_the_text_of_a_fill_alone() -> None:
    arguments = parse_argv(["fill", "role=textbox", "label=Email", "id=7"], {}).call.arguments
    assert arguments == {"target": "role=textbox label=Email", "text": "id=7"}


def test_a_value_whose_quotes_the_shell_ate_is_shown_as_it_must_be_written() -> None:
    with pytest.raises(SurefootError) as caught:
        parse_argv(["press", "role=button", "label=Sign in"], {})
    assert caught.value.hint == "Quote it for the shell: 'role=button label=\"Sign in\"'."


@pytest.mark.parametrize(
    ("argv", "hint"),
    [
        (["visible", 'label="General"', "5000"], "wait 'label=\"General\" visible=true' 5000"),
        (["visible", 'label="General"'], "wait 'label=\"General\" visible=true'"),
        (["gone", 'label="General"', "5"], "wait absent 'label=\"General\"' 5"),
        (["hidden", 'label="General"'], "wait absent 'label=\"General\"'"),
        (["exists", 'label="General"'], "wait 'label=\"General\"'"),
        (["Saved"], 'wait text "Saved"'),
    ],
    ids=lambda value: f"B071-{value[0]}" if isinstance(value, list) else "",
)
def test_a_wait_for_a_word_that_is_none_of_its_forms_is_refused_at_once(
    argv: list[str], hint: str
) -> None:
    with pytest.raises(SurefootError) as caught:
        parse_argv(["wait", *argv], {})
    assert f'wait has no "{argv[0]}"' in caught.value.message
    assert hint in caught.value.hint


@pytest.mark.parametrize(
    "argv",
    [
        ["press", "10"],
        ["press", "@x1"],
        ["press", "@e0"],
        ["press", "@e1", "a", "b"],
        ["press", "id=a", "b"],
        ["press", "1", "2", "3"],
        ["fill", "@e1"],
        ["fill", "id=a"],
        ["type"],
        ["type", ""],
        ["type", "two", "words"],
        ["drag", "id=a"],
        ["drag", "id=a", "id=b", "id=c"],
        ["is", "visible"],
        ["is", "exists", "@e1"],
        ["is", "text", "id=a"],
        ["is", "visible", "id=a", "extra"],
        ["get", "text"],
        ["wait"],
        ["wait", "text"],
        ["wait", "text", ""],
        ["wait", "stable", "500", "100"],
        ["wait", "10", "20"],
        ["wait", "id=a", "20", "30"],
        ["wait", "1x"],
        ["find"],
        ["find", ""],
        ["find", "x", "fill"],
        ["find", "x", "click", "y"],
        ["find", "x", "--first", "--last"],
        ["find", "x", "click", "--record-as", "NAME"],
        ["find", "x", "wait", "soon"],
        ["upload", "id=a"],
        ["scroll", "top", "2"],
        ["scroll", "down", "1", "--pixels", "5"],
        ["scroll", "bottom", "--until", "id=a"],
        ["viewport", "12"],
        ["tab", "select"],
        ["tab", "select", "two"],
        ["session", "list", "x"],
        ["batch"],
        ["batch", "--steps", "[]", "--steps-file", "f"],
        ["close", "--force"],
        ["open"],
        ["open", " "],
        ["replay"],
        ["replay", "f.ad", "--from", "3"],
        ["replay", "f.ad", "--plan-digest", "0" * 64],
        ["help", "nonsense-topic"],
    ],
    ids=" ".join,
)
def test_a_line_that_means_nothing_is_refused(argv: list[str]) -> None:
    with pytest.raises(SurefootError) as caught:
        parse_argv(argv, {})
    assert caught.value.code == "INVALID_ARGS"
