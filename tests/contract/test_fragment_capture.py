"""The life of a fragment capture (seed 0020): its guard, what it admits and excludes, how it ends."""

from __future__ import annotations

import dataclasses
import errno
import os
import shlex
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from tests.support.commands_room import Room
from tests.support.repairs import HOUR_MS, Repairs
from tests.support.stage import NO_FAST_PATHS, app, sets

from surefoot.commands import DESCRIPTORS, GRAMMAR
from surefoot.errors import ErrorCode, SurefootError
from surefoot.recording import FragmentState, fragment_of
from surefoot.session import ActionRecord

SHOP = app(
    """document "Shop"(main(
        heading "Sign in" level=1,
        textbox "Name" #name =name,
        textbox "Password" #password password =password,
        button "Enter" #enter =enter,
        button "Remove" =one, button "Remove" =two,
        generic =bare,
        text "Welcome" if=inside))""",
    sets("press", "enter", "inside"),
    without=NO_FAST_PATHS,
)
ENTRY = 'role=heading label="Sign in"'
PATH = "sign-in.ad"
START = ("session", "fragment", "start", PATH, "--entry", ENTRY)
SAVE = ("session", "fragment", "save")
ABORT = ("session", "fragment", "abort")


async def opened(directory: Path) -> Room:
    made = Room(directory, {"stage": SHOP})
    await made.do("open", "stage")
    return made


async def armed(directory: Path, *flags: str) -> Room:
    made = await opened(directory)
    await made.do(*START, *flags)
    return made


async def walked(directory: Path, *flags: str) -> Room:
    """An armed capture of the sign-in: three actions behind the guard."""
    made = await armed(directory, *flags)
    await made.do("fill", "id=name", "Ada")
    await made.do("press", "id=enter")
    await made.do("wait", "label=Welcome", "2000")
    return made


def state(made: Room) -> FragmentState | None:
    capture = fragment_of(made.session)
    return None if capture is None else capture.state


def text(directory: Path, name: str = PATH) -> str:
    return (directory / name).read_text(encoding="utf-8")


def steps(directory: Path, name: str = PATH) -> list[str]:
    return [line for line in text(directory, name).splitlines() if not line.startswith("#")]


# -- start: the entry guard ----------------------------------------------------------------------------


async def test_the_guard_is_local_step_1_with_verified_evidence_and_a_concrete_timeout(
    tmp_path: Path,
) -> None:
    made = await armed(tmp_path)
    await made.do(*SAVE)
    lines = text(tmp_path).splitlines()
    assert lines[:2] == ["fragment-v1", "context platform=sim target=desktop"]
    assert lines[2].startswith(
        '# agent-device:target-v1 {"role":"heading","label":"Sign in","ancestry":'
    )
    assert lines[2].endswith('"verification":"verified"}')
    assert lines[3:] == ['wait "role=heading label=\\"Sign in\\"" 10000']


async def test_an_entry_timeout_is_written_as_it_was_given(tmp_path: Path) -> None:
    made = await armed(tmp_path, "--entry-timeout", "2500")
    await made.do(*SAVE)
    assert text(tmp_path).splitlines()[-1] == 'wait "role=heading label=\\"Sign in\\"" 2500'


async def test_start_says_what_it_armed(tmp_path: Path) -> None:
    made = await opened(tmp_path)
    data = await made.do(*START)
    assert (data.path, data.state, data.actions, data.timeout_ms, data.exists) == (
        str(tmp_path / PATH),
        "ARMED",
        1,
        10_000,
        False,
    )
    (listed,) = (await made.do("session", "list")).sessions
    assert (listed.fragment, listed.recording) == ("ARMED", None)


