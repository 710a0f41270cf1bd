"""Which ids are identities: the table of identity.md, 2, a test a row."""

from __future__ import annotations

import pytest

from surefoot.drivers.web.see.ids import accept_ids, middle_digit_twins, refused_form

REFUSED = [
    (":r1:", "react-use-id"),
    ("field-:r1a:-label", "react-use-id"),
    ("«r1»", "react-use-id-19"),
    ("_r_1_", "react-use-id-19-1"),
    ("radix-:r0:", "react-use-id"),
    ("radix-menu", "radix"),
    ("headlessui-menu-button", "headlessui"),
    ("mui-123", "mui"),
    ("mui-p-4711-T-1", "mui"),
    ("ember123", "ember"),
    ("__BVID__12", "bootstrap-vue"),
    ("__BVID__12___BV_label", "bootstrap-vue"),
    ("react-aria1234-x", "react-aria"),
    ("cdk-overlay-1", "angular-cdk"),
    ("cdk-drop-list-17", "angular-cdk"),
    ("mat-input-0", "angular-material"),
    ("mat-tab-label-0-1", "angular-material"),
    ("123e4567-e89b-12d3-a456-426614174000", "uuid"),
    ("row-123e4567-e89b-12d3-a456-426614174000-x", "uuid"),
    ("a1b2c3d4e5f6", "hex"),
    ("item-a1b2c3d4e5f60718-x", "hex"),
    ("7", "positional"),
    ("123", "positional"),
    ("del-0", "positional"),
    ("row_12", "positional"),
    ("tab:3", "positional"),
    ("v1.2", "positional"),
    ("error-404", "positional"),
    ("", "empty"),
]

ACCEPTED = [
    "save",
    "user-email",
    "step2",
    "h1",
    "order-2024",
    "1234",
    "deadbeefcafe",
    "checkout_form",
    "radix",
    "muib",
    "members",
    "matrix-view",
    "a1b2c3d4e5f",
    "ファイル",
]


@pytest.mark.parametrize(("candidate", "form"), REFUSED, ids=[repr(one) for one, _ in REFUSED])
def test_generated_and_positional_ids_are_refused_by_form(candidate: str, form: str) -> None:
    assert refused_form(candidate) == form


@pytest.mark.parametrize("candidate", ACCEPTED)
def test_an_authors_id_is_accepted(candidate: str) -> None:
    assert refused_form(candidate) is None


def test_ids_that_differ_only_in_a_middle_digit_run_are_refused() -> None:
    assert accept_ids({0: ["row-0-del"], 1: ["row-1-del"], 2: ["row-del"]}) == {2: "row-del"}


def test_a_middle_digit_run_alone_is_no_reason_to_refuse() -> None:
    assert accept_ids({0: ["row-0-del"], 1: ["row-0-add"]}) == {0: "row-0-del", 1: "row-0-add"}


def test_differing_in_two_digit_runs_is_not_differing_only_in_one() -> None:
    assert middle_digit_twins(["a1b1c", "a2b2c"]) == frozenset()


def test_the_same_id_twice_is_accepted_whatever_its_uniqueness() -> None:
    assert accept_ids({0: ["save"], 1: ["save"]}) == {0: "save", 1: "save"}


def test_the_first_accepted_candidate_wins_in_order() -> None:
    assert accept_ids({0: [":r1:", "email", "other"]}) == {0: "email"}


def test_a_node_without_an_accepted_candidate_has_no_id() -> None:
    assert accept_ids({0: ["del-0"], 1: []}) == {}
