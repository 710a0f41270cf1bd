"""The nearest spelling and the caret excerpt of a refusal."""

from __future__ import annotations

import pytest

from surefoot.text import caret_excerpt, edit_distance, nearest

KEYS = ("id", "role", "label", "text", "value", "visible", "hittable")


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("labl", "label"),
        ("LABEL", "label"),
        ("lable", "label"),
        ("vis", "visible"),
        ("hitable", "hittable"),
        ("colour", None),
        ("x", None),
        ("", None),
        ("q" * 100_000, None),
    ],
)
def test_nearest(word: str, expected: str | None) -> None:
    assert nearest(word, KEYS) == expected


def test_nearest_takes_the_first_of_equals() -> None:
    assert nearest("bat", ("cat", "hat")) == "cat"


@pytest.mark.parametrize(
    ("left", "right", "distance"),
    [("", "abc", 3), ("abc", "abc", 0), ("ab", "ba", 1), ("kitten", "sitting", 3)],
)
def test_edit_distance(left: str, right: str, distance: int) -> None:
    assert edit_distance(left, right) == distance


def test_caret_stands_below_the_place() -> None:
    assert caret_excerpt('press "colour=red"', 8, 6) == 'press "colour=red"\n       ^^^^^^'


def test_caret_may_stand_one_past_the_end() -> None:
    assert caret_excerpt("label=", 7) == "label=\n      ^"


def test_caret_counts_wide_characters() -> None:
    assert caret_excerpt("日本 x", 4) == "日本 x\n     ^"


def test_excerpt_is_safe_and_two_lines() -> None:
    excerpt = caret_excerpt("a\u2028b\x1b[31mc", 4)
    assert excerpt == "a\\u2028b\\u001b[31mc\n        ^^^^^^"
    assert len(excerpt.splitlines()) == 2


def test_excerpt_of_a_long_line_is_cut_on_both_sides() -> None:
    line, carets = caret_excerpt("x" * 500 + "!" + "y" * 500, 501).splitlines()
    assert len(line) == 102
    assert line[carets.index("^")] == "!"