@pytest.mark.parametrize(
    ("entry", "code", "reason"),
    [
        ("label=Nobody", ErrorCode.ELEMENT_NOT_FOUND, "selector_not_found"),
        ("label=Remove", ErrorCode.AMBIGUOUS_MATCH, "ambiguous_match"),
        ("role=generic", ErrorCode.INVALID_ARGS, "fragment_entry_guard"),
        ("@e3", ErrorCode.INVALID_ARGS, "fragment_entry_guard"),
        ("@e3~s1", ErrorCode.INVALID_ARGS, "fragment_entry_guard"),
        ("not a selector", ErrorCode.INVALID_ARGS, None),
    ],
    ids=["absent", "ambiguous", "identity-empty", "ref", "pinned-ref", "no-selector"],
)
async def test_a_landmark_that_proves_nothing_arms_nothing(
    tmp_path: Path, entry: str, code: ErrorCode, reason: str | None
) -> None:
    made = await opened(tmp_path)
    error = await made.refused("session", "fragment", "start", PATH, "--entry", entry)
    assert error.code is code
    assert reason is None or error.reason == reason
    assert state(made) is None
    assert made.session.recording is None
    await made.do(*START)


async def test_a_landmark_named_by_a_secret_arms_nothing(tmp_path: Path) -> None:
    made = await armed(tmp_path)
    await made.do("fill", "id=name", "Sign in", "--record-as", "WORDS")
    await made.do(*ABORT)
    error = await made.refused(*START)
    assert (error.reason, error.details["problem"]) == ("fragment_entry_guard", "secret")
    assert state(made) is FragmentState.ABORTED


@pytest.mark.parametrize(
    ("path", "reason"), [("no/where.ad", "directory_missing"), ("state", "target_not_a_file")]
)
async def test_a_place_where_no_file_can_be_is_refused_before_arming(
    tmp_path: Path, path: str, reason: str
) -> None:
    made = await opened(tmp_path)
    error = await made.refused("session", "fragment", "start", path, "--entry", ENTRY)
    assert error.reason == reason
    assert state(made) is None


async def test_start_without_a_session_or_with_no_record_is_refused(tmp_path: Path) -> None:
    made = Room(tmp_path, {"stage": SHOP})
    assert (await made.refused(*START)).code is ErrorCode.SESSION_NOT_FOUND
    await made.do("open", "stage")
    assert (await made.refused(*START, "--no-record")).reason == "record_conflict"
    assert state(made) is None


# -- the body ------------------------------------------------------------------------------------------


async def test_the_body_is_what_was_done_between_start_and_save(tmp_path: Path) -> None:
    made = await opened(tmp_path)
    await made.do("fill", "id=name", "before")
    await made.do(*START)
    await made.do("fill", "id=name", "Ada")
    await made.do("snapshot", "-i")
    await made.do("press", "id=enter", "--no-record")
    await made.do("find", "Enter", "click")
    await made.do(*SAVE)
    await made.do("fill", "id=name", "after")
    assert [line.split()[0] for line in steps(tmp_path)] == [
        "fragment-v1",
        "context",
        "wait",
        "fill",
        "click",
    ]
    assert '"Ada"' in text(tmp_path)
    assert "open" not in [record.command for record in _capture(made).records]


async def test_the_session_log_goes_on_beside_the_capture(tmp_path: Path) -> None:
    made = await walked(tmp_path)
    await made.do(*SAVE)
    assert [record.command for record in made.session.actions.records] == [
        "open",
        "fill",
        "press",
        "wait",
    ]
    assert [record.command for record in _capture(made).records] == ["wait", "fill", "press", "wait"]


async def test_a_named_input_is_a_variable_everywhere(tmp_path: Path) -> None:
    made = await armed(tmp_path)
    answer = await made.text("fill", "id=password", "correct horse", "--record-as", "PASSWORD")
    await made.do(*SAVE)
    assert '"${PASSWORD}"' in text(tmp_path)
    assert "correct horse" not in answer + text(tmp_path)


async def test_a_literal_password_is_warned_about(tmp_path: Path) -> None:
    made = await armed(tmp_path)
    assert "use --record-as NAME" in await made.text("fill", "id=password", "hunter2")


async def test_a_wait_for_a_ref_is_no_step(tmp_path: Path) -> None:
    made = await armed(tmp_path)
    ref = next(node.ref for node in (await made.do("snapshot", "-i")).nodes if node.label == "Enter")
    assert (await made.refused("wait", f"@{ref}")).reason == "ref_wait_not_recordable"


# -- admission -----------------------------------------------------------------------------------------

REFUSED = {
    "batch": ("batch", "--steps", '[["back"]]'),
    "dialog get": ("dialog", "get"),
    "diff snapshot": ("diff", "snapshot"),
    "find": ("find", "Enter"),
    "open": ("open", "stage"),
    "replay": ("replay", "flow.ad"),
    "session fragment start": START,
    "session save-script": ("session", "save-script"),
    "tab list": ("tab", "list"),
}


