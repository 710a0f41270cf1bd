"""Which id attribute of an element is its id (the forms that are none: tests/unit/tree/test_ids.py)."""

from __future__ import annotations

from surefoot.drivers.web.see.ids import choose_ids


def test_a_numbered_test_id_gives_way_to_a_dom_id_that_may_identify() -> None:
    assert choose_ids({0: ["row-0-del", "ann"], 1: ["row-1-del", "ben"]}) == {0: "ann", 1: "ben"}


def test_where_no_candidate_may_identify_the_first_still_answers_selectors() -> None:
    assert choose_ids({0: ["row-0-del"], 1: ["row-1-del", ":r1:"]}) == {0: "row-0-del", 1: "row-1-del"}


def test_a_middle_digit_run_alone_is_no_reason_to_refuse() -> None:
    assert choose_ids({0: ["row-0-del"], 1: ["row-0-add"]}) == {0: "row-0-del", 1: "row-0-add"}


def test_the_same_id_twice_is_accepted_whatever_its_uniqueness() -> None:
    assert choose_ids({0: ["save"], 1: ["save"]}) == {0: "save", 1: "save"}


def test_the_first_accepted_candidate_wins_in_order() -> None:
    assert choose_ids({0: [":r1:", "email", "other"]}) == {0: "email"}


def test_a_node_without_a_candidate_has_no_id() -> None:
    assert choose_ids({0: [], 1: [""]}) == {}
