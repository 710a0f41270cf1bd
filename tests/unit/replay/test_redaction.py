"""Redaction by provenance, and the bound of every field (contracts.md, 0017; seed 0012, decision 4)."""

from __future__ import annotations

import pytest

from surefoot.replay.redaction import Fields, Redactor, typed_text

SECRET = "correct horse"
PW = [(SECRET, "<var:PW>")]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("correct horse", "<var:PW>"),
        ("it says correct horse.", "it says <var:PW>."),
        ('button "correct horse"', 'button "<var:PW>"'),
        ("incorrect horse", "incorrect horse"),
        ("correct horses", "correct horses"),
        ("correct horse correct horse", "<var:PW> <var:PW>"),
        ("Correct Horse", "Correct Horse"),
        ("", ""),
    ],
)
def test_a_value_is_replaced_on_whole_tokens(text: str, shown: str) -> None:
    assert Redactor(PW).text(text) == shown


@pytest.mark.parametrize(
    ("value", "text", "shown"),
    [
        ("on", "on", "<var:V>"),
        ("on", "turned on", "turned on"),
        ("abc", "abc", "<var:V>"),
        ("abc", "abc def", "abc def"),
        ("abcd", "abcd def", "<var:V> def"),
        ("$5.8", "costs $5.8 now", "costs <var:V> now"),
        ("a(b[c", "x a(b[c y", "x <var:V> y"),
        ("", "", ""),
        ("", "anything", "anything"),
        ("    ", "a     b", "a     b"),
    ],
)
def test_short_values_only_as_a_whole_field_and_the_empty_one_never(
    value: str, text: str, shown: str
) -> None:
    assert Redactor([(value, "<var:V>")]).text(text) == shown


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("two  words", "two words"),
        (" padded value ", "padded value"),
        ('say "hi" now', 'label="say \\"hi\\" now"'),
        ("cafe\u0301 noir", "caf\u00e9 noir"),
    ],
)
def test_a_value_is_known_as_the_screen_and_as_a_message_spell_it(value: str, text: str) -> None:
    shown = Redactor([(value, "<var:V>")]).text(text)
    assert "<var:V>" in shown


def test_the_longest_value_wins() -> None:
    redactor = Redactor([("secret", "<var:A>"), ("secret sauce", "<var:B>")])
    assert redactor.text("the secret sauce") == "the <var:B>"


def test_a_quoted_text_that_was_cut_inside_a_value_shows_no_part_of_it() -> None:
    cut = 'button "' + "a" * 70 + ' correct ho" is disabled'
    assert Redactor(PW).text(cut) == 'button "' + "a" * 70 + ' <var:PW>" is disabled'


def test_it_says_whether_anything_was_replaced() -> None:
    redactor = Redactor(PW)
    redactor.text("nothing here")
    assert redactor.hits is False
    redactor.text("a correct horse")
    assert redactor.hits is True


@pytest.mark.parametrize(
    ("text", "limit", "shown", "cut"),
    [
        ("a" * 256, 256, "a" * 256, False),
        ("a" * 257, 256, "a" * 253 + "…", True),
        ("é" * 128, 256, "é" * 128, False),
        ("é" * 129, 256, "é" * 126 + "…", True),
        ("👍" * 65, 256, "👍" * 63 + "…", True),
        ("", 16, "", False),
    ],
)
def test_a_field_is_cut_on_a_code_point(text: str, limit: int, shown: str, cut: bool) -> None:
    fields = Fields(Redactor([]), limit)
    assert (fields.text(text), fields.cut) == (shown, cut)
    assert len(shown.encode()) <= limit


def test_redaction_comes_before_cutting() -> None:
    fields = Fields(Redactor(PW), 40)
    assert "corr" not in fields.text("a" * 30 + " correct horse and more of it")


def test_ids_are_never_rewritten() -> None:
    fields = Fields(Redactor([("save-button", "<var:V>")]), 256)
    assert fields.plain("save-button") == "save-button"


@pytest.mark.parametrize(
    ("command", "words", "typed"),
    [
        ("fill", ("label=A", "secret"), ["secret"]),
        ("fill", ("@e1", "A", "secret"), ["secret"]),
        ("type", ("secret",), ["secret"]),
        ("find", ("label", "A", "fill", "secret"), ["secret"]),
        ("find", ("A", "type", "secret"), ["secret"]),
        ("dialog", ("accept", "secret"), ["secret"]),
        ("dialog", ("accept",), []),
        ("find", ("A", "click"), []),
        ("press", ("label=A",), []),
    ],
)
def test_which_words_of_a_step_are_entered_text(
    command: str, words: tuple[str, ...], typed: list[str]
) -> None:
    assert [value for value, _ in typed_text(command, words)] == typed
