"""Contracts of text and keys: the field holds what was given, or the call says that it does not."""

from __future__ import annotations

import pytest
from tests.contract.contracts.model import Contract, Opened, Stage, contract, refused

from surefoot.drivers import Gesture
from surefoot.errors import ErrorCode, SurefootError

TEXT_CONTRACTS: list[Contract] = []


async def fill(opened: Opened, label: str, text: str, role: str = "textbox") -> str | None:
    outcome = await opened.app.fill(await opened.node(role, label), text)
    return outcome.value


@contract(TEXT_CONTRACTS)
async def fill_replaces_and_reads_back(stage: Stage) -> None:
    opened = await stage.open("text")
    assert await fill(opened, "Name", "Hello") == "Hello"
    assert await fill(opened, "Name", "Hello") == "Hello"
    assert (await opened.node("textbox", "Name")).value == "Hello"


@contract(TEXT_CONTRACTS)
async def fill_with_nothing_empties(stage: Stage) -> None:
    opened = await stage.open("text")
    assert await fill(opened, "Name", "") == ""
    assert not (await opened.node("textbox", "Name")).has_value


@contract(TEXT_CONTRACTS)
async def type_appends_to_the_focused_field(stage: Stage) -> None:
    opened = await stage.open("text")
    await fill(opened, "Name", "Hello")
    assert (await opened.app.type_text(" you")).value == "Hello you"
    assert (await opened.node("textbox", "Name")).value == "Hello you"


@contract(TEXT_CONTRACTS)
async def type_without_focus_is_refused(stage: Stage) -> None:
    opened = await stage.open("text")
    await refused(opened.app.type_text("x"), ErrorCode.COMMAND_FAILED, "no_focus")


@contract(TEXT_CONTRACTS)
async def any_script_and_any_sign_arrives_as_given(stage: Stage) -> None:
    opened = await stage.open("text")
    for text in (
        "a; echo hi $(id) 'q' \"w\" `x` *",
        "漢字かな",
        "مرحبا",
        "😀 e\u0301",
        "  two  blanks  ",
    ):
        assert await fill(opened, "Name", text) == text
        assert (await opened.node("textbox", "Name")).value == text


@contract(TEXT_CONTRACTS)
async def several_lines_arrive_in_a_field_of_several_lines(stage: Stage) -> None:
    opened = await stage.open("text")
    assert await fill(opened, "Long", "L1\nL2\nL3") == "L1\nL2\nL3"


@contract(TEXT_CONTRACTS)
async def a_password_is_entered_and_not_read_back(stage: Stage) -> None:
    opened = await stage.open("text")
    assert await fill(opened, "Password", "correct horse") is None
    assert (await opened.app.type_text(" battery")).value is None


@contract(TEXT_CONTRACTS)
async def a_readonly_field_is_refused(stage: Stage) -> None:
    opened = await stage.open("text")
    await refused(fill(opened, "Fixed", "x"), ErrorCode.COMMAND_FAILED, "readonly")
    assert (await opened.node("textbox", "Fixed")).value == "fixed"


@contract(TEXT_CONTRACTS)
async def a_disabled_field_is_refused(stage: Stage) -> None:
    opened = await stage.open("text")
    await refused(fill(opened, "Off", "x"), ErrorCode.ELEMENT_DISABLED, "disabled")


@contract(TEXT_CONTRACTS)
async def what_is_no_field_is_refused(stage: Stage) -> None:
    opened = await stage.open("text")
    await refused(fill(opened, "Plain", "x", "button"), ErrorCode.COMMAND_FAILED, "not_editable")


@contract(TEXT_CONTRACTS)
async def a_text_too_long_is_refused_before_anything_is_typed(stage: Stage) -> None:
    opened = await stage.open("text")
    await refused(fill(opened, "Short", "four"), ErrorCode.COMMAND_FAILED, "maxlength")
    assert not (await opened.node("textbox", "Short")).has_value


@contract(TEXT_CONTRACTS)
async def a_field_that_keeps_another_text_is_told_with_that_text(stage: Stage) -> None:
    opened = await stage.open("text")
    error = await refused(fill(opened, "Letters", "a1b2"), ErrorCode.COMMAND_FAILED, "text_mismatch")
    assert error.details["actual"] == "ab"


@contract(TEXT_CONTRACTS)
async def a_choice_is_made_by_its_name_and_an_unknown_one_refused(stage: Stage) -> None:
    opened = await stage.open("text")
    assert await fill(opened, "Colour", "Blue", "combobox") == "Blue"
    assert (await opened.node("combobox", "Colour")).value == "Blue"
    await refused(fill(opened, "Colour", "Green", "combobox"), ErrorCode.COMMAND_FAILED, "bad_value")
    assert (await opened.node("combobox", "Colour")).value == "Blue"


@contract(TEXT_CONTRACTS)
async def a_key_goes_to_the_focused_element(stage: Stage) -> None:
    opened = await stage.open("text")
    await fill(opened, "Name", "Ann")
    await opened.app.key("Enter")
    assert await opened.shows("entered Ann")


@contract(TEXT_CONTRACTS)
async def keys_edit_text(stage: Stage) -> None:
    opened = await stage.open("text")
    await fill(opened, "Name", "abc")
    await opened.app.key("Backspace")
    await opened.app.key("x")
    assert (await opened.node("textbox", "Name")).value == "abx"
    await opened.app.key("ctrl+a")
    await opened.app.key("z")
    assert (await opened.node("textbox", "Name")).value == "z"


@contract(TEXT_CONTRACTS)
async def tab_moves_the_focus_on(stage: Stage) -> None:
    opened = await stage.open("text")
    await opened.app.focus(await opened.node("textbox", "Name"))
    await opened.app.key("Tab")
    assert (await opened.node("textbox", "Password")).focused
    await opened.app.key("shift+Tab")
    assert (await opened.node("textbox", "Name")).focused


@contract(TEXT_CONTRACTS)
async def an_unknown_key_is_invalid(stage: Stage) -> None:
    opened = await stage.open("text")
    for chord in ("Entr", "ctr+a", ""):
        with pytest.raises(SurefootError) as caught:
            await opened.app.key(chord)
        assert caught.value.code == ErrorCode.INVALID_ARGS


@contract(TEXT_CONTRACTS)
async def a_press_focuses_a_field(stage: Stage) -> None:
    opened = await stage.open("text")
    await opened.app.pointer(await opened.node("textbox", "Short"), Gesture())
    assert (await opened.app.type_text("abc")).value == "abc"
