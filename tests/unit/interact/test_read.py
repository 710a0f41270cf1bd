"""Reads: they prefer the only hittable match, fail open by ref, and change nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.stage import selector, stage

from surefoot.errors import SurefootError
from surefoot.interact import parse_target, resolve_read
from surefoot.tree import Node, Observation
from surefoot.wire import DisambiguatedResolution, ExactResolution, StalenessData, UniqueResolution


async def test_read_of_a_unique_match(tmp_path: Path) -> None:
    on = await stage('document "App"(main(heading "Total" =H))', tmp_path)
    resolved = await resolve_read(on.session, selector("label=Total"))
    assert resolved.resolution == UniqueResolution()


async def test_b045_read_prefers_the_only_hittable_match_and_says_so(tmp_path: Path) -> None:
    on = await stage('document "App"(main(text "Save" =T, button "Save" =B))', tmp_path)
    resolved = await resolve_read(on.session, selector("label=Save"))
    assert resolved.node.role == "button"
    assert isinstance(resolved.resolution, DisambiguatedResolution)
    assert resolved.resolution.tiebreak == "single-hittable"
    assert [other.role for other in resolved.resolution.alternatives] == ["text"]


async def test_read_of_several_hittable_matches_is_refused_with_candidates(tmp_path: Path) -> None:
    on = await stage('document "App"(main(button "Add" =A, button "Add" =B))', tmp_path)
    with pytest.raises(SurefootError) as caught:
        await resolve_read(on.session, selector("label=Add"))
    assert caught.value.code == "AMBIGUOUS_MATCH"
    assert len(caught.value.details["candidates"]) == 2


async def test_read_leaves_the_frame_active_and_the_device_alone(tmp_path: Path) -> None:
    on = await stage('document "App"(main(button "Add" =A))', tmp_path)
    frame = await on.snapshot()
    await resolve_read(on.session, on.ref("A"))
    assert on.session.refs.frame is frame
    assert on.inputs() == []


async def test_read_by_ref_sees_the_element_as_it_is_now(tmp_path: Path) -> None:
    on = await stage('document "App"(main(text "Count ${n}" =A))', tmp_path)
    await on.snapshot()
    target = on.ref("A")
    on.set("n", "7")
    resolved = await resolve_read(on.session, target)
    assert (resolved.node.label, resolved.staleness) == ("Count 7", None)


async def test_read_by_an_expired_ref_is_live_with_a_warning(tmp_path: Path) -> None:
    on = await stage('document "App"(main(text "Count ${n}" =A))', tmp_path)
    frame = await on.snapshot()
    on.session.refs.expire()
    on.set("n", "7")
    resolved = await resolve_read(on.session, on.ref("A"))
    assert resolved.node.label == "Count 7"
    assert resolved.staleness == StalenessData(
        ref=on.ref("A").token.ref,
        reason="ref_frame_expired",
        current_generation=frame.generation,
        live=True,
    )


async def test_read_by_ref_of_what_is_gone_shows_the_evidence_and_says_so(
    tmp_path: Path,
) -> None:
    on = await stage('document "App"(main(text "Total 9" =A if=!x, text "Other" =B if=x))', tmp_path)
    await on.snapshot()
    target = on.ref("A")
    on.set("x")
    resolved = await resolve_read(on.session, target)
    assert resolved.node.label == "Total 9"
    assert resolved.resolution == ExactResolution()
    assert resolved.staleness is not None
    assert (resolved.staleness.reason, resolved.staleness.live) == ("ref_target_gone", False)


async def test_read_without_any_frame_is_refused(tmp_path: Path) -> None:
    on = await stage('document "App"(main(text "A" =A))', tmp_path)
    with pytest.raises(SurefootError) as caught:
        await resolve_read(on.session, on.ref("A"))
    assert (caught.value.code, caught.value.reason) == ("COMMAND_FAILED", "ref_frame_expired")


async def test_guard_of_a_replayed_read_may_refuse(tmp_path: Path) -> None:
    on = await stage('document "App"(main(text "A" =A))', tmp_path)

    def guard(observation: Observation, node: Node) -> None:
        raise SurefootError("REPLAY_DIVERGENCE", node.label)  # type: ignore[arg-type]

    with pytest.raises(SurefootError) as caught:
        await resolve_read(on.session, selector("label=A"), guard=guard)
    assert caught.value.code == "REPLAY_DIVERGENCE"


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (["@e12"], "@e12"),
        (["@e12~s42"], "@e12~s42"),
        (["@e12", "Save"], "@e12"),
        (['role=button label="Save"'], 'role=button label="Save"'),
        (["120", "48.5"], "120 48.5"),
    ],
)
def test_words_become_a_target(words: list[str], shown: str) -> None:
    assert str(parse_target(words)) == shown


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ([], "missing_target"),
        (["@12"], "invalid_ref"),
        (["@e1", "Save", "more"], "unexpected_argument"),
        (["label=a", "label=b"], "unexpected_argument"),
        (["120", "down"], "invalid_point"),
        (["nan", "1"], "invalid_point"),
        (["1", "inf"], "invalid_point"),
    ],
)
def test_words_that_are_no_target_are_refused(words: list[str], reason: str) -> None:
    with pytest.raises(SurefootError) as caught:
        parse_target(words)
    assert (caught.value.code, caught.value.reason) == ("INVALID_ARGS", reason)
