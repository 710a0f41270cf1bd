"""Which nodes a selector denotes (surface.md; public faults B067, B068, B076)."""

from __future__ import annotations

import pytest
from tests.support.trees import el, tree

from surefoot.selectors import NO_MATCH, STATES, find_scope, match, parse_selector, satisfies
from surefoot.tree import Window

FORM = tree(
    el(
        "document",
        el("heading", "Sign  in"),
        el("textbox", "Email", id="email", value="a@b.c", editable=True, focused=True),
        el("textbox", "Password", editable=True, value=None, password=True),
        el("checkbox", "Terms", checked="mixed"),
        el("button", "Sign in", hittable=True, enabled=False),
        el("text", value="v1.2"),
        el("tab", "Now", selected=True, visible=False),
    )
)


def found(text: str) -> list[int]:
    return [node.index for node in match(FORM, parse_selector(text)).nodes]


@pytest.mark.parametrize(
    ("text", "indexes"),
    [
        ("label='Sign in'", [1, 5]),
        ("label='  Sign \u00a0 in '", [1, 5]),
        ("role=button label='Sign in'", [5]),
        ("label='sign in'", []),
        ("label=Sign", []),
        ("text='v1.2'", [6]),
        ("text=Email", [2]),
        ("text='a@b.c'", []),
        ("value='a@b.c'", [2]),
        ("id=email role=textbox", [2]),
        ("id=Email", []),
        ("role=textfield", [2, 3]),
        ("role=XCUIElementTypeButton", [5]),
        ("editable=true", [2, 3]),
        ("editable=true focused=false", [3]),
        ("enabled=false", [5]),
        ("hidden", [7]),
        ("selected=true", [7]),
        ("hittable=true", [5]),
        ("checked=true", []),
        ("checked=false role=checkbox", [4]),
        ("label=Nope || role=checkbox || role=button", [4]),
    ],
)
def test_match(text: str, indexes: list[int]) -> None:
    assert found(text) == indexes


def test_the_first_alternative_that_matches_decides() -> None:
    result = match(FORM, parse_selector("id=nope || role=textbox || id=email"))
    assert (result.alternative, len(result.nodes)) == (1, 2)


def test_no_match() -> None:
    assert match(FORM, parse_selector("id=nope || id=nada")) == NO_MATCH


@pytest.mark.parametrize(
    ("label", "selector"),
    [
        pytest.param("foo\u00a0bar", 'label="foo bar"', id="B067-no-break-space-in-the-page"),
        pytest.param("foo bar", 'label="foo\u00a0bar"', id="B067-no-break-space-in-the-selector"),
        pytest.param("super\u00adcali", 'label="supercali"', id="B068-soft-hyphen"),
        pytest.param("supercali", 'label="super\u200bcali"', id="B068-zero-width-in-the-selector"),
        pytest.param("cafe\u0301", 'label="café"', id="B067-decomposed"),
        pytest.param('Say "hi"', 'label="Say \\"hi\\""', id="B076-quotes"),
    ],
)
def test_both_sides_are_normalised(label: str, selector: str) -> None:
    view = tree(el("button", label))
    assert match(view, parse_selector(selector)).nodes == (view[0],)
    assert view[0].label == label


def test_ids_keep_their_blanks() -> None:
    view = tree(el("button", id="a b"), el("button", id="a  b"))
    assert [node.index for node in match(view, parse_selector("id='a  b'")).nodes] == [1]


def test_window_terms_read_the_observations_windows() -> None:
    view = tree(el("button", "Save", window="w1"), el("button", "Save", window="w2"))
    windows = (Window("w1", "Home", "Files"), Window("w2", "Draft", "Mail"))
    selector = parse_selector("label=Save appname=Mail windowtitle=Draft")
    assert match(view, selector, windows=windows).nodes == (view[1],)
    assert match(view, selector) == NO_MATCH


@pytest.mark.parametrize("key", sorted(STATES))
def test_every_state_is_either_true_or_false_of_a_node(key: str) -> None:
    assert sorted(found(f"{key}=true") + found(f"{key}=false")) == list(range(1, 8))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("label=Orders", [2]),
        ("text=Orders", [2]),
        ("label=Orders visible=true", [2]),
        ("role=document", [0, 3]),
        ("role=document label=Orders", [0]),
        ("id=page", [0]),
        ("label=Frame || role=heading", [2]),
        ("visible=true", [1, 2, 4]),
    ],
)
def test_the_title_of_a_document_is_meant_only_by_its_role_or_id(
    text: str, expected: list[int]
) -> None:
    titled = tree(
        el(
            "document",
            "Orders",
            el("main", el("heading", "Orders")),
            el("document", "Frame", el("text", "x")),
            id="page",
        )
    )
    assert [node.index for node in match(titled, parse_selector(text)).nodes] == expected


def test_satisfies_asks_one_node() -> None:
    (alternative,) = parse_selector("role=textbox editable=true").alternatives
    assert satisfies(FORM, FORM[2], alternative)
    assert not satisfies(FORM, FORM[5], alternative)


@pytest.mark.parametrize(
    ("scope", "index", "count"),
    [
        ("Email", 2, 1),
        ("email", 2, 1),
        ("Sign in", 1, 2),
        ("role=button", 5, 1),
        pytest.param("Nope", None, 0, id="B032-label"),
        pytest.param("label=Nope", None, 0, id="B032-selector"),
    ],
)
def test_find_scope_takes_a_label_an_id_or_a_selector(
    scope: str, index: int | None, count: int
) -> None:
    result = find_scope(FORM, scope)
    assert (result.node.index if result.node else None, result.match_count) == (index, count)
