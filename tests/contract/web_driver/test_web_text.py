# ruff: noqa: E501 - pages are written in line, and waited for from outside
"""Text is entered, read back, or refused beforehand (web.md, "Text"; faults B060, B061, B062, B064)."""

from __future__ import annotations

from typing import Any

import pytest

from surefoot.drivers import Gesture, TextOutcome
from surefoot.drivers.web.act import keyboard
from surefoot.errors import SurefootError

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def fill(
    screen: Any, markup: str, text: str, *, role: str | None = None, delay_ms: int = 0
) -> TextOutcome:
    await screen.goto(f"<main>{markup}</main>")
    await screen.js("log.length = 0")
    return await screen.app.fill(await screen.node(id="f"), text, delay_ms)  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<input id=f aria-label=F value=old>", "new text"),
        ("<input id=f aria-label=F value=old>", ""),
        ("<input id=f aria-label=F>", "Grüße, 日本語 العربية 👩‍👩‍👧"),
        ("<input id=f type=number aria-label=F value=3>", "-12.5"),
        ("<input id=f type=email aria-label=F value=a@b.c>", "someone@example.org"),
        ("<input id=f type=search aria-label=F>", "query"),
        ("<input id=f type=tel aria-label=F>", "+49 30 1234"),
        ("<textarea id=f aria-label=F>old\nold</textarea>", "one\n\nthree"),
        ("<div id=f contenteditable role=textbox aria-label=F>old</div>", "Hello"),
    ],
    ids=["text", "empty", "scripts", "number", "email", "search", "tel", "textarea", "contenteditable"],
)
async def test_a_fill_replaces_the_content_with_trusted_events(
    screen: Any, markup: str, text: str
) -> None:
    outcome = await fill(screen, markup, text)
    assert outcome.value == text
    assert (outcome.delivery.trusted, outcome.retried) == (True, False)
    assert "input:f:true" in await screen.log()
    assert await screen.js("'value' in f ? f.value : f.innerText") == text


async def test_b061_newlines_stay_in_contenteditable(screen: Any) -> None:
    outcome = await fill(
        screen, "<div id=f contenteditable role=textbox aria-label=F>x</div>", "L1\nL2\n\nL4"
    )
    assert outcome.value == "L1\nL2\n\nL4"
    assert await screen.js("f.innerHTML") == "L1<div>L2</div><div><br></div><div>L4</div>"


async def test_b062_filling_contenteditable_twice_replaces(screen: Any) -> None:
    await fill(screen, "<div id=f contenteditable role=textbox aria-label=F>x</div>", "Hello")
    outcome = await screen.app.fill(await screen.node(id="f"), "Hello")
    assert outcome.value == "Hello"
    assert await screen.js("f.textContent") == "Hello"


async def test_b060_a_slow_field_gets_every_character(screen: Any) -> None:
    slow = "<script>f.oninput = () => { const end = performance.now() + 60; while (performance.now() < end); }</script>"
    text = "abcdefghijklmnopqrstuvwxyz0123456789ABCD"
    outcome = await fill(screen, "<input id=f aria-label=F>" + slow, text)
    assert outcome.value == text


async def test_a_field_that_needs_keys_gets_them_on_the_second_try(screen: Any) -> None:
    # Like per-key fields do: whatever did not come with a keydown is thrown away.
    keyed = (
        "<script>let keys = ''; f.onkeydown = e => { if (e.key.length === 1) keys += e.key; else keys = '' };"
        "f.oninput = () => { if (f.value !== keys) f.value = '' }</script>"
    )
    outcome = await fill(screen, "<input id=f aria-label=F>" + keyed, "Ab-1é")
    assert (outcome.value, outcome.retried) == ("Ab-1é", True)


async def test_b064_a_field_that_filters_is_a_mismatch_with_its_real_value(screen: Any) -> None:
    digits = "<script>f.oninput = () => f.value = f.value.replace(/\\D/g, '')</script>"
    with pytest.raises(SurefootError) as caught:
        await fill(screen, "<input id=f aria-label=F>" + digits, "Item 1")
    assert (caught.value.reason, caught.value.details["actual"]) == ("text_mismatch", "1")


