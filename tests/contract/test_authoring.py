"""The life of an authoring recording: what a save takes, and everything it is refused for."""

from __future__ import annotations

import asyncio
import errno
import os
from pathlib import Path
from typing import Any

import pytest
from tests.support.commands_room import Room
from tests.support.stage import NO_FAST_PATHS, app, sets

from surefoot.commands import parse_argv, route
from surefoot.commands.output.robustness import robustness_lines
from surefoot.errors import ErrorCode, SurefootError
from surefoot.recording import AuthoringState, authoring_of
from surefoot.session import MAX_ACTIONS, ActionRecord

SHOP = app(
    """document "Shop"(main(
        textbox "Note" #note =note,
        button "Buy" #buy =buy,
        text "Thank you" if=bought,
        button "Remove" =one, button "Remove" =two))""",
    sets("press", "buy", "bought"),
    without=NO_FAST_PATHS,
)
SCRIPT = "flow.ad"


async def armed(directory: Path, *flags: str) -> Room:
    made = Room(directory, {"stage": SHOP})
    await made.do("open", "stage", f"--save-script={SCRIPT}", *flags)
    return made


async def bought(directory: Path, *flags: str) -> Room:
    """An armed session that pressed Buy and saw that it worked."""
    made = await armed(directory, *flags)
    await made.do("press", "id=buy")
    await made.do("wait", 'label="Thank you"')
    return made


def scripts(directory: Path) -> list[str]:
    return [path.name for path in directory.glob("*.ad")]


def state(made: Room) -> AuthoringState:
    recording = authoring_of(made.session)
    assert recording is not None
    return recording.state


# -- save-script ---------------------------------------------------------------------------------------


async def test_save_script_publishes_without_close_and_leaves_the_session(tmp_path: Path) -> None:
    made = await bought(tmp_path)
    saved = await made.do("session", "save-script")
    assert (saved.path, saved.session, saved.actions) == (
        str(tmp_path / SCRIPT),
        made.session.name,
        3,
    )
    lines = (tmp_path / SCRIPT).read_text().splitlines()
    assert [line.split()[0] for line in lines if not line.startswith("#")] == [
        "context",
        "open",
        "press",
        "wait",
    ]
    assert state(made) is AuthoringState.PUBLISHED
    await made.do("press", "id=buy")


async def test_save_script_may_name_another_place(tmp_path: Path) -> None:
    made = await bought(tmp_path)
    saved = await made.do("session", "save-script", "other.ad")
    assert saved.path == str(tmp_path / "other.ad")
    assert not (tmp_path / SCRIPT).exists()


async def test_a_saved_script_replays_and_leaves_its_session_active(tmp_path: Path) -> None:
    made = await bought(tmp_path)
    await made.do("session", "save-script")
    await made.do("close")
    data = await made.do("replay", SCRIPT)
    assert (data.replayed, data.session_active) == (3, True)
    assert data.session == made.session.name


async def test_keep_session_skips_exactly_the_last_close(tmp_path: Path) -> None:
    made = await bought(tmp_path)
    await made.do("close")
    assert (await made.do("replay", SCRIPT, "--keep-session")).session_active is True
    await made.do("close")
    assert (await made.do("replay", SCRIPT)).session_active is False


async def test_what_was_saved_is_over_and_a_plain_close_still_ends_the_session(tmp_path: Path) -> None:
    made = await bought(tmp_path)
    await made.do("session", "save-script")
    for argv in (
        ("session", "save-script"),
        ("close", "--save-script"),
        ("close", "--save-script=b.ad"),
    ):
        error = await made.refused(*argv)
        assert (error.code, error.reason) == (ErrorCode.INVALID_ARGS, "recording_not_armed")
        assert error.details["state"] == "PUBLISHED"
    assert (await made.do("close")).saved is None
    assert scripts(tmp_path) == [SCRIPT]


async def test_an_aborted_recording_saves_nothing_and_says_why(tmp_path: Path) -> None:
    made = await bought(tmp_path)
    said = await made.text("open", "stage")
    assert "The recording is over: a script holds exactly one open." in said
    error = await made.refused("session", "save-script")
    assert error.reason == "recording_not_armed"
    assert error.details["state"] == "ABORTED"
    assert "a second `open` ended it" in error.message
    assert scripts(tmp_path) == []