def test_every_descriptor_of_a_session_is_admitted_by_its_trait_or_ends_the_capture() -> None:
    held = [one for one in DESCRIPTORS if one.traits.lane in ("session", "preempt")]
    left = {one.name for one in held if not one.traits.fragment_safe and not one.ends_capture}
    assert left == set(REFUSED)
    assert {one.name for one in held if one.ends_capture} == {
        "close",
        "session fragment save",
        "session fragment abort",
    }


@pytest.mark.parametrize("name", REFUSED)
async def test_an_undeclared_command_is_refused_before_dispatch_and_the_capture_stays_armed(
    tmp_path: Path, name: str
) -> None:
    made = await walked(tmp_path)
    (tmp_path / "flow.ad").write_text('open "stage"\npress "id=enter"\n', encoding="utf-8")
    before, captures = made.inputs(), made.session.cost.mark()
    error = await made.refused(*REFUSED[name])
    assert error.code is ErrorCode.INVALID_ARGS
    assert error.reason in ("fragment_lifecycle", "fragment_capture_conflict")
    assert made.inputs() == before
    assert made.session.cost.since(captures).captures == 0
    assert state(made) is FragmentState.ARMED
    assert (await made.do(*SAVE)).actions == 4


async def test_a_command_that_loses_its_trait_is_refused_without_being_named_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await armed(tmp_path)
    press = GRAMMAR.find("press")
    undeclared = dataclasses.replace(
        press, traits=dataclasses.replace(press.traits, fragment_safe=False)
    )
    monkeypatch.setitem(GRAMMAR.by_name, "press", undeclared)
    error = await made.refused("press", "id=enter")
    assert (error.reason, error.details["command"]) == ("fragment_lifecycle", "press")
    assert made.inputs() == []
    monkeypatch.undo()
    await made.do("press", "id=enter")
    assert (await made.do(*SAVE)).actions == 2


async def test_what_belongs_to_no_session_goes_on(tmp_path: Path) -> None:
    made = await armed(tmp_path)
    await made.do("session", "list")
    await made.do("events")
    await made.do("capabilities")


# -- conflicts -----------------------------------------------------------------------------------------

FLOW = 'context platform=sim\nopen "stage"\npress "id=enter"\n'
DRIFTED = 'context platform=sim\nopen "stage"\npress "label=Nobody"\n'

OPERATIONS: dict[str, tuple[str, ...]] = {
    "open": ("open", "stage"),
    "open --save-script": ("open", "stage", "--save-script=x.ad"),
    "session save-script": ("session", "save-script", "x.ad"),
    "close --save-script": ("close", "--save-script=x.ad"),
    "replay --save-script": ("replay", "flow.ad", "--save-script=x.ad"),
    "session fragment start": START,
}


async def _published(directory: Path) -> Room:
    made = await armed(directory)
    await made.do(*SAVE)
    (directory / PATH).unlink()
    return made


async def _aborted(directory: Path) -> Room:
    made = await armed(directory)
    await made.do(*ABORT)
    return made


async def _recorded(directory: Path) -> Room:
    made = Room(directory, {"stage": SHOP})
    await made.do("open", "stage", "--save-script=recorded.ad")
    return made


async def _repairing(directory: Path) -> Room:
    made = Room(directory, {"stage": SHOP})
    (directory / "drifted.ad").write_text(DRIFTED, encoding="utf-8")
    error = await made.refused("replay", "drifted.ad", "--save-script")
    assert error.code is ErrorCode.REPLAY_DIVERGENCE
    return made


