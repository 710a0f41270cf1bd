"""Steps without a target of their own, reads, and the commands that carry no evidence at all.

identity.md 5 (focus, dialogs); seed 0012, amendment 1349 (``is`` and the deferred commands).
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.replays import Replays, replays
from tests.support.stage import app

from surefoot.drivers.sim.spec import Action, DialogSpec, Rule

FIELDS = """document "Form"(main(heading "Sign up" level=1,
    textbox "Name" =name, textbox "Email" =email, button "Send" =send))"""
EMAIL_FOCUSED = FIELDS.replace("=email", "=email focused")
NAME_FOCUSED = FIELDS.replace("=name", "=name focused")


def evidence_lines(path: Path) -> list[str]:
    return [line for line in path.read_text("utf-8").splitlines() if line.startswith("# agent-device:")]


# -- the focused node ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("command", "sent"), [("type ada", "type name"), ("key Enter", "key Enter")])
async def test_typing_records_the_focused_node_and_replays_into_it(
    tmp_path: Path, command: str, sent: str
) -> None:
    made = replays(tmp_path, NAME_FOCUSED)
    path = await made.record(command)
    (evidence,) = evidence_lines(path)
    assert '"role":"textbox","label":"Name"' in evidence
    await made.replay("--keep-session")
    assert [done.kind for done in made.app.device.performed] == [sent.split()[0]]


@pytest.mark.parametrize("command", ["type ada", "key Enter"])
async def test_another_focus_refuses_before_anything_is_typed(tmp_path: Path, command: str) -> None:
    made = replays(tmp_path, NAME_FOCUSED)
    await made.record(command)
    made.change(EMAIL_FOCUSED)
    report = await made.report()
    binding = report.target_binding
    assert binding is not None
    assert (report.kind, binding.match_count) == ("identity-mismatch", 1)
    assert binding.observed is not None
    assert binding.observed.label == "Email"
    assert [(i.field, i.recorded, i.observed) for i in binding.mismatches] == [
        ("label", "Name", "Email")
    ]
    assert made.inputs() == []


async def test_no_focus_at_all_refuses_too(tmp_path: Path) -> None:
    made = replays(tmp_path, NAME_FOCUSED)
    await made.record("type ada")
    made.change(FIELDS)
    error, report = await made.divergence()
    assert (report.kind, error.reason) == ("action-failure", "no_focus")
    assert made.inputs() == []


async def test_the_plan_does_not_warn_about_evidence_of_the_focus(tmp_path: Path) -> None:
    made = replays(tmp_path, NAME_FOCUSED)
    await made.record("type ada")
    assert (await made.replay()).warnings == ()


async def test_typing_without_evidence_goes_where_the_focus_is(tmp_path: Path) -> None:
    made = replays(tmp_path, EMAIL_FOCUSED)
    made.write("type ada")
    await made.replay()
    assert [done.kind for done in made.app.device.performed] == ["type"]


# -- a search that gives the focus --------------------------------------------------------------------

NOTES = 'document "Form"(main(textbox "Note" =note, textbox "Other" =other, button "Save" =save))'
PRIVATE = NOTES.replace('"Note" =note', '"Private note" =note')


async def test_typing_after_a_search_is_kept_as_steps_that_can_be_verified(tmp_path: Path) -> None:
    made = replays(tmp_path, NOTES)
    path = await made.record("find Note type hello")
    steps = [line for line in path.read_text("utf-8").splitlines() if not line.startswith("#")]
    assert steps[-3:-1] == [
        'press "role=\\"textbox\\" label=\\"Note\\" || label=\\"Note\\""',
        'type "hello"',
    ]
    assert len(evidence_lines(path)) == 2
    await made.replay("--keep-session")
    assert [done.kind for done in made.app.device.performed] == ["press", "type"]


@pytest.mark.parametrize("command", ["find Note type hello", "find Note focus"])
async def test_a_search_for_the_focus_never_takes_another_field(tmp_path: Path, command: str) -> None:
    made = replays(tmp_path, NOTES)
    await made.record(command)
    made.change(PRIVATE)
    report = await made.report()
    assert report.kind == "selector-miss"
    assert made.inputs() == []


async def test_the_focus_of_what_a_press_acts_on_is_kept_as_a_search(tmp_path: Path) -> None:
    made = replays(tmp_path, NOTES)
    path = await made.record("find Save focus", "key Enter")
    assert 'find "Save" "focus"' in path.read_text("utf-8")
    (evidence,) = evidence_lines(path)
    assert '"label":"Save"' in evidence


# -- dialogs -----------------------------------------------------------------------------------------


def asking(message: str, kind: str = "confirm") -> object:
    dialog = DialogSpec(kind=kind, message=message)  # type: ignore[arg-type]
    return app('document(main(button "Delete" =del))', Rule(press="del", do=(Action(dialog=dialog),)))


async def asked(directory: Path, message: str, answer: str) -> tuple[Replays, str]:
    made = replays(directory, asking(message))  # type: ignore[arg-type]
    path = await made.record("press label=Delete", answer)
    line = next(item for item in path.read_text("utf-8").splitlines() if item.startswith("dialog"))
    return made, line


@pytest.mark.parametrize("answer", ["accept", "dismiss"])
async def test_a_recording_keeps_what_the_dialog_said(tmp_path: Path, answer: str) -> None:
    made, line = await asked(tmp_path, "Delete 3 files?", f"dialog {answer}")
    assert line == f'dialog "{answer}" --message "Delete 3 files?"'
    await made.replay("--keep-session")
    assert made.inputs()[-1].startswith("dialog")


@pytest.mark.parametrize("answer", ["accept", "dismiss"])
async def test_another_message_is_not_answered(tmp_path: Path, answer: str) -> None:
    made, _ = await asked(tmp_path, "Delete 3 files?", f"dialog {answer}")
    made.change(asking("Delete all files?"))  # type: ignore[arg-type]
    error, report = await made.divergence()
    assert (report.kind, error.reason) == ("action-failure", "dialog_mismatch")
    assert report.cause.reason == "dialog_mismatch"
    assert made.app.dialog() is not None


async def test_the_message_is_compared_normalised(tmp_path: Path) -> None:
    made, line = await asked(tmp_path, "Really \n  delete?", "dialog accept")
    assert line == 'dialog "accept" --message "Really delete?"'
    made.change(asking("Really delete?\u200b"))  # type: ignore[arg-type]
    assert (await made.replay()).replayed == 4


async def test_a_long_message_is_kept_and_compared_to_256_bytes(tmp_path: Path) -> None:
    made, line = await asked(tmp_path, "é" * 400, "dialog accept")
    assert line == f'dialog "accept" --message "{"é" * 128}"'
    assert (await made.replay()).replayed == 4


async def test_live_the_message_is_not_asked_for(tmp_path: Path) -> None:
    made = replays(tmp_path, asking("Sure?"))  # type: ignore[arg-type]
    made.write("press label=Delete", "dialog accept")
    assert (await made.replay()).replayed == 3


# -- reads -------------------------------------------------------------------------------------------

ROW = 'document "D"(main(heading "H" level=1, button "Send" =send))'
MOVED = 'document "D"(main(heading "H" level=1, toolbar(button "Send" =send)))'


@pytest.mark.parametrize(
    "command",
    [
        "get text 'role=button label=Send'",
        "get attrs 'role=button label=Send'",
        "is visible 'role=button label=Send'",
        "is enabled 'role=button label=Send'",
        "is text 'role=button label=Send' Send",
    ],
)
async def test_a_reading_of_one_element_is_verified_before_it_answers(
    tmp_path: Path, command: str
) -> None:
    made = replays(tmp_path, ROW)
    path = await made.record(command)
    assert len(evidence_lines(path)) == 1
    made.change(MOVED)
    assert (await made.report()).kind == "identity-mismatch"


async def test_a_predicate_that_fails_on_the_right_element_is_an_action_failure(tmp_path: Path) -> None:
    made = replays(tmp_path, ROW)
    await made.record("is enabled 'role=button label=Send'")
    made.change(ROW.replace("=send", "=send disabled"))
    error, report = await made.divergence()
    assert (report.kind, error.reason) == ("action-failure", "predicate_failed")


async def test_hidden_of_an_absent_node_is_true_and_not_verified(tmp_path: Path) -> None:
    made = replays(tmp_path, ROW)
    await made.record("is hidden 'label=Nothing'")
    assert evidence_lines(tmp_path / "flow.ad") == []
    made.change(MOVED)
    assert (await made.replay()).replayed == 3


DEFERRED = [
    "is exists 'role=button label=Send'",
    "is absent 'label=Nothing'",
    "wait absent 'label=Nothing' 100",
    "wait text Send",
    "wait stable 100 1000",
    "wait 10",
    "find Send exists",
    "find Send get_text",
    "find Send wait 100",
]


@pytest.mark.parametrize("command", DEFERRED)
async def test_deferred_commands_record_no_annotation(tmp_path: Path, command: str) -> None:
    made = replays(tmp_path, ROW)
    path = await made.record(command)
    assert evidence_lines(path) == []
    assert command.split()[0] in path.read_text("utf-8")


EVIDENCE = (
    '# agent-device:target-v1 {"role":"button","label":"Other","ancestry":[{"role":"dialog"}],'
    '"sibling":0,"viewportOrder":0,"peers":1,"verification":"verified"}'
)


@pytest.mark.parametrize("command", DEFERRED)
async def test_deferred_commands_run_no_identity_check_whatever_stands_above(
    tmp_path: Path, command: str
) -> None:
    made = replays(tmp_path, ROW)
    made.write(EVIDENCE, command)
    assert (await made.replay()).replayed == 2


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("is absent 'role=button label=Send'", "predicate_failed"),
        ("is exists 'label=Nothing'", "predicate_failed"),
        ("wait absent 'role=button label=Send' 100", "wait_target_present"),
    ],
)
async def test_a_deferred_command_fails_as_an_action_never_as_a_mismatch(
    tmp_path: Path, command: str, reason: str
) -> None:
    made = replays(tmp_path, ROW)
    made.write(command)
    error, report = await made.divergence()
    assert (report.kind, error.reason) == ("action-failure", reason)
    assert report.target_binding is None


async def test_a_wait_for_a_ref_is_refused_while_recording(tmp_path: Path) -> None:
    made = replays(tmp_path, ROW)
    await made.do("open", "stage", "--save-script=x.ad")
    await made.do("snapshot")
    assert (await made.refused("wait", "@e4")).reason == "ref_wait_not_recordable"


async def test_a_nameless_landmark_records_no_annotation(tmp_path: Path) -> None:
    made = replays(tmp_path, 'document(main(progressbar =p, button "Go"))')
    path = await made.record("wait role=progressbar")
    assert evidence_lines(path) == []
