"""A recorded target against a screen: what the seams refuse that no whole replay shows by itself."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from tests.support.trees import el, seen

from surefoot.identity import IdentityView, TargetEvidence, record_target
from surefoot.replay import BindingRefused
from surefoot.replay.verification import TargetCheck
from surefoot.selectors import parse_selector
from surefoot.tree import Observation

SCREEN = seen(el("document", el("main", el("button", "Save"))))


def evidence(capture: Observation, index: int, **changes: Any) -> TargetEvidence:
    found = record_target(IdentityView(capture.tree), capture.tree[index])
    return msgspec.structs.replace(found, **changes)


def check(capture: Observation = SCREEN, index: int = 2, text: str = "label=Save") -> TargetCheck:
    return TargetCheck(evidence(capture, index), parse_selector(text))


def test_a_sparse_capture_verifies_nothing_even_where_it_shows_the_target() -> None:
    sparse = msgspec.structs.replace(SCREEN, quality="sparse")
    one = check()
    one.guard(SCREEN, SCREEN.tree[2])
    with pytest.raises(BindingRefused) as guarded:
        one.guard(sparse, sparse.tree[2])
    with pytest.raises(BindingRefused) as decided:
        one.decide(sparse, [sparse.tree[2]])
    for refusal in (guarded.value, decided.value):
        assert refusal.refused.classification == "identity-unverifiable"
        assert refusal.refused.match_count is None
        assert refusal.reason == "capture_sparse"
    assert (one.ready(SCREEN), one.ready(sparse)) == (True, False)


def test_look_alikes_of_a_landmark_are_a_mismatch_whatever_its_context_says() -> None:
    """Two true ones elsewhere would make the whole evidence unverifiable; a landmark has no peers."""
    capture = seen(
        el("document", el("main", el("heading", "Done"), el("heading", "Done")),
           el("banner", el("heading", "Done", enabled=False)))
    )  # fmt: skip
    alone = evidence(capture, 2, peers=1, nth=None, item=None, between=None, section=None)
    landmark = TargetCheck(alone, parse_selector("label=Done"))
    impostor = capture.tree[5]
    assert landmark.carrying(capture, [impostor]) == ()
    refusal = landmark.refusal(capture, [impostor])
    assert isinstance(refusal, BindingRefused)
    assert refusal.refused.classification == "identity-mismatch"
    assert refusal.refused.match_count == 1


def test_each_observation_is_judged_on_its_own_tree() -> None:
    other = seen(el("document", el("toolbar", el("button", "Save"))))
    one = check()
    one.guard(SCREEN, SCREEN.tree[2])
    with pytest.raises(BindingRefused):
        one.guard(other, other.tree[2])
    one.guard(SCREEN, SCREEN.tree[2])


def test_an_endpoint_names_itself_in_its_refusal() -> None:
    one = TargetCheck(evidence(SCREEN, 2, verification="unverifiable"), None, "destination")
    with pytest.raises(BindingRefused, match=r"^destination: "):
        one.refuse_unverifiable()
