"""Where nodes lie: on screen, or which way to scroll which container."""

from __future__ import annotations

import pytest
from tests.support.trees import VIEWPORT, el, tree

from surefoot.tree import Offset, Placing, Rect, ScrollExtent, direction_of, intersection

SCROLLS = ScrollExtent(0, 0, 0, 500)


@pytest.mark.parametrize(
    ("rect", "direction"),
    [
        (Rect(10, 10, 20, 20), None),
        (Rect(10, 790, 20, 20), None),
        (Rect(10, 800, 20, 20), "down"),
        (Rect(10, -20, 20, 20), "up"),
        (Rect(1000, 10, 20, 20), "right"),
        (Rect(-20, 10, 20, 20), "left"),
        (Rect(2000, 900, 20, 20), "down"),
    ],
)
def test_direction_of(rect: Rect, direction: str | None) -> None:
    assert direction_of(rect, VIEWPORT) == direction


def test_intersection_of_disjoint_rectangles_has_no_area() -> None:
    both = intersection(Rect(0, 0, 10, 10), Rect(20, 0, 10, 10))
    assert (both.width, both.height) == (0, 0)


def test_below_the_viewport_is_down_the_page() -> None:
    page = tree(el("document", el("button", rect=Rect(0, 2000, 10, 10)), rect=Rect(0, 0, 1000, 3000)))
    assert Placing(page, VIEWPORT).offset(page[1]) == Offset("down", None)


def test_a_scrolling_root_does_not_clip_by_its_own_box() -> None:
    page = tree(
        el("document", el("button", rect=Rect(0, 900, 9, 9)), rect=Rect(0, 0, 9, 9), scroll=SCROLLS)
    )
    assert Placing(page, VIEWPORT).offset(page[1]) == Offset("down", None)


def test_outside_its_container_but_inside_the_viewport_is_off_screen() -> None:
    page = tree(
        el(
            "document",
            el(
                "list",
                el("button", rect=Rect(0, 300, 10, 10)),
                rect=Rect(0, 0, 100, 100),
                scroll=SCROLLS,
            ),
        )
    )
    assert Placing(page, VIEWPORT).offset(page[2]) == Offset("down", 1)
    assert not Placing(page, VIEWPORT).on_screen(page[2])


def test_inside_a_container_that_is_below_the_viewport_is_down_the_page() -> None:
    page = tree(
        el(
            "document",
            el(
                "list",
                el("button", rect=Rect(0, 1000, 10, 10)),
                rect=Rect(0, 990, 99, 99),
                scroll=SCROLLS,
            ),
        )
    )
    assert Placing(page, VIEWPORT).offset(page[2]) == Offset("down", None)


def test_inside_the_hidden_part_of_a_half_visible_container_is_down_the_page() -> None:
    page = tree(
        el(
            "document",
            el(
                "list",
                el("button", rect=Rect(0, 850, 10, 10)),
                rect=Rect(0, 700, 99, 300),
                scroll=SCROLLS,
            ),
        )
    )
    assert Placing(page, VIEWPORT).offset(page[1]) is None
    assert Placing(page, VIEWPORT).offset(page[2]) == Offset("down", None)


@pytest.mark.parametrize("rect", [None, Rect(0, 5000, 0, 10), Rect(0, 5000, 10, 0)])
def test_without_an_area_there_is_no_way_to_scroll_to(rect: Rect | None) -> None:
    page = tree(el("button", rect=rect))
    assert Placing(page, VIEWPORT).offset(page[0]) is None
    assert not Placing(page, VIEWPORT).on_screen(page[0])


def test_hundreds_of_nested_containers_are_placed() -> None:
    nested = el("button", rect=Rect(0, 5000, 10, 10))
    for _ in range(300):
        nested = el("list", nested, rect=Rect(0, 5000, 10, 10), scroll=SCROLLS)
    page = tree(el("document", nested))
    assert Placing(page, VIEWPORT).offset(page[301]) == Offset("down", None)
