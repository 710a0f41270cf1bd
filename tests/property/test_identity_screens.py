"""Random screens and edits: what a replay does against what an oracle says is right (docs/identity.md).

5,000 trials here; ``scripts/identity_lab.py`` runs 200,000 at night and prints the causes.
"""

from __future__ import annotations

from functools import lru_cache

import pytest
from tests.support.identity_ablation import ABLATIONS, ablated
from tests.support.identity_lab import Report, run, run_trial
from tests.support.identity_shrink import shrink

TRIALS = 5_000
SEED = 1


@lru_cache(maxsize=1)
def report() -> Report:
    return run(SEED, TRIALS)


def test_a_wrong_element_is_acted_on_in_at_most_2_of_10000_replays() -> None:
    seeds = [trial.seed for trial in report().wrong]
    assert report().wrong_share <= 0.0002, seeds


def test_99_of_100_decidable_benign_edits_proceed() -> None:
    assert report().proceeded >= 0.99


def test_98_of_100_harmful_edits_are_refused() -> None:
    assert report().harmful_refused >= 0.98


def test_whatever_is_recorded_verifies_on_its_own_screen() -> None:
    assert report().unverifiable == 0


def test_records_that_say_nothing_are_told_apart_by_something_else() -> None:
    """The limits are what they are where a lone record stands in no item: docs/identity.md."""
    found = run(SEED, 1_500, wordless=True)
    assert found.unverifiable == 0
    assert found.proceeded >= 0.985
    assert found.harmful_refused >= 0.975
    with ablated(ABLATIONS["signs"]):
        without = run(SEED, 1_500, wordless=True)
    assert found.wrong_share < without.wrong_share / 5


def test_every_sort_of_edit_and_expectation_was_tried() -> None:
    tried = {(sort, expectation) for sort, expectation, _ in report().counts}
    assert tried >= {
        ("benign", "must"),
        ("benign", "may"),
        ("harmful", "refuse"),
        ("harmful", "may"),
        ("harmful", "impostor"),
        ("unsure", "may"),
    }


def test_a_trial_is_made_again_from_its_seed() -> None:
    first, second = run_trial(7), run_trial(7)
    assert (first.edits, first.outcome, first.played) == (second.edits, second.outcome, second.played)
    assert first.after.tree.nodes == second.after.tree.nodes


@pytest.mark.parametrize("field", ["item", "peers", "section"])
def test_the_lab_notices_when_the_rule_loses_a_field(field: str) -> None:
    """A lab that could not see it would prove nothing."""
    with ablated(ABLATIONS[field]):
        weaker = run(SEED, 600)
    assert weaker.wrong_share > 0.001


def test_the_smallest_screens_of_a_trial_still_go_its_way() -> None:
    with ablated(ABLATIONS["section"]):
        trial = next(trial for trial in map(run_trial, range(1, 2_000)) if trial.outcome == "wrong")
        before, after = shrink(trial)
    assert len(before.tree) <= len(trial.before.tree)
    assert len(after.tree) <= len(trial.after.tree)
