"""A capture that a bound cut says nothing of absence, and verifies no identity."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from tests.support.commands_room import Room
from tests.support.replays import replays
from tests.support.stage import NO_FAST_PATHS, app

from surefoot.drivers.sim import AppSpec
from surefoot.errors import ErrorCode

SHOP = 'document "Shop"(main(heading "Basket" level=1, button "Pay" =pay, button "Leave" =leave))'
"""Five nodes: the last is Leave."""
CUT = "the screen has more than 4 nodes; the rest is left out"


def cut(bound: int = 4) -> AppSpec:
    spec = app(SHOP, without=NO_FAST_PATHS)
    start = msgspec.structs.replace(spec.screens["start"], bound=bound)
    return msgspec.structs.replace(spec, screens={"start": start})


async def opened(directory: Path, bound: int = 4) -> Room:
    made = Room(directory, {"stage": cut(bound)})
    await made.do("open", "stage")
    return made


@pytest.mark.parametrize(
    "command",
    [
        ("is", "absent", "label=Leave"),
        ("is", "hidden", "label=Leave"),
        ("is", "exists", "label=Leave"),
        ("wait", "absent", "label=Leave", "50"),
    ],
)
async def test_nothing_is_said_of_what_was_not_seen(tmp_path: Path, command: tuple[str, ...]) -> None:
    made = await opened(tmp_path)
    error = await made.refused(*command)
    assert (error.code, error.reason) == (ErrorCode.COMMAND_FAILED, "capture_truncated")
    assert error.message == f"Nothing seen matches label=Leave, but not everything was seen: {CUT}."
    assert error.details["notes"] == [CUT]


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (("press", "label=Leave"), ErrorCode.ELEMENT_NOT_FOUND),
        (("get", "text", "label=Leave"), ErrorCode.ELEMENT_NOT_FOUND),
        (("find", "Leave"), ErrorCode.ELEMENT_NOT_FOUND),
        (("wait", "label=Leave", "50"), ErrorCode.TIMEOUT),
        (("wait", "text", "Leave", "50"), ErrorCode.TIMEOUT),
    ],
)
async def test_what_was_not_found_may_be_in_the_part_that_is_cut(
    tmp_path: Path, command: tuple[str, ...], code: ErrorCode
) -> None:
    error = await (await opened(tmp_path)).refused(*command)
    assert error.code is code
    assert error.message.endswith(f" Not everything was seen: {CUT}.")


async def test_a_whole_capture_and_what_shows_on_a_cut_one_are_told(tmp_path: Path) -> None:
    made = await opened(tmp_path)
    assert (await made.do("is", "exists", "label=Pay")).passed
    assert (await made.refused("is", "absent", "label=Pay")).reason == "predicate_failed"
    await made.do("press", "label=Pay")
    whole = await opened(tmp_path / "whole", bound=5)
    assert (await whole.do("is", "absent", "label=Gone")).passed
    assert "Not everything" not in (await whole.refused("press", "label=Gone")).message


@pytest.mark.parametrize("target", ["label=Pay", "label=Leave"], ids=["seen", "not seen"])
async def test_a_replay_verifies_nothing_on_a_cut_screen(tmp_path: Path, target: str) -> None:
    made = replays(tmp_path, SHOP)
    await made.record(f"press {target}")
    made.change(cut())
    error, report = await made.divergence()
    assert (report.kind, report.repair_hint) == ("identity-unverifiable", "manual")
    assert error.reason == "capture_truncated"
    assert made.inputs() == []


async def test_what_is_recorded_on_a_cut_screen_is_unverifiable(tmp_path: Path) -> None:
    made = replays(tmp_path, cut())
    text = (await made.record("press label=Pay")).read_text(encoding="utf-8")
    assert '"verification":"unverifiable"' in text