STATES: dict[str, Callable[[Path], Awaitable[Room]]] = {
    "fragment_armed": armed,
    "fragment_published": _published,
    "fragment_aborted": _aborted,
    "recording_armed": _recorded,
    "repair_armed": _repairing,
}
PUBLICATIONS = ("open --save-script", "session save-script", "close --save-script")
CONFLICTS = {
    *(("fragment_armed", operation) for operation in OPERATIONS),
    *(("fragment_published", operation) for operation in PUBLICATIONS),
    *(("fragment_aborted", operation) for operation in PUBLICATIONS),
    ("recording_armed", "session fragment start"),
    ("repair_armed", "session fragment start"),
}
OTHERS = {
    ("recording_armed", "open --save-script"): "session_already_open",
    ("recording_armed", "session save-script"): "destination_guard_missing",
    ("recording_armed", "replay --save-script"): "recording_active",
    ("repair_armed", "open --save-script"): "session_already_open",
    ("repair_armed", "session save-script"): "repair_active",
    ("repair_armed", "replay --save-script"): "repair_active",
}
"""What the sibling lifecycles say to each other, as before."""


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("before", STATES)
async def test_the_conflict_matrix(tmp_path: Path, before: str, operation: str) -> None:
    made = await STATES[before](tmp_path)
    (tmp_path / "flow.ad").write_text(FLOW, encoding="utf-8")
    inputs, mark = made.inputs(), made.session.cost.mark()
    app_before, recording = made.session.app, made.session.recording
    try:
        await made.do(*OPERATIONS[operation])
        said = None
    except SurefootError as error:
        said = error
    if (before, operation) in CONFLICTS:
        assert said is not None
        assert said.code is ErrorCode.INVALID_ARGS
        assert said.details == {
            "reason": "fragment_capture_conflict",
            "sessionState": before,
            "conflictingOperation": operation,
        }
        assert (made.inputs(), made.session.cost.since(mark).captures) == (inputs, 0)
        assert (made.session.app, made.session.recording) == (app_before, recording)
        assert not (tmp_path / "x.ad").exists()
        if before != "fragment_armed":
            assert said.hint == "Start a fresh session for it."
    else:
        assert (None if said is None else said.reason) == OTHERS.get((before, operation))


async def test_the_conflict_of_a_close_comes_before_anything_that_runs_is_ended(
    tmp_path: Path,
) -> None:
    from surefoot.commands import parse_argv, route

    made = await armed(tmp_path)
    call = parse_argv(("close", "--save-script"), made.env).call
    with pytest.raises(SurefootError) as refused:
        await route(call, made.caller, made.store)
    assert refused.value.reason == "fragment_capture_conflict"


# -- save ----------------------------------------------------------------------------------------------


async def test_save_prints_path_digest_and_the_lines_that_pin_it(tmp_path: Path) -> None:
    made = await walked(tmp_path)
    data = await made.do(*SAVE)
    digest = (await made.do("fragment", "digest", PATH)).digest
    assert (data.path, data.actions, data.digest) == (str(tmp_path / PATH), 4, digest)
    reference = '{"callSiteId":"sign-in","digest":"' + digest + '"}'
    assert data.pin == (
        f"# agent-device:fragment-ref-v1 {reference}",
        'include "./sign-in.ad"',
    )
    assert state(made) is FragmentState.PUBLISHED
    await made.do("press", "id=enter")


async def test_the_printed_lines_make_a_flow_that_replays(tmp_path: Path) -> None:
    made = await walked(tmp_path)
    pin = (await made.do(*SAVE)).pin
    await made.do("close")
    flow = ["composition-v1", "context platform=sim target=desktop", 'open "stage"', *pin, "close"]
    (tmp_path / "main.ad").write_text("\n".join([*flow, ""]), encoding="utf-8")
    assert (await made.do("replay", "main.ad")).replayed == 6


async def test_an_existing_file_stays_and_the_capture_stays_armed_until_force(tmp_path: Path) -> None:
    made = await walked(tmp_path)
    (tmp_path / PATH).write_bytes(b"\x00mine\xff")
    error = await made.refused(*SAVE)
    assert (error.code, error.reason) == (ErrorCode.INVALID_ARGS, "target_exists")
    assert (tmp_path / PATH).read_bytes() == b"\x00mine\xff"
    assert state(made) is FragmentState.ARMED
    await made.do("fill", "id=name", "more")
    assert (await made.do(*SAVE, "--force")).actions == 5
    assert text(tmp_path).startswith("fragment-v1\n")


async def test_start_tells_of_an_existing_file_and_its_force_holds_for_the_save(tmp_path: Path) -> None:
    (tmp_path / PATH).write_text("mine", encoding="utf-8")
    made = await opened(tmp_path)
    assert "the file exists already: saving needs --force" in await made.text(*START)
    await made.do(*ABORT)
    await made.do(*START, "--force")
    await made.do(*SAVE)
    assert text(tmp_path) != "mine"


