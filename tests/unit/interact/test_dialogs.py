"""Dialogs are answered on request only (B133), waited for, and checked against a recorded message."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.stage import NO_FAST_PATHS, Stage, app, selector, stage

from surefoot.drivers.sim.spec import Action, DialogSpec, Rule
from surefoot.errors import SurefootError
from surefoot.interact import (
    answer_dialog,
    current_dialog,
    press,
    resolve_read,
    scroll,
    wait_dialog,
    wait_duration,
)

PAGE = 'document "App"(main(button "Wipe" =A, status "Wiped" if=wiped))'


async def asking(directory: Path) -> Stage:
    dialog = DialogSpec(kind="confirm", message="Delete all?", accept=(Action(set={"wiped": "1"}),))
    rule = Rule(press="A", do=(Action(dialog=dialog),))
    on = await stage(app(PAGE, rule, without=NO_FAST_PATHS), directory)
    await press(on.session, selector("label=Wipe"))
    return on


async def test_b133_dialog_stays_open_until_somebody_answers(tmp_path: Path) -> None:
    on = await asking(tmp_path)
    await wait_duration(on.session, 60_000)
    assert current_dialog(on.session).message == "Delete all?"
    with pytest.raises(SurefootError) as caught:
        await scroll(on.session, "down")
    assert caught.value.code == "DIALOG_PENDING"
    with pytest.raises(SurefootError) as caught:
        await resolve_read(on.session, selector("label=Wipe"))
    assert caught.value.code == "DIALOG_PENDING"
    assert on.inputs() == ["press"]


async def test_accepting_does_what_it_says(tmp_path: Path) -> None:
    on = await asking(tmp_path)
    done = await answer_dialog(on.session, True)
    assert done.data.answered is not None
    assert done.data.answered.message == "Delete all?"
    assert done.data.dialog is None
    assert (await resolve_read(on.session, selector("label=Wiped"))).node.role == "status"


async def test_dismissing_does_not(tmp_path: Path) -> None:
    on = await asking(tmp_path)
    await answer_dialog(on.session, False)
    with pytest.raises(SurefootError) as caught:
        await resolve_read(on.session, selector("label=Wiped"))
    assert caught.value.reason == "selector_not_found"


async def test_another_message_than_the_recorded_one_is_not_answered(tmp_path: Path) -> None:
    on = await asking(tmp_path)
    with pytest.raises(SurefootError) as caught:
        await answer_dialog(on.session, True, expected="Save changes?")
    assert (caught.value.code, caught.value.reason) == ("COMMAND_FAILED", "dialog_mismatch")
    assert current_dialog(on.session).message == "Delete all?"


async def test_a_text_for_a_dialog_without_a_field_is_refused(tmp_path: Path) -> None:
    on = await asking(tmp_path)
    with pytest.raises(SurefootError) as caught:
        await answer_dialog(on.session, True, "yes")
    assert (caught.value.code, caught.value.reason) == ("COMMAND_FAILED", "no_prompt")
    assert caught.value.message == "The open dialog is a confirm, which takes no text."
    assert current_dialog(on.session).message == "Delete all?"


async def test_answering_nothing_is_refused(tmp_path: Path) -> None:
    on = await stage('document "App"', tmp_path)
    with pytest.raises(SurefootError) as caught:
        await answer_dialog(on.session, True)
    assert (caught.value.code, caught.value.reason) == ("COMMAND_FAILED", "no_dialog")
    with pytest.raises(SurefootError) as caught:
        current_dialog(on.session)
    assert caught.value.reason == "no_dialog"


async def test_dialog_that_comes_late_is_waited_for(tmp_path: Path) -> None:
    rule = Rule(after=300, do=(Action(dialog=DialogSpec(message="Late")),))
    on = await stage(app('document "App"', rule, without=NO_FAST_PATHS), tmp_path)
    opened = await wait_dialog(on.session, 1_000)
    assert (opened.message, on.clock.now_ms() <= 400) == ("Late", True)


async def test_dialog_that_never_comes_times_out(tmp_path: Path) -> None:
    on = await stage('document "App"', tmp_path)
    with pytest.raises(SurefootError) as caught:
        await wait_dialog(on.session, 500)
    assert (caught.value.code, caught.value.reason) == ("TIMEOUT", "dialog_missing")
    assert on.clock.now_ms() == 500
