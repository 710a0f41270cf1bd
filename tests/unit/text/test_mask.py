"""A text that must not be told is found however a field spells it."""

from __future__ import annotations

import html
import json
from collections.abc import Callable
from urllib.parse import quote, quote_plus, urlencode

import pytest

from surefoot.text import Mask, single_line, url_password, without_userinfo

SECRET = "Zq9!xK@7pL"
MASK = Mask({SECRET: "<secret>", 'p w&"é👍\\': "<var:ODD>", "ab": "<short>"})


@pytest.mark.parametrize(
    ("field", "shown"),
    [
        (SECRET, "<secret>"),
        ("?u=ann&pw=Zq9%21xK%407pL", "?u=ann&pw=<secret>"),
        ("?u=ann&pw=Zq9!xK%407pL&go=1", "?u=ann&pw=<secret>&go=1"),
        ("pw%3DZq9%21xK%407pL", "pw%3D<secret>"),
        ("%5a%71%39%21%78%4b%40%37%70%4C", "<secret>"),
        ("next=%2Fin%3Fpw%3DZq9%2521xK%25407pL", "next=%2Fin%3Fpw%3D<secret>"),
        ("<p>Zq9&#33;xK&#x40;7pL</p>", "<p><secret></p>"),
        ("Zq9&excl;xK&commat;7pL", "<secret>"),
        (r'{"pw":"Zq9\u0021xK\u00407pL"}', '{"pw":"<secret>"}'),
        (r"b'Zq9\x21xK\x407pL'", "b'<secret>'"),
        ("XZq9%21xK%407pL", "XZq9%21xK%407pL"),
        ("Zq9%21xK%407pLs", "Zq9%21xK%407pLs"),
        ("Zq9%21xK%407pl", "Zq9%21xK%407pl"),
        ("100% of a & b + c \\ d", "100% of a & b + c \\ d"),
        ("%ff%21 %e2%82", "%ff%21 %e2%82"),
        ("%61b", "<short>"),
        ("x=%61b", "x=%61b"),
        ("", ""),
    ],
)
def test_a_text_is_found_in_every_spelling_on_whole_tokens(field: str, shown: str) -> None:
    assert MASK.hide(field) == shown
    assert MASK.holds(field) is (field != shown)


@pytest.mark.parametrize(
    "spell",
    [
        str,
        quote,
        quote_plus,
        lambda text: urlencode({"x": text})[2:],
        lambda text: quote(quote_plus(text)),
        html.escape,
        json.dumps,
        lambda text: json.dumps(text, ensure_ascii=False),
        lambda text: json.dumps(quote_plus(text)),
        lambda text: json.dumps(json.dumps(text)),
        repr,
        single_line,
        lambda text: text.encode("unicode_escape").decode(),
    ],
)
def test_an_odd_text_is_found_in_what_programs_make_of_it(spell: Callable[[str], str]) -> None:
    odd = 'p w&"é👍\\'
    shown = MASK.hide(f"say {spell(odd)} now")
    assert shown.replace('"', "").replace("'", "").replace("\\", "") == "say <var:ODD> now"


def test_several_texts_in_one_field_are_all_hidden_in_their_places() -> None:
    mask = Mask({"one two": "<1>", "two three": "<2>", "tulip": "<3>"})
    assert mask.hide("tulip one+two &lt;tulip&gt; one%20two") == "<3> <1> &lt;<3>&gt; <1>"


def test_inside_words_a_text_is_found_anywhere() -> None:
    assert Mask({SECRET: "*"}, inside_words=True).hide("xZq9%21xK%407pLx") == "x*x"


@pytest.mark.parametrize(
    ("field", "shown"),
    [
        ("at Zq9!xK", "at <secret>"),
        ("at Zq9%21xK%4", "at <secret>"),
        ("at &Zq9!x", "at &<secret>"),
        ("at Zq9", "at Zq9"),
    ],
)
def test_a_text_that_a_bound_cut_is_found_by_its_start(field: str, shown: str) -> None:
    assert MASK.hide_cut(field) == shown


def test_a_mask_of_nothing_hides_nothing() -> None:
    assert Mask({"": "x", "   ": "y"}).hide("a   b %20") == "a   b %20"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("http://ann:pw@host/", "http://ann:<secret>@host/"),
        ("see https://ann:p%40w@h:8/x?y=1.", "see https://ann:<secret>@h:8/x?y=1."),
        ("ws://:x@h http://a:b:c@h", "ws://:<secret>@h http://a:<secret>@h"),
        ("http://ann:p@ss@host/", "http://ann:<secret>@host/"),
        ("http://ann:${PW}@host/", "http://ann:${PW}@host/"),
        ("http://ann:<secret>@host/", "http://ann:<secret>@host/"),
        ("http://ann@host/", "http://ann@host/"),
        ("http://host:80/a@b", "http://host:80/a@b"),
        ("http://host:80/?q=a:b@c", "http://host:80/?q=a:b@c"),
        ("mail ann:pw@host", "mail ann:pw@host"),
    ],
)
def test_the_password_of_a_url_is_never_shown(text: str, shown: str) -> None:
    assert without_userinfo(text) == shown


def test_what_a_url_logs_in_with_is_decoded() -> None:
    assert url_password("http://ann:p%40w@host/") == "p@w"
    assert url_password("http://ann@host/") is None
