"""What of a capture is worth showing, in which order (seed 0012, amendment 1264)."""

from __future__ import annotations

from tests.support.trees import el, seen

from surefoot.identity import IdentityView, record_target
from surefoot.replay.screen import seen as look_at
from surefoot.tree import Observation, Rect, Window

BOX = Rect(0, 0, 50, 20)
BELOW = Rect(0, 5_000, 50, 20)


def labels(capture: Observation, *, reads: bool = False) -> list[str]:
    tree = capture.tree
    return [
        tree.labels[node.index] or tree.ids[node.index] or node.role
        for node in look_at(capture, reads=reads).nodes
    ]


def test_document_order_within_a_tier() -> None:
    capture = seen(el("document", el("button", "B", rect=BOX), el("button", "A", rect=BOX)))
    assert labels(capture) == ["B", "A"]


def test_what_is_on_the_screen_comes_before_what_is_not() -> None:
    capture = seen(el("document", el("button", "Far", rect=BELOW), el("button", "Near", rect=BOX)))
    assert labels(capture) == ["Near", "Far"]


def test_foreign_hittable_nodes_then_covers_then_the_app() -> None:
    capture = seen(
        el(
            "document",
            el("button", "Under", rect=BOX, covered_by=3),
            el("dialog", "Cookies", el("button", "Accept", rect=BOX), rect=BOX),
            el("button", "Beside", rect=BOX),
        ),
        el("text", "Volume", window="sys", rect=BOX),
        el("button", "Mute", window="sys", hittable=True, rect=BOX),
        windows=(Window("sys", foreign=True),),
    )
    assert labels(capture) == ["Mute", "Cookies", "Accept", "Under", "Beside", "Volume"]


def test_a_mass_covered_app_is_shown_covered_never_empty() -> None:
    capture = seen(
        el(
            "document",
            *(el("button", name, rect=BOX, covered_by=4) for name in "abc"),
            el("generic", rect=BOX),
        )
    )
    assert labels(capture) == ["a", "b", "c"]


def test_chrome_invisible_and_meaningless_nodes_are_left_out() -> None:
    capture = seen(
        el(
            "document",
            el("button", "Back", chrome=True),
            el("button", "Gone", visible=False),
            el("generic", el("group")),
            el("button", hittable=True, rect=BOX),
            el("button", id="by-id", rect=BOX),
        )
    )
    assert labels(capture) == ["button", "by-id"]


def test_a_reading_step_sees_every_named_node() -> None:
    capture = seen(el("document", el("generic", id="sum", rect=BOX), el("time", "Noon", rect=BOX)))
    assert labels(capture) == []
    assert labels(capture, reads=True) == ["sum", "Noon"]


def test_a_cap_keeps_what_takes_activation_and_the_rank() -> None:
    capture = seen(
        el(
            "document",
            el("heading", "Title", rect=BOX),
            el("button", "One", rect=BOX, hittable=True),
            el("text", "Words", rect=BOX),
            el("button", "Two", rect=BOX, hittable=True),
            el("button", "Far", rect=BELOW, hittable=True),
        )
    )
    sight = look_at(capture, reads=False)
    names = [[capture.tree.labels[node.index] for node in sight.best(count)] for count in (2, 3, 5)]
    assert names == [["One", "Two"], ["Title", "One", "Two"], ["Title", "One", "Words", "Two", "Far"]]
    read = look_at(capture, reads=True).best(2)
    assert [capture.tree.labels[node.index] for node in read] == ["Title", "One"]


def test_nothing_worth_showing_is_an_unavailable_screen() -> None:
    sight = look_at(seen(el("document", el("generic"))), reads=False)
    assert sight.unavailable is not None
    assert sight.unavailable.reason == "empty_screen"


def test_a_cap_leaves_what_stands_near_the_recorded_place() -> None:
    """Of thirty rows the ones around the record's neighbour, still in document order."""
    rows = [
        el("listitem", el("text", f"Row {at}", rect=BOX), el("button", "Edit", hittable=True, rect=BOX))
        for at in range(30)
    ]
    capture = seen(el("document", el("list", *rows)))
    target = record_target(IdentityView(capture.tree), capture.tree[20 * 3 + 4])
    whole = look_at(capture, reads=False, recorded=[target])
    near = [capture.tree.labels[node.index - 1] for node in whole.best(3)]
    assert near == ["Row 19", "Row 20", "Row 21"]
    assert [node.index for node in whole.nodes] == sorted(node.index for node in whole.nodes)
    assert [node.index for node in look_at(capture, reads=False).best(3)] == [4, 7, 10]
