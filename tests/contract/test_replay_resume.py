"""Seed 0012, decision 4: resume by plan ordinal, through the real commands."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.replays import SCRIPT, Replays, replays
from tests.support.stage import app

from surefoot.drivers.sim.spec import Action, Rule
from surefoot.errors import ErrorCode, SurefootError
from surefoot.wire import Divergence, ReplayData

THREE = """document "Shop"(main(heading "Basket" level=1,
    button "One" =one, button "Two" =two, button "Three" =three))"""
RENAMED = THREE.replace('"Two"', '"Second"')
LAST_RENAMED = THREE.replace('"Three"', '"Third"')
STEPS = tuple(f"press 'role=button label={label}'" for label in ("One", "Two", "Three"))


async def drifted(directory: Path, screen: str) -> tuple[Replays, Divergence]:
    """Recorded on ``THREE`` (without its close), replayed on another screen until it diverged."""
    made = replays(directory, THREE)
    path = await made.record(*STEPS)
    path.write_text(path.read_text("utf-8").removesuffix("close\n"), encoding="utf-8")
    made.change(screen)
    report = await made.report()
    made.app.device.performed.clear()
    return made, report


async def resume(made: Replays, ordinal: int, digest: str, *flags: str) -> ReplayData:
    data = await made.do("replay", SCRIPT, "--from", str(ordinal), "--plan-digest", digest, *flags)
    assert isinstance(data, ReplayData)
    return data


async def resume_refused(made: Replays, ordinal: str, report: Divergence) -> SurefootError:
    digest = report.resume.plan_digest
    return await made.refused("replay", SCRIPT, f"--from={ordinal}", "--plan-digest", digest)


async def refusal(made: Replays, ordinal: object, digest: str) -> tuple[str, str | None]:
    error = await made.refused("replay", SCRIPT, "--from", str(ordinal), "--plan-digest", digest)
    assert made.inputs() == []
    return error.code.value, error.reason


async def refusal_reason(made: Replays, ordinal: int, report: Divergence) -> str | None:
    error = await resume_refused(made, str(ordinal), report)
    assert error.code is ErrorCode.INVALID_ARGS
    return error.reason


async def press(made: Replays, label: str, *flags: str) -> None:
    """What an agent does by hand."""
    await made.do("press", f'label="{label}"', *flags)


# -- where a resume starts ----------------------------------------------------------------------------


async def test_B094_record_and_heal_resumes_past_the_step(tmp_path: Path) -> None:
    made, report = await drifted(tmp_path, RENAMED)
    assert (report.step.index, report.repair_hint) == (3, "record-and-heal")
    assert (report.resume.allowed, report.resume.from_) == (True, 4)
    assert report.resume.alternate_from is None
    await press(made, "Second")
    data = await resume(made, 4, report.resume.plan_digest)
    assert data.replayed == 1
    assert made.inputs() == ["press two", "press three"]


async def test_B094_the_text_names_the_same_ordinal(tmp_path: Path) -> None:
    made, report = await drifted(tmp_path, RENAMED)
    await made.do("close")
    text = (await made.say("replay", SCRIPT)).stderr
    commands = [line.strip() for line in text.splitlines() if "--from" in line]
    assert commands == [
        f"surefoot replay flow.ad --platform sim --from 4 --plan-digest {report.resume.plan_digest}"
    ]


async def test_state_repair_resumes_at_the_step(tmp_path: Path) -> None:
    screen = app(
        'document "Other"(main(heading "Sign in" level=1, button "Back" =back))',
        Rule(press="back", do=(Action(go="shop"),)),
        shop=THREE,
    )
    made, _ = await drifted(tmp_path, RENAMED)
    await made.do("close")
    made.change(screen)
    report = await made.report()
    assert (report.step.index, report.repair_hint) == (2, "state-repair")
    assert (report.resume.from_, report.resume.alternate_from) == (2, None)
    await press(made, "Back", "--no-record")
    await resume(made, 2, report.resume.plan_digest)
    assert made.inputs() == ["press back", "press one", "press two", "press three"]


async def test_caution_offers_both_ordinals_and_the_text_both_commands(tmp_path: Path) -> None:
    moved = THREE.replace('button "Two" =two', 'toolbar(button "Two" =two)')
    made, report = await drifted(tmp_path, moved)
    assert report.repair_hint == "caution"
    assert (report.resume.from_, report.resume.alternate_from) == (3, 4)
    await made.do("close")
    text = (await made.say("replay", SCRIPT)).stderr
    assert [line.split("--from ")[1][0] for line in text.splitlines() if "--from" in line] == ["3", "4"]


async def test_B095_the_empty_tail_is_a_legal_resume_once_the_step_was_performed(
    tmp_path: Path,
) -> None:
    made, report = await drifted(tmp_path, LAST_RENAMED)
    assert (report.step.index, report.resume.from_) == (4, 5)
    assert report.resume.allowed is True
    await press(made, "Third")
    data = await resume(made, 5, report.resume.plan_digest)
    assert data.replayed == 0
    assert made.inputs() == ["press three"]


async def test_a_resume_does_not_need_a_second_correction_for_a_second_divergence(
    tmp_path: Path,
) -> None:
    both = THREE.replace('"Two"', '"Second"').replace('"Three"', '"Third"')
    made, report = await drifted(tmp_path, both)
    await press(made, "Second")
    again = await made.report("--from", "4", "--plan-digest", report.resume.plan_digest)
    assert (again.step.index, again.resume.from_) == (4, 5)
    assert again.resume.plan_digest == report.resume.plan_digest
    assert await refusal_reason(made, 5, report) == "corrective_action_missing"
    await press(made, "Third")
    await resume(made, 5, report.resume.plan_digest)


# -- what a resume must prove --------------------------------------------------------------------------


@pytest.mark.parametrize(("screen", "ordinal"), [(RENAMED, 4), (LAST_RENAMED, 5)])
async def test_nothing_performed_is_refused(tmp_path: Path, screen: str, ordinal: int) -> None:
    made, report = await drifted(tmp_path, screen)
    assert await refusal(made, ordinal, report.resume.plan_digest) == (
        "INVALID_ARGS",
        "corrective_action_missing",
    )


async def test_what_was_not_recorded_proves_nothing(tmp_path: Path) -> None:
    made, report = await drifted(tmp_path, RENAMED)
    await press(made, "Second", "--no-record")
    assert await refusal_reason(made, 4, report) == "corrective_action_missing"


async def test_a_failed_action_proves_nothing(tmp_path: Path) -> None:
    made, report = await drifted(tmp_path, RENAMED)
    await made.refused("press", "label=Nope")
    assert await refusal_reason(made, 4, report) == "corrective_action_missing"


async def test_looking_proves_nothing_unless_it_is_the_correction(tmp_path: Path) -> None:
    made, report = await drifted(tmp_path, RENAMED)
    await made.do("snapshot", "-i")
    await made.do("get", "text", "label=Second")
    assert await refusal_reason(made, 4, report) == "corrective_action_missing"
    await made.do("get", "text", "label=Second", "--record")
    await resume(made, 4, report.resume.plan_digest)


async def test_the_refusal_names_the_way_out(tmp_path: Path) -> None:
    made, report = await drifted(tmp_path, RENAMED)
    error = await resume_refused(made, "4", report)
    assert "--record" in error.hint
    assert "--no-record" in error.hint


async def test_the_empty_tail_is_for_the_very_session_that_diverged(tmp_path: Path) -> None:
    made, report = await drifted(tmp_path, LAST_RENAMED)
    await made.do("close")
    await made.do("open", "stage")
    await press(made, "Third")
    assert await refusal_reason(made, 5, report) == "resume_past_end"


async def test_the_empty_tail_is_for_no_other_divergence(tmp_path: Path) -> None:
    made, report = await drifted(tmp_path, RENAMED)
    await press(made, "Second")
    assert await refusal_reason(made, 5, report) == "resume_past_end"


async def test_a_whole_replay_forgets_what_an_older_divergence_allowed(tmp_path: Path) -> None:
    made, report = await drifted(tmp_path, LAST_RENAMED)
    script = (tmp_path / SCRIPT).read_text("utf-8")
    made.write("press 'role=button label=One'")
    await made.replay()
    (tmp_path / SCRIPT).write_text(script, encoding="utf-8")
    await press(made, "Third")
    assert await refusal_reason(made, 5, report) == "resume_past_end"


async def test_the_empty_tail_of_another_script_is_not_meant(tmp_path: Path) -> None:
    """Same length, same session, valid digest: still not the plan that diverged."""
    made = replays(tmp_path, THREE)
    made.write("press label=One", "press label=Nobody")
    other = await made.report()
    made.write("press label=Two", "press label=Nobody")
    await made.report()
    await press(made, "Three")
    made.write("press label=One", "press label=Nobody")
    made.app.device.performed.clear()
    assert await refusal(made, 4, other.resume.plan_digest) == ("INVALID_ARGS", "resume_past_end")


async def test_a_caution_at_the_last_step_holds_the_empty_tail_as_its_other_way(tmp_path: Path) -> None:
    moved = THREE.replace('button "Three" =three', 'toolbar(button "Three" =three)')
    made, report = await drifted(tmp_path, moved)
    assert (report.repair_hint, report.resume.from_, report.resume.alternate_from) == ("caution", 4, 5)
    assert await refusal_reason(made, 5, report) == "corrective_action_missing"
    await press(made, "Three")
    await resume(made, 5, report.resume.plan_digest)


@pytest.mark.parametrize("kind", ["caution", "manual", "state-repair"])
@pytest.mark.parametrize("ordinal", [4, 5])
async def test_no_step_that_diverged_is_skipped_unless_something_was_done_for_it(
    tmp_path: Path, kind: str, ordinal: int
) -> None:
    four = THREE.replace("))", ', button "Four" =four))')
    screens = {
        "caution": four.replace('button "Two" =two', 'toolbar(button "Two" =two)'),
        "manual": four,
        "state-repair": 'document "Other"(main(heading "Sign in" level=1, button "Three" =three))',
    }
    made = replays(tmp_path, four)
    path = await made.record(*STEPS, "press label=Four")
    if kind == "manual":  # the evidence of its second step could not verify itself
        head, two, tail = path.read_text("utf-8").partition('"label":"Two"')
        path.write_text(head + two + tail.replace('"verified"', '"unverifiable"', 1), "utf-8")
    made.change(screens[kind])
    report = await made.report()
    assert report.repair_hint == kind
    assert (report.step.index or 0) < ordinal
    assert await refusal_reason(made, ordinal, report) == "corrective_action_missing"


# -- the digest ----------------------------------------------------------------------------------------


async def test_another_script_is_refused_before_any_action(tmp_path: Path) -> None:
    made, report = await drifted(tmp_path, RENAMED)
    path = tmp_path / SCRIPT
    path.write_text(path.read_text("utf-8").replace("Three", "Four"), encoding="utf-8")
    assert await refusal(made, 4, report.resume.plan_digest) == ("INVALID_ARGS", "plan_digest_mismatch")


async def test_a_comment_added_above_is_refused_and_the_message_says_why(tmp_path: Path) -> None:
    made, report = await drifted(tmp_path, RENAMED)
    path = tmp_path / SCRIPT
    path.write_text("# a note\n" + path.read_text("utf-8"), encoding="utf-8")
    error = await resume_refused(made, "4", report)
    assert error.reason == "plan_digest_mismatch"
    assert "a comment or blank line added above a step counts" in error.message


async def test_changed_evidence_is_refused(tmp_path: Path) -> None:
    made, report = await drifted(tmp_path, RENAMED)
    path = tmp_path / SCRIPT
    path.write_text(path.read_text("utf-8").replace('"peers":1', '"peers":2', 1), encoding="utf-8")
    assert await refusal_reason(made, 4, report) == "plan_digest_mismatch"


async def test_only_the_values_of_variables_may_change(tmp_path: Path) -> None:
    made = replays(
        tmp_path, 'document(main(heading "H" level=1, textbox "Name" =name, button "Go" =go))'
    )
    made.write("fill label=Name ${WHO}", "press label=Nope", "press label=Go")
    report = await made.report("-e", "WHO=Ada")
    await made.do("press", "label=Go")
    data = await resume(made, 4, report.resume.plan_digest, "-e", "WHO=Grace")
    assert data.replayed == 1


@pytest.mark.parametrize("ordinal", ["6", "99", "1000000"])
async def test_an_ordinal_out_of_range_is_refused(tmp_path: Path, ordinal: str) -> None:
    made, report = await drifted(tmp_path, RENAMED)
    assert await refusal(made, ordinal, report.resume.plan_digest) == (
        "INVALID_ARGS",
        "from_out_of_range",
    )


@pytest.mark.parametrize("ordinal", ["0", "-1", "1.5", "two", "٣", "²"])
async def test_an_ordinal_is_a_whole_number_from_1(tmp_path: Path, ordinal: str) -> None:
    made, report = await drifted(tmp_path, RENAMED)
    error = await resume_refused(made, ordinal, report)
    assert error.code is ErrorCode.INVALID_ARGS
    assert made.inputs() == []


@pytest.mark.parametrize("digest", ["0" * 63, "0" * 65, "G" * 64, "A" * 64, "sha256:" + "0" * 64])
async def test_a_digest_has_one_spelling(tmp_path: Path, digest: str) -> None:
    made, _ = await drifted(tmp_path, RENAMED)
    error = await made.refused("replay", SCRIPT, "--from", "4", "--plan-digest", digest)
    assert error.code is ErrorCode.INVALID_ARGS


@pytest.mark.parametrize("flags", [("--from", "4"), ("--plan-digest", "0" * 64)])
async def test_from_and_digest_go_together(tmp_path: Path, flags: tuple[str, ...]) -> None:
    made, _ = await drifted(tmp_path, RENAMED)
    assert (await made.refused("replay", SCRIPT, *flags)).code is ErrorCode.INVALID_ARGS


async def test_a_resume_at_1_runs_the_whole_plan(tmp_path: Path) -> None:
    made, report = await drifted(tmp_path, RENAMED)
    await made.do("close")
    made.change(THREE)
    data = await resume(made, 1, report.resume.plan_digest)
    assert data.replayed == 4


async def test_a_plain_divergence_promises_no_session(tmp_path: Path) -> None:
    made, report = await drifted(tmp_path, RENAMED)
    error = await made.refused("replay", SCRIPT)
    assert report.resume.repair_session_held is False
    assert "repairSessionHeld" not in error.details["divergence"]["resume"]
    assert made.session.name  # it is simply left open


async def test_the_printed_command_keeps_the_caller_s_own_words_and_no_value(tmp_path: Path) -> None:
    made = replays(tmp_path, THREE)
    made.write("press label=${WHAT}")
    flags = ("-e", "WHAT=secret thing", "--keep-session", "--session", "mine")
    error, report = await made.divergence(*flags)
    digest = report.resume.plan_digest
    assert (
        'replay flow.ad --session mine --platform sim --keep-session -e WHAT="$WHAT" '
        f"--from 2 --plan-digest {digest}" in error.hint
    )
    assert "secret thing" not in error.hint