async def test_the_content_of_a_password_field_is_never_told(screen: Any) -> None:
    outcome = await fill(screen, "<input id=f type=password aria-label=F>", "s3cret")
    assert outcome.value is None
    assert await screen.js("f.value") == "s3cret"
    cut = "<script>f.oninput = () => f.value = f.value.slice(0, 2)</script>"
    with pytest.raises(SurefootError) as caught:
        await fill(screen, "<input id=f type=password aria-label=F>" + cut, "s3cret")
    assert caught.value.details["actual"] is None
    assert "s3" not in caught.value.message


@pytest.mark.parametrize(
    ("markup", "text", "code", "reason"),
    [
        ("<input id=f aria-label=F readonly>", "x", "COMMAND_FAILED", "readonly"),
        ("<input id=f aria-label=F disabled>", "x", "ELEMENT_DISABLED", "disabled"),
        ("<input id=f aria-label=F maxlength=3>", "four", "COMMAND_FAILED", "maxlength"),
        ("<input id=f aria-label=F>", "two\nlines", "COMMAND_FAILED", "bad_value"),
        ("<input id=f type=number aria-label=F>", "many", "COMMAND_FAILED", "bad_value"),
        ("<input id=f type=date aria-label=F>", "2024-02-31", "COMMAND_FAILED", "bad_value"),
        ("<input id=f type=color aria-label=F>", "red", "COMMAND_FAILED", "bad_value"),
        ("<input id=f type=range max=10 aria-label=F>", "11", "COMMAND_FAILED", "bad_value"),
        ("<input id=f type=checkbox aria-label=F>", "x", "COMMAND_FAILED", "not_editable"),
        ("<button id=f>F</button>", "x", "COMMAND_FAILED", "not_editable"),
        ("<select id=f aria-label=F><option>One</select>", "Two", "COMMAND_FAILED", "bad_value"),
        (
            "<select id=f aria-label=F><option>One<option disabled>Two</select>",
            "Two",
            "COMMAND_FAILED",
            "bad_value",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) and "<" not in value and value.islower() else "",
)
async def test_what_cannot_be_entered_is_refused_before_anything_is_typed(
    screen: Any, markup: str, text: str, code: str, reason: str
) -> None:
    with pytest.raises(SurefootError) as caught:
        await fill(screen, markup, text)
    assert (caught.value.code, caught.value.reason) == (code, reason)
    assert [
        entry for entry in await screen.log() if entry.startswith(("keydown", "input", "change"))
    ] == []


@pytest.mark.parametrize(
    ("markup", "text", "said"),
    [
        ("<input id=f type=date aria-label=F>", "4/3/2026", "it is no date as 2026-03-14 is one"),
        ("<input id=f type=time aria-label=F>", "9am", "it is no time as 09:30 is one"),
        (
            "<select id=f aria-label=F><option>One<option>Two</select>",
            "Six",
            "it has no option 'Six', only 'One', 'Two'",
        ),
    ],
    ids=["date", "time", "select"],
)
async def test_a_refused_value_comes_with_the_form_of_a_good_one(
    screen: Any, markup: str, text: str, said: str
) -> None:
    with pytest.raises(SurefootError) as caught:
        await fill(screen, markup, text)
    assert said in caught.value.message


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("date", "2024-02-29"),
        ("time", "13:05"),
        ("time", "00:30"),
        ("datetime-local", "2031-12-01T23:59"),
    ],
)
async def test_dates_and_times_are_typed(screen: Any, kind: str, value: str) -> None:
    outcome = await fill(screen, f"<input id=f type={kind} aria-label=F>", value)
    assert (outcome.value, outcome.delivery.trusted) == (value, True)
    assert "input:f:true" in await screen.log()


async def test_a_date_that_is_there_already_is_replaced(screen: Any) -> None:
    outcome = await fill(screen, "<input id=f type=date value=1999-12-31 aria-label=F>", "2024-02-29")
    assert (outcome.value, outcome.delivery.trusted) == ("2024-02-29", True)


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("month", "2024-02"),
        ("week", "2024-W07"),
        ("color", "#aa00ff"),
        ("range", "42"),
        ("date", ""),
        ("time", "10:20:30"),
    ],
)
async def test_what_only_a_setter_can_do_is_said_to_be_untrusted(
    screen: Any, kind: str, value: str
) -> None:
    outcome = await fill(
        screen, f"<input id=f type={kind} step=1 value='2020-01-01' aria-label=F>", value
    )
    assert (outcome.value, outcome.delivery.trusted) == (value, False)


