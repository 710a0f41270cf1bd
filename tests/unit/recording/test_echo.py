"""What a script says of texts its session parameterised: never the literal."""

from __future__ import annotations

import msgspec
import pytest

from surefoot.identity import (
    Ancestor,
    IdentityView,
    ItemEvidence,
    ItemKey,
    RegionKey,
    TargetEvidence,
    record_landmark,
    record_target,
    without_echoes,
)
from surefoot.recording import Echoes
from surefoot.script import Scope, expand, expand_selector
from surefoot.selectors import parse_selector
from surefoot.session import HiddenText
from surefoot.tree import Node, Tree

PW = HiddenText("tulip-93", "PW")
PIN = HiddenText("42", "PIN")
UNNAMED = HiddenText("walrus-7")
ALL = Echoes((PW, PIN, UNNAMED))
SCOPE = Scope.of(cli={"PW": "tulip-93", "PIN": "42"})


@pytest.mark.parametrize(
    ("field", "shown"),
    [
        ("tulip-93", "${PW}"),
        ("You typed tulip-93.", "You typed ${PW}."),
        ("xtulip-93x", "x${PW}x"),
        ("42", "${PIN}"),
        ("42 items", "42 items"),
        ("Hello walrus-7", "Hello <secret>"),
        ("tulip", "tulip"),
        ("", ""),
    ],
)
def test_a_field_of_evidence_keeps_a_placeholder(field: str, shown: str) -> None:
    assert ALL.in_evidence(field) == shown


def test_a_literal_that_the_bound_of_a_field_cut_is_an_echo_too() -> None:
    cut = "x" * 250 + "tulip-"
    assert len(cut) == 256
    assert ALL.in_evidence(cut) == "x" * 250 + "${PW}"
    assert ALL.in_evidence("x tulip-") == "x tulip-"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("tulip-93", "${PW}"),
        ("Hello tulip-93!", "Hello ${PW}!"),
        ("a ${b} tulip-93", "a \\${b} ${PW}"),
        ("tulip-93 tulip-93", "${PW} ${PW}"),
        ("42", "${PIN}"),
        ("420", "420"),
        ("walrus-7", "walrus-7"),
        ("plain ${text}", "plain \\${text}"),
    ],
)
def test_a_text_of_a_script_names_the_variable(text: str, written: str) -> None:
    assert ALL.in_text(text) == written
    assert expand(written, SCOPE) == text


def test_a_backslash_before_a_literal_does_not_let_it_through() -> None:
    assert ALL.in_text("C:\\tulip-93") == "C:\\<var:PW>"


@pytest.mark.parametrize(
    ("selector", "written"),
    [
        ("label=Save", "label=Save"),
        ('label="You typed tulip-93"', 'label="You typed ${PW}"'),
        ("role=text label='tulip-93' || id=a", 'role="text" label="${PW}" || id="a"'),
        ("label=42", 'label="${PIN}"'),
        ("label=421", "label=421"),
        ('label="say \\"tulip-93\\""', 'label="say \\"${PW}\\""'),
        ("id=user-tulip-93 editable=true", 'id="user-${PW}" editable=true'),
    ],
)
def test_a_selector_of_a_script_names_the_variable(selector: str, written: str) -> None:
    assert ALL.in_selector(selector) == written
    assert parse_selector(expand_selector(written, SCOPE)) == parse_selector(selector)


def test_a_selector_with_other_blanks_than_the_literal_is_an_echo_too() -> None:
    echoes = Echoes((HiddenText("two  words", "W"),))
    assert echoes.in_selector('label="say two   words"') == 'label="say ${W}"'


def test_a_literal_that_a_url_spells_is_told_by_its_name() -> None:
    echoes = Echoes((HiddenText("Zq9!xK@7pL", "PW"), UNNAMED))
    assert echoes.in_evidence("?u=ann&pw=Zq9%21xK%407pL") == "?u=ann&pw=${PW}"
    assert echoes.in_text("http://x/?pw=Zq9%21xK%407pL") == "http://x/?pw=<var:PW>"
    assert echoes.in_selector("text=?pw=Zq9%21xK%407pL") == 'text="?pw=<var:PW>"'
    assert echoes.in_evidence("x" * 240 + "?pw=Zq9%21xK%40") == "x" * 240 + "?pw=${PW}"


# -- evidence ------------------------------------------------------------------------------------------


def node(index: int, parent: int, role: str, label: str = "", **more: object) -> Node:
    return Node(
        index=index,
        parent=parent,
        depth=0 if parent < 0 else 1,
        role=role,
        handle=f"h{index}",
        label=label,
        **more,  # type: ignore[arg-type]
    )


