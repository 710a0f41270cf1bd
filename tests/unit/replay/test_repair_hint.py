"""Seed 0012, decision 6, R3; identity.md 4: kind × evidence × capture to one hint, every cell."""

from __future__ import annotations

from itertools import product
from typing import Any, get_args

import msgspec
import pytest
from tests.support.trees import El, el, seen

from surefoot.identity import (
    Ancestor,
    IdentityView,
    RegionKey,
    TargetEvidence,
    TargetsEvidence,
)
from surefoot.replay import repair_hint
from surefoot.replay.repair_hint import HINTS, Standing, container, standing
from surefoot.tree import Observation, Page, ScrollExtent
from surefoot.wire import DivergenceKind, RepairHint

TABLE = """
kind                    no_evidence  no_capture  no_container  undecided  present          absent
selector-miss           manual       manual      manual        manual     record-and-heal  state-repair
identity-mismatch       manual       manual      caution       caution    caution          caution
identity-unverifiable   manual       manual      manual        manual     manual           manual
action-failure          manual       manual      manual        manual     record-and-heal  manual
"""
HEADER, *ROWS = (line.split() for line in TABLE.strip().splitlines())
CELLS = [(row[0], state, hint) for row in ROWS for state, hint in zip(HEADER[1:], row[1:], strict=True)]


@pytest.mark.parametrize(("kind", "state", "hint"), CELLS)
def test_every_cell_of_the_table(kind: DivergenceKind, state: Standing, hint: RepairHint) -> None:
    assert HINTS[kind][state] == hint


def test_the_table_is_total() -> None:
    cells = set(product(get_args(DivergenceKind), get_args(Standing)))
    assert {(kind, state) for kind, row in HINTS.items() for state in row} == cells
    assert {(kind, state) for kind, state, _ in CELLS} == cells


def evidence(*ancestry: Ancestor, **fields: Any) -> TargetEvidence:
    return TargetEvidence(
        role="button", label="Save", verification="verified", ancestry=ancestry, peers=1, **fields
    )


FORM = Ancestor(role="form", label="Profile")
MAIN = Ancestor(role="main")
SCROLL = ScrollExtent(0, 0, 0, 0)


def form(*inside: El) -> Observation:
    return seen(el("document", el("main", el("form", *inside, author_label="Profile"))))


HERE: list[tuple[str, TargetEvidence, Observation, Standing]] = [
    ("nothing recorded to look for", evidence(), form(), "no_container"),
    ("the chain stands", evidence(FORM, MAIN), form(el("button", "Send")), "present"),
    ("the container lost all it held", evidence(FORM, MAIN), form(), "present"),
    (
        "a nameless generic in between",
        evidence(FORM, Ancestor(role="generic"), MAIN),
        form(),
        "present",
    ),
    ("the container is gone", evidence(FORM, MAIN), seen(el("document", el("main"))), "absent"),
    (
        "another label on the container",
        evidence(Ancestor(role="form", label="Billing"), MAIN),
        form(),
        "absent",
    ),
    (
        "the same label under another parent",
        evidence(FORM, Ancestor(role="dialog")),
        form(),
        "absent",
    ),
    (
        "a chain longer than the tree is high",
        evidence(FORM, MAIN, Ancestor(role="document"), Ancestor(role="window")),
        form(),
        "absent",
    ),
    (
        "the scroll region by id, though the chain is gone",
        evidence(FORM, MAIN, scroll_region=RegionKey(role="list", id="jobs")),
        seen(el("document", el("list", id="jobs", scroll=SCROLL))),
        "present",
    ),
    (
        "the scroll region by label",
        evidence(scroll_region=RegionKey(role="list", label="Jobs")),
        seen(el("document", el("list", author_label="Jobs", scroll=SCROLL))),
        "present",
    ),
    (
        "the scroll region is gone",
        evidence(scroll_region=RegionKey(role="list", id="jobs")),
        seen(el("document", el("list"))),
        "absent",
    ),
    (
        "unlabelled chain on the recorded screen",
        evidence(MAIN, screen="Basket"),
        seen(el("document", el("heading", "Basket", level=1))),
        "present",
    ),
    (
        "unlabelled chain on another screen",
        evidence(MAIN, screen="Basket"),
        seen(el("document", el("main", el("heading", "Sign in", level=1)))),
        "absent",
    ),
    ("unlabelled chain, no screen recorded", evidence(MAIN), form(), "undecided"),
    (
        "a nameless scroll region proves nothing",
        evidence(scroll_region=RegionKey(role="list")),
        seen(el("document", el("list", scroll=SCROLL))),
        "undecided",
    ),
]


@pytest.mark.parametrize(
    ("recorded", "capture", "expected"), [row[1:] for row in HERE], ids=[row[0] for row in HERE]
)
def test_the_container_test(recorded: TargetEvidence, capture: Observation, expected: Standing) -> None:
    assert container(IdentityView(capture.tree), recorded, "") == expected
    assert standing(recorded, capture) == expected


def test_another_tool_s_ancestor_may_carry_its_full_name() -> None:
    foreign = msgspec.structs.replace(evidence(FORM), peers=None)
    capture = seen(el("document", el("form", "Profile")))
    assert standing(foreign, capture) == "present"
    assert standing(evidence(FORM), capture) == "absent"


def test_the_window_s_title_stands_in_for_a_heading() -> None:
    capture = msgspec.structs.replace(
        seen(el("document", el("main"))), page=Page(url="http://x/", title="Basket")
    )
    assert standing(evidence(MAIN, screen="Basket"), capture) == "present"


def test_without_evidence_nothing_is_tested() -> None:
    assert standing(None, form()) == "no_evidence"
    assert repair_hint("action-failure", None, form()) == "manual"


@pytest.mark.parametrize(
    "capture",
    [None, msgspec.structs.replace(form(), quality="sparse"), seen()],
    ids=["unavailable", "sparse", "empty"],
)
def test_without_a_capture_to_trust_the_hint_is_manual(capture: Observation | None) -> None:
    for kind in get_args(DivergenceKind):
        assert repair_hint(kind, evidence(FORM), capture) == "manual"


def test_of_two_endpoints_the_refused_one_counts_else_both_must_stand() -> None:
    both = TargetsEvidence(source=evidence(FORM), destination=evidence(Ancestor(role="nav", label="N")))
    assert standing(both, form(), "source") == "present"
    assert standing(both, form(), "destination") == "absent"
    assert standing(both, form()) == "absent"