SELECT = "<select id=f aria-label=F><option>One<option>Two<option value=drei>Three<option disabled>Four<option>Five</select>"


@pytest.mark.parametrize(("name", "value"), [("Three", "drei"), ("drei", "drei"), ("Five", "Five")])
async def test_an_option_is_chosen_with_one_trusted_change(screen: Any, name: str, value: str) -> None:
    outcome = await fill(screen, SELECT, name)
    assert outcome.delivery.trusted
    assert await screen.js("f.value") == value
    assert [entry for entry in await screen.log() if entry.startswith("change")] == ["change:f:true"]


async def test_a_press_on_an_option_of_a_closed_list_chooses_it(screen: Any) -> None:
    await screen.goto(SELECT)
    options = [node for node in (await screen.app.observe()).tree if node.role == "option"]
    await screen.js("log.length = 0")
    (three,) = [node for node in options if node.label == "Three"]
    delivery = await screen.app.pointer(three, Gesture())
    assert delivery.trusted
    assert await screen.js("f.value") == "drei"
    assert [entry for entry in await screen.log() if entry.startswith("change")] == ["change:f:true"]
    (four,) = [node for node in options if node.label == "Four"]
    with pytest.raises(SurefootError) as caught:
        await screen.app.pointer(four, Gesture())
    assert caught.value.code == "ELEMENT_DISABLED"


async def test_several_options_of_a_multiple_list_are_set(screen: Any) -> None:
    outcome = await fill(screen, SELECT.replace("id=f", "id=f multiple"), "One\nFive")
    assert (outcome.value, outcome.delivery.trusted) == ("One\nFive", False)
    assert await screen.js("[...f.selectedOptions].map(o => o.text).join()") == "One,Five"


MULTIPLE = SELECT.replace("id=f", "id=f multiple").replace("Two", "Two, too")


@pytest.mark.parametrize(
    ("text", "chosen"),
    [
        ("One, Five", "One|Five"),
        ("Five,One", "One|Five"),
        ("Five\nOne", "One|Five"),
        ("Two, too", "Two, too"),
        ("Two, too\nOne", "One|Two, too"),
        ("", ""),
    ],
)
async def test_a_multiple_list_holds_exactly_what_is_named(screen: Any, text: str, chosen: str) -> None:
    await fill(
        screen, MULTIPLE.replace("<option disabled", "<option selected>Six<option disabled"), text
    )
    assert await screen.js("[...f.selectedOptions].map(o => o.text).join('|')") == chosen


@pytest.mark.parametrize(
    ("field", "hint"),
    [
        ("<input id=f type=checkbox aria-label=F>", "`surefoot press <target>`"),
        ("<input id=f type=radio aria-label=F>", "`surefoot press <target>`"),
        ("<input id=f type=file aria-label=F>", "`surefoot upload <target> <file>`"),
    ],
)
async def test_what_takes_no_text_says_what_it_takes(screen: Any, field: str, hint: str) -> None:
    with pytest.raises(SurefootError) as caught:
        await fill(screen, field, "x")
    assert caught.value.reason == "not_editable"
    assert hint in caught.value.hint


async def test_a_field_like_reacts_keeps_the_text(screen: Any) -> None:
    # React tells its own writes from a person's by a property of the node in the page's world.
    tracker = (
        "<script>let seen = ''; const d = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');"
        "Object.defineProperty(f, 'value', {get() { return d.get.call(this) }, set(v) { seen = v; d.set.call(this, v) }});"
        "f.addEventListener('input', () => { const now = d.get.call(f); window.state = now === seen ? state : now; f.value = state })"
        "</script>"
    )
    outcome = await fill(screen, "<input id=f aria-label=F>" + tracker, "typed")
    assert outcome.value == "typed"
    assert await screen.js("state") == "typed"