async def test_a_session_that_was_never_recorded_saves_nothing(tmp_path: Path) -> None:
    made = Room(tmp_path, {"stage": SHOP})
    await made.do("open", "stage")
    error = await made.refused("session", "save-script", "late.ad")
    assert (error.reason, error.details["state"]) == ("recording_not_armed", "never armed")
    assert error.hint is not None
    assert "--save-script" in error.hint


async def test_no_session_no_script(tmp_path: Path) -> None:
    made = Room(tmp_path, {"stage": SHOP})
    error = await made.refused("session", "save-script")
    assert error.code is ErrorCode.SESSION_NOT_FOUND


@pytest.mark.parametrize(
    "after",
    [
        [],
        [("wait", "10")],
        [("wait", "text", "Thank you")],
        [("wait", "absent", "label=Nobody")],
        [("is", "visible", 'label="Thank you"')],
        [("wait", 'label="Thank you"', "--no-record")],
        [("wait", 'label="Thank you"'), ("fill", "id=note", "x")],
    ],
    ids=["none", "a-time", "a-text", "an-absence", "a-check", "unrecorded", "before-the-last-action"],
)
async def test_only_a_wait_for_an_element_after_the_last_action_guards_a_script(
    tmp_path: Path, after: list[tuple[str, ...]]
) -> None:
    made = await armed(tmp_path)
    await made.do("press", "id=buy")
    for argv in after:
        await made.do(*argv)
    error = await made.refused("session", "save-script")
    assert (error.code, error.reason) == (ErrorCode.COMMAND_FAILED, "destination_guard_missing")
    assert error.details["lastAction"] in ("press", "fill")
    assert state(made) is AuthoringState.ARMED
    assert not (tmp_path / SCRIPT).exists()
    await made.do("wait", 'label="Thank you"')
    await made.do("session", "save-script")


async def test_a_look_after_the_guard_does_not_undo_it(tmp_path: Path) -> None:
    made = await bought(tmp_path)
    await made.do("snapshot", "-i")
    await made.do("is", "visible", 'label="Thank you"')
    await made.do("session", "save-script")


# -- publication ---------------------------------------------------------------------------------------

SAVES = [("session", "save-script", "taken.ad"), ("close", "--save-script=taken.ad")]
each_save = pytest.mark.parametrize("argv", SAVES, ids=["save-script", "close"])


@each_save
async def test_an_existing_target_stays_byte_for_byte_and_the_recording_armed(
    tmp_path: Path, argv: tuple[str, ...]
) -> None:
    made = await bought(tmp_path)
    (tmp_path / "taken.ad").write_bytes(b"\x00mine\xff")
    error = await made.refused(*argv)
    assert (error.code, error.reason) == (ErrorCode.INVALID_ARGS, "target_exists")
    assert (tmp_path / "taken.ad").read_bytes() == b"\x00mine\xff"
    assert state(made) is AuthoringState.ARMED
    await made.do("session", "save-script")


@each_save
async def test_force_replaces_an_existing_target(tmp_path: Path, argv: tuple[str, ...]) -> None:
    made = await bought(tmp_path)
    (tmp_path / "taken.ad").write_text("mine")
    await made.do(*argv, "--force")
    assert (tmp_path / "taken.ad").read_text().startswith("context platform=sim")


async def test_the_force_of_open_holds_for_the_close(tmp_path: Path) -> None:
    (tmp_path / SCRIPT).write_text("mine")
    made = await bought(tmp_path, "--force")
    assert (await made.do("close")).saved.path == str(tmp_path / SCRIPT)
    assert (tmp_path / SCRIPT).read_text() != "mine"


