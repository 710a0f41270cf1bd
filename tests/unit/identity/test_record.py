"""What is recorded of a target, and that it verifies as written (seed 0012, decision 3)."""

from __future__ import annotations

from typing import Any

import pytest
from tests.support.identity_play import recorded
from tests.support.trees import El, el, seen, tree

from surefoot.identity import (
    MAX_TARGET_BYTES,
    Ancestor,
    IdentityView,
    TargetEvidence,
    Verified,
    parse_target,
    record_landmark,
    record_target,
    recorded_subject,
    verify,
    write_evidence,
)
from surefoot.identity import record as record_module
from surefoot.recording import recorded_targets
from surefoot.tree import Node, Rect

BOX = Rect(0, 0, 100, 100)


def at(index: int, *roots: El) -> tuple[IdentityView, Node]:
    view = IdentityView(tree(*roots))
    return view, view.tree[index]


# -- the tuple ---------------------------------------------------------------------------------------


def test_the_tuple_of_a_plain_button() -> None:
    screen = el("document", "App", el("toolbar", el("button", "Save", rect=BOX), author_label="Editor"))
    assert record_target(*at(2, screen)) == TargetEvidence(
        role="button",
        label="Save",
        ancestry=(Ancestor(role="toolbar", label="Editor"), Ancestor(role="document")),
        sibling=0,
        viewport_order=0,
        peers=1,
        screen="App",
        rect=record_target(*at(2, screen)).rect,
        verification="verified",
    )


def test_the_role_is_the_canonical_one_and_strings_are_normalised() -> None:
    evidence = record_target(*at(0, el("button", "  Sa\u00adve \n  now ")))
    assert evidence.label == "Save now"


def test_sibling_counts_the_parents_children_not_the_regions() -> None:
    view, node = at(3, el("main", el("text", "a"), el("generic"), el("button", "Save")))
    assert record_target(view, node).sibling == 2


def test_viewport_order_counts_the_targets_partition() -> None:
    evidence = recorded(
        'document "App"(main(button "Go", list author="Mail" scroll=y height=90'
        '(button "Go", button "Go" =A)))'
    )
    assert (evidence.viewport_order, evidence.scroll_region and evidence.scroll_region.label) == (
        1,
        "Mail",
    )


def test_1269_an_id_that_is_not_unique_falls_back_to_role_and_label() -> None:
    view, node = at(1, el("main", el("text", "Wi-Fi", id="title"), el("text", "Sound", id="title")))
    evidence = record_target(view, node)
    assert (evidence.id, evidence.role, evidence.label) == (None, "text", "Wi-Fi")


def test_a_unique_id_is_recorded() -> None:
    assert record_target(*at(1, el("main", el("button", "Save", id="save")))).id == "save"


def test_a_target_without_id_and_label_is_recorded_by_its_role_alone() -> None:
    evidence = record_target(*at(1, el("main", el("button"))))
    assert (evidence.id, evidence.label, evidence.verification) == (None, None, "verified")


@pytest.mark.parametrize(
    ("window_title", "expected"), [("Win", "Main"), ("", "Main")], ids=["titled", "untitled"]
)
def test_screen_is_the_main_heading(window_title: str, expected: str) -> None:
    screen = el(
        "main", el("heading", "Side", level=2), el("heading", "Main", level=1), el("button", "Go")
    )
    assert record_target(*at(3, screen), window_title).screen == expected


def test_screen_is_else_the_documents_or_the_windows_title() -> None:
    assert record_target(*at(1, el("document", "App", el("button", "Go"))), "Win").screen == "App"
    assert record_target(*at(1, el("main", el("button", "Go"))), "Win").screen == "Win"


# -- the self-check ------------------------------------------------------------------------------------


def test_every_node_of_a_screen_of_equals_verifies_as_recorded() -> None:
    rows = [
        el("row", el("cell", "Al"), el("cell", el("button", "Go"), el("button", "Go")))
        for _ in range(3)
    ]
    view = IdentityView(tree(el("main", el("table", *rows), el("button", "Go"), el("button", "Go"))))
    for node in view.tree:
        evidence = record_target(view, node)
        found = verify(view, evidence, list(view.identity_set(evidence)), None)
        assert isinstance(found, Verified)
        assert found.node is node


def test_what_does_not_isolate_its_own_target_is_written_unverifiable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    view, node = at(1, el("main", el("button", "Go"), el("button", "Go")))
    assert record_target(view, node).verification == "verified"
    monkeypatch.setattr(
        record_module, "verify", lambda view, *_, **__: Verified(node=view.tree[2], match_count=2)
    )
    assert record_target(view, node).verification == "unverifiable"


# -- reduction -----------------------------------------------------------------------------------------


def huge(levels: int, quotes: int = 0) -> tuple[IdentityView, Node]:
    """A target under ``levels`` ancestors whose names fill 256 bytes, ``quotes`` of them doubled."""
    target = el("listitem", el("text", "K" * 250), el("text", "L" * 250), el("button", "Go", rect=BOX))
    for level in range(levels):
        target = el("group", target, author_label=f"{level}" + '"' * quotes + "g" * (254 - quotes))
    view = IdentityView(tree(el("main", el("heading", "S" * 250), target)))
    return view, view.tree[len(view.tree) - 1]


def test_what_fits_is_written_whole() -> None:
    evidence = record_target(*huge(3))
    assert evidence.rect is not None
    assert evidence.screen is not None
    assert len(evidence.ancestry) == 5


