"""Seed 0012, decision 6: the acceptance list of decision 5, item by item, on the real service.

Each rule's test fails under a planted mutation (tests/mutations/repair.toml).
"""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest
from tests.support.repairs import HEALED, LAST_RENAMED, RENAMED, SCRIPT, THREE, Repairs, shows
from tests.support.replays import available
from tests.support.stage import app

from surefoot.commands.families.repairing import RepairingExecutor
from surefoot.commands.language.script_grammar import SCRIPT_GRAMMAR
from surefoot.drivers.sim.spec import Action, Rule
from surefoot.errors import ErrorCode, SurefootError
from surefoot.recording import default_healed
from surefoot.session import ActionRecord, SessionStore

BOTH = THREE.replace('"Two"', '"Second"').replace('"Three"', '"Third"')


def _full(*_: object) -> None:
    raise OSError(28, "No space left on device")


@pytest.fixture
def made(tmp_path: Path) -> Repairs:
    return Repairs(tmp_path)


# -- the healed script ---------------------------------------------------------------------------------


async def test_a_healed_script_replays_end_to_end_in_a_fresh_session(made: Repairs) -> None:
    await made.completed()
    await made.do("close")
    replayed = await made.do("replay", HEALED, "--keep-session")
    assert replayed.replayed == 4
    assert made.inputs() == ["press one", "press two", "press three"]


async def test_every_selector_step_of_a_healed_script_is_annotated_and_none_is_a_ref(
    made: Repairs,
) -> None:
    await made.completed()
    await made.do("close")
    lines = made.healed.read_text("utf-8").splitlines()
    steps = [at for at, line in enumerate(lines) if line.startswith("press ")]
    assert len(steps) == 3
    for at in steps:
        assert lines[at - 1].startswith("# agent-device:target-v1 {")
        assert '"verification":"verified"' in lines[at - 1]
    assert not any(" @e" in line or '"@e' in line for line in lines)


async def test_a_corrective_press_by_a_ref_of_the_divergence_becomes_a_selector_with_fresh_evidence(
    made: Repairs,
) -> None:
    report = await made.drifted()
    screen = available(report)
    ref = next(item.ref for item in screen.refs if item.label == "Second")
    await made.do("press", f"@{ref}~s{screen.refs_generation}")
    await made.resume(report.resume.from_, report.resume.plan_digest)
    await made.do("close")
    shows(made.healed_lines(), "One", "Second", "Three")
    assert '"label":"Second"' in made.healed.read_text("utf-8")


async def test_a_state_fix_without_record_stays_out_and_the_unchanged_step_stays_in(
    made: Repairs,
) -> None:
    screen = app(
        'document "Other"(main(heading "Sign in" level=1, button "Back" =back))',
        Rule(press="back", do=(Action(go="shop"),)),
        shop=THREE,
    )
    report = await made.drifted(screen)
    assert (report.step.index, report.repair_hint, report.resume.from_) == (2, "state-repair", 2)
    await made.press("Back", "--no-record")
    await made.resume(2, report.resume.plan_digest)
    await made.do("close")
    shows(made.healed_lines(), "One", "Two", "Three")


async def test_the_env_and_context_of_the_original_go_into_the_healed_script(made: Repairs) -> None:
    made.screen = 'document "Shop"(main(textbox "Name" =name editable, button "Go" =go))'
    made.write("env NAME=Ada", "open stage", 'fill "label=Name" "${NAME}"', 'press "label=Walk"')
    made.write("env NAME=Ada", "open stage", 'fill "label=Name" "${NAME}"', 'press "label=Go"')
    await made.do("replay", SCRIPT, "--save-script")
    await made.do("close")
    text = made.healed.read_text("utf-8")
    assert text.startswith("context platform=sim target=desktop\nenv NAME=Ada\n")
    assert '"${NAME}"' in text
    await made.do("replay", HEALED, "--keep-session")
    assert made.inputs() == ["fill name", "press go"]


# -- R1: armed from step 1 -----------------------------------------------------------------------------


