"""Seed 0012, decision 6: how a repair ends, whoever ends it (decisions.md, crash table and timers)."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.loss_matrix import LOSSES, lose
from tests.support.repairs import HOUR_MS, RENAMED, SCRIPT, THREE, Repairs, Teardown, shows
from tests.support.stage import app

from surefoot.errors import ErrorCode, SurefootError
from surefoot.recording import RepairState, commit, draft_of
from surefoot.session import POINTS, TOMBSTONE_S, watched

EVERY: tuple[Teardown, ...] = ("close", "idle", "shutdown")
UNASKED: tuple[Teardown, ...] = ("idle", "shutdown")

COMMANDS = (
    ("press", "label=One"),
    ("snapshot", "-i"),
    ("get", "text", "label=One"),
    ("find", "One", "click"),
    ("close",),
    ("close", "--save-script=x.ad"),
    ("session", "save-script"),
    ("open", "stage"),
    ("replay", SCRIPT),
    ("replay", SCRIPT, "--from", "3", "--plan-digest", "0" * 64),
    ("batch", "--steps", '[["press", "label=One"]]'),
)


@pytest.fixture
def made(tmp_path: Path) -> Repairs:
    return Repairs(tmp_path)


def expired(error: SurefootError) -> str | None:
    assert error.code is ErrorCode.REPAIR_SESSION_EXPIRED, error
    return error.reason


# -- complete: any teardown commits --------------------------------------------------------------------


@pytest.mark.parametrize("how", EVERY)
async def test_any_teardown_of_a_complete_repair_publishes_it(made: Repairs, how: Teardown) -> None:
    await made.completed()
    assert made.scripts() == [SCRIPT]
    await made.tear_down(how)
    shows(made.healed_lines(), "One", "Second", "Three")
    assert made.scripts() == [SCRIPT, "flow.healed.ad"]
    assert made.state is None


@pytest.mark.parametrize("how", EVERY)
async def test_a_committed_repair_is_gone_and_leaves_no_tombstone(made: Repairs, how: Teardown) -> None:
    await made.completed()
    await made.tear_down(how)
    await made.restart()
    error = await made.refused("press", "label=One")
    assert error.code is ErrorCode.SESSION_NOT_FOUND


async def test_a_second_teardown_publishes_nothing_again(made: Repairs) -> None:
    await made.completed()
    session, repair = made.session, made.repair
    await made.do("close")
    made.healed.unlink()
    assert repair.state is RepairState.COMMITTED
    assert commit(session, repair) is None
    await made.service.close()
    assert made.scripts() == [SCRIPT]


@pytest.mark.parametrize("how", UNASKED)
async def test_a_complete_repair_that_cannot_be_published_leaves_the_reason(
    made: Repairs, how: Teardown
) -> None:
    await made.completed()
    made.healed.write_text("somebody else's", encoding="utf-8")
    await made.tear_down(how)
    assert made.healed.read_text("utf-8") == "somebody else's"
    error = await made.refused("press", "label=One")
    assert expired(error) == "not_published"
    assert "exists already" in error.message


async def test_no_record_discards_even_a_complete_repair(made: Repairs) -> None:
    await made.completed()
    closed = await made.do("close", "--no-record")
    assert closed.saved is None
    assert any("discarded" in line for line in closed.warnings)
    assert (made.scripts(), made.state) == ([SCRIPT], None)


# -- not complete: any teardown aborts -----------------------------------------------------------------


@pytest.mark.parametrize("how", EVERY)
async def test_any_teardown_before_complete_publishes_nothing(made: Repairs, how: Teardown) -> None:
    await made.drifted()
    await made.press("Second")
    await made.tear_down(how)
    assert made.scripts() == [SCRIPT]


async def test_an_explicit_close_of_an_incomplete_repair_discards_it_and_says_so(made: Repairs) -> None:
    await made.drifted()
    closed = await made.do("close")
    assert closed.saved is None
    (warning,) = closed.warnings
    assert "was not complete (it stood at step 3 of 5)" in warning
    assert made.state is None
    assert (await made.refused("close")).code is ErrorCode.SESSION_NOT_FOUND


@pytest.mark.parametrize("how", UNASKED)
async def test_an_unasked_teardown_of_an_incomplete_repair_leaves_a_tombstone(
    made: Repairs, how: Teardown
) -> None:
    await made.drifted()
    await made.tear_down(how)
    assert made.state == "EXPIRED"
    assert made.sessions == []
    error = await made.refused("press", "label=One")
    assert expired(error) == how


# -- the tombstone -------------------------------------------------------------------------------------


@pytest.mark.parametrize("argv", COMMANDS, ids=" ".join)
async def test_every_command_on_a_tombstoned_key_says_that_the_repair_expired(
    made: Repairs, argv: tuple[str, ...]
) -> None:
    await made.drifted()
    await made.restart()
    assert expired(await made.refused(*argv)) == "daemon_lost"
    assert made.sessions == []


async def test_a_tombstone_names_the_owner_the_script_and_the_way_to_start_again(made: Repairs) -> None:
    await made.drifted()
    await made.restart()
    error = await made.refused("close")
    assert error.details["owner"] == str(made.directory)
    assert error.details["script"] == str(made.directory / SCRIPT)
    assert error.details["restart"] == "surefoot replay flow.ad --platform sim --save-script"
    assert "`surefoot replay flow.ad --platform sim --save-script`" in error.hint


async def test_another_session_key_is_free(made: Repairs) -> None:
    await made.drifted()
    await made.restart()
    made.session_name = "other"
    assert (await made.refused("press", "label=One")).code is ErrorCode.SESSION_NOT_FOUND
    await made.do("open", "stage")


async def test_without_a_platform_the_implicit_key_is_found_by_its_tombstone(made: Repairs) -> None:
    await made.drifted()
    await made.restart()
    made.env.clear()
    assert expired(await made.refused("press", "label=One")) == "daemon_lost"


async def test_a_new_armed_replay_clears_the_tombstone(made: Repairs) -> None:
    await made.drifted()
    await made.restart()
    made.change(RENAMED)
    report = await made.diverge("--save-script")
    assert made.state == "ARMED"
    await made.press("Second")
    await made.resume(4, report.resume.plan_digest)
    await made.do("close")
    shows(made.healed_lines(), "One", "Second", "Three")


async def test_an_armed_replay_that_is_refused_leaves_the_tombstone(made: Repairs) -> None:
    await made.drifted()
    await made.restart()
    made.healed.write_text("there", encoding="utf-8")
    assert (await made.refused("replay", SCRIPT, "--save-script")).reason == "target_exists"
    assert expired(await made.refused("close")) == "daemon_lost"


async def test_a_tombstone_lasts_a_day(made: Repairs, monkeypatch: pytest.MonkeyPatch) -> None:
    await made.drifted()
    await made.restart()
    ledger = made.service._store.repairs
    (record,) = made.records
    assert record.expires_at is not None
    assert TOMBSTONE_S == 24 * 60 * 60
    monkeypatch.setattr(ledger, "_now", lambda: record.expires_at - 1)
    assert expired(await made.refused("press", "label=One")) == "daemon_lost"
    monkeypatch.setattr(ledger, "_now", lambda: record.expires_at)
    assert (await made.refused("press", "label=One")).code is ErrorCode.SESSION_NOT_FOUND
    assert made.state is None


# -- timers --------------------------------------------------------------------------------------------


async def test_an_armed_repair_waits_two_hours_and_not_half_of_one(made: Repairs) -> None:
    await made.drifted()
    used = made.session.last_used_ms
    made.clock.advance(used + 2 * HOUR_MS - 1 - made.clock.now_ms())
    await made.service.tidy()
    assert made.state == "ARMED"
    made.clock.advance(1)
    await made.service.tidy()
    assert made.state == "EXPIRED"


async def test_a_session_that_is_not_under_repair_is_closed_after_half_an_hour(made: Repairs) -> None:
    await made.do("open", "stage")
    made.clock.advance(0.5 * HOUR_MS)
    await made.service.tidy()
    assert made.sessions == []


# -- the daemon is lost --------------------------------------------------------------------------------


async def test_a_complete_repair_is_published_by_the_next_daemon(made: Repairs) -> None:
    await made.completed()
    await made.restart()
    shows(made.healed_lines(), "One", "Second", "Three")
    assert made.state is None
    assert (await made.refused("close")).code is ErrorCode.SESSION_NOT_FOUND


async def test_the_next_daemon_publishes_what_an_orderly_close_would_have(made: Repairs) -> None:
    await made.completed()
    orderly = made.repair.record.text
    await made.restart()
    assert made.healed.read_text("utf-8") == orderly


async def test_the_next_daemon_replaces_no_file(made: Repairs) -> None:
    await made.completed()
    made.healed.write_text("somebody else's", encoding="utf-8")
    await made.restart()
    assert made.healed.read_text("utf-8") == "somebody else's"
    assert expired(await made.refused("press", "label=One")) == "not_published"


async def test_a_crash_between_the_link_and_its_note_is_a_published_repair(made: Repairs) -> None:
    await made.completed()
    record = made.repair.record
    assert record.text is not None
    made.healed.write_text(record.text, encoding="utf-8")
    await made.restart()
    assert made.state is None
    assert made.scripts() == [SCRIPT, "flow.healed.ad"]


async def test_a_draft_that_a_crash_left_is_taken_away(made: Repairs) -> None:
    await made.completed()
    record = made.repair.record
    draft_of(made.healed, record.token).write_text("half a scr", encoding="utf-8")
    await made.restart()
    shows(made.healed_lines(), "One", "Second", "Three")
    assert made.scripts() == [SCRIPT, "flow.healed.ad"]


async def test_a_retarget_is_on_disk_before_anything_is_published(made: Repairs) -> None:
    await made.completed()
    seen: list[str] = []

    def at(point: str) -> None:
        if point == "publish.drafted":
            seen.append(made.records[0].target)

    with watched(at):
        await made.do("close", "--save-script=b.ad")
    assert seen == [str(made.directory / "b.ad")]


async def test_a_retarget_that_loses_the_race_goes_back(made: Repairs) -> None:
    await made.completed()

    def at(point: str) -> None:
        if point == "commit.retargeted":
            (made.directory / "b.ad").write_text("first", encoding="utf-8")

    with watched(at):
        error = await made.refused("close", "--save-script=b.ad")
    assert error.reason == "target_exists"
    assert (made.directory / "b.ad").read_text("utf-8") == "first"
    assert made.records[0].target == str(made.healed)
    await made.do("close")
    shows(made.healed_lines(), "One", "Second", "Three")


# -- the browser or the device is lost -----------------------------------------------------------------


@pytest.mark.parametrize("point", LOSSES)
async def test_a_device_lost_at_any_point_leaves_a_tombstone_or_the_whole_heal(
    tmp_path: Path, point: str
) -> None:
    await lose(point, tmp_path)


def test_every_point_at_which_there_is_an_app_to_lose_has_a_row() -> None:
    without = {"arm.begun", "arm.drafted", "armed", "closed", "expired.drafted", "expired"}
    assert set(LOSSES) == set(POINTS) - without
    assert len(LOSSES) >= 12


async def test_an_armed_session_whose_device_is_lost_is_buried_even_when_nobody_asks(
    made: Repairs,
) -> None:
    await made.drifted()
    made.app.device.die("driver_lost")
    await made.service.tidy()
    assert made.sessions == []
    assert expired(await made.refused("close")) == "browser_lost"


async def test_an_app_that_crashed_on_a_living_device_keeps_its_repair(made: Repairs) -> None:
    await made.drifted(app(THREE.replace('"Two"', '"Second"')))
    made.app.device.die("app_crashed")
    await made.refused("press", "label=Second")
    assert made.state == "ARMED"