async def test_typing_appends_to_the_focused_field(screen: Any) -> None:
    await screen.goto("<input id=f aria-label=F value=Hello>")
    await screen.app.pointer(await screen.node(id="f"), Gesture())
    outcome = await screen.app.type_text(", world")
    assert outcome.value == "Hello, world"


@pytest.mark.parametrize(
    "markup",
    [
        "<textarea id=f aria-label=F>Hello</textarea>",
        "<div id=f contenteditable role=textbox aria-label=F>Hello</div>",
        "<input id=f type=number value=12 aria-label=F>",
    ],
    ids=["textarea", "contenteditable", "number"],
)
async def test_typing_appends_in_every_kind_of_field(screen: Any, markup: str) -> None:
    await screen.goto(markup)
    await screen.app.focus(await screen.node(id="f"))
    outcome = await screen.app.type_text("34")
    assert outcome.value in ("Hello34", "1234")


async def test_typing_with_nothing_focused_is_refused(screen: Any) -> None:
    await screen.goto("<p>nothing")
    with pytest.raises(SurefootError) as caught:
        await screen.app.type_text("x")
    assert caught.value.reason == "no_focus"


async def test_typing_beyond_maxlength_is_refused(screen: Any) -> None:
    await screen.goto("<input id=f aria-label=F value=abc maxlength=4>")
    await screen.app.focus(await screen.node(id="f"))
    with pytest.raises(SurefootError) as caught:
        await screen.app.type_text("de")
    assert caught.value.reason == "maxlength"
    assert await screen.js("f.value") == "abc"


async def test_keys_reach_the_focused_element(screen: Any) -> None:
    await screen.goto(
        "<form onsubmit='event.preventDefault(); sent = true'><input id=f aria-label=F></form>"
        "<script>keys = []; f.onkeydown = e => keys.push([e.key, e.code, e.keyCode, e.ctrlKey, e.shiftKey].join())</script>"
    )
    await screen.app.fill(await screen.node(id="f"), "abc")
    await screen.app.key("ctrl+a")
    await screen.app.key("Backspace")
    await screen.app.key("shift+Tab")
    await screen.app.focus(await screen.node(id="f"))
    await screen.app.key("Enter")
    assert await screen.js("keys") == [
        "Control,ControlLeft,17,true,false",
        "a,KeyA,65,true,false",
        "Backspace,Backspace,8,false,false",
        "Shift,ShiftLeft,16,false,true",
        "Tab,Tab,9,false,true",
        "Enter,Enter,13,false,false",
    ]
    assert await screen.js("f.value + window.sent") == "true"


async def test_keys_into_an_open_list_are_delivered_and_choose(screen: Any) -> None:
    await screen.goto("<label>Rows <select id=s><option>10<option>20<option>50</select></label>")
    await screen.app.pointer(await screen.node(role="combobox"), Gesture())
    for _ in range(2):
        (said,) = (await screen.app.key("ArrowDown")).warnings
        assert "open list" in said
    assert await screen.js("s.value") == "10"
    assert (await screen.app.key("Enter")).warnings == ()
    assert await screen.js("s.value") == "50"
    assert "change:s:true" in await screen.log()
    assert (await screen.app.key("ArrowUp")).warnings == ()  # closed: the page hears of the key itself
    assert "keydown:s:true" in await screen.log()


async def test_a_key_nobody_hears_of_says_nothing_of_the_pointer(
    screen: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keyboard, "send_chord", lambda *_: [])
    monkeypatch.setattr(keyboard, "REPORT_WAIT", 0.05)
    await screen.goto("<input>")
    with pytest.raises(SurefootError) as caught:
        await screen.app.key("a")
    assert caught.value.reason == "not_delivered"
    assert "no document heard of the key" in caught.value.message
    assert "pointer" not in f"{caught.value.message} {caught.value.hint}"


async def test_an_unknown_key_is_refused_with_the_nearest_name(screen: Any) -> None:
    with pytest.raises(SurefootError) as caught:
        await screen.app.key("ctrl+Entr")
    assert caught.value.code == "INVALID_ARGS"
    assert caught.value.hint == "Did you mean Enter?"


