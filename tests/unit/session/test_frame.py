"""Ref frames: who may use which ref, and in which order a mutation is refused (contracts.md)."""

from __future__ import annotations

from typing import Any

import pytest
from tests.support.trees import el, seen

from surefoot.errors import SurefootError
from surefoot.session import RefNamespace, RefToken, parse_ref
from surefoot.tree import Observation
from surefoot.wire import FrameActivated, FrameExpired, StalenessData


def screen(*labels: str) -> Observation:
    return seen(el("main", *(el("button", label) for label in labels)))


def refused(refs: RefNamespace, text: str) -> dict[str, Any]:
    with pytest.raises(SurefootError) as caught:
        refs.admit(parse_ref(text))
    assert caught.value.code == "COMMAND_FAILED"
    return caught.value.details


def test_complete_frame_admits_a_plain_ref() -> None:
    refs = RefNamespace()
    refs.publish_complete(screen("Alpha", "Beta"))
    _, node = refs.admit(parse_ref("@e3"))
    assert node.label == "Beta"


def test_complete_frame_admits_a_ref_pinned_to_it() -> None:
    refs = RefNamespace()
    frame = refs.publish_complete(screen("Alpha"))
    _, node = refs.admit(parse_ref(f"@e2~s{frame.generation}"))
    assert node.label == "Alpha"


def test_no_frame_ever_is_expired_with_generation_zero() -> None:
    assert refused(RefNamespace(), "@e1") == {
        "ref": "e1",
        "reason": "ref_frame_expired",
        "currentGeneration": 0,
        "scope": None,
    }


def test_expired_frame_refuses_a_plain_ref() -> None:
    refs = RefNamespace()
    frame = refs.publish_complete(screen("Alpha"))
    refs.expire()
    assert refused(refs, "@e2") == {
        "ref": "e2",
        "reason": "ref_frame_expired",
        "currentGeneration": frame.generation,
        "scope": "all",
    }


def test_other_generation_is_refused_with_the_minted_one() -> None:
    refs = RefNamespace()
    old = refs.publish_complete(screen("Alpha"))
    new = refs.publish_complete(screen("Alpha"))
    assert refused(refs, f"@e2~s{old.generation}") == {
        "ref": "e2",
        "reason": "ref_generation_mismatch",
        "currentGeneration": new.generation,
        "scope": "all",
        "mintedGeneration": old.generation,
    }


def test_partial_frame_refuses_a_plain_ref_even_one_it_showed() -> None:
    refs = RefNamespace()
    frame = refs.publish_partial(screen("Alpha", "Beta"), [1])
    assert refused(refs, "@e2") == {
        "ref": "e2",
        "reason": "plain_ref_requires_complete_frame",
        "currentGeneration": frame.generation,
        "scope": ["e2"],
    }


def test_partial_frame_admits_a_pinned_ref_it_showed() -> None:
    refs = RefNamespace()
    frame = refs.publish_partial(screen("Alpha", "Beta"), [1])
    assert refs.admit(RefToken(1, frame.generation))[1].label == "Alpha"


def test_b011_partial_frame_refuses_a_pinned_ref_it_did_not_show() -> None:
    refs = RefNamespace()
    frame = refs.publish_partial(screen("Alpha", "Beta"), [1])
    assert refused(refs, f"@e3~s{frame.generation}")["reason"] == "ref_not_issued"


def test_complete_frame_refuses_a_ref_it_did_not_show() -> None:
    refs = RefNamespace()
    refs.publish_complete(screen("Alpha", "Beta"), [1])
    assert refused(refs, "@e3")["reason"] == "ref_not_issued"
    assert refused(refs, "@e99")["reason"] == "ref_not_issued"


# What holds at once, in the order the contract refuses it: (expired, other pin, plain, unknown).
ORDER = [
    ("expired before mismatch", True, "@e99~s7", "ref_frame_expired"),
    ("expired before plain", True, "@e99", "ref_frame_expired"),
    ("mismatch before not issued", False, "@e99~s7", "ref_generation_mismatch"),
    ("plain before not issued", False, "@e99", "plain_ref_requires_complete_frame"),
]


