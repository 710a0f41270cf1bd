"""The chain a recording writes (seed 0012 #1269; identity.md 2, 6, 7; public faults B081, B086)."""

from __future__ import annotations

import pytest
from tests.support.trees import El, el, tree

from surefoot.selectors import build_chain, match, parse_selector


@pytest.mark.parametrize(
    ("element", "for_fill", "text", "basis"),
    [
        (el("button", "Save"), False, 'role="button" label="Save" || label="Save"', "role+label"),
        (
            el("button", "Save", id="save"),
            False,
            'id="save" || role="button" label="Save" || label="Save"',
            "id",
        ),
        (el("button", id="save"), False, 'id="save"', "id"),
        (
            el("textbox", "Email", editable=True, value="qa@example.com"),
            True,
            'role="textbox" label="Email" editable=true || label="Email" editable=true',
            "role+label",
        ),
        (
            el("textbox", "Email", editable=True, value="qa@example.com"),
            False,
            'role="textbox" label="Email" || label="Email" || value="qa@example.com"',
            "role+label",
        ),
        (el("textbox", editable=True, value="x"), True, 'role="textbox" editable=true', "role"),
        (el("textbox", editable=True, value="x"), False, 'value="x"', "value"),
        (
            el("textbox", "Pin", editable=True, password=True, value="x"),
            False,
            'role="textbox" label="Pin" || label="Pin"',
            "role+label",
        ),
        (el("checkbox"), False, 'role="checkbox"', "role"),
        (
            el("button", 'Say  "hi"\u00a0'),
            False,
            'role="button" label="Say \\"hi\\"" || label="Say \\"hi\\""',
            "role+label",
        ),
        (el("button", "x" * 257), False, 'role="button"', "role"),
        (
            el("button", "é" * 128),
            False,
            f'role="button" label="{"é" * 128}" || label="{"é" * 128}"',
            "role+label",
        ),
        (
            el("button", "Del", id="del-0"),
            False,
            'role="button" label="Del" || label="Del"',
            "role+label",
        ),
    ],
)
def test_the_chain_of_a_lone_node(element: El, for_fill: bool, text: str, basis: str) -> None:
    view = tree(element)
    chain = build_chain(view, view[0], for_fill=for_fill)
    assert (chain.text, chain.basis) == (text, basis)
    assert (chain.denotes, chain.match_count, chain.is_exact) == ("unique", 1, True)


def test_a_shared_id_is_not_written() -> None:
    view = tree(el("text", "A", id="android:id/title"), el("text", "B", id="android:id/title"))
    assert build_chain(view, view[1]).text == 'role="text" label="B" || label="B"'


def test_equal_buttons_are_ambiguous_and_still_get_their_best_chain() -> None:
    view = tree(el("button", "Add"), el("button", "Add"))
    chain = build_chain(view, view[1])
    assert chain.text == 'role="button" label="Add" || label="Add"'
    assert (chain.denotes, chain.match_count, chain.is_exact) == ("ambiguous", 2, False)


def test_a_wrapper_with_the_same_role_is_disclosed() -> None:
    view = tree(el("button", "Save", el("button", "Save")))
    assert build_chain(view, view[1]).denotes == "structural"
    assert build_chain(view, view[0]).denotes == "other"


def test_a_role_tells_a_text_from_the_field_it_names() -> None:
    view = tree(el("text", "Email"), el("textbox", "Email", editable=True))
    assert build_chain(view, view[1]).denotes == "unique"


def test_uniqueness_is_that_of_the_capture_the_action_saw() -> None:
    closed = tree(el("combobox", "Applied"))
    opened = tree(
        el("combobox", "Status", el("option", "Applied"), value="Applied"), el("option", "Applied")
    )
    assert build_chain(closed, closed[0]).denotes == "unique"
    assert build_chain(opened, opened[1]).denotes == "ambiguous"


GREETING = 'role="button" label="Hi ada@example.com" || label="Hi ada@example.com"'


@pytest.mark.parametrize(
    ("literal", "text"),
    [
        pytest.param("ada@example.com", 'id="who"', id="shown-in-the-label"),
        pytest.param("ADA@example.com", f'id="who" || {GREETING}', id="another-case"),
        pytest.param("", f'id="who" || {GREETING}', id="empty"),
        pytest.param("ada", f'id="who" || {GREETING}', id="short-and-only-a-part"),
        pytest.param("zzzz", f'id="who" || {GREETING}', id="not-shown"),
    ],
)
def test_alternatives_that_show_a_literal_are_not_written(literal: str, text: str) -> None:
    view = tree(el("button", "Hi ada@example.com", id="who"))
    assert build_chain(view, view[0], avoid_literals={literal}).text == text


def test_a_short_literal_that_is_the_whole_label_is_avoided() -> None:
    view = tree(el("button", "42"))
    assert build_chain(view, view[0], avoid_literals={"42"}).text == 'role="button"'


def test_a_literal_is_avoided_in_ids_too() -> None:
    view = tree(el("button", id="user-adalovelace"))
    assert build_chain(view, view[0], avoid_literals={"adalovelace"}).text == 'role="button"'


def test_every_alternative_of_a_chain_matches_the_node() -> None:
    view = tree(el("textbox", "Email", id="email", value="a@b", editable=True), el("textbox", "Name"))
    for alternative in build_chain(view, view[0]).text.split(" || "):
        assert view[0] in match(view, parse_selector(alternative)).nodes
