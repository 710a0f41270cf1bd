"""Filling, typing and keys: refused before typing, read back, told when the text differs."""

from __future__ import annotations

import pytest

from surefoot.drivers import Gesture
from surefoot.drivers.sim import Action, AppSpec, Rule, ScreenSpec, VirtualClock, node_of, open_sim
from surefoot.errors import ErrorCode, SurefootError


async def test_fill_replaces_and_type_appends() -> None:
    app = await open_sim('main(textbox "t" =t value="old")')
    assert (await app.fill(node_of(app, "t"), "Hello")).value == "Hello"
    assert (await app.fill(node_of(app, "t"), "Hello")).value == "Hello"
    assert (await app.type_text(" you")).value == "Hello you"
    assert node_of(app, "t").value == "Hello you"


async def test_a_password_is_never_read_back() -> None:
    app = await open_sim('main(textbox "t" =t password)')
    outcome = await app.fill(node_of(app, "t"), "secret")
    assert outcome.value is None
    assert app.device.performed[0].text == "secret"


REFUSED = [
    ("not-editable", 'button "a" =a', "x", "not_editable"),
    ("uneditable", "textbox =a uneditable", "x", "not_editable"),
    ("readonly", "textbox =a readonly", "x", "readonly"),
    ("maxlength", "textbox =a maxlength=3", "four", "maxlength"),
    ("rejects", "spinbutton =a accepts=0123456789", "ten", "bad_value"),
    ("one-line", "textbox =a", "L1\nL2", "bad_value"),
    ("no-option", 'combobox =a(option "Red", option "Blue")', "Green", "bad_value"),
    ("undelivered", "textbox =a undelivered", "x", "not_delivered"),
]


@pytest.mark.parametrize(
    ("tree", "text", "reason"), [r[1:] for r in REFUSED], ids=[r[0] for r in REFUSED]
)
async def test_what_cannot_be_entered_is_refused_and_nothing_is_typed(
    tree: str, text: str, reason: str
) -> None:
    app = await open_sim(tree)
    before = node_of(app, "a")
    with pytest.raises(SurefootError) as caught:
        await app.fill(before, text)
    assert (caught.value.code, caught.value.reason) == (ErrorCode.COMMAND_FAILED, reason)
    assert not [event for event in app.device.performed if event.delivered]
    assert node_of(app, "a").value == before.value


async def test_a_disabled_field_is_refused() -> None:
    app = await open_sim("textbox =a disabled")
    with pytest.raises(SurefootError) as caught:
        await app.fill(node_of(app, "a"), "x")
    assert caught.value.code == ErrorCode.ELEMENT_DISABLED


async def test_characters_that_never_arrive_are_a_mismatch_with_the_actual_text() -> None:
    app = await open_sim('textbox "t" =t drops=aeiou')
    with pytest.raises(SurefootError) as caught:
        await app.fill(node_of(app, "t"), "banana")
    assert (caught.value.reason, caught.value.details["actual"]) == ("text_mismatch", "bnn")


async def test_a_mismatch_in_a_password_field_hides_the_actual_text() -> None:
    app = await open_sim('textbox "t" =t password drops=aeiou')
    with pytest.raises(SurefootError) as caught:
        await app.fill(node_of(app, "t"), "banana")
    assert caught.value.details["actual"] is None
    assert "bnn" not in repr(caught.value)


async def test_a_field_that_loses_the_first_try_gets_a_second() -> None:
    app = await open_sim('textbox "t" =t dropsonce')
    outcome = await app.fill(node_of(app, "t"), "abcdef")
    assert (outcome.value, outcome.retried) == ("abcdef", True)


async def test_several_lines_go_into_a_field_of_several_lines() -> None:
    app = await open_sim("textbox =t multiline")
    assert (await app.fill(node_of(app, "t"), "L1\nL2\nL3")).value == "L1\nL2\nL3"


async def test_any_text_arrives_as_it_was_given() -> None:
    app = await open_sim("textbox =t")
    text = "a; echo hi $(id) 'q' \"w\" `x` * ${HOME} 漢字 😀"
    assert (await app.fill(node_of(app, "t"), text)).value == text
    assert node_of(app, "t").value == text


async def test_a_choice_is_made_by_label_or_value() -> None:
    app = await open_sim('combobox =c(option "Red" value=r =red, option "Blue" value=b =blue)')
    assert (await app.fill(node_of(app, "c"), "b")).value == "Blue"
    assert (node_of(app, "red").selected, node_of(app, "blue").selected) == (False, True)


