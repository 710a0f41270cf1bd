"""Selector text to AST and back, and what a wrong one is told (surface.md; B071, B076, B078)."""

from __future__ import annotations

import pytest

from surefoot.errors import ErrorCode, SurefootError
from surefoot.selectors import (
    Alternative,
    Equals,
    Selector,
    State,
    Term,
    looks_like_selector,
    parse_selector,
    simple_terms,
    write_selector,
)


def one(*terms: Term) -> Selector:
    return Selector((Alternative(terms),))


@pytest.mark.parametrize(
    ("text", "selector"),
    [
        ("role=button", one(Equals("role", "button"))),
        (
            'role="button" label="Save"',
            one(Equals("role", "button"), Equals("label", "Save")),
        ),
        (
            'id="nope" || label="Continue"',
            Selector(
                (Alternative((Equals("id", "nope"),)), Alternative((Equals("label", "Continue"),)))
            ),
        ),
        (
            "id=a||id=b",
            Selector((Alternative((Equals("id", "a"),)), Alternative((Equals("id", "b"),)))),
        ),
        ('label="a || b"', one(Equals("label", "a || b"))),
        ("label='a || b'", one(Equals("label", "a || b"))),
        ("label=a|b", one(Equals("label", "a|b"))),
        ("id=a=b", one(Equals("id", "a=b"))),
        ("label=Don't", one(Equals("label", "Don't"))),
        ("label=foo\u00a0bar", one(Equals("label", "foo\u00a0bar"))),
        ("  label=x\t\n visible=true ", one(Equals("label", "x"), State("visible", True))),
        ("hidden=false", one(State("hidden", False))),
        ("focused", one(State("focused", True))),
        (
            "enabled||focused",
            Selector((Alternative((State("enabled", True),)), Alternative((State("focused", True),)))),
        ),
        ('checked="true"', one(State("checked", True))),
        ('value=""', one(Equals("value", ""))),
        (
            'appname="Files" windowtitle="Home"',
            one(Equals("appname", "Files"), Equals("windowtitle", "Home")),
        ),
        pytest.param(
            'label="Say \\"hi\\""', one(Equals("label", 'Say "hi"')), id="B076-escaped-quotes"
        ),
        pytest.param('label="a\\u00e9\\n\\/\\\\"', one(Equals("label", "aé\n/\\")), id="B076-escapes"),
        pytest.param('label="\\ud83d\\ude00"', one(Equals("label", "😀")), id="B076-surrogate-pair"),
        pytest.param(
            "label='it\\'s \"x\" \\n'", one(Equals("label", 'it\'s "x" \\n')), id="B078-literal"
        ),
    ],
)
def test_parse(text: str, selector: Selector) -> None:
    assert parse_selector(text) == selector


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("role=button   label='Save'||label=Save", 'role="button" label="Save" || label="Save"'),
        ("focused", "focused=true"),
        ("label='Say \"hi\"'", 'label="Say \\"hi\\""'),
        ("label=a\u202eb", 'label="a\\u202eb"'),
        ('label="日本"', 'label="日本"'),
    ],
)
def test_write_is_canonical(text: str, canonical: str) -> None:
    assert write_selector(parse_selector(text)) == canonical
    assert write_selector(parse_selector(canonical)) == canonical


