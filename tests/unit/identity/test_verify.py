"""The six verification paths (seed 0012, decision 3), by the letter and with context."""

from __future__ import annotations

from typing import Any

import pytest
from tests.support.identity_play import replayed
from tests.support.trees import El, el, tree

from surefoot.identity import (
    Ancestor,
    IdentityView,
    RecordedRect,
    Refused,
    RegionKey,
    TargetEvidence,
    Verdict,
    Verified,
    carries_landmark,
    verify,
)
from surefoot.tree import Rect, ScrollExtent

SCROLLS = ScrollExtent(0, 0, 0, 500)
STILL = ScrollExtent(0, 0, 0, 0)


def evidence(**fields: Any) -> TargetEvidence:
    """Evidence for a button "Go" as another tool writes it: without ``peers``."""
    return TargetEvidence(**{"role": "button", "label": "Go", "verification": "verified", **fields})


def go(x: float = 0, y: float = 0, **fields: Any) -> El:
    return el("button", "Go", rect=Rect(x, y, 10, 10), **fields)


def verdict(
    screen: El, recorded: TargetEvidence, matches: list[int], winner: int | None = None
) -> Verdict:
    view = IdentityView(tree(screen))
    found = [view.tree[index] for index in matches]
    return verify(view, recorded, found, None if winner is None else view.tree[winner])


def refusal(*given: Any, **more: Any) -> Refused:
    found = verdict(*given, **more)
    assert isinstance(found, Refused)
    return found


def acted(*given: Any, **more: Any) -> int:
    found = verdict(*given, **more)
    assert isinstance(found, Verified)
    return found.node.index


# -- paths 1 to 5 ------------------------------------------------------------------------------------


@pytest.mark.parametrize("peers", [None, 1])
def test_path_1_recorded_unverifiable_refuses_before_any_resolution(peers: int | None) -> None:
    found = refusal(el("main", go()), evidence(verification="unverifiable", peers=peers), [1], 1)
    assert (found.path, found.classification) == (1, "identity-unverifiable")
    assert found.match_count is None


@pytest.mark.parametrize("peers", [None, 1])
def test_path_2_no_match_is_a_selector_miss(peers: int | None) -> None:
    found = refusal(el("main", go()), evidence(peers=peers), [])
    assert (found.path, found.classification, found.match_count) == (2, "selector-miss", 0)


@pytest.mark.parametrize("peers", [None, 1])
def test_path_3_an_empty_identity_set_is_a_mismatch(peers: int | None) -> None:
    recorded = evidence(ancestry=(Ancestor(role="toolbar", label="Editor"),), peers=peers)
    found = refusal(el("toolbar", go(), author_label="Viewer"), recorded, [1], 1)
    assert (found.path, found.classification, found.match_count) == (3, "identity-mismatch", 1)
    assert [(m.field, m.recorded, m.observed) for m in found.mismatches] == [
        ("ancestry[0]", 'toolbar "Editor"', 'toolbar "Viewer"')
    ]


@pytest.mark.parametrize("peers", [None, 1])
def test_path_4_the_only_carrier_is_the_winner(peers: int | None) -> None:
    found = verdict(el("main", go()), evidence(peers=peers), [1], 1)
    assert isinstance(found, Verified)
    assert (found.node.index, found.match_count, found.by_evidence) == (1, 1, False)


@pytest.mark.parametrize("peers", [None, 1])
def test_path_5_the_only_carrier_is_not_the_winner(peers: int | None) -> None:
    screen = el("main", el("link", "Go"), go())
    found = refusal(screen, evidence(peers=peers), [1, 2], 1)
    assert (found.path, found.classification, found.match_count) == (5, "identity-mismatch", 2)
    assert found.observed is not None
    assert found.observed.index == 1
    assert [node.index for node in found.candidates] == [2]


def test_path_5_a_unique_but_wrong_rebind_names_what_differs() -> None:
    screen = el("main", el("button", "Save draft", id="save"), go())
    found = refusal(screen, evidence(peers=1), [1], 1)
    assert found.path == 5
    assert ("label", "Go", "Save draft") in [
        (m.field, m.recorded, m.observed) for m in found.mismatches
    ]


