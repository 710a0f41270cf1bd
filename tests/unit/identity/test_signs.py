"""Signs: what tells records apart beyond words, and when a position may count (docs/identity.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from surefoot.identity import (
    IdentityView,
    Refused,
    TargetEvidence,
    Verified,
    parse_target,
    record_target,
    verify,
    write_evidence,
)
from surefoot.tree import Node, Tree

LONG = "word " * 60


def tree_of(*rows: Sequence[tuple[str, dict[str, Any]]], item: str = "listitem") -> Tree:
    """A list of items; a row's first entry are the item's own fields."""
    nodes = [
        Node(index=0, parent=-1, depth=0, role="document", handle="d"),
        Node(index=1, parent=0, depth=1, role="list", handle="l"),
    ]
    for row in rows:
        (_, own), *inside = row
        at = len(nodes)
        nodes.append(Node(index=at, parent=1, depth=2, role=item, handle=f"h{at}", **own))
        for role, fields in inside:
            index = len(nodes)
            nodes.append(Node(index=index, parent=at, depth=3, role=role, handle=f"h{index}", **fields))
    return Tree(nodes)


def row(*fields: tuple[str, dict[str, Any]], **own: Any) -> list[tuple[str, dict[str, Any]]]:
    """An item with its fields and the button they all have."""
    return [("", own), *fields, ("button", {"label": "Delete"})]


def textbox(value: str) -> tuple[str, dict[str, Any]]:
    return "textbox", {"value": value}


def box(checked: str) -> tuple[str, dict[str, Any]]:
    return "checkbox", {"checked": checked}


def buttons(tree: Tree) -> list[Node]:
    return [node for node in tree if node.label == "Delete"]


def recorded(tree: Tree, at: int) -> TargetEvidence:
    evidence = record_target(IdentityView(tree), buttons(tree)[at])
    assert evidence.verification == "verified"
    return parse_target(write_evidence(evidence))


def acts_on(tree: Tree, evidence: TargetEvidence) -> int | Refused:
    verdict = verify(IdentityView(tree), evidence, buttons(tree), None)
    return buttons(tree).index(verdict.node) if isinstance(verdict, Verified) else verdict


def kinds(evidence: TargetEvidence) -> list[str]:
    return [] if evidence.record is None else [one.partition(":")[0] for one in evidence.record.signs]


@pytest.mark.parametrize(
    ("rows", "kind"),
    [
        ([row(id="row-a"), row(id="row-b")], ["id"]),
        ([row(textbox("Ada")), row(textbox("Bob"))], ["value"]),
        (
            [row(textbox("Ada"), textbox("some")), row(textbox("Bob"), textbox("some"))],
            ["value", "value"],
        ),
        ([row(textbox("1")), row(textbox("2"))], ["value"]),
        ([row(box("true")), row(box("false"))], ["state"]),
        ([row(source="/a"), row(source="/b")], ["link"]),
        ([row(description="of Ada"), row(description="of Bob")], ["about"]),
        ([row(("text", {"label": LONG + "a"})), row(("text", {"label": LONG + "b"}))], ["text"]),
        ([row(textbox("Ada"), id="row-a"), row(textbox("Bob"), id="row-b")], ["id"]),
        ([row(id="row-1"), row(id="row-2")], []),
        ([row(id="row-1-x"), row(id="row-2-x")], []),
        ([row(held_by=("row-1-x",)), row(held_by=("row-2-x",))], []),
        ([row(), row()], []),
    ],
)
def test_the_best_sign_there_is_is_written(
    rows: list[list[tuple[str, dict[str, Any]]]], kind: list[str]
) -> None:
    tree = tree_of(*rows)
    evidence = recorded(tree, 1)
    assert kinds(evidence) == kind
    assert evidence.peers == (1 if kind else 2)
    assert acts_on(tree, evidence) == 1
    if kind:
        assert acts_on(tree_of(*reversed(rows)), evidence) == 0
        assert isinstance(acts_on(tree_of(rows[0], rows[0]), evidence), Refused)


def test_words_that_tell_need_no_sign() -> None:
    tree = tree_of(
        row(("text", {"label": "Ada"}), id="row-a"), row(("text", {"label": "Bob"}), id="row-b")
    )
    assert recorded(tree, 1).record is None


def test_a_pair_of_signs_where_none_alone_tells() -> None:
    def page(quantity: str, *pairs: tuple[str, str]) -> Tree:
        return tree_of(
            *(row(textbox(value), textbox(quantity), description=about) for about, value in pairs)
        )

    ways = [("a one", "Ada"), ("a one", "Bob"), ("b one", "Ada"), ("b one", "Bob")]
    evidence = recorded(page("1", *ways), 1)
    assert kinds(evidence) == ["about", "value"]
    assert acts_on(page("2", *reversed(ways)), evidence) == 2


def test_two_equal_controls_of_a_record_keep_their_place_in_it() -> None:
    def page(*ids: str) -> Tree:
        more = ("button", {"label": "Delete"})
        return tree_of(*([*row(textbox("1"), id=f"row-{id}"), more] for id in ids))

    evidence = recorded(page("a", "b"), 3)
    assert kinds(evidence) == ["id"]
    assert (evidence.peers, evidence.nth) == (2, 1)
    assert acts_on(page("b", "c", "a"), evidence) == 1


def test_a_card_with_two_equal_controls_is_a_record() -> None:
    def page(*names: str) -> Tree:
        more = ("button", {"label": "Delete"})
        return tree_of(*([*row(textbox(name)), more] for name in names), item="generic")

    evidence = recorded(page("Ada", "Bob", "Cyd"), 3)
    assert kinds(evidence) == ["value"]
    assert (evidence.peers, evidence.nth) == (2, 1)
    assert acts_on(page("Bob", "Ada", "Cyd"), evidence) == 1
    assert acts_on(page("Bob"), evidence) == 1
    assert isinstance(acts_on(page("Ada", "Cyd"), evidence), Refused)


def test_a_position_counts_only_beside_the_records_that_were_there() -> None:
    def page(states: str) -> Tree:
        return tree_of(*(row(box("true" if one == "x" else "false")) for one in states))

    evidence = recorded(page("x--"), 1)
    assert evidence.record is not None
    assert evidence.record.beside is not None
    assert (evidence.peers, evidence.nth) == (2, 0)
    assert acts_on(page("x--"), evidence) == 1
    for other in ("-x-", "--x", "xx-"):
        refused = acts_on(page(other), evidence)
        assert isinstance(refused, Refused)
        assert refused.path == 6


def test_an_edge_is_an_edge() -> None:
    def page(states: str) -> Tree:
        return tree_of(*(row(box("true" if one == "x" else "false")) for one in states))

    evidence = recorded(page("--x"), 0)
    assert evidence.record is not None
    assert evidence.record.beside is not None
    assert evidence.record.beside[0] is None
    assert isinstance(acts_on(page("x--"), evidence), Refused)


def test_the_field_itself_is_not_known_by_being_empty() -> None:
    tree = tree_of([("", {}), ("textbox", {"value": ""})], [("", {}), ("textbox", {"value": ""})])
    node = tree[3]
    assert record_target(IdentityView(tree), node).record is None


def test_what_may_not_be_said_is_no_sign() -> None:
    tree = tree_of(row(textbox("Ada"), id="row-a"), row(textbox("Bob"), id="row-b"))
    node = buttons(tree)[1]
    evidence = record_target(IdentityView(tree), node, sayable=lambda _node, kind, _text: kind != "id")
    assert kinds(evidence) == ["value"]
    nothing = record_target(IdentityView(tree), node, sayable=lambda *_: False)
    assert nothing.record is None
    assert nothing.peers == 2


def test_a_cut_name_is_compared_whole() -> None:
    def page(end: str) -> Tree:
        return tree_of([("", {}), ("link", {"label": LONG + end})])

    tree = page("a")
    evidence = record_target(IdentityView(tree), tree[3])
    assert kinds(evidence) == ["text"]
    same, other = page("a"), page("b")
    assert isinstance(verify(IdentityView(same), evidence, [same[3]], None), Verified)
    refused = verify(IdentityView(other), evidence, [other[3]], None)
    assert isinstance(refused, Refused)
    assert [one.field for one in refused.mismatches] == ["record"]


def test_records_of_two_groups_are_told_by_their_group() -> None:
    nodes = [Node(index=0, parent=-1, depth=0, role="document", handle="d")]
    for group in ("group-a", "group-b"):
        at = len(nodes)
        nodes.append(Node(index=at, parent=0, depth=1, role="list", handle=f"h{at}", id=group))
        for value in ("Ada", "Bob"):
            item = len(nodes)
            for parent, role, fields in (
                (at, "listitem", {}),
                (item, "textbox", {"value": value}),
                (item, "button", {"label": "Delete"}),
            ):
                index = len(nodes)
                nodes.append(
                    Node(index=index, parent=parent, depth=2, role=role, handle=f"h{index}", **fields)  # type: ignore[arg-type]
                )
    tree = Tree(nodes)
    evidence = recorded(tree, 3)
    assert sorted(kinds(evidence)) == ["id", "value"]
    assert acts_on(tree, evidence) == 3
