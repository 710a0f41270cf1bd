"""One normalisation on every side (surface.md; public faults B029, B067, B068)."""

from __future__ import annotations

import pytest

from surefoot.text import normalize, normalize_id, scrub_surrogates, truncate_utf8, utf8_length


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        pytest.param("Save", "Save", id="ascii-unchanged"),
        pytest.param("  two \t\n words  ", "two words", id="runs-to-one-blank"),
        pytest.param("foo\u00a0bar", "foo bar", id="B067-no-break-space"),
        pytest.param("foo \u202f\u3000 bar", "foo bar", id="B067-other-spaces"),
        pytest.param("super\u00adcali", "supercali", id="B068-soft-hyphen"),
        pytest.param("a\u200bb\ufeffc\u2060d", "abcd", id="B068-zero-width"),
        pytest.param("a\u202eb\u2066c\u061cd", "abcd", id="B068-direction-controls"),
        pytest.param("x\U000e0041y", "xy", id="B068-tag-characters"),
        pytest.param("❤\ufe0f", "❤", id="B068-variation-selector"),
        pytest.param("क\u094d\u200dष", "क\u094d\u200dष", id="zero-width-joiner-kept"),
        pytest.param("می\u200cخواهم", "می\u200cخواهم", id="zero-width-non-joiner-kept"),
        pytest.param("e\u0301", "é", id="nfc"),
        pytest.param("e\u00ad\u0301", "é", id="composed-after-dropping"),
        pytest.param("\u00a0\u200b ", "", id="nothing-left"),
        pytest.param("SAVE save", "SAVE save", id="case-kept"),
        pytest.param("ﬁ", "ﬁ", id="compatibility-forms-kept"),
    ],
)
def test_normalize(raw: str, expected: str) -> None:
    assert normalize(raw) == expected


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        pytest.param("e\u0301-1", "é-1", id="nfc"),
        pytest.param(" a  b ", " a  b ", id="blanks-kept"),
        pytest.param("a\u200bb", "a\u200bb", id="invisible-kept"),
    ],
)
def test_normalize_id_is_nfc_only(raw: str, expected: str) -> None:
    assert normalize_id(raw) == expected


@pytest.mark.parametrize(
    ("text", "bound", "expected"),
    [
        ("abc", 3, "abc"),
        ("abc", 2, "ab"),
        ("aé", 2, "a"),
        ("aé", 3, "aé"),
        ("😀😀", 7, "😀"),
        ("😀", 3, ""),
        ("x", 0, ""),
        ("", 0, ""),
    ],
)
def test_truncate_utf8_ends_on_a_code_point(text: str, bound: int, expected: str) -> None:
    assert truncate_utf8(text, bound) == expected


def test_truncate_utf8_refuses_a_negative_bound() -> None:
    with pytest.raises(ValueError, match="negative"):
        truncate_utf8("a", -1)


def test_utf8_length_counts_bytes() -> None:
    assert utf8_length("aé😀") == 7


@pytest.mark.parametrize(
    ("raw", "expected", "replaced"),
    [
        pytest.param("plain", "plain", 0, id="B029-ascii"),
        pytest.param("😀 𠀀", "😀 𠀀", 0, id="B029-well-formed"),
        pytest.param("a\ud83d", "a\ufffd", 1, id="B029-lone-high"),
        pytest.param("\ude00b", "\ufffdb", 1, id="B029-lone-low"),
        pytest.param("\ude00\ud83d", "\ufffd\ufffd", 2, id="B029-wrong-order"),
        pytest.param("\ud83d\ude00", "😀", 0, id="B029-pair-joined"),
        pytest.param("\ud83d\ud83d\ude00", "\ufffd😀", 1, id="B029-lone-before-pair"),
    ],
)
def test_scrub_surrogates(raw: str, expected: str, replaced: int) -> None:
    assert scrub_surrogates(raw) == (expected, replaced)
