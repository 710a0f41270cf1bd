"""What answers hide of texts that are to stay secret (rows B034, B037)."""

from __future__ import annotations

import pytest

from surefoot.session import HiddenTexts


def hidden(**named: str) -> HiddenTexts:
    texts = HiddenTexts()
    for name, text in named.items():
        texts.learn(text, None if name.startswith("password") else name)
    return texts


@pytest.mark.parametrize(
    ("field", "shown"),
    [
        ("hunter2", "<secret>"),
        ("Your password is hunter2.", "Your password is <secret>."),
        ("hunter2hunter2", "hunter2hunter2"),
        ("xhunter2", "xhunter2"),
        ("Hunter2", "Hunter2"),
        ("https://x/?p=hunter2&q=1", "https://x/?p=<secret>&q=1"),
        ("", ""),
    ],
)
def test_a_text_is_hidden_on_whole_tokens(field: str, shown: str) -> None:
    assert hidden(password="hunter2").hide(field) == shown


@pytest.mark.parametrize(
    ("secret", "field", "shown"),
    [
        ("ssw", "Password", "Password"),
        ("e2", "e24", "e24"),
        ("e2", "e2", "<secret>"),
        ("abc", "abc def", "abc def"),
        ("   ", "a   b", "a   b"),
    ],
)
def test_a_short_text_is_hidden_only_where_it_is_the_whole_field(
    secret: str, field: str, shown: str
) -> None:
    assert hidden(password=secret).hide(field) == shown


def test_a_name_stands_for_its_text() -> None:
    assert hidden(EMAIL="ada@example.com").hide("To ada@example.com") == "To <var:EMAIL>"


def test_a_name_stands_for_a_text_that_had_none_before() -> None:
    texts = hidden(password="hunter2")
    texts.learn("hunter2", "PIN")
    texts.learn("hunter2")
    assert texts.hide("hunter2") == "<var:PIN>"


def test_the_longer_of_two_texts_is_hidden_first() -> None:
    texts = hidden(SHORT="hunter", LONG="hunter two")
    assert texts.hide("hunter two, hunter") == "<var:LONG>, <var:SHORT>"


@pytest.mark.parametrize("spelling", ["p%20w%22x", "p+w%22x", 'p w\\"x', 'p w"x'])
def test_spellings_of_urls_labels_and_lines_are_hidden_too(spelling: str) -> None:
    assert hidden(password='p  w"x').hide_lines("at p%20%20w%22x") == "at <secret>"
    assert hidden(password='p w"x').hide_lines(f"at {spelling}") == "at <secret>"


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ('- button "e2" [@e2]', '- button "<secret>" [@e2]'),
        ('- button "x" [@e24] id="e2"', '- button "x" [@e24] id="e2"'),
        ('- textbox "Password" [@e2]', '- textbox "Password" [@e2]'),
    ],
)
def test_a_short_text_in_a_line_never_touches_refs_and_ids(line: str, shown: str) -> None:
    assert hidden(password="e2").hide_lines(line) == shown