async def test_a_file_system_that_fails_leaves_it_armed_and_retryable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await walked(tmp_path)

    def full(*_args: object, **_more: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "link", full)
        error = await made.refused(*SAVE)
    assert (error.code, error.reason) == (ErrorCode.COMMAND_FAILED, "publication_failed")
    assert state(made) is FragmentState.ARMED
    assert os.listdir(tmp_path) == ["state"]
    await made.do(*SAVE)


async def test_an_element_that_nothing_tells_apart_leaves_it_armed(tmp_path: Path) -> None:
    made = await armed(tmp_path)
    refs = [node.ref for node in (await made.do("snapshot", "-i")).nodes if node.label == "Remove"]
    await made.do("press", f"@{refs[1]}")
    records = _capture(made).records
    records[1] = dataclasses.replace(records[1], evidence=None)
    assert (await made.refused(*SAVE)).reason == "target_not_portable"
    assert state(made) is FragmentState.ARMED
    assert not (tmp_path / PATH).exists()


async def test_a_guardless_fragment_is_never_written(tmp_path: Path) -> None:
    made = await walked(tmp_path)
    del _capture(made).records[0]
    error = await made.refused(*SAVE)
    assert error.reason == "fragment_entry_guard"
    assert (state(made), (tmp_path / PATH).exists()) == (FragmentState.ARMED, False)


async def test_a_guard_without_verified_evidence_is_never_written(tmp_path: Path) -> None:
    made = await walked(tmp_path)
    records = _capture(made).records
    records[0] = dataclasses.replace(records[0], evidence=None)
    assert (await made.refused(*SAVE)).reason == "fragment_entry_guard"
    assert not (tmp_path / PATH).exists()


@pytest.mark.parametrize("command", ["open", "close"])
async def test_an_open_or_close_in_the_body_is_never_written(tmp_path: Path, command: str) -> None:
    made = await walked(tmp_path)
    words = ("stage",) if command == "open" else ()
    _capture(made).records.append(ActionRecord(command=command, positionals=words))
    error = await made.refused(*SAVE)
    assert error.reason == "fragment_lifecycle"
    assert (state(made), (tmp_path / PATH).exists()) == (FragmentState.ARMED, False)


async def test_more_actions_than_a_plan_may_hold_are_refused(tmp_path: Path) -> None:
    made = await walked(tmp_path)
    _capture(made).dropped = 1
    assert (await made.refused(*SAVE)).reason == "too_many_actions"
    assert state(made) is FragmentState.ARMED


@pytest.mark.parametrize("word", ["save", "abort"])
async def test_what_was_never_armed_or_is_over_is_neither_saved_nor_aborted(
    tmp_path: Path, word: str
) -> None:
    made = await opened(tmp_path)
    for told, ended, end in [
        ("never armed", None, None),
        ("PUBLISHED", None, SAVE),
        ("ABORTED", "aborted", ABORT),
    ]:
        if end is not None:
            await made.do(*START, "--force")
            await made.do(*end)
        error = await made.refused("session", "fragment", word)
        assert error.reason == "fragment_not_armed"
        assert (error.details["state"], error.details["endedBy"]) == (told, ended)


async def test_what_a_refused_repair_names_records_the_one_fragment_again(tmp_path: Path) -> None:
    made = await walked(tmp_path)
    pin = (await made.do(*SAVE)).pin
    await made.do("close")
    flow = ["composition-v1", "context platform=sim target=desktop", 'open "stage"', *pin, "close"]
    (tmp_path / "main.ad").write_text("\n".join([*flow, ""]), encoding="utf-8")
    error = await made.refused("replay", "main.ad", "--save-script")
    assert error.reason == "fragment_repair_unsupported"
    (named,) = error.details["fragments"]
    start, save, repin = (shlex.split(command)[1:] for command in named["commands"])
    await made.do("open", "stage")
    await made.do(*start)
    await made.do("fill", "id=name", "Grace")
    await made.do(*save)
    await made.do("close")
    assert (await made.refused("replay", "main.ad")).reason == "fragment_stale"
    await made.do(*repin)
    assert (await made.do("replay", "main.ad")).replayed == 4