async def test_a_fill_with_a_delay_strikes_keys(screen: Any) -> None:
    outcome = await fill(screen, "<input id=f aria-label=F value=old>", "abc", delay_ms=5)
    assert outcome.value == "abc"
    assert (await screen.log()).count("keydown:f:true") == 3


async def test_a_dialog_opened_by_typing_ends_the_fill(screen: Any) -> None:
    await screen.goto("<input id=f aria-label=F oninput=\"alert('typed')\">")
    outcome = await screen.app.fill(await screen.node(id="f"), "x")
    assert outcome.value is None
    assert outcome.delivery.dialog is not None
    assert outcome.delivery.dialog.message == "typed"
    await screen.app.answer_dialog(True)


@pytest.mark.parametrize(
    "markup",
    [
        "<button id=f onclick='hits++'>Delete</button>",
        "<input type=checkbox id=f aria-label=F onclick='hits++'>",
        "<a id=f href='#x' onclick='hits++'>F</a>",
        "<select id=f aria-label=F onchange='hits++'><option>a<option>zz</select>",
        "<input type=range id=f aria-label=F oninput='hits++'>",
        "<input type=date id=f aria-label=F oninput='hits++'>",
        "<div id=f tabindex=0 role=combobox aria-label=F>Pick</div>",
        "<div id=f tabindex=0 aria-label=F>Board</div>",
    ],
    ids=["button", "checkbox", "link", "select", "range", "date", "choice", "board"],
)
async def test_typing_at_what_takes_no_text_is_refused_before_any_key(screen: Any, markup: str) -> None:
    await screen.goto(f"<script>hits = 0</script>{markup}")
    await screen.app.focus(await screen.node(id="f"))
    await screen.js("log.length = 0")
    with pytest.raises(SurefootError) as caught:
        await screen.app.type_text("z z")
    assert caught.value.reason == "not_editable"
    assert (await screen.js("hits"), await screen.log()) == (0, [])


async def test_typing_at_a_text_box_made_by_script_gives_it_the_keys(screen: Any) -> None:
    await screen.goto(
        "<div id=f tabindex=0 role=textbox aria-label=F></div>"
        "<script>f.onkeydown = e => f.textContent += e.key</script>"
    )
    await screen.app.focus(await screen.node(id="f"))
    outcome = await screen.app.type_text("abc")
    assert (outcome.value, outcome.secret) == (None, False)
    assert outcome.delivery.warnings == ("the focused element is no text field: not read back",)
    assert await screen.js("f.textContent") == "abc"


CLOSED = """<div id=host></div><script>
root = host.attachShadow({mode: 'closed'});
root.innerHTML = '<input><button>Go</button>';
root.lastChild.onclick = () => window.hit = true;
root.querySelector('%s').focus();
</script>"""


async def test_typing_reaches_a_field_in_a_closed_shadow_root(screen: Any) -> None:
    await screen.goto(CLOSED % "input")
    outcome = await screen.app.type_text("a b")
    assert outcome.value is None
    assert await screen.js("root.firstChild.value") == "a b"


async def test_typing_presses_nothing_in_a_closed_shadow_root(screen: Any) -> None:
    await screen.goto(CLOSED % "button")
    with pytest.raises(SurefootError) as caught:
        await screen.app.type_text("a b")
    assert caught.value.reason == "not_editable"
    assert await screen.js("window.hit") is None


async def test_typing_needs_no_look_at_the_page_before(screen: Any) -> None:
    await screen.goto("<div id=f contenteditable autofocus>Hello</div><script>f.focus()</script>")
    assert (await screen.app.type_text(", you")).value == "Hello, you"


@pytest.mark.parametrize(
    "markup",
    [
        "<div id=w><input id=f aria-label=F oninput=\"w.innerHTML = '<p>sent ' + this.value\"></div>",
        "<input id=f aria-label=F oninput=\"document.body.innerHTML = 'sent ' + this.value\">",
        "<input id=f type=range aria-label=F oninput=\"this.replaceWith('sent ' + this.value)\">",
        "<select id=f aria-label=F onchange=\"this.replaceWith('sent ' + this.value)\"><option>a<option>hello</select>",
        "<select id=f multiple aria-label=F onchange=\"this.replaceWith('sent ' + this.value)\"><option>a<option>hello</select>",
    ],
    ids=["field", "page", "range", "choice", "choices"],
)
async def test_a_field_that_is_gone_once_it_was_filled_got_its_text(screen: Any, markup: str) -> None:
    text = "42" if "range" in markup else "hello"
    outcome = await fill(screen, markup, text)
    assert outcome.value in (None, text)
    assert await screen.js("document.body.innerText.trim()") == f"sent {text}"