def test_over_4_kib_rect_goes_then_screen_then_ancestry_from_the_root() -> None:
    kinds = []
    for quotes in range(0, 254):
        view, node = huge(8, quotes)
        evidence = record_target(view, node)
        assert len(write_evidence(evidence).encode()) <= MAX_TARGET_BYTES
        assert evidence.verification == "verified"
        assert evidence.ancestry == view.ancestry(node)[: len(evidence.ancestry)]
        kept = (evidence.rect is not None, evidence.screen is not None, len(evidence.ancestry))
        if kept not in kinds:
            kinds.append(kept)
    assert kinds == [
        (True, True, 8),
        (False, True, 8),
        (False, False, 8),
        (False, False, 7),
        (False, False, 6),
    ]


def test_item_section_and_peers_survive_any_reduction() -> None:
    wide = "\u0001" * 256  # six bytes each in JSON
    target = el("listitem", el("text", "Kate"), el("text", "Lima"), el("button", wide, rect=BOX))
    for _ in range(8):
        target = el("group", target, author_label=wide)
    view = IdentityView(tree(el("main", el("heading", "Sect"), target)))
    evidence = record_target(view, view.tree[len(view.tree) - 1])
    assert evidence.item is not None
    assert [key.label for key in evidence.item.keys] == ["Kate", "Lima"]
    assert evidence.peers == 1


def test_the_self_check_runs_on_exactly_what_is_written() -> None:
    """Two equals under different roots of the chain: reduction cuts what tells them apart."""

    def branch(root: str) -> El:
        target = el("button", "b" * 256, rect=BOX)
        for level in range(7):
            target = el("group", target, author_label=f"{level}" + "\\" * 254)
        return el("region", target, author_label=root)

    view = IdentityView(tree(el("main", branch("one"), branch("two"))))
    for node in view.tree:
        if node.role != "button":
            continue
        evidence = record_target(view, node)
        assert parse_target(write_evidence(evidence)) == evidence
        assert len(evidence.ancestry) < 8
        assert evidence.peers == 2
        found = verify(view, evidence, list(view.identity_set(evidence)), None)
        assert isinstance(found, Verified)
        assert found.node is node


# -- amendment 1280 ------------------------------------------------------------------------------------


def row(*inside: El, **fields: Any) -> El:
    return el("group", *inside, **{"rect": BOX, "hittable": True, **fields})


TITLE = el("text", "Wi-Fi", rect=Rect(10, 10, 50, 20))


def subject(element: El) -> str:
    view = IdentityView(tree(element))
    return recorded_subject(view, view.tree[0]).role


def test_1280_an_identity_empty_container_is_recorded_as_its_first_labelled_descendant() -> None:
    assert subject(row(el("img", rect=BOX), TITLE, el("text", "On", rect=BOX))) == "text"


def test_1280_a_demoted_id_does_not_count() -> None:
    view = IdentityView(tree(el("main", row(TITLE, id="row-1"), row(TITLE, id="row-1"))))
    assert recorded_subject(view, view.tree[1]).label == "Wi-Fi"


@pytest.mark.parametrize("fields", [{"id": "wifi"}, {"label": "Wi-Fi"}, {"value": "on"}])
def test_1280_not_for_a_container_with_an_identity(fields: dict[str, str]) -> None:
    assert subject(row(TITLE, **fields)) == "group"


def test_1280_guard_one_not_where_a_control_competes_for_the_tap() -> None:
    assert subject(row(TITLE, el("switch", rect=BOX))) == "group"
    assert subject(row(TITLE, el("img", rect=BOX, hittable=True))) == "group"


def test_1280_guard_two_the_descendants_centre_must_lie_inside_the_container() -> None:
    assert subject(row(el("text", "Wi-Fi", rect=Rect(90, 90, 40, 40)))) == "group"
    assert subject(row(el("text", "Wi-Fi"))) == "group"
    assert subject(row(TITLE, rect=None)) == "group"


def test_1280_not_where_nothing_is_labelled() -> None:
    assert subject(row(el("img", rect=BOX))) == "group"


@pytest.mark.parametrize(("command", "role"), [("press", "text"), ("click", "text"), ("fill", "group")])
def test_1280_only_presses_are_substituted(command: str, role: str) -> None:
    screen = seen(row(TITLE))
    _, evidence = recorded_targets(command, [(screen, screen.tree[0])], "pre_dispatch")
    assert isinstance(evidence, TargetEvidence)
    assert evidence.role == role


# -- amendment 1349 ------------------------------------------------------------------------------------


def test_1349_a_landmark_is_verified_by_membership_not_by_isolation() -> None:
    view, node = at(2, el("main", el("text", "Done"), el("text", "Done")))
    evidence = record_landmark(view, node)
    assert evidence is not None
    assert (evidence.verification, evidence.label) == ("verified", "Done")


def test_1349_a_landmark_writes_no_context() -> None:
    screen = el(
        "main", el("heading", "Sent"), el("list", el("listitem", el("text", "Al"), el("text", "Bo")))
    )
    evidence = record_landmark(*at(4, screen))
    assert evidence is not None
    context = (evidence.item, evidence.between, evidence.section, evidence.peers, evidence.nth)
    assert context == (None, None, None, None, None)
    assert evidence.screen == "Sent"


def test_1349_no_landmark_without_an_id_and_a_label() -> None:
    assert record_landmark(*at(1, el("main", el("img")))) is None
    assert record_landmark(*at(1, el("main", el("img", id="del-0")))) is None


def test_1349_an_id_alone_is_a_landmark() -> None:
    evidence = record_landmark(*at(1, el("main", el("img", id="logo"))))
    assert evidence is not None
    assert evidence.id == "logo"
