"""Contracts of what happens around an action: dialogs, tabs, navigation, settling, closing."""

from __future__ import annotations

import pytest
from tests.contract.contracts.model import Contract, Opened, Stage, contract, refused

from surefoot.drivers import Gesture, SettlePolicy, within
from surefoot.errors import ErrorCode, SurefootError

EVENT_CONTRACTS: list[Contract] = []
PRESS = Gesture()


async def press(opened: Opened, role: str, label: str) -> None:
    await opened.app.pointer(await opened.node(role, label), PRESS)


@contract(EVENT_CONTRACTS)
async def a_dialog_is_reported_with_the_press_that_opened_it(stage: Stage) -> None:
    opened = await stage.open("events")
    delivery = await opened.app.pointer(await opened.node("button", "Alert"), PRESS)
    assert delivery.dialog is not None
    assert (delivery.dialog.kind, delivery.dialog.message) == ("alert", "Look out")
    assert opened.app.dialog() == delivery.dialog
    assert "dialog_opened" in [event.kind for event in opened.events]


@contract(EVENT_CONTRACTS)
async def a_dialog_blocks_and_is_never_answered_by_itself(stage: Stage) -> None:
    opened = await stage.open("events")
    button = await opened.node("button", "Work")
    before = await opened.app.observe()
    await press(opened, "button", "Confirm")
    error = await refused(opened.app.observe(), ErrorCode.DIALOG_PENDING, "dialog_open")
    assert error.details["dialog"]["message"] == "Sure?"
    await refused(opened.app.pointer(button, PRESS), ErrorCode.DIALOG_PENDING, "dialog_open")
    await refused(opened.app.type_text("x"), ErrorCode.DIALOG_PENDING, "dialog_open")
    await refused(opened.app.key("Enter"), ErrorCode.DIALOG_PENDING, "dialog_open")
    assert not await opened.app.unchanged(before)
    dialog = opened.app.dialog()
    assert dialog is not None
    assert dialog.message == "Sure?"


@contract(EVENT_CONTRACTS)
async def accepting_and_dismissing_reach_the_app(stage: Stage) -> None:
    opened = await stage.open("events")
    await press(opened, "button", "Confirm")
    await opened.app.answer_dialog(accept=True)
    assert opened.app.dialog() is None
    assert await opened.shows_soon("confirmed")
    await press(opened, "button", "Confirm")
    await opened.app.answer_dialog(accept=False)
    assert await opened.shows_soon("dismissed")


@contract(EVENT_CONTRACTS)
async def a_prompt_gets_its_text(stage: Stage) -> None:
    opened = await stage.open("events")
    await press(opened, "button", "Prompt")
    dialog = opened.app.dialog()
    assert dialog is not None
    assert (dialog.kind, dialog.default) == ("prompt", "Bo")
    await opened.app.answer_dialog(accept=True, text="Ann")
    assert await opened.shows_soon("Ann")


@contract(EVENT_CONTRACTS)
async def a_dialog_that_opens_by_itself_is_noticed(stage: Stage) -> None:
    opened = await stage.open("events")
    await press(opened, "button", "Alert later")
    await opened.clock.sleep(1500)
    await refused(opened.app.observe(), ErrorCode.DIALOG_PENDING, "dialog_open")
    dialog = opened.app.dialog()
    assert dialog is not None
    assert dialog.message == "By itself"
    await opened.app.answer_dialog(accept=True)
    assert await opened.shows("nothing yet")


@contract(EVENT_CONTRACTS)
async def answering_no_dialog_is_an_error(stage: Stage) -> None:
    opened = await stage.open("events")
    with pytest.raises(SurefootError) as caught:
        await opened.app.answer_dialog(accept=True)
    assert caught.value.code == ErrorCode.COMMAND_FAILED


@contract(EVENT_CONTRACTS)
async def a_press_that_opens_a_tab_says_so(stage: Stage) -> None:
    opened = await stage.open("events")
    delivery = await opened.app.pointer(await opened.node("link", "Help"), PRESS)
    assert delivery.opened_tab is not None
    assert delivery.opened_tab.index == 2
    assert "tab_opened" in [event.kind for event in opened.events]


@contract(EVENT_CONTRACTS)
async def tabs_are_listed_selected_and_closed(stage: Stage) -> None:
    opened = await stage.open("events")
    await press(opened, "link", "Help")
    assert [tab.index for tab in await opened.app.tabs()] == [1, 2]
    chosen = await opened.app.select_tab(2)
    assert (chosen.index, chosen.active) == (2, True)
    assert await opened.shows_soon("Help")
    assert [tab.active for tab in await opened.app.tabs()] == [False, True]
    assert (await opened.app.tabs())[1].title == "Help"
    await opened.app.close_tab(2)
    assert [(tab.index, tab.active) for tab in await opened.app.tabs()] == [(1, True)]
    assert await opened.shows("nothing yet")


@contract(EVENT_CONTRACTS)
async def a_tab_that_is_not_there_is_told(stage: Stage) -> None:
    opened = await stage.open("events")
    with pytest.raises(SurefootError) as caught:
        await opened.app.select_tab(7)
    assert (caught.value.code, caught.value.reason) == (ErrorCode.COMMAND_FAILED, "no_such_tab")


@contract(EVENT_CONTRACTS)
async def a_press_that_navigates_says_so(stage: Stage) -> None:
    opened = await stage.open("events")
    delivery = await opened.app.pointer(await opened.node("link", "Next"), PRESS)
    assert delivery.navigated
    assert await opened.shows_soon("The next page")