async def test_another_session_is_opened_while_one_captures(tmp_path: Path) -> None:
    made = await armed(tmp_path)
    await made.do("open", "stage", "--session", "other", "--save-script=other.ad")
    await made.do("close", "--session", "other")
    assert state(made) is FragmentState.ARMED


# -- the end -------------------------------------------------------------------------------------------


async def test_abort_leaves_the_session_and_no_file_and_a_new_start_is_possible(tmp_path: Path) -> None:
    made = await walked(tmp_path)
    data = await made.do(*ABORT)
    assert (data.state, data.actions) == ("ABORTED", 4)
    assert os.listdir(tmp_path) == ["state"]
    await made.do(*START)
    assert (await made.do(*SAVE)).actions == 1


async def test_close_aborts_without_a_file_and_then_closes(tmp_path: Path) -> None:
    made = await walked(tmp_path)
    session = made.session
    said = await made.text("close")
    assert "The fragment capture was aborted: nothing was saved." in said
    assert _of(session) == (FragmentState.ABORTED, "closed")
    assert os.listdir(tmp_path) == ["state"]
    assert len(made.store) == 0
    await made.do("open", "stage")


async def test_close_after_an_abort_strands_nothing(tmp_path: Path) -> None:
    made = await walked(tmp_path)
    await made.do(*ABORT)
    assert "aborted" not in await made.text("close")
    assert len(made.store) == 0


@pytest.mark.parametrize("how", ["idle", "shutdown"])
async def test_a_session_that_ends_unasked_takes_the_capture_with_it(tmp_path: Path, how: Any) -> None:
    made = Repairs(tmp_path, screen=SHOP)
    await made.do("open", "stage")
    await made.do(*START)
    session = made.session
    if how == "idle":
        made.clock.advance(HOUR_MS)
    await made.tear_down(how)
    assert _of(session) == (FragmentState.ABORTED, how)
    assert len(made.sessions) == 0
    assert os.listdir(tmp_path) == ["state"]


async def test_the_end_of_the_owning_connection_aborts_and_the_session_stays(tmp_path: Path) -> None:
    made = Repairs(tmp_path, screen=SHOP)
    await made.do("open", "stage")
    made.caller.lease = "mine"
    await made.do(*START)
    await made.service.released("another")
    assert _of(made.session) == (FragmentState.ARMED, None)
    await made.service.released("mine")
    assert _of(made.session) == (FragmentState.ABORTED, "connection_ended")
    error = await made.refused(*SAVE)
    assert (error.reason, error.details["endedBy"]) == ("fragment_not_armed", "connection_ended")
    await made.do("press", "id=enter")


async def test_the_end_of_a_connection_leaves_the_capture_of_a_one_shot_command(tmp_path: Path) -> None:
    made = Repairs(tmp_path, screen=SHOP)
    await made.do("open", "stage")
    await made.do(*START)
    await made.service.released("any")
    assert _of(made.session) == (FragmentState.ARMED, None)
    await made.do(*SAVE)


async def test_a_published_fragment_stays_when_its_connection_ends(tmp_path: Path) -> None:
    made = Repairs(tmp_path, screen=SHOP)
    await made.do("open", "stage")
    made.caller.lease = "mine"
    await made.do(*START)
    await made.do(*SAVE)
    await made.service.released("mine")
    assert _of(made.session) == (FragmentState.PUBLISHED, None)


async def test_the_event_log_tells_how_a_capture_ended(tmp_path: Path) -> None:
    made = await walked(tmp_path)
    await made.do(*ABORT)
    await made.do(*START)
    await made.do(*SAVE)
    events = [entry.event for entry in (await made.do("events")).events]
    told = [event for event in events if type(event).__name__ == "Published"]
    assert [(one.kind, one.success, one.actions, one.reason) for one in told] == [
        ("fragment", False, 4, "aborted"),
        ("fragment", True, 1, None),
    ]


def _capture(made: Room) -> Any:
    capture = fragment_of(made.session)
    assert capture is not None
    return capture


def _of(session: Any) -> tuple[FragmentState, str | None]:
    capture = fragment_of(session)
    assert capture is not None
    return capture.state, capture.ended_by
