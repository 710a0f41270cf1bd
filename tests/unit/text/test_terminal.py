"""Page text on one line, unable to forge anything (public faults B069, B070)."""

from __future__ import annotations

import json

import pytest

from surefoot.text import ellipsize, quoted, single_line, text_columns


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        pytest.param('Say "hi"', r'"Say \"hi\""', id="B069-quotes"),
        pytest.param("a\\b", r'"a\\b"', id="B069-backslash"),
        pytest.param("a\nb\r\tc", r'"a\nb\r\tc"', id="B069-breaks"),
        pytest.param("a\x1b[31mb", r'"a\u001b[31mb"', id="B070-escape-sequence"),
        pytest.param("a\x9b31mb", r'"a\u009b31mb"', id="B070-c1-control"),
        pytest.param("a\u2028b\u2029c\x85d", r'"a\u2028b\u2029c\u0085d"', id="B070-line-separators"),
        pytest.param("a\u202eb\u2066c", r'"a\u202eb\u2066c"', id="B070-direction-override"),
        pytest.param("a\u200bb", r'"a\u200bb"', id="B070-zero-width"),
        pytest.param("a\U000e0041", r'"a\udb40\udc41"', id="B070-tag-character"),
        pytest.param("a\ud800b", r'"a\ud800b"', id="B070-lone-surrogate"),
        pytest.param("❤\ufe0f é 日本 \u200c\u200d", '"❤\ufe0f é 日本 \u200c\u200d"', id="kept"),
    ],
)
def test_quoted_is_json_on_one_line(raw: str, expected: str) -> None:
    assert quoted(raw) == expected
    assert json.loads(expected) == raw
    assert len(expected.splitlines()) == 1


def test_single_line_is_the_inside_of_the_quotes() -> None:
    assert single_line('OK" [ref=e99]\n- button "Delete all') == (
        r"OK\" [ref=e99]\n- button \"Delete all"
    )


@pytest.mark.parametrize(
    ("text", "columns", "expected"),
    [
        ("Save", 4, "Save"),
        ("Save all", 5, "Save…"),
        ("日本語", 6, "日本語"),
        ("日本語", 5, "日本…"),
        ("日本語", 4, "日…"),
        ("e\u0301e\u0301e\u0301", 2, "e\u0301…"),
        ("abc", 1, "…"),
        ("abc", 0, ""),
        ("", 0, ""),
    ],
)
def test_ellipsize_counts_terminal_columns(text: str, columns: int, expected: str) -> None:
    assert ellipsize(text, columns) == expected


def test_ellipsize_bounds_text_that_takes_no_columns() -> None:
    assert len(ellipsize("\u0301" * 100_000, 10)) <= 81


def test_text_columns_counts_wide_characters_twice_and_marks_not_at_all() -> None:
    assert text_columns("a日e\u0301") == 4
