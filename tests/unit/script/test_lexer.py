"""Tokens of one line (surface.md, `.ad` lines; decisions.md, lexer corners; faults B076 to B078)."""

from __future__ import annotations

import pytest

from surefoot.script import LexFault, Token, split_assignment, tokenize


def _texts(line: str) -> list[str]:
    return [token.text for token in tokenize(line)]


@pytest.mark.parametrize(
    ("line", "texts"),
    [
        pytest.param("press a b", ["press", "a", "b"], id="blanks-split"),
        pytest.param("  press \t a  ", ["press", "a"], id="runs-of-blanks"),
        pytest.param("press\u00a0a", ["press", "a"], id="no-break-space-splits"),
        pytest.param('get "text""label=x"', ["get", "text", "label=x"], id="adjacent-quoted-are-two"),
        pytest.param("get 'a''b'", ["get", "a", "b"], id="adjacent-single-quoted-are-two"),
        pytest.param('press label="Two words"', ["press", 'label="Two words"'], id="inner-quotes-hold"),
        pytest.param('press label="a\\" b" x', ["press", 'label="a\\" b"', "x"], id="inner-escape"),
        pytest.param('press role=a"b c"d', ["press", 'role=a"b c"d'], id="quotes-amid-a-word"),
        pytest.param('type ""', ["type", ""], id="empty-string"),
        pytest.param("type it's", ["type", "it's"], id="apostrophe-in-a-word"),
        pytest.param("type 'C:\\dir'", ["type", "C:\\dir"], id="single-quotes-keep-backslashes"),
        pytest.param("type 'a\\nb'", ["type", "a\\nb"], id="single-quotes-know-no-newline"),
        pytest.param('type "\\ud83d\\ude00"', ["type", "😀"], id="surrogate-pair"),
        pytest.param('type "a#b" #c', ["type", "a#b", "#c"], id="hash-is-no-comment-amid-a-line"),
        pytest.param("wait 'it\\'s'", ["wait", "it's"], id="B078-single-quote-escape"),
        pytest.param('wait "a\\nb"', ["wait", "a\nb"], id="B078-json-escape"),
        pytest.param(
            'click "label=\\"Say \\\\\\"hi\\\\\\"\\""',
            ["click", 'label="Say \\"hi\\""'],
            id="B076-escaped-quotes-in-a-selector",
        ),
        pytest.param(
            'fill id="q" "  two  spaces "', ["fill", 'id="q"', "  two  spaces "], id="B077-inner-blanks"
        ),
    ],
)
def test_line_splits_into(line: str, texts: list[str]) -> None:
    assert _texts(line) == texts


@pytest.mark.parametrize(
    ("line", "column", "message"),
    [
        pytest.param('click "abc', 7, "unterminated quote", id="B078-unclosed"),
        pytest.param("click 'abc", 7, "unterminated quote", id="unclosed-single"),
        pytest.param("click 'abc\\'", 7, "unterminated quote", id="escaped-end"),
        pytest.param('click label="abc', 13, "unterminated quote", id="unclosed-inside-a-word"),
        pytest.param('type "a\\qb"', 8, "not an escape of a JSON string", id="bad-escape"),
        pytest.param('type "\\u12"', 8, "not an escape of a JSON string", id="short-unicode-escape"),
        pytest.param('type "a\tb"', 8, "a raw control character in a string", id="raw-tab"),
        pytest.param('type "\\ud800"', 7, "half of a surrogate pair in a string", id="lone-surrogate"),
        pytest.param('type "\\u0000"', 7, "U+0000 in a string", id="escaped-nul"),
        pytest.param('type "a"b', 9, "text right after a closing quote", id="glued-word"),
    ],
)
def test_line_is_refused_at(line: str, column: int, message: str) -> None:
    with pytest.raises(LexFault) as fault:
        tokenize(line)
    assert (fault.value.column, fault.value.message) == (column, message)


def test_tokens_know_their_columns_and_quotes() -> None:
    assert tokenize("press 'ü' label=x") == [
        Token("press", 1, False, 5),
        Token("ü", 7, True, 3),
        Token("label=x", 11, False, 7),
    ]


@pytest.mark.parametrize(
    ("line", "flag"),
    [("--count", True), ("-i", True), ("-", False), ("-5", False), ('"--count"', False), ("x", False)],
)
def test_only_a_bare_dashed_word_is_a_flag(line: str, flag: bool) -> None:
    assert tokenize(line)[0].flag is flag


@pytest.mark.parametrize(
    ("word", "pair"),
    [
        ("platform=web", ("platform", "web")),
        ('device="Two words"', ("device", "Two words")),
        ("A=b=c", ("A", "b=c")),
        ("A=", ("A", "")),
        ("A", ("A", None)),
    ],
)
def test_assignment_splits_at_its_first_equals_sign(word: str, pair: tuple[str, str | None]) -> None:
    assert split_assignment(tokenize(word)[0]) == pair


def test_assignment_with_text_behind_its_quotes_is_refused() -> None:
    with pytest.raises(LexFault) as fault:
        split_assignment(tokenize('x device="a"b')[1])
    assert (fault.value.column, fault.value.message) == (10, "the quotes do not enclose the value")