@pytest.mark.parametrize(
    ("text", "reason", "column", "near"),
    [
        ("", "selector_empty", 1, None),
        ("   ", "selector_empty", 4, None),
        ("||", "selector_empty_alternative", 1, None),
        ("|| label=a", "selector_empty_alternative", 1, None),
        ('label="Continue" ||', "selector_empty_alternative", 20, None),
        ("label=a || || label=b", "selector_empty_alternative", 12, None),
        ("Continue", "selector_not_a_term", 1, None),
        ("label", "selector_not_a_term", 1, "label"),
        ("role=button Save", "selector_not_a_term", 13, None),
        ("=x", "selector_not_a_term", 1, None),
        ("'label=\"x\"'", "selector_not_a_term", 1, None),
        ("--settle", "selector_not_a_term", 1, None),
        ('colour="red"', "selector_unknown_key", 1, None),
        ("role=button labl=x", "selector_unknown_key", 13, "label"),
        ("Label=x", "selector_unknown_key", 1, "label"),
        ("name=x", "selector_unknown_key", 1, "label"),
        ("data-testid=x", "selector_unknown_key", 1, "id"),
        ("visble=true", "selector_unknown_key", 1, "visible"),
        ('label="C" visible=maybe', "selector_bad_boolean", 19, None),
        ("visible=", "selector_empty_value", 9, None),
        ("visible=True", "selector_bad_boolean", 9, None),
        ("label=", "selector_empty_value", 7, None),
        ("label= x", "selector_empty_value", 7, None),
        ('label=""', "selector_empty_value", 7, None),
        ('label="\u200b "', "selector_empty_value", 7, None),
        ("id=''", "selector_empty_value", 4, None),
        ("label=||label=x", "selector_empty_value", 7, None),
        ('label="abc', "selector_unclosed_quote", 7, None),
        ("label='abc\\'", "selector_unclosed_quote", 7, None),
        ('label="a\\qb"', "selector_bad_escape", 9, None),
        ('label="\\u12g4"', "selector_bad_escape", 8, None),
        ('label="\\ud83d"', "selector_bad_escape", 8, None),
        ('label="\\ude00"', "selector_bad_escape", 8, None),
        ('label="a\\', "selector_bad_escape", 9, None),
        ('label="a\nb"', "selector_control_character", 9, None),
        ('label="a"b', "selector_missing_blank", 10, None),
        ('label="a"role=b', "selector_missing_blank", 10, None),
        ('label=a"b', "selector_quote_in_value", 8, None),
        ("label=a label=b", "selector_duplicate_key", 9, None),
        ("label=" + "x" * 65_536, "selector_too_long", 1, None),
    ],
)
def test_a_wrong_selector_is_refused_with_its_place(
    text: str, reason: str, column: int, near: str | None
) -> None:
    with pytest.raises(SurefootError) as caught:
        parse_selector(text)
    error = caught.value
    assert error.code is ErrorCode.INVALID_ARGS
    assert error.reason == reason
    assert error.details["column"] == column
    assert error.details.get("nearest") == near
    assert error.details["expected"]


def test_the_refusal_shows_the_place_and_the_meant_key() -> None:
    with pytest.raises(SurefootError) as caught:
        parse_selector("role=button labl=Save")
    assert caught.value.message == 'Unknown selector key "labl" (column 13); did you mean label?'
    assert caught.value.details["excerpt"] == "role=button labl=Save\n            ^^^^"


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("Continue", 'To match a text write label="Continue".'),
        ("Add task", 'To match a text write label="Add task".'),
        ("role=button Save", 'To match a text write label="Save".'),
        ("e12", "To use a ref write @e12."),
        ("e12~s7", "To use a ref write @e12~s7."),
        ("#new-task", 'To match an id write id="new-task".'),
    ],
)
def test_a_word_that_is_no_term_is_told_what_it_may_mean(text: str, hint: str) -> None:
    with pytest.raises(SurefootError) as caught:
        parse_selector(text)
    assert caught.value.hint == hint


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param('label="Open"', True, id="B071-selector"),
        ("  role=button", True),
        ("visible=true", True),
        ("Open", False),
        ("visible", False),
        ("total=5", False),
        ("my label=x", False),
    ],
)
def test_looks_like_selector(text: str, expected: bool) -> None:
    assert looks_like_selector(text) is expected


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("role=button label=Save", (("role", "button"), ("label", "Save"))),
        ("label=a || label=b", None),
        ("label=a visible", None),
    ],
)
def test_simple_terms(text: str, pairs: tuple[tuple[str, str], ...] | None) -> None:
    assert simple_terms(parse_selector(text)) == pairs


@pytest.mark.parametrize(
    "chain",
    [
        'role="textfield" label="Email" editable=true || label="Email" editable=true',
        'role="textbox" label="Email" || label="Email" || value="qa@example.com"',
        'role="button" label="Confirm order" || label="Confirm order"',
        'label="Welcome aboard"',
        'id="save" || role="button" label="Save" || label="Save"',
    ],
)
def test_chains_recorded_by_agent_device_are_canonical_here_too(chain: str) -> None:
    assert write_selector(parse_selector(chain)) == chain
