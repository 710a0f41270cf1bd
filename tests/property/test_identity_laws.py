"""Laws of evidence over any tree: it verifies where it was recorded, as written and read back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.support.draw_trees import trees

from surefoot.identity import (
    IdentityView,
    Refused,
    Verified,
    parse_target,
    record_landmark,
    record_target,
    recorded_subject,
    verify,
    write_evidence,
)
from surefoot.selectors import Disambiguated, Unique, build_chain, match, resolve_for_action
from surefoot.tree import Tree


@given(trees())
def test_every_node_verifies_on_the_capture_it_was_recorded_on(tree: Tree) -> None:
    view = IdentityView(tree)
    for node in tree:
        evidence = record_target(view, node)
        assert evidence.verification == "verified"
        found = verify(view, parse_target(write_evidence(evidence)), tree.nodes, None)
        assert isinstance(found, Verified)
        assert found.node is node


@given(trees())
def test_an_unchanged_screen_replays_every_node_by_its_own_selector(tree: Tree) -> None:
    """What is acted on is the subject, never another node; a chain that leads elsewhere is refused."""
    for node in tree:
        view = IdentityView(tree)
        subject = recorded_subject(view, node)
        evidence = record_target(view, subject, dispatched=node)
        matches = match(tree, build_chain(tree, subject).selector)
        found = resolve_for_action(tree, matches)
        winner = found.node if isinstance(found, Unique | Disambiguated) else None
        verdict = verify(IdentityView(tree), evidence, matches.nodes, winner)
        if isinstance(verdict, Verified):
            assert verdict.node.index == subject.index
        else:
            assert winner is not None
            assert winner.index != subject.index


@given(trees(), trees(), st.integers(0, 13), st.integers(0, 13))
def test_a_verdict_on_any_other_screen_is_total_and_keeps_the_identity_tier(
    before: Tree, after: Tree, at: int, winner: int
) -> None:
    if not len(before) or not len(after):
        return
    view = IdentityView(after)
    evidence = record_target(IdentityView(before), before[at % len(before)])
    for chosen in (None, after[winner % len(after)]):
        verdict = verify(view, evidence, after.nodes, chosen)
        if isinstance(verdict, Refused):
            assert verdict.path in range(3, 7)
            assert len(verdict.candidates) <= 5
            assert verdict.match_count == len(after)
        else:
            assert view.carries_identity(evidence, verdict.node)
            assert chosen is None or chosen is verdict.node


@given(trees())
def test_a_landmark_carries_its_own_identity_or_is_not_written(tree: Tree) -> None:
    view = IdentityView(tree)
    for node in tree:
        evidence = record_landmark(view, node)
        bare = view.durable_id(node) is None and view.label(node) is None
        assert (evidence is None) == bare
        assert evidence is None or view.carries_identity(evidence, node)
