"""What a session types into a field is never what a record of its script is known by."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from tests.support.commands_room import Room
from tests.support.stage import NO_FAST_PATHS, app

SCRIPT = "flow.ad"
ROWS = """document "Things"(main(list(
    listitem(textbox =a value="Red", button "Delete" =da),
    listitem(textbox =b value="Blue", button "Delete" =db),
    listitem(textbox =c value="Green", button "Delete" =dc))))"""


def sign(value: str) -> str:
    """The sign of a field that holds the value."""
    return f"value:{hashlib.sha256(f'value {value}'.encode()).hexdigest()[:10]}"


async def last_evidence(made: Room, *steps: tuple[str, ...]) -> dict[str, Any]:
    """What the script says of the last press."""
    await made.do("open", "stage", f"--save-script={SCRIPT}")
    for step in steps:
        await made.do(*step)
    await made.do("press", "@e9")
    await made.do("close")
    lines = (made.directory / SCRIPT).read_text(encoding="utf-8").splitlines()
    note = next(line for line in reversed(lines) if "target-v1" in line)
    found: dict[str, Any] = json.loads(note[note.index("{") :])
    return found


@pytest.fixture
def made(tmp_path: Path) -> Room:
    return Room(tmp_path, {"stage": app(ROWS, without=NO_FAST_PATHS)})


async def test_a_value_that_was_there_identifies_the_record(made: Room) -> None:
    evidence = await last_evidence(made, ("snapshot",))
    assert evidence["record"] == {"of": "listitem", "signs": [sign("Blue")]}
    assert evidence["peers"] == 1


@pytest.mark.parametrize(
    "entry",
    [
        ("fill", "@e8", "Navy"),
        ("fill", "@e8", "Navy", "--no-record"),
        ("fill", "@e8", "Navy", "--record-as", "COLOUR"),
        ("find", "value", "Blue", "fill", "Navy"),
    ],
    ids=["fill", "unrecorded", "named", "find"],
)
async def test_a_value_that_was_typed_does_not(made: Room, entry: tuple[str, ...]) -> None:
    evidence = await last_evidence(made, ("snapshot",), entry, ("snapshot",))
    assert sign("Navy") not in json.dumps(evidence)
    assert evidence["peers"] == 3
    assert evidence["record"]["beside"] == [[sign("Red")], [sign("Green")]]