async def test_typing_without_focus_is_refused() -> None:
    app = await open_sim("textbox =t")
    with pytest.raises(SurefootError) as caught:
        await app.type_text("x")
    assert caught.value.reason == "no_focus"


async def test_typing_goes_where_the_press_put_the_focus() -> None:
    app = await open_sim("textbox =a, textbox =b")
    await app.pointer(node_of(app, "b"), Gesture())
    await app.type_text("x")
    assert (node_of(app, "a").value, node_of(app, "b").value, node_of(app, "b").focused) == (
        "",
        "x",
        True,
    )


async def test_a_field_may_echo_its_content_in_a_label_after_blur() -> None:
    screen = ScreenSpec(
        tree='textbox =t bind=v, button "b" =b, text "${shown}" =shown',
        on=(Rule(blur="t", do=(Action(set={"shown": "You typed ${v}"}),)),),
    )
    app = await open_sim(
        AppSpec(name="e", start="m", variables={"v": "", "shown": ""}, screens={"m": screen})
    )
    await app.fill(node_of(app, "t"), "abc")
    assert node_of(app, "shown").label == ""
    await app.pointer(node_of(app, "b"), Gesture())
    assert node_of(app, "shown").label == "You typed abc"


async def test_a_delay_is_taken_between_characters() -> None:
    clock = VirtualClock()
    app = await open_sim("textbox =t", clock)
    await app.fill(node_of(app, "t"), "abcd", delay_ms=10)
    assert clock.now_ms() == 40


async def test_keys_edit_the_focused_field() -> None:
    app = await open_sim("textbox =t multiline")
    await app.fill(node_of(app, "t"), "abc")
    for chord in ("Backspace", "x", "Space", "Enter", "shift+Y"):
        await app.key(chord)
    assert node_of(app, "t").value == "abx \nY"
    await app.key("ctrl+a")
    await app.key("z")
    assert node_of(app, "t").value == "z"


async def test_tab_moves_the_focus_in_document_order() -> None:
    app = await open_sim('button "a" =a, text "x", button "b" =b disabled, textbox =c')
    order = []
    for chord in ("Tab", "Tab", "Tab", "shift+Tab"):
        await app.key(chord)
        focused = app.device.focused()
        order.append(focused.key if focused else None)
    assert order == ["a", "c", "a", "c"]


@pytest.mark.parametrize("chord", ["Enter", "Space"])
async def test_enter_and_space_press_what_has_the_focus(chord: str) -> None:
    app = await open_sim('checkbox "c" =c focused')
    await app.key(chord)
    assert node_of(app, "c").checked == "true"


async def test_a_key_runs_its_rule_where_it_is_meant_to() -> None:
    screen = ScreenSpec(
        tree="textbox =a, textbox =b", on=(Rule(key="Enter", at="b", do=(Action(go="n"),)),)
    )
    app = await open_sim(
        AppSpec(name="k", start="m", screens={"m": screen, "n": ScreenSpec(tree="main")})
    )
    await app.focus(node_of(app, "a"))
    assert not (await app.key("Enter")).navigated
    await app.focus(node_of(app, "b"))
    assert (await app.key("enter")).navigated


@pytest.mark.parametrize("chord", ["Entr", "ctr+a", "", "ctrl+", "ctrl+Foo"])
async def test_an_unknown_key_is_refused_and_nothing_is_sent(chord: str) -> None:
    app = await open_sim("main")
    with pytest.raises(SurefootError) as caught:
        await app.key(chord)
    assert (caught.value.code, caught.value.reason) == (ErrorCode.INVALID_ARGS, "unknown_key")
    assert app.device.performed == []


async def test_boxes_toggle_and_radios_exclude_each_other() -> None:
    app = await open_sim('checkbox "c" =c, radiogroup(radio "x" =x checked, radio "y" =y)')
    for key in ("c", "y"):
        await app.pointer(node_of(app, key), Gesture())
    assert [node_of(app, key).checked for key in ("c", "x", "y")] == ["true", "false", "true"]


async def test_files_are_named_in_their_field() -> None:
    app = await open_sim('textbox "File" =f input=file')
    await app.upload(node_of(app, "f"), ["/tmp/a.txt", "/tmp/b.txt"])
    assert node_of(app, "f").value == "a.txt, b.txt"