@contract(EVENT_CONTRACTS)
async def history_goes_back_forward_and_afresh(stage: Stage) -> None:
    opened = await stage.open("events")
    await press(opened, "link", "Next")
    assert await opened.shows_soon("The next page")
    await opened.app.history("back")
    assert await opened.shows_soon("nothing yet")
    await opened.app.history("forward")
    assert await opened.shows_soon("The next page")
    heading = await opened.node("heading", "The next page")
    await opened.app.history("reload")
    assert await opened.shows_soon("The next page")
    assert (await opened.node("heading", "The next page")).handle != heading.handle


@contract(EVENT_CONTRACTS)
async def going_back_from_the_first_page_is_an_error(stage: Stage) -> None:
    opened = await stage.open("events")
    with pytest.raises(SurefootError) as caught:
        await opened.app.history("back")
    assert caught.value.code == ErrorCode.COMMAND_FAILED


@contract(EVENT_CONTRACTS)
async def settling_waits_for_quiet_after_the_action(stage: Stage) -> None:
    opened = await stage.open("events")
    await press(opened, "button", "Work")
    outcome = await opened.app.settle(SettlePolicy(quiet_ms=500, timeout_ms=10_000))
    assert outcome.settled
    assert outcome.waited_ms >= 500
    assert await opened.shows("worked")


@contract(EVENT_CONTRACTS)
async def settling_gives_up_at_its_cap_and_says_why(stage: Stage) -> None:
    opened = await stage.open("events")
    await press(opened, "link", "Restless")
    outcome = await opened.app.settle(SettlePolicy(quiet_ms=200, timeout_ms=700))
    assert not outcome.settled
    assert outcome.why
    assert 700 <= outcome.waited_ms < 5000


@contract(EVENT_CONTRACTS)
async def a_cancelled_call_leaves_the_app_usable(stage: Stage) -> None:
    opened = await stage.open("events")
    await press(opened, "link", "Restless")
    with pytest.raises(TimeoutError):
        await within(
            opened.clock, 300, opened.app.settle(SettlePolicy(quiet_ms=5000, timeout_ms=60_000))
        )
    await press(opened, "button", "Alpha")
    assert (await opened.app.observe()).quality == "ok"


@contract(EVENT_CONTRACTS)
async def a_call_without_an_answer_can_be_cancelled(stage: Stage) -> None:
    opened = await stage.open("events")
    await press(opened, "button", "Busy for a while")
    await opened.clock.sleep(150)
    with pytest.raises(TimeoutError):
        await within(opened.clock, 300, opened.app.observe())
    await opened.clock.sleep(2500)
    assert await opened.shows("nothing yet")


@contract(EVENT_CONTRACTS)
async def a_call_without_an_answer_ends_at_its_deadline(stage: Stage) -> None:
    opened = await stage.open("events")
    await press(opened, "button", "Hang")
    await opened.clock.sleep(150)
    before = opened.clock.now_ms()
    await refused(opened.app.observe(), ErrorCode.TIMEOUT, "driver_deadline")
    assert opened.clock.now_ms() - before <= 31_000
    other = await stage.open("controls")
    assert await other.shows("nothing yet")
    await stage.reopen(opened, "controls")
    assert await opened.shows("nothing yet")


@contract(EVENT_CONTRACTS)
async def a_cancelled_fill_leaves_the_app_usable(stage: Stage) -> None:
    opened = await stage.open("text")
    field = await opened.node("textbox", "Name")
    with pytest.raises(TimeoutError):
        await within(opened.clock, 400, opened.app.fill(field, "x" * 200, delay_ms=50))
    assert (await opened.app.fill(field, "after")).value == "after"


@contract(EVENT_CONTRACTS)
async def reopening_replaces_what_is_open(stage: Stage) -> None:
    opened = await stage.open("controls")
    alpha = await opened.node("button", "Alpha")
    await stage.reopen(opened, "text")
    assert await opened.node("textbox", "Name")
    await refused(opened.app.pointer(alpha, PRESS), ErrorCode.ELEMENT_NOT_FOUND, "node_detached")


@contract(EVENT_CONTRACTS)
async def two_apps_share_nothing(stage: Stage) -> None:
    one, two = await stage.open("text"), await stage.open("text")
    await one.app.fill(await one.node("textbox", "Name"), "Ann")
    assert (await two.node("textbox", "Name")).value == "old"


@contract(EVENT_CONTRACTS)
async def closing_twice_is_closing_once_and_ends_every_call(stage: Stage) -> None:
    opened = await stage.open("controls")
    alpha = await opened.node("button", "Alpha")
    await opened.app.close()
    await opened.app.close()
    for call in (opened.app.observe(), opened.app.pointer(alpha, PRESS)):
        with pytest.raises(SurefootError) as caught:
            await call
        assert caught.value.code == ErrorCode.COMMAND_FAILED


@contract(EVENT_CONTRACTS)
async def an_app_that_does_not_exist_is_not_opened(stage: Stage) -> None:
    with pytest.raises(SurefootError) as caught:
        await stage.open_missing()
    assert caught.value.code == ErrorCode.APP_NOT_FOUND


@contract(EVENT_CONTRACTS)
async def the_viewport_takes_the_size_it_is_given(stage: Stage) -> None:
    opened = await stage.open("controls")
    await opened.app.set_viewport(500, 400)
    viewport = (await opened.app.observe()).viewport
    assert (viewport.width, viewport.height) == (500, 400)