ROWS = Tree(
    [
        node(0, -1, "document", "Shop"),
        node(1, 0, "heading", "Hello tulip-93", level=1),
        node(2, 0, "list"),
        node(3, 2, "listitem"),
        node(4, 3, "text", "Order of tulip-93"),
        node(5, 3, "button", "Open"),
        node(6, 2, "listitem"),
        node(7, 6, "text", "Another"),
        node(8, 6, "button", "Open"),
        node(9, 0, "button", "Go on as tulip-93"),
        node(10, 0, "button", "Leave"),
    ]
)


def kept(index: int) -> TargetEvidence:
    view = IdentityView(ROWS)
    evidence = record_target(view, ROWS[index], "tulip-93's shop")
    return without_echoes(view, evidence, ROWS[index], ALL.in_evidence)


def test_a_label_that_repeats_a_literal_is_redacted_and_unverifiable() -> None:
    evidence = kept(9)
    assert (evidence.label, evidence.verification) == ("Go on as ${PW}", "unverifiable")


def test_the_screen_and_the_section_are_dropped_and_the_rest_still_verifies() -> None:
    view = IdentityView(ROWS)
    before = record_target(view, ROWS[10])
    assert before.section == "Hello tulip-"
    evidence = kept(10)
    assert (evidence.screen, evidence.section) == (None, None)
    assert (evidence.label, evidence.verification, evidence.peers) == ("Leave", "verified", 1)


def test_a_key_that_repeats_a_literal_is_dropped_and_its_equals_are_counted_again() -> None:
    before = record_target(IdentityView(ROWS), ROWS[5])
    assert before.item is not None
    assert [key.label for key in before.item.keys] == ["Order of tulip-93"]
    evidence = kept(5)
    assert evidence.item is None
    assert (evidence.peers, evidence.nth, evidence.verification) == (2, 0, "verified")
    assert "tulip" not in repr(evidence)


def test_where_a_key_is_dropped_a_sign_takes_its_place() -> None:
    ids = {3: "order-a", 6: "order-b"}
    rows = Tree([msgspec.structs.replace(one, id=ids.get(one.index, "")) for one in ROWS])
    view = IdentityView(rows)
    evidence = without_echoes(view, record_target(view, rows[5]), rows[5], ALL.in_evidence)
    assert (evidence.item, evidence.peers, evidence.verification) == (None, 1, "verified")
    assert evidence.record is not None


def test_evidence_without_an_echo_is_not_touched() -> None:
    view = IdentityView(ROWS)
    evidence = record_target(view, ROWS[8])
    trimmed = without_echoes(view, evidence, ROWS[8], Echoes(()).in_evidence)
    assert trimmed == evidence


@pytest.mark.parametrize(
    "evidence",
    [
        TargetEvidence(role="button", verification="verified", id="tulip-93", peers=1),
        TargetEvidence(
            role="button",
            verification="verified",
            label="Leave",
            ancestry=(Ancestor(role="form", label="For tulip-93"),),
            peers=1,
        ),
        TargetEvidence(
            role="button",
            verification="verified",
            label="Leave",
            scroll_region=RegionKey(role="list", label="tulip-93"),
            peers=1,
        ),
        TargetEvidence(
            role="button",
            verification="verified",
            label="Leave",
            scroll_region=RegionKey(role="list", id="tulip-93"),
            peers=1,
        ),
        TargetEvidence(
            role="button",
            verification="verified",
            label="tulip-93",
            item=ItemEvidence(of="listitem", keys=(ItemKey(role="text", label="tulip-93"),)),
            between=("tulip-93", None),
            section="tulip-93",
            screen="tulip-93",
            peers=1,
        ),
    ],
    ids=["id", "ancestry", "region-label", "region-id", "everything"],
)
def test_no_field_of_evidence_holds_a_literal(evidence: TargetEvidence) -> None:
    trimmed = without_echoes(IdentityView(ROWS), evidence, ROWS[10], ALL.in_evidence)
    assert "tulip" not in repr(trimmed)
    assert "${PW}" in repr(trimmed)
    assert trimmed.verification == "unverifiable"


def test_a_neighbour_that_repeats_a_literal_drops_the_neighbours() -> None:
    evidence = TargetEvidence(
        role="button", verification="verified", label="Leave", between=(None, "tulip-93"), peers=1
    )
    trimmed = without_echoes(IdentityView(ROWS), evidence, ROWS[10], ALL.in_evidence)
    assert (trimmed.between, trimmed.peers, trimmed.verification) == (None, 1, "verified")


def test_a_landmark_stays_a_landmark() -> None:
    view = IdentityView(ROWS)
    landmark = record_landmark(view, ROWS[10], "tulip-93")
    assert landmark is not None
    trimmed = without_echoes(view, landmark, ROWS[10], ALL.in_evidence)
    assert (trimmed.peers, trimmed.screen, trimmed.label) == (None, None, "Leave")