async def test_a_field_that_is_gone_before_text_went_into_it_is_said_to_be_gone(screen: Any) -> None:
    with pytest.raises(SurefootError) as caught:
        await fill(screen, '<input id=f aria-label=F onfocus="this.remove()">', "hello")
    assert caught.value.reason in ("node_detached", "not_delivered")


async def test_a_field_that_is_gone_once_it_was_typed_into_is_not_read_back(screen: Any) -> None:
    await screen.goto("<input id=f aria-label=F oninput=\"this.replaceWith('sent ' + this.value)\">")
    await screen.app.focus(await screen.node(id="f"))
    outcome = await screen.app.type_text("hello")
    assert (outcome.value, outcome.secret) == (None, False)
    assert outcome.delivery.warnings == ("text was entered, and the field is gone: not read back",)


BOXES = """<div id=code></div><script>
code.innerHTML = Array.from({length: 4}, (_, i) => `<input aria-label="Digit ${i + 1}" ATTR>`).join('');
const all = [...code.children];
all.forEach((box, i) => box.oninput = e => {
  if (SPREAD && box.value.length > 1) [...box.value].forEach((char, k) => all[i + k].value = char);
  else if (box.value && all[i + 1]) WHEN;
});
all[0].focus();
</script>"""


@pytest.mark.parametrize(
    ("attributes", "spread", "when"),
    [
        ("maxlength=1", "false", "all[i + 1].focus()"),
        ("maxlength=1", "false", "setTimeout(() => all[i + 1].focus(), 60)"),
        ("", "true", "all[i + 1].focus()"),
    ],
    ids=["at once", "later", "spread"],
)
async def test_text_goes_on_in_the_box_the_page_moves_to(
    screen: Any, attributes: str, spread: str, when: str
) -> None:
    boxes = BOXES.replace("ATTR", attributes).replace("SPREAD", spread).replace("WHEN", when)
    await screen.goto(boxes)
    outcome = await screen.app.type_text("1234")
    assert outcome.value == "1234"
    assert outcome.delivery.warnings == ("the page moved on while typing: the text is in 4 fields",)
    assert await screen.js("all.map(box => box.value)") == ["1", "2", "3", "4"]


async def test_boxes_the_page_does_not_move_on_to_are_a_mismatch(screen: Any) -> None:
    await screen.goto(
        BOXES.replace("ATTR", "maxlength=1").replace("SPREAD", "false").replace("WHEN", "0")
    )
    with pytest.raises(SurefootError) as caught:
        await screen.app.type_text("1234")
    assert (caught.value.reason, caught.value.details["actual"]) == ("text_mismatch", "1")
    with pytest.raises(SurefootError) as caught:
        await screen.app.type_text("12345")
    assert caught.value.reason == "maxlength"


@pytest.mark.parametrize("delay", [0, 10])
async def test_what_is_typed_into_a_field_goes_into_no_other(screen: Any, delay: int) -> None:
    """web.md, "Act": only on the very node that was resolved."""
    await screen.goto(
        '<input aria-label=A onbeforeinput="if (event.data && event.data.length > 1) event.preventDefault()" '
        "oninput='if (value.length == 3) b.focus()'><input id=b aria-label=B>"
    )
    with pytest.raises(SurefootError) as caught:
        await screen.app.fill(await screen.node("A"), "abcdef", delay)
    assert caught.value.message == (
        'textbox "A" lost the focus to textbox "B" while text was typed: the rest was not sent, and it '
        "holds another text than was entered."
    )
    assert caught.value.details["actual"] == "abc"
    assert caught.value.details["focusMovedTo"] == {"role": "textbox", "label": "B"}
    assert await screen.js("b.value") == ""
    await screen.app.key("x")
    assert await screen.js("b.value") == "x"