@each_save
async def test_a_file_system_that_fails_leaves_it_armed_and_retryable(
    tmp_path: Path, argv: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await bought(tmp_path)

    def full(*_args: object, **_more: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "link", full)
        error = await made.refused(*argv)
    assert (error.code, error.reason) == (ErrorCode.COMMAND_FAILED, "publication_failed")
    assert state(made) is AuthoringState.ARMED
    assert os.listdir(tmp_path) == ["state"]
    events = [entry.event for entry in (await made.do("events")).events]
    failed = next(event for event in events if type(event).__name__ == "Published")
    assert (failed.success, failed.reason) == (False, "publication_failed")
    await made.do(*argv)
    assert (tmp_path / "taken.ad").exists()


@each_save
async def test_a_missing_directory_is_refused_before_anything_ends(
    tmp_path: Path, argv: tuple[str, ...]
) -> None:
    made = await bought(tmp_path)
    error = await made.refused(*(word.replace("taken.ad", "no/where.ad") for word in argv))
    assert error.reason == "directory_missing"
    assert state(made) is AuthoringState.ARMED


async def test_an_element_that_nothing_tells_apart_fails_the_save_and_not_the_session(
    tmp_path: Path,
) -> None:
    made = await armed(tmp_path)
    refs = [node.ref for node in (await made.do("snapshot", "-i")).nodes if node.label == "Remove"]
    await made.do("press", f"@{refs[1]}")
    await made.do("wait", "label=Buy")
    made.session.actions.records[1] = _without_evidence(made.session.actions.records[1])
    for argv in (("session", "save-script"), ("close",)):
        error = await made.refused(*argv)
        assert (error.code, error.reason) == (ErrorCode.COMMAND_FAILED, "target_not_portable")
        assert state(made) is AuthoringState.ARMED
    await made.do("close", "--no-record")


def _without_evidence(record: ActionRecord) -> ActionRecord:
    return ActionRecord(command=record.command, targets=record.targets, mutates=True)


async def test_a_session_with_too_many_actions_saves_nothing(tmp_path: Path) -> None:
    made = await bought(tmp_path)
    made.session.actions.dropped = 1
    for argv in (("session", "save-script"), ("close",)):
        error = await made.refused(*argv)
        assert error.reason == "too_many_actions"
    assert MAX_ACTIONS == 50_000


async def test_a_script_begins_with_its_one_open(tmp_path: Path) -> None:
    made = await bought(tmp_path)
    first = made.session.actions.records.pop(0)
    assert (await made.refused("session", "save-script")).reason == "open_missing"
    made.session.actions.records[:0] = [first, first]
    assert (await made.refused("session", "save-script")).reason == "open_repeated"


@pytest.mark.parametrize(
    "argv",
    [("open", "stage", "--save-script", "--no-record"), ("close", "--save-script", "--no-record")],
    ids=["open", "close"],
)
async def test_a_script_and_no_record_exclude_each_other(tmp_path: Path, argv: tuple[str, ...]) -> None:
    made = Room(tmp_path, {"stage": SHOP})
    if argv[0] == "close":
        await made.do("open", "stage", "--save-script")
    error = await made.refused(*argv)
    assert (error.code, error.reason) == (ErrorCode.INVALID_ARGS, "record_conflict")
    assert len(made.store) == (1 if argv[0] == "close" else 0)


async def test_a_close_without_record_leaves_no_script(tmp_path: Path) -> None:
    made = await bought(tmp_path)
    assert (await made.do("close", "--no-record")).saved is None
    assert scripts(tmp_path) == []


async def test_an_authored_close_that_is_replayed_publishes_the_recording(tmp_path: Path) -> None:
    made = await armed(tmp_path)
    (tmp_path / "body.ad").write_text("context platform=sim\npress id=buy\nclose\n")
    data = await made.do("replay", "body.ad")
    assert data.session_active is False
    lines = (tmp_path / SCRIPT).read_text().splitlines()
    assert [line.split()[0] for line in lines if line[0] != "#"] == [
        "context",
        "open",
        "press",
        "close",
    ]


# -- a close that is refused ---------------------------------------------------------------------------

REFUSED: list[tuple[str, tuple[str, ...], str]] = [
    ("never armed", ("close", "--save-script"), "recording_not_armed"),
    ("taken", ("close", "--save-script=taken.ad"), "target_exists"),
    ("another platform", ("close", "--platform", "web"), "platform_mismatch"),
    ("a directory", ("close", "--save-script=state"), "target_not_a_file"),
]


@pytest.mark.parametrize(("_what", "argv", "reason"), REFUSED, ids=[row[0] for row in REFUSED])
async def test_a_close_is_refused_before_its_lane_is_taken(
    tmp_path: Path, _what: str, argv: tuple[str, ...], reason: str
) -> None:
    made = Room(tmp_path, {"stage": SHOP})
    flags = () if reason == "recording_not_armed" else (f"--save-script={SCRIPT}",)
    await made.do("open", "stage", "--session", "mine", *flags)
    (tmp_path / "taken.ad").write_text("mine")
    call = parse_argv([*argv, "--session", "mine"], made.env).call
    with pytest.raises(SurefootError) as caught:
        await route(call, made.caller, made.store)
    assert caught.value.reason == reason


async def test_a_close_that_would_be_admitted_is_routed(tmp_path: Path) -> None:
    made = await bought(tmp_path)
    place = await route(parse_argv(["close"], made.env).call, made.caller, made.store)
    assert place.lane == "preempt"
    assert state(made) is AuthoringState.ARMED


async def test_a_close_without_a_session_still_takes_the_lane_of_an_open(tmp_path: Path) -> None:
    made = Room(tmp_path, {"stage": SHOP})
    argv = ["close", "--save-script", "--session", "opening"]
    place = await route(parse_argv(argv, made.env).call, made.caller, made.store)
    assert (place.lane, place.session) == ("preempt", "opening")


# -- robustness ----------------------------------------------------------------------------------------


async def test_a_save_says_how_its_steps_fare_on_a_page_that_drifted(tmp_path: Path) -> None:
    made = await bought(tmp_path)
    captures = made.session.cost.captures
    saved = await made.do("session", "save-script")
    found = saved.robustness
    assert (found.trials, found.survived, found.score, found.untried) == (9, 7, 77, 0)
    told = [
        (step.step, step.command, step.label, one.mutation, one.outcome, one.reason)
        for step in found.steps
        for one in step.weaknesses
    ]
    assert told == [
        (2, "press", "Buy", "id-dropped", "refuses", "identity-mismatch"),
        (3, "wait", "Thank you", "label-translated", "refuses", "selector-miss"),
    ]
    assert made.session.cost.captures == captures
    assert made.inputs() == ["press buy"]


async def test_the_text_of_a_close_names_the_weak_steps(tmp_path: Path) -> None:
    made = await bought(tmp_path)
    text = await made.text("close")
    assert "robustness: 77 % (7 of 9 changes of the page survived)" in text
    assert '  step 2 press "Buy": refuses when its id is dropped' in text


async def test_a_wait_for_a_text_and_a_scroll_never_refuse_the_page_as_it_was(tmp_path: Path) -> None:
    """They take whatever says it, or is in view: nothing tells it from its equals, and nothing need."""
    rows = ", ".join(f'text "Row {at % 20}" height=60' for at in range(40))
    shop = app(f'document(main({rows}, button "Pay" #pay =pay))')
    made = Room(tmp_path, {"stage": shop})
    await made.do("open", "stage", f"--save-script={SCRIPT}")
    await made.do("wait", "text", "Row 3")
    await made.do("scroll", "down", "--until", "label='Row 15'")
    await made.do("scroll", "down", "2")
    await made.do("scroll", "down", "--until", "label='Row 17'")
    await made.do("press", "id=pay")
    saved = (await made.do("close")).saved
    told = [(step.command, one.mutation) for step in saved.robustness.steps for one in step.weaknesses]
    assert told == [("press", "id-dropped")]
    assert "step 6 goes by its id" in "\n".join(robustness_lines(saved.robustness))


async def test_a_session_without_elements_has_no_score(tmp_path: Path) -> None:
    made = await armed(tmp_path)
    assert (await made.do("close")).saved.robustness is None


async def test_a_save_does_not_hold_up_other_sessions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await bought(tmp_path)
    turns: list[Any] = []

    async def turn() -> None:
        while True:
            turns.append(None)
            await asyncio.sleep(0)

    beside = asyncio.create_task(turn())
    await asyncio.sleep(0)
    before = len(turns)
    await made.do("session", "save-script")
    beside.cancel()
    assert len(turns) > before + 1
