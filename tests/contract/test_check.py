"""``check`` as a caller meets it: the wire shape, exit codes, a saved screen to check against."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.support.commands_room import Room
from tests.support.stage import NO_FAST_PATHS, app, sets

from surefoot.check import load_snapshot
from surefoot.errors import ErrorCode, SurefootError
from surefoot.identity import IdentityView, record_target

SHOP = """document "Shop"(main(
    form "Account" author="Account"(
        textbox "Name" #name =name,
        textbox "Secret word" #word =word password),
    list "Orders" author="Orders" scroll=y height=200(
        listitem(text "Ada", button "Open" =ada),
        listitem(text "Bob", button "Open" =bob)),
    checkbox "Gift" #gift checked,
    button "Buy" #buy =buy,
    button "Old" hidden,
    text "Thank you" if=bought))"""
DRIFTED = SHOP.replace("#buy", "").replace('"Buy"', '"Order now"').replace('"Bob"', '"Zoe"')
SPEC = app(SHOP, sets("press", "buy", "bought"), without=NO_FAST_PATHS)
SOUND = "flow.ad"


def room(directory: Path) -> Room:
    return Room(directory, {"stage": SPEC, "drifted": app(DRIFTED, without=NO_FAST_PATHS)})


async def recorded(directory: Path) -> Room:
    """A room with a sound script, and the screen it was recorded on still open."""
    made = room(directory)
    await made.do("open", "stage", f"--save-script={SOUND}")
    await made.do("fill", "id=name", "Ada")
    refs = [node.ref for node in (await made.do("snapshot", "-i")).nodes if node.label == "Open"]
    await made.do("press", f"@{refs[1]}")
    await made.do("press", "id=buy")
    await made.do("wait", 'label="Thank you"')
    await made.do("session", "save-script")
    return made


async def report(made: Room, *argv: str) -> tuple[int, list[dict[str, Any]]]:
    said = await made.say("check", *argv, "--json")
    body = json.loads(said.stdout)
    assert body["success"] is True
    return said.exit_code, body["data"]["files"]


def write(made: Room, name: str, text: str) -> None:
    (made.directory / name).write_text(text, encoding="utf-8")


async def save_screen(made: Room, name: str = "screen.json") -> None:
    write(made, name, (await made.say("snapshot", "--raw", "--json")).stdout)


# -- the report ----------------------------------------------------------------------------------------


async def test_what_was_recorded_is_in_order(tmp_path: Path) -> None:
    made = await recorded(tmp_path)
    code, (file,) = await report(made, SOUND, "--strict")
    assert code == 0
    assert (file["path"], file["errors"], file["warnings"], file["steps"]) == (SOUND, [], [], 5)
    assert len(file["planDigest"]) == 64


async def test_an_entry_says_line_column_rule_and_message(tmp_path: Path) -> None:
    made = room(tmp_path)
    write(made, "bad.ad", "open stage\npres label=Save\n")
    code, (file,) = await report(made, "bad.ad")
    assert code == 1
    (entry,) = file["errors"]
    assert {"line": 2, "column": 1, "rule": "parse"}.items() <= entry.items()
    assert "pres" in entry["message"]
    assert entry["suggestion"] == "press"


async def test_warnings_fail_only_when_they_are_asked_to(tmp_path: Path) -> None:
    made = room(tmp_path)
    write(made, "weak.ad", "open stage\npress 10 20\n")
    assert (await report(made, "weak.ad"))[0] == 0
    code, (file,) = await report(made, "weak.ad", "--strict")
    assert code == 1
    assert [entry["rule"] for entry in file["warnings"]] == ["guard-missing", "coordinates"]


async def test_many_files_are_reported_in_order_and_one_fault_fails_all(tmp_path: Path) -> None:
    made = await recorded(tmp_path)
    write(made, "bad.ad", "nonsense\n")
    code, files = await report(made, SOUND, "bad.ad", SOUND)
    assert code == 1
    assert [(file["path"], len(file["errors"])) for file in files] == [
        (SOUND, 0),
        ("bad.ad", 1),
        (SOUND, 0),
    ]


async def test_the_text_names_the_place_like_a_compiler(tmp_path: Path) -> None:
    made = room(tmp_path)
    write(made, "bad.ad", 'open stage\nfill label=Password "hunter2"\npres x\n')
    said = await made.say("check", "bad.ad")
    assert said.exit_code == 1
    lines = said.stdout.splitlines()
    assert lines[0].startswith("bad.ad:2:21: error password-literal: ")
    assert "bad.ad:3:1: error parse: " in said.stdout
    assert lines[-1] == "bad.ad: 2 steps, 2 errors, 2 warnings"
    assert "hunter2" not in said.stdout + said.stderr


async def test_nothing_is_opened_and_no_session_is_needed(tmp_path: Path) -> None:
    made = await recorded(tmp_path)
    before = made.inputs()
    await report(made, SOUND)
    assert made.inputs() == before
    await made.do("close")
    await report(made, SOUND)
    assert len(made.store) == 0


@pytest.mark.parametrize("argv", [(), ("no-such.ad",)], ids=["none", "missing"])
async def test_a_check_of_no_file_is_refused(tmp_path: Path, argv: tuple[str, ...]) -> None:
    error = await room(tmp_path).refused("check", *argv)
    assert error.code is ErrorCode.INVALID_ARGS


# -- against a saved screen ----------------------------------------------------------------------------


async def test_a_saved_screen_is_the_screen(tmp_path: Path) -> None:
    """Whatever is recorded on a screen verifies on what was saved of it."""
    made = await recorded(tmp_path)
    await save_screen(made)
    observation = made.session.observation
    assert observation is not None
    stored = load_snapshot((tmp_path / "screen.json").read_bytes(), "screen.json")
    assert len(stored) == len(observation.tree)
    live, saved = IdentityView(observation.tree), IdentityView(stored)
    for node in observation.tree:
        assert record_target(saved, stored[node.index]) == record_target(live, node)


async def test_each_step_says_what_it_would_do(tmp_path: Path) -> None:
    made = await recorded(tmp_path)
    await save_screen(made)
    _, (file,) = await report(made, SOUND, "--against", "screen.json")
    assert [
        (step["command"], step["does"], step.get("target", {}).get("label")) for step in file["against"]
    ] == [
        ("open", "unknown", None),
        ("fill", "acts", "Name"),
        ("press", "acts", "Open"),
        ("press", "acts", "Buy"),
        ("wait", "passes", "Thank you"),
    ]


async def test_on_a_drifted_screen_each_step_says_why_it_would_stop(tmp_path: Path) -> None:
    made = await recorded(tmp_path)
    await made.do("close")
    await made.do("open", "drifted")
    await save_screen(made)
    code, (file,) = await report(made, SOUND, "--against", "screen.json", "--strict")
    assert code == 0
    assert [(step["command"], step["does"], step.get("reason")) for step in file["against"]] == [
        ("open", "unknown", None),
        ("fill", "acts", None),
        ("press", "refuses", "identity-mismatch"),
        ("press", "refuses", "selector-miss"),
        ("wait", "refuses", "selector-miss"),
    ]
    text = await made.text("check", SOUND, "--against", "screen.json")
    assert "flow.ad:8: press refuses selector-miss (" in text


async def test_the_saved_data_alone_is_read_too(tmp_path: Path) -> None:
    made = await recorded(tmp_path)
    await save_screen(made)
    data = json.loads((tmp_path / "screen.json").read_text())["data"]
    write(made, "data.json", json.dumps(data))
    _, (file,) = await report(made, SOUND, "--against", "data.json")
    assert file["against"][3]["does"] == "acts"


async def test_a_password_field_is_known_by_the_screen_whatever_it_is_called(tmp_path: Path) -> None:
    made = room(tmp_path)
    await made.do("open", "stage")
    await save_screen(made)
    write(made, "plain.ad", 'open stage\nfill id=word "hunter2"\nfill id=word "${WORD}"\n')
    assert (await report(made, "plain.ad"))[0] == 0
    code, (file,) = await report(made, "plain.ad", "--against", "screen.json")
    assert code == 1
    assert [(entry["rule"], entry["line"]) for entry in file["errors"]] == [("password-literal", 2)]
    assert file["variables"] == ["WORD"]


async def test_a_step_named_by_a_variable_is_not_guessed(tmp_path: Path) -> None:
    made = room(tmp_path)
    await made.do("open", "stage")
    await save_screen(made)
    write(made, "any.ad", "open stage\npress 'label=\"${WHICH}\"'\npress @e4 Buy\npress 1 2\n")
    _, (file,) = await report(made, "any.ad", "--against", "screen.json")
    assert [step["does"] for step in file["against"]] == ["unknown"] * 4


@pytest.mark.parametrize(
    ("argv", "reason"),
    [
        (("snapshot", "-i", "--json"), "snapshot_not_raw"),
        (("snapshot", "--raw", "-d", "1", "--json"), "snapshot_not_raw"),
        (("snapshot", "--raw"), "snapshot_unreadable"),
        (("session", "list", "--json"), "snapshot_unreadable"),
        (("press", "label=Nobody", "--json"), "snapshot_unreadable"),
    ],
    ids=["interactive", "cut", "text", "another-answer", "an-error"],
)
async def test_what_is_no_whole_screen_is_refused(
    tmp_path: Path, argv: tuple[str, ...], reason: str
) -> None:
    made = await recorded(tmp_path)
    write(made, "screen.json", (await made.say(*argv)).stdout)
    error = await made.refused("check", SOUND, "--against", "screen.json")
    assert (error.code, error.reason) == (ErrorCode.INVALID_ARGS, reason)
    assert error.hint is not None
    assert "surefoot snapshot --raw --json" in error.hint


@pytest.mark.parametrize(
    "broken",
    [
        b"",
        b"null",
        b"[]",
        b'{"nodes":[{"index":0,"role":"document","parentIndex":0}],"total":1}',
        b'{"nodes":[{"index":0,"role":"document","parentIndex":7}],"total":1}',
        b'{"nodes":[{"index":0,"role":"checkbox","checked":"maybe"}],"total":1}',
        b'{"nodes":[{"index":0,"role":3}],"total":1}',
        b"\xff\xfe",
    ],
)
def test_a_broken_file_is_refused_plainly(broken: bytes) -> None:
    with pytest.raises(SurefootError) as caught:
        load_snapshot(broken, "screen.json")
    assert caught.value.reason == "snapshot_unreadable"