async def test_R1_the_prefix_carries_fresh_evidence_where_the_original_had_none(made: Repairs) -> None:
    made.write("open stage", 'press "label=One"', 'press "label=Two"')
    made.change(RENAMED)
    report = await made.diverge("--save-script")
    assert report.step.index == 3
    await made.press("Second")
    await made.resume(4, report.resume.plan_digest)
    await made.do("close")
    annotated = made.healed.read_text("utf-8").count("# agent-device:target-v1")
    assert annotated == 2


async def test_R1_a_repair_cannot_be_armed_in_the_middle(made: Repairs) -> None:
    report = await made.drifted()
    error = await made.refused(
        "replay", SCRIPT, "--save-script", *made.resumed(4, report.resume.plan_digest)
    )
    assert (error.code, error.reason) == (ErrorCode.INVALID_ARGS, "repair_starts_whole")


async def test_R1_ARMED_is_on_disk_before_step_1_runs(made: Repairs) -> None:
    await made.record()
    states: list[str | None] = []
    made.change(app(THREE, Rule(press="one", do=(Action(go="start"),))))
    original = made.service._platforms.get

    async def get(platform: str) -> object:
        states.append(made.state)
        return await original(platform)

    made.service._platforms.get = get  # type: ignore[method-assign,assignment]
    await made.do("replay", SCRIPT, "--save-script")
    assert states[0] == "ARMED"


async def test_without_the_flag_nothing_is_armed_and_nothing_is_healed(made: Repairs) -> None:
    await made.record()
    made.change(RENAMED)
    await made.diverge()
    assert made.state is None
    await made.press("Second")
    await made.do("close")
    assert made.scripts() == [SCRIPT]


# -- R2: continuation only -----------------------------------------------------------------------------


async def test_R2_a_second_whole_replay_on_the_same_session_is_refused(made: Repairs) -> None:
    report = await made.drifted()
    for flags in ((), ("--save-script",), ("--save-script=other.ad",)):
        error = await made.refused("replay", SCRIPT, *flags)
        assert (error.code, error.reason) == (ErrorCode.INVALID_ARGS, "repair_active")
    await made.press("Second")
    await made.resume(4, report.resume.plan_digest)
    await made.do("close")
    shows(made.healed_lines(), "One", "Second", "Three")


async def test_R2_a_continuation_neither_repeats_nor_skips_steps(made: Repairs) -> None:
    report = await made.drifted()
    await made.press("Second")
    for ordinal in (1, 2, 5):
        error = await made.refused("replay", SCRIPT, *made.resumed(ordinal, report.resume.plan_digest))
        assert (error.code, error.reason) == (ErrorCode.INVALID_ARGS, "repair_out_of_order")
    assert made.inputs() == ["press one", "press two"]


async def test_R2_another_script_s_plan_cannot_continue_the_repair(made: Repairs) -> None:
    report = await made.drifted()
    other = made.directory / "other.ad"
    other.write_text((made.directory / SCRIPT).read_text("utf-8"), encoding="utf-8")
    fresh = await made.refused("replay", "other.ad", *made.resumed(3, report.resume.plan_digest))
    assert fresh.reason == "plan_digest_mismatch"
    digest = fresh.details["actualDigest"]
    error = await made.refused("replay", "other.ad", *made.resumed(3, digest))
    assert error.reason == "repair_other_plan"


async def test_R2_nothing_of_a_repair_runs_without_being_recorded(made: Repairs) -> None:
    report = await made.drifted()
    await made.press("Second")
    error = await made.refused(
        "replay", SCRIPT, *made.resumed(4, report.resume.plan_digest), "--no-record"
    )
    assert (error.code, error.reason) == (ErrorCode.INVALID_ARGS, "record_conflict")
    assert made.inputs() == ["press one", "press two"]


# -- a correction --------------------------------------------------------------------------------------


async def test_resuming_past_a_step_that_nobody_performed_is_refused(made: Repairs) -> None:
    report = await made.drifted()
    error = await made.refused("replay", SCRIPT, *made.resumed(4, report.resume.plan_digest))
    assert (error.code, error.reason) == (ErrorCode.INVALID_ARGS, "corrective_action_missing")
    assert "--record" in error.hint
    assert "--no-record" in error.hint


