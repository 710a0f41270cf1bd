"""What a snapshot shows, and what it counts instead (public faults B013, B017, B031, B032)."""

from __future__ import annotations

import pytest
from tests.support.trees import el, seen

from surefoot.tree import OffScreen, Projection, Rect, ScrollExtent, Window, nothing, project

HERE = Rect(0, 0, 100, 20)
BELOW = Rect(0, 2000, 100, 20)


def indexes(view: Projection) -> list[int]:
    return [entry.node.index for entry in view.entries]


def test_interactive_keeps_controls_headings_texts_and_labelled_structure() -> None:
    page = seen(
        el(
            "document",
            el("generic", el("heading", "Cart"), el("text", "Two items"), el("button", "Pay")),
            el("list", el("listitem")),
            el("navigation", "Main"),
        )
    )
    assert indexes(project(page, interactive=True)) == [2, 3, 4, 7]


def test_interactive_nests_by_shown_ancestors() -> None:
    page = seen(el("document", el("dialog", el("generic", el("button", "OK")))))
    view = project(page, interactive=True)
    assert [(entry.node.role, entry.parent, entry.depth) for entry in view.entries] == [
        ("dialog", -1, 0),
        ("button", 0, 1),
    ]


def test_interactive_drops_text_that_only_repeats_its_control() -> None:
    page = seen(el("button", "Save all", el("text", "Save"), el("text", "now")))
    view = project(page, interactive=True)
    assert indexes(view) == [0, 2]
    assert view.omitted == 1


def test_a_heading_that_repeats_its_region_stays() -> None:
    page = seen(el("region", "Basket", el("heading", "Basket")))
    assert indexes(project(page, interactive=True)) == [0, 1]


@pytest.mark.parametrize(
    "control",
    [
        pytest.param(el("generic", hittable=True), id="B013-clickable-div-in-a-frame"),
        pytest.param(el("checkbox", id="terms"), id="B017-checkbox-without-text"),
        pytest.param(el("generic", hittable=True, id="press"), id="B017-pressable-without-text"),
        pytest.param(el("generic", editable=True), id="editable-without-a-role"),
    ],
)
def test_what_can_be_acted_on_stays_without_text(control: object) -> None:
    page = seen(el("document", el("iframe", el("document", control))))  # type: ignore[arg-type]
    assert indexes(project(page, interactive=True)) == [1, 3]


def test_covered_nodes_are_shown_and_counted() -> None:
    # Public fault B031: what lies under a modal is never clicked through unseen.
    page = seen(
        el("button", "One", covered_by=2), el("button", "Two", covered_by=2), el("dialog", "Modal")
    )
    view = project(page, interactive=True)
    assert indexes(view) == [0, 1, 2]
    assert view.covered == 2


def test_off_screen_nodes_are_summed_up_by_region_and_direction() -> None:
    rows = [el("listitem", el("button", name, rect=Rect(0, 300, 9, 9))) for name in "abcd"]
    page = seen(
        el(
            "document",
            el("button", "Top", rect=HERE),
            el("list", "Mail", *rows, rect=Rect(0, 50, 99, 99), scroll=ScrollExtent(0, 0, 0, 900)),
            el("heading", "Foot", rect=BELOW),
            el("button", "End", rect=BELOW),
        )
    )
    view = project(page, interactive=True)
    assert indexes(view) == [1, 2]
    assert view.off_screen == (
        OffScreen(page.tree[2], "down", 4, 0, ("a", "b", "c")),
        OffScreen(None, "down", 1, 1, ("End", "Foot")),
    )


def test_off_screen_nodes_are_listed_on_request() -> None:
    page = seen(el("button", "End", rect=BELOW))
    view = project(page, interactive=True, list_off_screen=True)
    assert (indexes(view), view.off_screen) == ([0], ())


def test_a_scope_that_is_itself_off_screen_is_listed() -> None:
    page = seen(el("document", el("region", "Foot", el("button", "End", rect=BELOW), rect=BELOW)))
    assert indexes(project(page, interactive=True, scope=page.tree[1])) == [1, 2]


def test_plain_shows_every_visible_node_on_screen_or_not() -> None:
    page = seen(
        el("document", el("generic", el("button", "End", rect=BELOW)), el("text", visible=False))
    )
    view = project(page)
    assert indexes(view) == [0, 1, 2]
    assert view.hidden == 1


def test_a_visible_child_of_an_invisible_node_hangs_under_the_nearest_shown_one() -> None:
    page = seen(el("document", el("generic", el("text", "x"), visible=False)))
    view = project(page)
    assert [(entry.node.index, entry.parent, entry.depth) for entry in view.entries] == [
        (0, -1, 0),
        (2, 0, 1),
    ]


def test_chrome_and_foreign_windows_stand_apart() -> None:
    page = seen(
        el("window", "Shop", el("button", "Pay"), el("button", "Close", chrome=True)),
        el("window", "Volume", el("button", "Mute"), window="w2"),
        windows=(Window("w2", "Volume", "system", foreign=True),),
    )
    view = project(page, interactive=True)
    assert indexes(view) == [0, 1]
    assert [entry.node.label for entry in view.chrome] == ["Close"]
    assert [entry.node.label for entry in view.foreign] == ["Volume", "Mute"]


def test_raw_shows_everything_in_one_list() -> None:
    page = seen(el("document", el("text", visible=False), el("button", chrome=True)))
    view = project(page, raw=True, interactive=True)
    assert indexes(view) == [0, 1, 2]
    assert (view.chrome, view.hidden) == ((), 0)


@pytest.mark.parametrize(("depth", "expected"), [(0, [0]), (1, [0, 1, 4]), (2, [0, 1, 2, 4])])
def test_depth_counts_shown_ancestors(depth: int, expected: list[int]) -> None:
    page = seen(el("document", el("list", el("listitem", el("text", "x"))), el("button")))
    assert indexes(project(page, depth=depth)) == expected


def test_a_negative_depth_is_refused() -> None:
    with pytest.raises(ValueError, match="depth"):
        project(seen(el("document")), depth=-1)


def test_scope_shows_the_node_and_what_lies_below_it() -> None:
    page = seen(el("document", el("list", el("listitem")), el("button")))
    view = project(page, scope=page.tree[1])
    assert [(entry.node.index, entry.depth) for entry in view.entries] == [(1, 0), (2, 1)]


@pytest.mark.parametrize(
    ("view", "reason"),
    [
        pytest.param(project(seen()), "empty_tree", id="B032-empty"),
        pytest.param(nothing("scope_not_found"), "scope_not_found", id="B032-scope"),
        pytest.param(
            project(seen(el("text", "x", visible=False))), "nothing_visible", id="B032-hidden"
        ),
        pytest.param(
            project(seen(el("generic")), interactive=True), "nothing_interactive", id="B032-passive"
        ),
    ],
)
def test_no_match_is_always_empty_with_a_reason(view: Projection, reason: str) -> None:
    assert (view.nodes, view.reason) == ((), reason)


def test_a_reason_is_given_only_when_nothing_is_shown() -> None:
    assert project(seen(el("button", rect=BELOW)), interactive=True).reason is None