@pytest.mark.parametrize(
    ("expired", "text", "reason"), [row[1:] for row in ORDER], ids=[row[0] for row in ORDER]
)
def test_refusals_keep_the_order_of_the_contract(expired: bool, text: str, reason: str) -> None:
    refs = RefNamespace()
    refs.publish_partial(screen("Alpha", "Beta"), [1])
    if expired:
        refs.expire()
    assert refused(refs, text)["reason"] == reason


def test_generations_only_grow() -> None:
    refs = RefNamespace()
    first = refs.publish_complete(screen("Alpha")).generation
    second = refs.publish_partial(screen("Alpha"), [0]).generation
    refs.reseed()
    third = refs.publish_complete(screen("Alpha")).generation
    assert first + 1 == second < third


def test_two_sessions_do_not_start_at_the_same_epoch() -> None:
    seeds = {RefNamespace().publish_complete(screen("Alpha")).generation for _ in range(8)}
    assert len(seeds) > 1


def test_reopening_forgets_the_frame() -> None:
    refs = RefNamespace()
    refs.publish_complete(screen("Alpha"))
    refs.reseed()
    details = refused(refs, "@e2")
    assert (details["reason"], details["currentGeneration"]) == ("ref_frame_expired", 0)


def test_empty_capture_publishes_nothing() -> None:
    refs = RefNamespace()
    frame = refs.publish_complete(screen("Alpha"))
    with pytest.raises(ValueError, match="empty"):
        refs.publish_complete(seen())
    with pytest.raises(ValueError, match="empty"):
        refs.publish_partial(screen("Alpha"), [])
    assert refs.frame is frame


def test_refs_are_only_issued_for_nodes_of_the_tree() -> None:
    with pytest.raises(ValueError, match="published tree"):
        RefNamespace().publish_partial(screen("Alpha"), [7])


def test_read_by_an_expired_ref_warns_and_keeps_the_evidence() -> None:
    refs = RefNamespace()
    frame = refs.publish_complete(screen("Alpha"))
    refs.expire()
    _, node, staleness = refs.read(parse_ref("@e2"))
    assert node.label == "Alpha"
    assert staleness == StalenessData(
        ref="e2", reason="ref_frame_expired", current_generation=frame.generation
    )


def test_read_by_a_ref_of_a_frame_that_is_gone_fails() -> None:
    refs = RefNamespace()
    old = refs.publish_complete(screen("Alpha"))
    refs.publish_complete(screen("Beta"))
    with pytest.raises(SurefootError) as caught:
        refs.read(RefToken(1, old.generation))
    assert caught.value.reason == "ref_generation_mismatch"


def test_read_by_a_current_ref_has_no_warning() -> None:
    refs = RefNamespace()
    refs.publish_complete(screen("Alpha"))
    assert refs.read(parse_ref("@e2"))[2] is None


def test_scope_lineage_ends_with_a_mutation_or_another_publication() -> None:
    refs = RefNamespace()
    observation = screen("Alpha")
    token = parse_ref("@e2")
    refs.publish_complete(observation, lineage=(token, observation.tree[1]))
    kept = refs.scope_lineage(token)
    assert kept is not None
    assert kept[1].label == "Alpha"
    assert refs.scope_lineage(parse_ref("@e1")) is None
    refs.expire()
    assert refs.scope_lineage(token) is None
    refs.publish_complete(observation, lineage=(token, observation.tree[1]))
    refs.publish_complete(observation)
    assert refs.scope_lineage(token) is None


def test_activation_and_expiry_are_told_once_each() -> None:
    told: list[object] = []
    refs = RefNamespace(told.append)
    frame = refs.publish_partial(screen("Alpha"), [1])
    refs.expire()
    refs.expire()
    assert told == [
        FrameActivated(generation=frame.generation, scope="partial", refs=1),
        FrameExpired(generation=frame.generation),
    ]


@pytest.mark.parametrize(
    "text", ["@e0", "@12", "e12", "@e12~", "@e12~s", "@e12~s0", "@e1 2", "@ref_1", "@e-1"]
)
def test_misspelt_refs_are_refused(text: str) -> None:
    with pytest.raises(SurefootError) as caught:
        parse_ref(text)
    assert (caught.value.code, caught.value.reason) == ("INVALID_ARGS", "invalid_ref")


def test_refs_round_trip() -> None:
    assert str(parse_ref("@e12~s42")) == "@e12~s42"
    assert parse_ref("@e12") == RefToken(11)
