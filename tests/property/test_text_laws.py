"""Laws of the text room."""

from __future__ import annotations

import json
import re

from hypothesis import given
from hypothesis import strategies as st

from surefoot.text import (
    caret_excerpt,
    ellipsize,
    nearest,
    normalize,
    normalize_id,
    quoted,
    scrub_surrogates,
    single_line,
    text_columns,
    truncate_utf8,
    utf8_length,
)

# Every code point, surrogates included, with the troublesome ones drawn often.
TROUBLE = (
    " \t\n\r\x00\x1b\x1c\x7f\x85\x9b\xa0\xad\u0301\u034f\u061c\u115f\u200b\u200c\u200d\u202e\u2028"
)
TROUBLE += '"\\\u2066\u3000\ufe0f\ufeff\ud800\udc00\U000e0041😀日é'
ANY_TEXT = st.text(st.one_of(st.sampled_from(TROUBLE), st.characters(exclude_categories=())))
WELL_FORMED = ANY_TEXT.map(lambda text: scrub_surrogates(text)[0])


@given(ANY_TEXT)
def test_normalize_is_idempotent(text: str) -> None:
    once = normalize(text)
    assert normalize(once) == once


@given(ANY_TEXT)
def test_normalized_text_has_single_blanks_only(text: str) -> None:
    once = normalize(text)
    assert once == once.strip()
    assert not re.search(r"\s\s|[^\S ]", once)


@given(ANY_TEXT)
def test_normalize_id_is_idempotent_and_agrees_with_normalize_on_composition(text: str) -> None:
    once = normalize_id(text)
    assert normalize_id(once) == once
    assert normalize(once) == normalize(text)


@given(ANY_TEXT, st.integers(0, 80))
def test_truncation_is_the_longest_prefix_that_fits(text: str, bound: int) -> None:
    cut = truncate_utf8(text, bound)
    assert text.startswith(cut)
    assert utf8_length(cut) <= bound
    assert cut == text or utf8_length(text[: len(cut) + 1]) > bound


@given(ANY_TEXT)
def test_scrubbed_text_is_well_formed_and_nothing_else_changes(text: str) -> None:
    clean, replaced = scrub_surrogates(text)
    clean.encode("utf-8")
    assert clean.count("\ufffd") == replaced + text.count("\ufffd")
    assert scrub_surrogates(clean) == (clean, 0)


@given(WELL_FORMED)
def test_quoted_text_is_json_of_the_text_on_one_line(text: str) -> None:
    line = quoted(text)
    assert json.loads(line) == text
    assert len(line.splitlines()) == 1


@given(ANY_TEXT)
def test_single_line_cannot_leave_its_quotes(text: str) -> None:
    line = single_line(text)
    assert re.fullmatch(r'(?:[^"\\]|\\.)*', line)
    assert not re.search("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]", line)


@given(WELL_FORMED, st.integers(0, 40))
def test_ellipsized_text_fits(text: str, columns: int) -> None:
    cut = ellipsize(text, columns)
    assert text_columns(cut) <= columns
    assert cut == text or cut == "" or (cut.endswith("…") and text.startswith(cut[:-1]))


@given(ANY_TEXT, st.integers(1, 300), st.integers(1, 50))
def test_an_excerpt_is_two_safe_lines(text: str, column: int, length: int) -> None:
    excerpt = caret_excerpt(text, column, length)
    above, below = excerpt.split("\n")
    assert len(above.splitlines()) <= 1
    assert re.fullmatch(r" *\^+", below)


@given(st.text(max_size=12), st.lists(st.text(min_size=1, max_size=12), max_size=6))
def test_nearest_is_one_of_the_options(word: str, options: list[str]) -> None:
    found = nearest(word, options)
    assert found is None or found in options


@given(st.lists(st.text("abcdef", min_size=2, max_size=8), min_size=1, max_size=6))
def test_a_word_is_nearest_to_itself(options: list[str]) -> None:
    assert nearest(options[0], options) == options[0]
