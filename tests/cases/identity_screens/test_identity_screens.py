"""Small screens before and after: act on the same thing, refuse, either, or undecidable.

``=A`` marks what is the same thing for a person; it is no part of the tree. Each row goes the way of a
recording and its replay: subject, selector chain and evidence on the first screen; the chain matched,
the ambiguity rule and the evidence on the second.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import NamedTuple

import pytest

from surefoot.drivers.sim import observe_screen
from surefoot.identity import IdentityView, Refused, Verified, record_target, recorded_subject, verify
from surefoot.selectors import Disambiguated, Unique, build_chain, match, resolve_for_action


class Row(NamedTuple):
    screen: str
    before: str
    after: str
    target: str
    outcome: str


def rows() -> list[Row]:
    table = (Path(__file__).parent / "screens.tsv").read_text(encoding="utf-8")
    _, *lines = csv.reader(table.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    return [Row(*line) for line in lines]


def replayed(row: Row) -> tuple[str, Refused | None]:
    """``truth``, ``wrong`` or ``refuse``, and the refusal."""
    before, keys = observe_screen(row.before)
    view = IdentityView(before.tree)
    key = row.target.split()[0].removeprefix("=")
    subject = recorded_subject(view, before.tree[keys[key]])
    evidence = record_target(view, subject)
    assert evidence.verification == "verified"
    chain = build_chain(before.tree, subject)

    after, keys_after = observe_screen(row.after)
    tree = after.tree
    matches = match(tree, chain.selector)
    found = resolve_for_action(tree, matches)
    winner = found.node if isinstance(found, Unique | Disambiguated) else None
    verdict = verify(IdentityView(tree), evidence, matches.nodes, winner)
    if isinstance(verdict, Refused):
        return "refuse", verdict
    assert isinstance(verdict, Verified)
    same = key in keys_after and tree.contains(tree[keys_after[key]], verdict.node)
    return ("truth" if same else "wrong"), None


ALLOWED = {
    "truth": {"truth"},
    "refuse": {"refuse"},
    "truth or refuse": {"truth", "refuse"},
    "undecidable": {"truth", "wrong", "refuse"},
    "refuse (selector-miss)": {"refuse"},
    "refuse (not rendered)": {"refuse"},
}


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.screen.replace(" ", "-"))
def test_screen(row: Row) -> None:
    outcome, refused = replayed(row)
    assert outcome in ALLOWED[row.outcome]
    if row.outcome == "refuse (selector-miss)":
        assert refused is not None
        assert refused.classification == "selector-miss"


def test_every_outcome_of_the_table_is_one_we_know() -> None:
    assert len(rows()) == 38
    assert {row.outcome for row in rows()} == set(ALLOWED)
