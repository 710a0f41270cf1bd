"""What a report tells of its cause, and which refs it authorises besides the screen's."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from tests.support.replays import available, replays
from tests.support.stage import stage
from tests.support.trees import el, seen

from surefoot.errors import ErrorCode, SurefootError
from surefoot.interact import observe
from surefoot.plan import BoundStep, Plan, PlanSource, PlanStep
from surefoot.replay.binding import counterpart
from surefoot.replay.failure import Failure
from surefoot.replay.report import Draft, action_summary, finish, without_old_refs
from surefoot.replay.screen import Sight
from surefoot.script import Template
from surefoot.wire import Divergence, ResumeData, UnavailableScreen


def report_of(command: str, words: tuple[str, ...], message: str) -> Divergence:
    """The report of a step that failed with this message, without a screen."""
    step = PlanStep(
        ordinal=1,
        command=command,
        positionals=tuple(map(Template, words)),
        flags={},
        evidence=None,
        source=PlanSource(path="a.ad", line=1),
    )
    cause = SurefootError(ErrorCode.COMMAND_FAILED, message, hint=message)
    draft = Draft(
        plan=Plan(path="a.ad", platform="sim", target=None, steps=(step,)),
        failure=Failure(step=BoundStep(step=step, positionals=words, flags={}), cause=cause),
        sight=Sight(unavailable=UnavailableScreen(reason="no_session", hint="Open it.")),
        suggested=(),
        hint="manual",
        resume=ResumeData(allowed=True, from_=1, plan_digest="0" * 64),
        values=(),
    )
    return finish(draft, None)


def test_the_text_a_step_enters_is_in_neither_message_nor_hint_of_its_failure() -> None:
    said = 'The field holds "open sesam", not "open sesame".'
    report = report_of("fill", ("label=Code", "open sesame"), said)
    assert report.cause.message == 'The field holds "open sesam", not "<text>".'
    assert report.cause.hint == report.cause.message
    assert report.redacted is True


def test_what_other_steps_name_is_told() -> None:
    assert report_of("press", ("label=Code",), "label=Code is off").cause.message == "label=Code is off"


def test_a_report_without_a_session_publishes_and_writes_nothing() -> None:
    report = report_of("press", ("label=Code",), "x" * 10_000)
    assert (report.overflow, report.artifact_unavailable, report.truncated) == (None, False, True)


def test_the_action_is_one_line_without_entered_text() -> None:
    assert action_summary("fill", ('label="Name"', "${WHO}")) == 'fill label="Name" <text>'
    assert action_summary("press", ("@e1", "Save")) == "press @e1 Save"
    assert (
        action_summary("scroll", ("down",), {"until": 'label="Row 9"', "debug": False, "settle": True})
        == 'scroll down --until label="Row 9" --settle'
    )


def test_refs_of_the_frame_before_are_not_told_again() -> None:
    covered = 'button "Go" is covered by dialog "Rate" (@e5~s41).'
    details = {"coveredBy": {"ref": "e5", "refsGeneration": 41}}
    assert without_old_refs(covered, details) == 'button "Go" is covered by dialog "Rate".'
    several = 'label=Go matches 2 elements: @e3~s41 button "Go"; @e4~s41 button "Go".'
    lines = {"candidateLines": ['@e3~s41 button "Go"', '@e4~s41 button "Go"']}
    assert without_old_refs(several, lines) == "label=Go matches 2 elements."


async def test_candidates_and_the_observed_node_are_authorised_with_the_screen(tmp_path: Path) -> None:
    others = ", ".join(f'button "Other {n}"' for n in range(40))
    recorded = f'document "D"(main(heading "H" level=1, {others}, button "Pay" =pay))'
    made = replays(tmp_path, recorded)
    await made.record("press 'role=button label=Pay'")
    made.change(recorded.replace('button "Pay" =pay', 'toolbar(button "Pay" =pay)'))
    report = await made.report("--level", "digest")
    binding = report.target_binding
    assert binding is not None
    assert binding.observed is not None
    assert binding.observed.ref == "e45"
    assert "e45" not in [item.ref for item in available(report).refs]
    await made.do("press", f"@e45~s{available(report).refs_generation}")
    assert made.inputs() == ["press pay"]


async def test_a_sparse_latest_capture_is_never_taken_for_the_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await stage('document(button "Go" =go)', tmp_path)
    whole = await observe(made.session)

    async def unchanged(*_: object) -> bool:
        return True

    monkeypatch.setattr(made.app, "unchanged", unchanged)
    assert await observe(made.session) is whole
    made.session.observation = msgspec.structs.replace(whole, quality="sparse")
    assert (await observe(made.session)).quality == "ok"


def test_a_node_of_another_capture_is_named_without_a_ref() -> None:

    before = seen(
        el("document", el("button", "Old", handle="gone"), el("button", "Kept", handle="kept"))
    )
    after = seen(el("document", el("group"), el("button", "Kept", handle="kept")))
    assert counterpart(before.tree[1], before, after) is None
    assert counterpart(before.tree[2], before, after) is after.tree[2]
    assert counterpart(before.tree[1], before, None) is None
