"""What identity sees of a capture (seed 0012, decision 3; identity.md 1 to 3 and 7)."""

from __future__ import annotations

import pytest
from tests.support.trees import El, el, tree

from surefoot.identity import Ancestor, IdentityView, RegionKey, TargetEvidence
from surefoot.identity.view import says_something
from surefoot.tree import Rect, ScrollExtent

SCROLLS = ScrollExtent(0, 0, 0, 500)


def view_of(*roots: El) -> IdentityView:
    return IdentityView(tree(*roots))


def evidence(**fields: object) -> TargetEvidence:
    given = {"role": "button", "label": "Save", "verification": "verified", "peers": 1, **fields}
    return TargetEvidence(**given)  # type: ignore[arg-type]


# -- usable labels -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("label", "usable"),
    [
        ("Alice", True),
        ("song.mp3", True),
        ("Blue mug", True),
        ("Ål", True),
        ("東京", True),
        ("40 items", False),
        ("May 12", False),
        ("$5.84", False),
        ("7", False),
        ("", False),
        ("x", False),
        ("…", False),
        ("A4 paper", True),
        ("3 of 9", False),
    ],
)
def test_a_usable_label_has_two_letters_and_no_word_of_digits_alone(label: str, usable: bool) -> None:
    assert says_something(label) is usable


@pytest.mark.parametrize(
    "role", ["button", "checkbox", "switch", "textbox", "tab", "menuitem", "option"]
)
def test_a_controls_label_is_not_usable(role: str) -> None:
    view = view_of(el(role, "Alice"), el("text", "Alice"))
    assert not view.is_usable(view.tree[0])
    assert view.is_usable(view.tree[1])


# -- structure -----------------------------------------------------------------------------------------


def test_ancestry_runs_from_the_nearest_and_skips_generics_without_an_author_given_name() -> None:
    view = view_of(
        el(
            "document",
            el("main", el("generic", el("generic", el("button", "Go"), author_label="Card"))),
        )
    )
    assert view.ancestry(view.tree[4]) == (
        Ancestor(role="generic", label="Card"),
        Ancestor(role="main"),
        Ancestor(role="document"),
    )


def test_an_ancestor_contributes_only_its_author_given_name() -> None:
    view = view_of(el("listitem", "Alice Delete", el("button", "Delete")))
    assert view.ancestry(view.tree[1]) == (Ancestor(role="listitem"),)


def test_the_documents_own_name_never_counts() -> None:
    view = view_of(el("document", "(3) App", el("button", "Go"), author_label="(3) App"))
    assert view.ancestry(view.tree[1]) == (Ancestor(role="document"),)


def test_ancestry_keeps_the_nearest_eight() -> None:
    nested = el("button", "Go")
    for level in range(12):
        nested = el("group", nested, author_label=f"level {level}")
    view = view_of(nested)
    labels = [entry.label for entry in view.ancestry(view.tree[12])]
    assert labels == [f"level {level}" for level in range(8)]


def test_a_recorded_prefix_shorter_than_the_chain_matches() -> None:
    view = view_of(el("main", el("toolbar", el("button", "Save"))))
    recorded = evidence(ancestry=(Ancestor(role="toolbar"),))
    assert view.first_ancestry_mismatch(recorded, view.tree[2]) is None


def test_a_recorded_chain_longer_than_the_observed_is_a_mismatch() -> None:
    view = view_of(el("toolbar", el("button", "Save")))
    recorded = evidence(ancestry=(Ancestor(role="toolbar"), Ancestor(role="main")))
    assert view.first_ancestry_mismatch(recorded, view.tree[1]) == 1


def test_a_label_absent_in_the_recorded_entry_is_unconstrained() -> None:
    view = view_of(el("toolbar", el("button", "Save"), author_label="Editor"))
    assert (
        view.first_ancestry_mismatch(evidence(ancestry=(Ancestor(role="toolbar"),)), view.tree[1])
        is None
    )


def test_a_label_present_in_the_recorded_entry_must_be_equal() -> None:
    view = view_of(el("toolbar", el("button", "Save"), author_label="Viewer"))
    recorded = evidence(ancestry=(Ancestor(role="toolbar", label="Editor"),))
    assert view.first_ancestry_mismatch(recorded, view.tree[1]) == 0


def test_an_inserted_landmark_changes_ancestry() -> None:
    view = view_of(el("main", el("region", el("button", "Save"))))
    recorded = evidence(ancestry=(Ancestor(role="main"),))
    assert view.first_ancestry_mismatch(recorded, view.tree[2]) == 0


def test_an_inserted_div_does_not() -> None:
    view = view_of(el("main", el("generic", el("generic", el("button", "Save"), el("img")))))
    recorded = evidence(ancestry=(Ancestor(role="main"),))
    assert view.first_ancestry_mismatch(recorded, view.tree[3]) is None


