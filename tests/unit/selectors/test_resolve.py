"""The ambiguity rule (seed 0012, decision 2; public faults B044, B045, B046)."""

from __future__ import annotations

import pytest
from tests.support.trees import El, el, tree

from surefoot.selectors import (
    Ambiguous,
    Disambiguated,
    Resolution,
    Unique,
    Unresolved,
    actionable_node,
    match,
    parse_selector,
    resolve_for_action,
    resolve_for_read,
)
from surefoot.tree import Tree


def action(view: Tree, text: str, *, for_fill: bool = False) -> Resolution:
    return resolve_for_action(view, match(view, parse_selector(text)), for_fill=for_fill)


def read(view: Tree, text: str) -> Resolution:
    return resolve_for_read(view, match(view, parse_selector(text)))


def test_no_match_is_unresolved() -> None:
    assert action(tree(el("document")), "label=x") == Unresolved()


def test_one_match_is_unique() -> None:
    view = tree(el("document", el("button", "Save")))
    assert action(view, "label=Save") == Unique(view[1], view[1])


@pytest.mark.parametrize(
    ("root", "winner"),
    [
        pytest.param(
            el("listitem", "Save", el("button", "Save", el("text", "Save"))), 1, id="row-button-text"
        ),
        pytest.param(el("button", "Save", el("text", "Save")), 0, id="button-text"),
        pytest.param(el("button", "Save", el("generic", el("text", "Save"))), 0, id="with-a-wrapper"),
        pytest.param(
            el("listitem", "Save", el("button", "Save", el("text", "Save")), hittable=True),
            1,
            id="clickable-row",
        ),
        pytest.param(
            el("listitem", "Ann", el("text", "Ann"), el("button", "Delete"), hittable=True),
            0,
            id="row-with-another-control",
        ),
        pytest.param(el("heading", "Save", el("text", "Save")), 1, id="nothing-to-activate"),
        pytest.param(
            el("generic", el("heading", "Save", el("text", "Save")), hittable=True),
            2,
            id="clickable-around",
        ),
    ],
)
def test_wrappers_of_one_control_collapse(root: El, winner: int) -> None:
    view = tree(root)
    label = "Ann" if root.fields.get("label") == "Ann" else "Save"
    found = action(view, f"label={label}")
    assert isinstance(found, Disambiguated)
    assert found.node.index == winner
    assert found.tiebreak == "structural-equivalence"
    assert found.match_count == 1 + len(found.alternatives)


@pytest.mark.parametrize(
    "root",
    [
        pytest.param(
            el("list", el("button", "Save"), el("button", "Save")), id="B045-two-equal-buttons"
        ),
        pytest.param(
            el("generic", el("text", "Save"), el("button", "Save")), id="text-beside-its-button"
        ),
        pytest.param(
            el("group", "Save", el("button", "Save"), el("button", "Cancel")),
            id="container-of-two-controls",
        ),
        pytest.param(
            el("listitem", "Save", el("button", "Save"), el("switch"), hittable=True),
            id="row-with-a-switch",
        ),
        pytest.param(
            el("group", "Save", el("button", "Go", el("text", "Save"))), id="another-control-between"
        ),
        pytest.param(
            el("group", "Save", el("text", "Save"), el("button", "Delete")),
            id="passive-chain-around-a-control",
        ),
        pytest.param(
            el("button", "Save", el("generic", el("text", "Save"), hittable=True)),
            id="text-of-an-inner-control",
        ),
        pytest.param(
            el("group", "Save", el("button", "Save"), el("link", "Save")), id="a-fork-below-a-wrapper"
        ),
    ],
)
def test_anything_else_is_ambiguous(root: El) -> None:
    view = tree(root)
    found = action(view, "label=Save")
    assert isinstance(found, Ambiguous)
    assert found.candidates == match(view, parse_selector("label=Save")).nodes


def test_what_wins_is_actionable_where_something_is() -> None:
    view = tree(el("generic", el("heading", "Save", el("text", "Save")), hittable=True))
    found = action(view, "label=Save")
    assert isinstance(found, Disambiguated)
    assert (found.node.index, found.actionable.index) == (2, 0)


def test_at_most_five_candidates_are_shown_and_the_rest_counted() -> None:
    view = tree(*(el("button", "Edit") for _ in range(7)))
    found = action(view, "label=Edit")
    assert isinstance(found, Ambiguous)
    assert [node.index for node in found.shown] == [0, 1, 2, 3, 4]
    assert (found.more, found.match_count) == (2, 7)


def test_at_most_five_alternatives_are_told() -> None:
    nested = el("text", "x")
    for _ in range(8):
        nested = el("group", "x", nested)
    found = action(tree(nested), "label=x")
    assert isinstance(found, Disambiguated)
    assert (found.match_count, len(found.alternatives)) == (9, 5)
    assert found.node not in found.alternatives


def test_a_fill_collapses_on_what_takes_text() -> None:
    view = tree(el("group", "Email", el("textbox", "Email", editable=True), el("button", "Clear")))
    found = action(view, "label=Email", for_fill=True)
    assert isinstance(found, Disambiguated)
    assert found.node.index == 1
    assert isinstance(action(view, "label=Email"), Ambiguous)


def test_a_read_prefers_the_single_hittable_match_and_says_so() -> None:
    view = tree(el("text", "Remove"), el("button", "Remove", hittable=True))
    found = read(view, "label=Remove")
    assert isinstance(found, Disambiguated)
    assert (found.node.index, found.tiebreak, found.match_count) == (1, "single-hittable", 2)


def test_a_read_of_several_hittable_matches_is_ambiguous() -> None:
    view = tree(el("button", "Remove", hittable=True), el("button", "Remove", hittable=True))
    assert isinstance(read(view, "label=Remove"), Ambiguous)


def test_a_read_is_never_stricter_than_a_mutation() -> None:
    view = tree(el("heading", "Cart", el("text", "Cart")))
    assert isinstance(read(view, "label=Cart"), Disambiguated)


def test_a_match_that_nothing_activates_stays_the_target() -> None:
    view = tree(el("document", el("img", "HQ"), el("listitem", "HQ, Main St", hittable=True)))
    found = action(view, "label=HQ")
    assert found == Unique(view[1], view[1])
    assert not view[1].hittable


@pytest.mark.parametrize(
    ("root", "index", "actionable"),
    [
        pytest.param(
            el("button", "Save", el("generic", el("text", "Save"))), 2, 0, id="text-in-a-button"
        ),
        pytest.param(el("generic", el("text", "Save"), hittable=True), 1, 0, id="text-in-a-clickable"),
        pytest.param(el("document", el("text", "Save"), hittable=True), 1, 1, id="not-the-page"),
        pytest.param(
            el("button", el("dialog", el("main", el("text", "x")))), 3, 3, id="not-across-a-page"
        ),
        pytest.param(el("document", el("text", "Save")), 1, 1, id="nothing-takes-it"),
        pytest.param(el("link", el("button", "Save")), 1, 1, id="the-control-itself"),
    ],
)
def test_actionable_node(root: El, index: int, actionable: int) -> None:
    view = tree(root)
    assert actionable_node(view, view[index]).index == actionable