# -- path 6 by the letter ----------------------------------------------------------------------------


def test_sibling_isolates_the_one_member_with_the_recorded_child_index() -> None:
    screen = el("main", go(), el("text", "x"), go())
    assert acted(screen, evidence(sibling=2), [1, 3], 3) == 3


def test_a_sibling_that_denotes_another_than_the_winner_is_a_mismatch() -> None:
    screen = el("main", go(), el("text", "x"), go())
    assert refusal(screen, evidence(sibling=2), [1, 3], 1).path == 5


def test_the_same_child_index_under_different_parents_does_not_isolate() -> None:
    screen = el("main", el("group", go(0, 0)), el("group", go(0, 50)))
    both = [2, 4]
    assert refusal(screen, evidence(sibling=0), both, 2).path == 6
    assert acted(screen, evidence(sibling=0, viewport_order=1), both, 4) == 4


def test_viewport_order_counts_within_the_recorded_regions_partition_only() -> None:
    screen = el(
        "main",
        go(0, 0),
        el("list", go(0, 10), go(0, 20), scroll=SCROLLS, author_label="Mail"),
    )
    recorded = evidence(viewport_order=1, scroll_region=RegionKey(role="list", label="Mail"))
    assert acted(screen, recorded, [1, 3, 4], 4) == 4
    assert acted(screen, evidence(viewport_order=0), [1, 3, 4], 1) == 1


def test_a_scroll_region_that_is_gone_makes_viewport_order_unavailable() -> None:
    screen = el("main", go(0, 0), el("list", go(0, 10), scroll=SCROLLS, author_label="Chat"))
    recorded = evidence(viewport_order=0, scroll_region=RegionKey(role="list", label="Mail"))
    assert refusal(screen, recorded, [1, 3], 1).path == 6


def test_none_is_a_partition_of_its_own() -> None:
    screen = el("list", go(0, 0), go(0, 10), scroll=SCROLLS)
    assert refusal(screen, evidence(viewport_order=0), [1, 2], 1).path == 6


def test_an_ordinal_out_of_range_falls_through() -> None:
    screen = el("main", go(0, 0), go(0, 10))
    assert refusal(screen, evidence(sibling=7, viewport_order=2), [1, 2], 1).path == 6


def test_equal_centres_and_rectless_members_are_ordered_by_the_document() -> None:
    screen = el("main", el("button", "Go"), go(0, 0), el("button", "Go"), go(0, 0))
    for order, index in enumerate((2, 4, 1, 3)):
        assert acted(screen, evidence(viewport_order=order), [1, 2, 3, 4], index) == index


def test_path_6_lists_at_most_five_candidates_in_document_order() -> None:
    screen = el("main", *(go(0, 90 - y) for y in range(8)))
    found = refusal(screen, evidence(), list(range(1, 9)), 1)
    assert (found.path, found.classification) == (6, "identity-unverifiable")
    assert [node.index for node in found.candidates] == [1, 2, 3, 4, 5]


def test_evidence_of_another_tool_never_decides_an_ambiguity() -> None:
    screen = el("main", go(), el("text", "x"), go())
    assert refusal(screen, evidence(sibling=2), [1, 3]).path == 6


def test_by_the_letter_only_matches_are_members() -> None:
    screen = el("main", go(), go())
    assert acted(screen, evidence(), [2], 2) == 2


def test_rect_is_never_compared() -> None:
    far = RecordedRect(x=900, y=900, width=1, height=1)
    assert acted(el("main", go()), evidence(peers=1, rect=far), [1], 1) == 1


# -- with context ------------------------------------------------------------------------------------


def test_with_context_the_whole_observation_counts_not_the_matches() -> None:
    """A twin the selector does not match still is a twin."""
    screen = el("main", go(id="go"), go())
    found = refusal(screen, evidence(peers=1), [1], 1)
    assert (found.path, found.classification) == (6, "identity-unverifiable")


def test_the_count_of_qualifying_members_must_be_the_recorded_one() -> None:
    assert refusal(el("main", go()), evidence(peers=2, nth=0), [1], 1).path == 6
    assert refusal(el("main", go(), go(), go()), evidence(peers=2, nth=0), [1, 2, 3]).path == 6