@pytest.mark.parametrize(
    "argv", [("press", 'label="Nobody"'), ("press", 'label="Second"', "--no-record")]
)
async def test_a_failed_or_unrecorded_corrective_action_is_no_correction(
    made: Repairs, argv: tuple[str, ...]
) -> None:
    report = await made.drifted()
    await made.say(*argv)
    error = await made.refused("replay", SCRIPT, *made.resumed(4, report.resume.plan_digest))
    assert error.reason == "corrective_action_missing"


async def test_waiting_is_no_correction_of_a_press(made: Repairs) -> None:
    report = await made.drifted()
    await made.do("wait", 'label="Second"')
    error = await made.refused("replay", SCRIPT, *made.resumed(4, report.resume.plan_digest))
    assert error.reason == "corrective_action_missing"


async def test_a_second_divergence_needs_a_correction_of_its_own(made: Repairs) -> None:
    report = await made.drifted(BOTH)
    await made.press("Second")
    again = await made.diverge(*made.resumed(4, report.resume.plan_digest))
    assert (again.step.index, again.resume.repair_session_held) == (4, True)
    error = await made.refused("replay", SCRIPT, *made.resumed(5, report.resume.plan_digest))
    assert error.reason == "corrective_action_missing"
    await made.press("Third")
    await made.resume(5, report.resume.plan_digest)
    await made.do("close")
    shows(made.healed_lines(), "One", "Second", "Third")


async def test_the_way_past_a_caution_needs_a_correction_too(made: Repairs) -> None:
    """A plain replay trusts the caller there; a heal would miss the step."""
    report = await made.drifted(THREE.replace('button "Two" =two', 'toolbar(button "Two" =two)'))
    assert (report.repair_hint, report.resume.alternate_from) == ("caution", 4)
    error = await made.refused("replay", SCRIPT, *made.resumed(4, report.resume.plan_digest))
    assert error.reason == "corrective_action_missing"


