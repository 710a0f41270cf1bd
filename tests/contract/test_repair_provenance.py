"""Seed 0012, decision 6, amendment 1271: what an agent reads mid-repair stays out of the heal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.support.repairs import HEALED, SCRIPT, STEPS, THREE, Repairs

from surefoot.commands import DESCRIPTORS, Descriptor
from surefoot.errors import ErrorCode, SurefootError
from surefoot.session import OutOfBand, ReplayStep
from surefoot.wire import Call, ProtocolError, decode_call

LOOKS = (
    ("snapshot",),
    ("snapshot", "-i"),
    ("get", "text", "label=One"),
    ("get", "attrs", "label=One"),
    ("is", "visible", "label=One"),
    ("find", "One", "exists"),
    ("find", "One", "wait"),
    ("find", "One", "get_text"),
    ("find", "One", "get_attrs"),
)
each_look = pytest.mark.parametrize("argv", LOOKS, ids=" ".join)
GET = "get text 'role=button label=Two'"


@pytest.fixture
def made(tmp_path: Path) -> Repairs:
    return Repairs(tmp_path)


def commands(made: Repairs) -> list[str]:
    return [line.split()[0] for line in made.healed_lines()]


@each_look
async def test_a_diagnostic_read_is_left_out_by_default(made: Repairs, argv: tuple[str, ...]) -> None:
    report = await made.drifted()
    await made.do(*argv)
    await made.press("Second")
    await made.do(*argv)
    await made.resume(4, report.resume.plan_digest)
    await made.do("close")
    assert commands(made) == ["open", "press", "press", "press"]


@each_look
async def test_a_diagnostic_read_is_no_correction(made: Repairs, argv: tuple[str, ...]) -> None:
    report = await made.drifted()
    await made.do(*argv)
    error = await made.refused("replay", SCRIPT, *made.resumed(4, report.resume.plan_digest))
    assert (error.code, error.reason) == (ErrorCode.INVALID_ARGS, "corrective_action_missing")
    assert "--record" in error.hint


async def test_an_authored_assertion_before_and_after_the_drift_survives_without_a_flag(
    made: Repairs,
) -> None:
    report = await made.drifted(
        THREE.replace('"Two"', '"Second"'),
        "is visible label=One",
        STEPS[0],
        STEPS[1],
        "is visible label=Three",
        "get text label=Three",
        STEPS[2],
    )
    assert report.step.index == 4
    await made.do("is", "visible", "label=Second")
    await made.press("Second")
    await made.resume(5, report.resume.plan_digest)
    await made.do("close")
    assert commands(made) == ["open", "is", "press", "press", "is", "get", "press"]


async def test_a_corrective_read_goes_in_with_record_and_the_heal_replays(made: Repairs) -> None:
    """The step that diverged was a reading itself."""
    report = await made.drifted(THREE.replace('"Two"', '"Second"'), STEPS[0], GET, STEPS[2])
    assert report.step.index == 3
    await made.do("get", "attrs", "label=Second")
    await made.do("get", "text", "role=button label=Second", "--record")
    await made.resume(4, report.resume.plan_digest)
    await made.do("close")
    assert commands(made) == ["open", "press", "get", "press"]
    assert 'label=\\"Second\\"' in made.healed_lines()[2]
    assert (await made.do("replay", HEALED)).replayed == 5


async def test_timing_is_recorded_whoever_waits(made: Repairs) -> None:
    report = await made.drifted()
    await made.do("wait", "label=Second")
    await made.press("Second")
    await made.resume(4, report.resume.plan_digest)
    await made.do("close")
    assert commands(made) == ["open", "press", "wait", "press", "press"]


async def test_a_mutating_find_is_a_correction(made: Repairs) -> None:
    report = await made.drifted()
    await made.do("find", "Second", "click")
    await made.resume(4, report.resume.plan_digest)
    await made.do("close")
    assert len(commands(made)) == 4
    assert 'label=\\"Second\\"' in made.healed_lines()[2]


@pytest.mark.parametrize("action", ["click", "focus", "fill", "type"])
async def test_record_on_a_mutating_find_is_refused_before_any_device_work(
    made: Repairs, action: str
) -> None:
    await made.drifted()
    before = made.inputs()
    words = [action, "text"] if action in ("fill", "type") else [action]
    error = await made.refused("find", "Second", *words, "--record")
    assert error.code is ErrorCode.INVALID_ARGS
    assert made.inputs() == before


@pytest.mark.parametrize(
    "argv", [("find", "One", "exists"), ("get", "text", "label=One"), ("snapshot",)]
)
async def test_record_and_no_record_exclude_each_other(made: Repairs, argv: tuple[str, ...]) -> None:
    await made.drifted()
    error = await made.refused(*argv, "--record", "--no-record")
    assert (error.code, error.reason) == (ErrorCode.INVALID_ARGS, "record_conflict")


def test_record_is_a_flag_of_the_commands_the_exclusion_can_drop_and_of_no_other() -> None:
    takes = {one.name for one in DESCRIPTORS if "record" in {a.name for a in one.arguments}}
    assert takes == {"snapshot", "get", "is", "find"}


@pytest.mark.parametrize("one", DESCRIPTORS, ids=lambda one: one.name.replace(" ", "-"))
def test_no_record_is_common(one: Descriptor[Any, Any]) -> None:
    assert "no_record" not in {argument.name for argument in one.arguments}


async def test_an_ordinary_recording_keeps_its_reads_without_a_flag(made: Repairs) -> None:
    path = await made.record(STEPS[0], "get text label=Two", "is visible label=Three")
    lines = path.read_text("utf-8").splitlines()
    assert [line.split()[0] for line in lines if not line.startswith("#")] == [
        *("context", "open", "press", "get", "is", "close")
    ]


async def test_record_changes_nothing_outside_a_repair(made: Repairs) -> None:
    path = await made.record(STEPS[0], "get text label=Two --record")
    assert "get text" in path.read_text("utf-8").replace('"text"', "text")


# -- B091: nothing on the wire says who acted ----------------------------------------------------------

FORGED = (
    {"provenance": {"plan_digest": "0" * 64, "ordinal": 1, "path": "x", "line": 1}},
    {"internal": {"replayPlanStep": True}},
    {"replayPlanStep": True},
    {"recordSession": True},
    {"saveScriptBoundary": 0},
)


@pytest.mark.parametrize("forged", FORGED, ids=lambda one: next(iter(one)))
@pytest.mark.parametrize("place", ["call", "options", "arguments"])
async def test_B091_no_field_of_a_request_forges_provenance_or_arms_anything(
    made: Repairs, forged: dict[str, object], place: str
) -> None:
    report = await made.drifted()
    body: dict[str, object] = {
        "command": "get",
        "arguments": {"what": "text", "target": "label=One"},
        "options": {"platform": "sim"},
    }
    if place == "call":
        body |= forged
    else:
        inside = body[place]
        assert isinstance(inside, dict)
        inside |= forged
    try:
        call = msgspec.convert(json.loads(json.dumps(body)), Call)
        await made.ask(call)
    except (SurefootError, msgspec.ValidationError, ProtocolError):
        pass
    kept = [one.provenance for one in made.session.actions.records if one.command == "get"]
    assert all(isinstance(one, OutOfBand) for one in kept)
    await made.press("Second")
    await made.resume(4, report.resume.plan_digest)
    await made.do("close")
    assert commands(made) == ["open", "press", "press", "press"]


def test_B091_a_call_has_no_field_for_provenance() -> None:
    fields = {field.encode_name for field in msgspec.structs.fields(Call)}
    assert fields == {"command", "arguments", "options"}
    assert not issubclass(ReplayStep, msgspec.Struct)
    assert callable(decode_call)


async def test_B091_a_batch_step_is_out_of_band(made: Repairs) -> None:
    report = await made.drifted()
    steps = [["get", "text", "label=One"], ["press", "label=Second"]]
    await made.do("batch", "--steps", json.dumps(steps))
    await made.resume(4, report.resume.plan_digest)
    await made.do("close")
    assert commands(made) == ["open", "press", "press", "press"]


async def test_B091_a_batch_cannot_arm_a_repair(made: Repairs) -> None:
    await made.record()
    steps = [{"command": "replay", "arguments": {"file": SCRIPT, "saveScript": True}}]
    await made.do("open", "stage")
    error = await made.refused("batch", "--steps", json.dumps(steps))
    assert error.code is ErrorCode.INVALID_ARGS
    assert made.state is None