def test_nth_denotes_among_as_many_equals_as_were_recorded() -> None:
    assert acted(el("main", go(0, 0), go(0, 20)), evidence(peers=2, nth=1), [1, 2]) == 2


def test_nth_that_sibling_contradicts_is_refused() -> None:
    screen = el("main", go(0, 0), go(0, 20))
    assert refusal(screen, evidence(peers=2, nth=1, sibling=0), [1, 2]).path == 6


def test_nth_that_viewport_order_contradicts_is_refused() -> None:
    screen = el("main", el("group", go(0, 90)), el("group", go(0, 0)))
    assert refusal(screen, evidence(peers=2, nth=0, viewport_order=0), [2, 4]).path == 6
    assert acted(screen, evidence(peers=2, nth=0, viewport_order=1), [2, 4]) == 2


def test_several_peers_without_nth_are_refused() -> None:
    assert refusal(el("main", go(), go()), evidence(peers=2), [1, 2]).path == 6


def test_evidence_decides_where_the_selector_has_no_winner() -> None:
    screen = el("main", el("dialog", go()), el("form", go()))
    found = verdict(screen, evidence(ancestry=(Ancestor(role="form"),), peers=1), [2, 4])
    assert isinstance(found, Verified)
    assert (found.node.index, found.match_count, found.by_evidence) == (4, 2, True)


def test_evidence_does_not_overrule_a_winner() -> None:
    screen = el("main", el("dialog", go()), el("form", go()))
    recorded = evidence(ancestry=(Ancestor(role="form"),), peers=1)
    assert refusal(screen, recorded, [2, 4], 2).path == 5


def test_a_denoted_node_outside_the_matches_is_a_mismatch() -> None:
    screen = el("main", el("dialog", go()), el("form", go()))
    recorded = evidence(ancestry=(Ancestor(role="form"),), peers=1)
    found = refusal(screen, recorded, [2])
    assert (found.path, found.classification) == (5, "identity-mismatch")


# -- not rendered --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scroll", "region", "expected"),
    [
        (SCROLLS, "Mail", True),
        (STILL, "Mail", False),
        (SCROLLS, "Chat", False),
        (SCROLLS, None, False),
    ],
)
def test_path_3_says_not_rendered_only_where_the_recorded_region_can_scroll_on(
    scroll: ScrollExtent, region: str | None, expected: bool
) -> None:
    screen = el("main", el("list", el("text", "Dan"), scroll=scroll, author_label="Mail"), go())
    key = RegionKey(role="list", label=region) if region else None
    recorded = evidence(ancestry=(Ancestor(role="listitem"),), scroll_region=key, peers=1)
    found = refusal(screen, recorded, [3], 3)
    assert found.path == 3
    assert found.not_rendered is expected
    assert ("not rendered" in found.message) is expected


def test_the_row_that_scrolled_away_is_not_rendered() -> None:
    def mail(*names: str) -> str:
        rows = ", ".join(f'listitem(text "{name}", button "Open" ={name})' for name in names)
        return f'document "App"(main(list author="Mail" scroll=y height=60({rows})))'

    found = replayed(mail("Ann", "Bob", "Cyd"), mail("Dan", "Eve", "Fay"), "Bob")
    assert isinstance(found, Refused)
    assert (found.path, found.not_rendered) == (3, True)


# -- landmarks ---------------------------------------------------------------------------------------


def test_1349_a_landmark_is_any_match_that_carries_the_identity_tier() -> None:
    view = IdentityView(tree(el("main", el("form", go()), el("dialog", go(0, 0), go(0, 9)))))
    nodes = [view.tree[index] for index in (2, 4, 5)]
    recorded = evidence(ancestry=(Ancestor(role="dialog"),), sibling=5, peers=1, nth=9, section="Other")
    found = carries_landmark(view, recorded, nodes)
    assert found is not None
    assert found.index == 4


def test_1349_a_look_alike_is_no_landmark() -> None:
    view = IdentityView(tree(el("main", el("form", go()))))
    assert (
        carries_landmark(view, evidence(ancestry=(Ancestor(role="dialog"),)), list(view.tree)) is None
    )