def test_evidence_of_another_tool_may_carry_an_ancestors_full_name() -> None:
    view = view_of(el("window", "Editor", el("button", "Save")))
    ancestry = (Ancestor(role="window", label="Editor"),)
    assert view.first_ancestry_mismatch(evidence(ancestry=ancestry, peers=None), view.tree[1]) is None
    assert view.first_ancestry_mismatch(evidence(ancestry=ancestry), view.tree[1]) == 0


# -- local identity ----------------------------------------------------------------------------------


def test_equal_ids_share_identity_whatever_else_differs() -> None:
    view = view_of(el("link", "Store", id="save"))
    assert view.shares_local_identity(evidence(id="save"), view.tree[0])


def test_a_recorded_id_never_matches_a_node_without_it() -> None:
    view = view_of(el("button", "Save"))
    assert not view.shares_local_identity(evidence(id="save"), view.tree[0])


def test_a_label_on_exactly_one_side_is_a_mismatch() -> None:
    view = view_of(el("button"), el("button", "Save"))
    assert not view.shares_local_identity(evidence(), view.tree[0])
    assert not view.shares_local_identity(evidence(label=None), view.tree[1])
    assert view.shares_local_identity(evidence(label=None), view.tree[0])


@pytest.mark.parametrize(("recorded", "ours"), [("textfield", "textbox"), ("statictext", "text")])
def test_recorded_roles_pass_the_alias_table(recorded: str, ours: str) -> None:
    view = view_of(el(ours, "Save"))
    assert view.identity_set(evidence(role=recorded)) == (view.tree[0],)


def test_both_sides_are_cut_at_256_bytes_on_a_code_point() -> None:
    long = "é" * 200
    view = view_of(el("button", long), el("button", "é" * 127 + "x" * 80))
    cut = "é" * 128
    assert view.label(view.tree[0]) == cut
    assert view.identity_set(evidence(label=cut)) == (view.tree[0],)


def test_case_is_part_of_a_label() -> None:
    view = view_of(el("button", "save"))
    assert view.identity_set(evidence()) == ()


def test_the_identity_set_is_the_whole_observations() -> None:
    view = view_of(el("main", el("button", "Save")), el("dialog", el("button", "Save")))
    assert [node.index for node in view.identity_set(evidence())] == [1, 3]


# -- ids ----------------------------------------------------------------------------------------------


def test_1269_an_id_that_several_nodes_carry_is_no_identity() -> None:
    view = view_of(el("text", "A", id="title"), el("text", "B", id="title"), el("text", "C", id="own"))
    assert [view.durable_id(node) for node in view.tree] == [None, None, "own"]


@pytest.mark.parametrize("id", ["del-0", "error-404", ":r1:", "radix-1", "row_12", "42"])
def test_a_generated_or_counting_id_is_no_identity(id: str) -> None:
    view = view_of(el("button", "Go", id=id))
    assert view.durable_id(view.tree[0]) is None


def test_ids_that_differ_in_a_middle_number_are_no_identities() -> None:
    view = view_of(el("button", "Go", id="row-0-del"), el("button", "Go", id="row-1-del"))
    assert [view.durable_id(node) for node in view.tree] == [None, None]


# -- scroll regions -----------------------------------------------------------------------------------


def test_a_region_is_known_by_its_id_else_by_its_author_given_name() -> None:
    view = view_of(
        el("list", el("text", "a"), scroll=SCROLLS, id="mail", author_label="Mail"),
        el("list", el("text", "b"), scroll=SCROLLS, author_label="Mail"),
        el("list", el("text", "c"), scroll=SCROLLS),
        el("text", "d"),
    )
    keys = [view.region_key(view.tree[index]) for index in (1, 3, 5, 6)]
    assert keys == [
        RegionKey(role="list", id="mail"),
        RegionKey(role="list", label="Mail"),
        RegionKey(role="list"),
        None,
    ]


def test_a_node_is_not_in_its_own_scroll_region() -> None:
    view = view_of(el("list", "Mail", scroll=SCROLLS))
    assert view.region_key(view.tree[0]) is None


def test_viewport_order_is_by_centre_top_down_then_left_to_right() -> None:
    view = view_of(
        el("text", "low", rect=Rect(0, 50, 10, 10)),
        el("text", "right", rect=Rect(80, 0, 10, 10)),
        el("text", "left", rect=Rect(0, 0, 10, 10)),
    )
    assert [node.label for node in view.in_viewport_order(list(view.tree))] == ["left", "right", "low"]


def test_equal_centres_keep_document_order_and_rectless_come_last_in_it() -> None:
    view = view_of(
        el("text", "none 1"),
        el("text", "big", rect=Rect(0, 0, 20, 20)),
        el("text", "none 2"),
        el("text", "small", rect=Rect(5, 5, 10, 10)),
    )
    ordered = [node.label for node in view.in_viewport_order(list(view.tree))]
    assert ordered == ["big", "small", "none 1", "none 2"]
