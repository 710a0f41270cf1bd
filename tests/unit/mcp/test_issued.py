"""Which refs a result issues: the table of shapes, and what issues nothing."""

from __future__ import annotations

import msgspec
import pytest

from surefoot.mcp import issued_refs
from surefoot.wire import (
    BatchData,
    BatchStepData,
    DiffData,
    FindData,
    GetData,
    InteractionData,
    NodeData,
    OverlayData,
    RectData,
    ScreenRef,
    ScreenshotData,
    SettledData,
    SnapshotData,
    SnapshotDiffData,
    TargetData,
)


def node(ref: str | None) -> NodeData:
    return NodeData(index=1, depth=0, role="button", enabled=True, ref=ref)


def shown(ref: str) -> ScreenRef:
    return ScreenRef(ref=ref, role="button", hittable=True)


DIFF = DiffData(added=(shown("e3"),), changed=(shown("e4"),), removed=(TargetData(role="text"),))
SETTLED = SettledData(settled=True, waited_ms=1, polls=1, refs_generation=7, diff=DIFF)

RESULTS = {
    "snapshot": (
        SnapshotData(nodes=(node("e1"), node(None), node("e2")), total=3, refs_generation=5),
        [(5, ("e1", "e2"))],
    ),
    "empty-snapshot": (SnapshotData(nodes=(), total=0, refs_generation=7, reason="empty_screen"), []),
    "diff": (SnapshotDiffData(unchanged=False, diff=DIFF, refs_generation=7), [(7, ("e3", "e4"))]),
    "settled": (InteractionData(action="press", settled=SETTLED), [(7, ("e3", "e4"))]),
    "press": (InteractionData(action="press"), []),
    "find": (
        FindData(action="list", match_count=1, matches=(shown("e9"),), refs_generation=8),
        [(8, ("e9",))],
    ),
    "mutating-find": (FindData(action="click", match_count=1, matches=(shown("e9"),)), []),
    "attributes": (GetData(target=TargetData(role="button"), attrs=node("e9")), []),
    "screenshot": (
        ScreenshotData(
            path="/a.png",
            bytes=1,
            width=1,
            height=1,
            refs_generation=6,
            overlays=(OverlayData(ref="e2", role="button", rect=RectData(0, 0, 1, 1)),),
        ),
        [(6, ("e2",))],
    ),
    "batch": (
        BatchData(
            total=2,
            steps=(
                BatchStepData(
                    step=1,
                    command="snapshot",
                    data=SnapshotData(nodes=(node("e1"),), total=1, refs_generation=6),
                ),
                BatchStepData(
                    step=2, command="press", data=InteractionData(action="press", settled=SETTLED)
                ),
            ),
        ),
        [(6, ("e1",)), (7, ("e3", "e4"))],
    ),
}


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_issues_the_refs_beside_its_generation(name: str) -> None:
    data, expected = RESULTS[name]
    found = issued_refs(msgspec.to_builtins(data))
    assert [(one.generation, one.refs) for one in found] == expected


def test_an_ambiguity_issues_its_candidates_after_what_a_batch_had_shown() -> None:
    details = {
        "reason": "ambiguous_match",
        "candidates": [{"ref": "e4"}, {"ref": "e5"}],
        "refsGeneration": 9,
        "step": 2,
        "completed": [{"data": {"nodes": [{"ref": "e4"}], "refsGeneration": 8}}],
    }
    found = issued_refs(details)
    assert [(one.generation, one.refs) for one in found] == [(8, ("e4",)), (9, ("e4", "e5"))]


def test_a_divergence_issues_screen_suggestions_and_candidates_with_its_screens_generation() -> None:
    report = {
        "repairHint": "caution",
        "screen": {"state": "available", "refsGeneration": 4, "refs": [{"ref": "e1"}]},
        "suggestions": [{"ref": "e2"}],
        "targetBinding": {"candidates": [{"ref": "e3"}, {"role": "button"}]},
    }
    refs = {(one.generation, ref) for one in issued_refs({"divergence": report}) for ref in one.refs}
    assert refs == {(4, "e1"), (4, "e2"), (4, "e3")}


@pytest.mark.parametrize(
    "details",
    [
        {"ref": "e3", "reason": "ref_frame_expired", "currentGeneration": 4},
        {"divergence": {"repairHint": "manual", "screen": {"state": "unavailable"}}},
        {"refsGeneration": True, "candidates": [{"ref": "e3"}]},
        {"ref": "e3", "refsGeneration": 4},
        {},
    ],
    ids=["refused-ref", "no-screen", "no-number", "named-ref", "nothing"],
)
def test_what_carries_no_generation_issues_nothing(details: dict[str, object]) -> None:
    assert issued_refs(details) == ()
