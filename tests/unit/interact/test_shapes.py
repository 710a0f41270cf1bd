"""The JSON others rely on: every resolution shape of seed 0012 (decision 2), and what is left out."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from tests.support.stage import selector, stage

from surefoot.interact import press
from surefoot.wire import (
    Diagnostic,
    DisambiguatedResolution,
    EvidenceResolution,
    ExactResolution,
    InteractionData,
    LabelFallbackResolution,
    NotObservedResolution,
    Resolution,
    UniqueResolution,
)

OPAQUE = Diagnostic(diagnostic="diag:0011223344556677", role="button", label="Save")
SHOWN = {"diagnostic": "diag:0011223344556677", "role": "button", "label": "Save"}

SHAPES: list[tuple[Resolution, dict[str, object]]] = [
    (UniqueResolution(), {"source": "runtime", "phase": "pre-action", "kind": "unique"}),
    (
        DisambiguatedResolution(match_count=2, winner_diagnostic=OPAQUE, alternatives=(OPAQUE,)),
        {
            "source": "runtime",
            "phase": "pre-action",
            "kind": "disambiguated",
            "matchCount": 2,
            "winnerDiagnostic": SHOWN,
            "tiebreak": "structural-equivalence",
            "alternatives": [SHOWN],
        },
    ),
    (
        EvidenceResolution(match_count=2, alternatives=(OPAQUE,)),
        {
            "source": "runtime",
            "phase": "pre-action",
            "kind": "evidence",
            "matchCount": 2,
            "alternatives": [SHOWN],
        },
    ),
    (ExactResolution(), {"source": "ref", "phase": "pre-action", "kind": "exact"}),
    (LabelFallbackResolution(), {"source": "ref", "phase": "pre-action", "kind": "label-fallback"}),
    (NotObservedResolution(), {"source": "direct-ios", "kind": "not-observed"}),
]


@pytest.mark.parametrize(("value", "shape"), SHAPES, ids=[str(s["kind"]) for _, s in SHAPES])
def test_resolution_has_the_shape_of_the_seed(value: Resolution, shape: dict[str, object]) -> None:
    assert json.loads(msgspec.json.encode(value)) == shape
    again: Resolution = msgspec.json.decode(msgspec.json.encode(value), type=Resolution)
    assert again == value


async def test_plain_press_says_no_more_than_there_is_to_say(tmp_path: Path) -> None:
    on = await stage('document "App"(main(button "Pay" #pay =A rect=10:10:100:40))', tmp_path)
    done = await press(on.session, selector("label=Pay"))
    assert json.loads(msgspec.json.encode(done.data)) == {
        "action": "press",
        "resolution": {"source": "runtime", "phase": "pre-action", "kind": "unique"},
        "target": {"role": "button", "label": "Pay", "id": "pay"},
        "point": {"x": 60.0, "y": 30.0},
    }


def test_interaction_round_trips_for_the_client() -> None:
    data = InteractionData(action="press", resolution=ExactResolution(), warnings=("careful",))
    assert msgspec.json.decode(msgspec.json.encode(data), type=InteractionData) == data