async def test_a_continuation_that_was_interrupted_goes_on_at_the_step_that_stands(
    made: Repairs, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = await made.drifted()
    await made.press("Second")

    async def interrupted(*_: object) -> None:
        raise asyncio.CancelledError

    with monkeypatch.context() as patch:
        patch.setattr(RepairingExecutor, "execute", interrupted)
        with pytest.raises(asyncio.CancelledError):
            await made.resume(4, report.resume.plan_digest)
    assert made.state == "ARMED"
    past = await made.refused("replay", SCRIPT, *made.resumed(5, report.resume.plan_digest))
    assert past.reason == "corrective_action_missing"
    await made.resume(4, report.resume.plan_digest)
    await made.do("close")
    shows(made.healed_lines(), "One", "Second", "Three")


async def test_a_run_that_does_not_hear_of_its_close_completes_nothing(made: Repairs) -> None:
    report = await made.drifted()
    await made.press("Second")
    session, repair = made.session, made.repair
    await made.do("close")
    with pytest.raises(SurefootError) as caught:
        repair.complete(session, SCRIPT_GRAMMAR)
    assert caught.value.reason == "repair_complete"
    assert (made.state, made.scripts()) == (None, [SCRIPT])
    assert report.resume.repair_session_held is True


# -- R4: nothing session-bound is written --------------------------------------------------------------


async def test_R4_a_bare_ref_fails_loudly_and_is_never_dropped(made: Repairs) -> None:
    report = await made.drifted()
    made.session.record(ActionRecord(command="press", positionals=("@e5",), mutates=True))
    said, exit_code = await made.say("replay", SCRIPT, *made.resumed(4, report.resume.plan_digest))
    assert exit_code == 1
    assert "targets @e5, a ref of one session" in said
    assert made.state == "ARMED"
    closed = await made.do("close")
    assert closed.saved is None
    (warning,) = closed.warnings
    assert warning.startswith("The repair was not saved: ")
    assert "@e5" in warning
    assert made.scripts() == [SCRIPT]


async def test_R4_an_element_that_nothing_tells_apart_fails_loudly_too(made: Repairs) -> None:
    twins = THREE.replace('button "Two" =two', 'button "Second" =two, button "Second" =twin')
    report = await made.drifted(twins)
    nodes = (await made.do("snapshot")).nodes
    twin = [node.ref for node in nodes if node.label == "Second"][1]
    await made.do("press", f"@{twin}")
    log = made.session.actions.records
    log[-1] = ActionRecord(command="press", targets=log[-1].targets, mutates=True)
    error = await made.refused("replay", SCRIPT, *made.resumed(4, report.resume.plan_digest))
    assert (error.code, error.reason) == (ErrorCode.COMMAND_FAILED, "target_not_portable")
    assert made.scripts() == [SCRIPT]


async def test_a_plan_that_ended_completes_once_the_disk_takes_it(
    made: Repairs, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = await made.drifted()
    await made.press("Second")
    ledger = made.service._store.repairs
    with monkeypatch.context() as patch:
        patch.setattr(ledger, "write", _full)
        error = await made.refused("replay", SCRIPT, *made.resumed(4, report.resume.plan_digest))
    assert (error.code, error.reason) == (ErrorCode.COMMAND_FAILED, "repair_not_kept")
    assert made.state == "ARMED"
    data = await made.resume(5, report.resume.plan_digest)
    assert (data.replayed, data.repair.state, made.state) == (0, "COMPLETE", "COMPLETE")


# -- R5: a script that stands alone --------------------------------------------------------------------


async def test_R5_a_script_without_an_initial_open_is_refused_before_anything(made: Repairs) -> None:
    made.write('press "label=One"')
    await made.do("open", "stage")
    error = await made.refused("replay", SCRIPT, "--save-script")
    assert (error.code, error.reason) == (ErrorCode.INVALID_ARGS, "initial_open_missing")
    assert made.state is None
    assert made.inputs() == []


async def test_a_script_that_closes_in_its_middle_is_refused(made: Repairs) -> None:
    made.write("open stage", "close", "open stage", 'press "label=One"')
    error = await made.refused("replay", SCRIPT, "--save-script")
    assert (error.code, error.reason) == (ErrorCode.INVALID_ARGS, "close_inside_script")


# -- R6: bounded to the repair run ---------------------------------------------------------------------


async def test_R6_what_a_reused_session_did_before_is_not_in_the_healed_script(made: Repairs) -> None:
    await made.record()
    await made.do("open", "stage")
    await made.press("Three")
    await made.press("Three")
    await made.do("replay", SCRIPT, "--save-script")
    await made.do("close")
    shows(made.healed_lines(), "One", "Two", "Three")


async def test_what_is_done_after_the_plan_ended_is_not_in_the_healed_script(made: Repairs) -> None:
    await made.completed()
    await made.press("One")
    await made.do("close")
    shows(made.healed_lines(), "One", "Second", "Three")


# -- R7: the session is held ---------------------------------------------------------------------------


async def test_R7_a_held_session_takes_a_continuation_that_does_not_repeat_the_flag(
    made: Repairs,
) -> None:
    report = await made.drifted()
    assert report.resume.repair_session_held is True
    assert made.state == "ARMED"
    await made.press("Second")
    data = await made.resume(4, report.resume.plan_digest)
    assert data.session_active is True
    assert (data.repair.state, made.state) == ("COMPLETE", "COMPLETE")


async def test_R7_a_divergence_of_a_plain_replay_holds_nothing(made: Repairs) -> None:
    await made.record()
    made.change(RENAMED)
    report = await made.diverge()
    assert report.resume.allowed is True
    assert report.resume.repair_session_held is False


async def test_R7_a_repair_that_cannot_be_kept_fails_before_step_1(
    made: Repairs, monkeypatch: pytest.MonkeyPatch
) -> None:
    await made.record()
    monkeypatch.setattr(made.service._store.repairs, "write", _full)
    error = await made.refused("replay", SCRIPT, "--save-script")
    assert (error.code, error.reason) == (ErrorCode.COMMAND_FAILED, "keep_alive_impossible")
    assert made.sessions == []


async def test_R7_a_first_step_that_fails_leaves_nothing_to_hold(made: Repairs) -> None:
    made.write("open nowhere", 'press "label=One"')
    report = await made.diverge("--save-script")
    assert report.resume.repair_session_held is False
    assert (made.state, made.sessions) == (None, [])


async def test_a_session_that_is_recorded_is_not_repaired(made: Repairs) -> None:
    await made.record()
    await made.do("open", "stage", "--save-script=a.ad")
    error = await made.refused("replay", SCRIPT, "--save-script")
    assert (error.code, error.reason) == (ErrorCode.INVALID_ARGS, "recording_active")


# -- the terminal close (C4) and the empty tail --------------------------------------------------------


async def test_the_terminal_close_is_skipped_and_completes_the_repair(made: Repairs) -> None:
    await made.completed()
    assert made.state == "COMPLETE"
    assert len(made.sessions) == 1
    assert made.scripts() == [SCRIPT]


async def test_a_clean_armed_replay_skips_its_close_too(made: Repairs) -> None:
    await made.record()
    data = await made.do("replay", SCRIPT, "--save-script")
    assert (data.replayed, data.session_active, data.repair.state) == (4, True, "COMPLETE")
    assert made.scripts() == [SCRIPT]
    await made.do("close")
    shows(made.healed_lines(), "One", "Two", "Three")


@pytest.mark.parametrize("closed", [True, False], ids=["before-a-close", "at-the-very-end"])
async def test_the_last_step_s_repair_is_an_empty_tail_that_completes(
    made: Repairs, closed: bool
) -> None:
    path = await made.record()
    if not closed:
        path.write_text(path.read_text("utf-8").removesuffix("close\n"), encoding="utf-8")
    made.change(LAST_RENAMED)
    report = await made.diverge("--save-script")
    assert report.resume.from_ == 5
    await made.press("Third")
    data = await made.resume(5, report.resume.plan_digest)
    assert (data.replayed, data.repair.state) == (0, "COMPLETE")
    await made.do("close")
    shows(made.healed_lines(), "One", "Two", "Third")


# -- where it goes -------------------------------------------------------------------------------------


async def test_the_original_is_never_touched(made: Repairs) -> None:
    await made.completed()
    before = (made.directory / SCRIPT).read_bytes()
    await made.do("close")
    assert (made.directory / SCRIPT).read_bytes() == before


async def test_an_explicit_target_takes_the_heal(made: Repairs) -> None:
    await made.record()
    (made.directory / "sub").mkdir()
    await made.do("replay", SCRIPT, "--save-script=sub/out.ad")
    closed = await made.do("close")
    assert closed.saved.path == str(made.directory / "sub" / "out.ad")
    shows(made.healed_lines("sub/out.ad"), "One", "Two", "Three")


async def test_a_close_may_retarget_the_heal(made: Repairs) -> None:
    await made.completed()
    closed = await made.do("close", "--save-script=elsewhere.ad")
    assert closed.saved.path == str(made.directory / "elsewhere.ad")
    assert made.scripts() == ["elsewhere.ad", SCRIPT]


async def test_a_close_with_the_flag_alone_keeps_the_target(made: Repairs) -> None:
    await made.completed()
    assert (await made.do("close", "--save-script")).saved.path == str(made.healed)


@pytest.mark.parametrize("content", ["", "half a scr", "open stage\n# agent-device:heal-complete\n"])
@pytest.mark.parametrize("flag", ["--save-script", "--save-script=flow.healed.ad"])
async def test_a_target_that_exists_is_refused_before_step_1_byte_for_byte_unchanged(
    made: Repairs, content: str, flag: str
) -> None:
    await made.record()
    made.healed.write_text(content, encoding="utf-8")
    error = await made.refused("replay", SCRIPT, flag)
    assert (error.code, error.reason) == (ErrorCode.INVALID_ARGS, "target_exists")
    assert made.healed.read_text("utf-8") == content
    assert (made.state, made.sessions) == (None, [])


async def test_a_target_that_appears_meanwhile_is_refused_and_the_repair_can_go_elsewhere(
    made: Repairs,
) -> None:
    await made.completed()
    made.healed.write_text("somebody else's", encoding="utf-8")
    error = await made.refused("close")
    assert (error.code, error.reason) == (ErrorCode.INVALID_ARGS, "target_exists")
    assert made.healed.read_text("utf-8") == "somebody else's"
    assert made.state == "COMPLETE"
    await made.do("close", "--save-script=b.ad")
    shows(made.healed_lines("b.ad"), "One", "Second", "Three")


async def test_an_ordinary_recording_is_published_by_the_same_primitive(made: Repairs) -> None:
    await made.do("open", "stage", "--save-script=a.ad")
    await made.press("One")
    (made.directory / "a.ad").write_text("there", encoding="utf-8")
    error = await made.refused("close")
    assert error.reason == "target_exists"
    assert (made.directory / "a.ad").read_text("utf-8") == "there"


async def test_publication_links_a_temporary_file_of_the_target_s_own_directory(
    made: Repairs, monkeypatch: pytest.MonkeyPatch
) -> None:
    (made.directory / "sub").mkdir()
    await made.record()
    await made.do("replay", SCRIPT, "--save-script=sub/out.ad")
    links: list[tuple[Path, Path]] = []
    link = os.link

    def watching(source: Path, target: Path) -> None:
        links.append((Path(source), Path(target)))
        link(source, target)

    monkeypatch.setattr(os, "link", watching)
    await made.do("close")
    ((source, target),) = links
    assert source.parent == target.parent == made.directory / "sub"
    assert sorted(path.name for path in (made.directory / "sub").iterdir()) == ["out.ad"]


async def test_force_is_not_for_repairs(made: Repairs) -> None:
    await made.completed()
    error = await made.refused("close", "--save-script=a.ad", "--force")
    assert (error.code, error.reason) == (ErrorCode.INVALID_ARGS, "force_not_for_repairs")
    assert (await made.refused("replay", SCRIPT, "--save-script", "--force")).code == "INVALID_ARGS"
    assert made.state == "COMPLETE"


async def test_session_save_script_is_not_for_repairs(made: Repairs) -> None:
    await made.drifted()
    error = await made.refused("session", "save-script", "x.ad")
    assert (error.code, error.reason) == (ErrorCode.INVALID_ARGS, "repair_active")
    assert made.scripts() == [SCRIPT]


async def test_session_list_names_the_state_of_a_repair(made: Repairs) -> None:
    await made.drifted()
    (listed,) = (await made.do("session", "list")).sessions
    assert listed.repair == "ARMED"


def test_the_default_target_stands_beside_the_original() -> None:
    assert default_healed(Path("/a/flows/login.ad")) == Path("/a/flows/login.healed.ad")
    assert default_healed(Path("/a/flows/login")) == Path("/a/flows/login.healed.ad")


def test_a_store_keeps_its_ledger_private(tmp_path: Path) -> None:
    SessionStore(tmp_path / "state")
    assert (tmp_path / "state" / "repairs").stat().st_mode & 0o777 == 0o700


async def test_the_text_of_a_divergence_shows_what_has_the_recorded_role_before_other_things(
    made: Repairs,
) -> None:
    """A renamed button behind a dozen links: the repair needs its ref and no further look."""
    links = ", ".join(f'link "Link {n}" =link{n}' for n in range(12))
    screen = f'document "Shop"(main(heading "Basket" level=1, {links}, button "Buy" =buy))'
    made.screen = screen
    await made.record('press "role=button label=Buy"')
    made.change(screen.replace('"Buy"', '"Order"'))
    said, _ = await made.say("replay", SCRIPT, "--save-script")
    shown = [line for line in said.splitlines() if line.startswith("- ")]
    assert any(line.startswith('- button "Order" [@e') for line in shown)
    assert len(shown) == 9


async def test_a_text_entered_under_a_name_is_nowhere_in_the_heal_or_the_ledger(made: Repairs) -> None:
    """The correction of a drifted fill is parameterised like any recorded input (0017)."""
    form = 'document "Sign in"(main(textbox "Code" =code editable, button "Go" =go))'
    made.screen = form
    made.write("open stage", 'fill "label=Code" "${CODE}"', 'press "label=Go"')
    made.change(form.replace('"Code"', '"Token"'))
    report = await made.diverge("--save-script", "-e", "CODE=tr0ub4dor")
    await made.do("fill", "label=Token", "tr0ub4dor", "--record-as", "CODE")
    await made.resume(3, report.resume.plan_digest, "-e", "CODE=tr0ub4dor")
    kept = [path for path in (made.directory / "state").rglob("*") if path.is_file()]
    assert any(path.parent.name == "repairs" for path in kept)
    assert not any(b"tr0ub4dor" in path.read_bytes() for path in kept)
    await made.do("close")
    text = made.healed.read_text("utf-8")
    assert '"${CODE}"' in text
    assert "tr0ub4dor" not in text
