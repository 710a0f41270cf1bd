# ruff: noqa: E501 - pages are written in line, and waited for from outside
"""A press lands on the very element, or not at all (web.md, "Acting"; faults B041, B042, B045, B053)."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest

from surefoot.drivers import Gesture, Point
from surefoot.errors import SurefootError

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def refused(screen: Any, label: str, **gesture: Any) -> SurefootError:
    with pytest.raises(SurefootError) as caught:
        await screen.press(label, **gesture)
    return caught.value


async def test_a_press_is_a_trusted_click_on_the_element(screen: Any) -> None:
    await screen.goto("<button id=go>Go</button>")
    delivery = await screen.press("Go")
    assert await screen.log() == [
        f"{event}:go:true"
        for event in ("mouseover", "pointerdown", "mousedown", "focus", "mouseup", "click")
    ]
    assert delivery.trusted
    assert delivery.warnings == ()


async def test_b041_below_the_fold_is_scrolled_into_view_and_pressed(screen: Any) -> None:
    await screen.goto("<div style='height:3000px'></div><button id=low>Low</button>")
    await screen.press("Low")
    assert "click:low:true" in await screen.log()
    assert await screen.js("scrollY") > 2000


async def test_b053_inside_a_scrolled_container_is_brought_into_its_view(screen: Any) -> None:
    items = "".join(f"<button style='flex:none;width:120px'>Item {n}</button>" for n in range(20))
    await screen.goto(f"<div style='width:300px;overflow:auto;display:flex'>{items}</div>")
    await screen.press("Item 18")
    assert (await screen.log())[-1].startswith("click:BUTTON")


async def test_a_press_that_the_page_hands_to_another_element_says_so(screen: Any) -> None:
    await screen.goto(
        "<button id=go onpointerdown='board.setPointerCapture(event.pointerId)'>Go</button>"
        "<div id=board>Board</div>"
    )
    delivery = await screen.press("Go")
    assert "click:board:true" in await screen.log()
    assert delivery.warnings == (
        "the page captured the pointer: another element got the release and the click",
    )


RECYCLED = """
<style>#box{height:300px;overflow:auto;position:relative}.row{position:absolute;height:30px}</style>
<div id=box><div id=all style="height:30000px"></div></div><script>
const rows = [];
globalThis.bought = [];
for (let i = 0; i < 20; i++) {
  const row = document.createElement('div');
  row.className = 'row';
  row.append(document.createElement('button'));
  row.firstChild.onclick = () => bought.push(row.firstChild.textContent);
  all.append(row);
  rows.push(row);
}
function show() {
  const first = Math.max(0, Math.floor(box.scrollTop / 30) - 2);
  rows.forEach((row, i) => {
    row.style.top = (first + i) * 30 + 'px';
    row.firstChild.textContent = 'Buy ' + (first + i);
  });
}
box.addEventListener('scroll', () => WHEN);
show();
</script>"""


@pytest.mark.parametrize("when", ["show()", "requestAnimationFrame(show)", "setTimeout(show, 30)"])
@pytest.mark.parametrize("number", [12, 15])
async def test_a_row_whose_node_becomes_another_row_when_scrolled_is_not_pressed_for_it(
    screen: Any, when: str, number: int
) -> None:
    await screen.goto(RECYCLED.replace("WHEN", when))
    await screen.press_as_seen(f"Buy {number}")
    assert await screen.js("bought") == [f"Buy {number}"]


async def test_an_element_that_is_scrolled_to_is_handed_back_before_anything_is_sent(
    screen: Any,
) -> None:
    await screen.goto("<div style='height:3000px'></div><button id=low>Low</button>")
    node = await screen.node("Low")
    with pytest.raises(SurefootError) as caught:
        await screen.app.pointer(node, Gesture(as_seen=3))
    assert caught.value.reason == "brought_into_view"
    assert await screen.log() == []
    assert await screen.js("scrollY") > 2000


async def test_a_node_that_was_given_to_another_row_since_it_was_seen_is_not_pressed(
    screen: Any,
) -> None:
    await screen.goto("<ul><li><span id=name>Ada</span> <button id=go>Delete</button></li></ul>")
    node = await screen.node("Delete")
    await screen.js("document.getElementById('name').textContent = 'Grace'")
    with pytest.raises(SurefootError) as caught:
        await screen.app.pointer(node, Gesture(as_seen=3))
    assert caught.value.reason == "brought_into_view"
    assert await screen.log() == []


async def test_what_a_hover_opens_over_an_element_is_not_pressed_in_its_place(screen: Any) -> None:
    await screen.goto(
        "<button id=go>Go</button><dialog id=over><button id=other>Go</button></dialog><script>"
        "go.addEventListener('mouseover', () => over.showModal(), { once: true });</script>"
    )
    with pytest.raises(SurefootError) as caught:
        await screen.press_as_seen("Go")
    assert caught.value.reason in ("covered", "inert", "not_delivered")
    assert not [entry for entry in await screen.log() if entry.startswith("click")]


async def test_a_page_that_changes_all_the_time_elsewhere_is_pressed(screen: Any) -> None:
    await screen.goto(
        "<button id=go>Go</button><p id=clock></p>"
        "<script>setInterval(() => { clock.textContent = performance.now(); }, 1);</script>"
    )
    await screen.press_as_seen("Go")
    assert "click:go:true" in await screen.log()


@pytest.mark.parametrize("event", ["mouseover", "mousemove", "pointerdown"])
async def test_a_document_rewritten_by_the_gesture_gets_nothing_of_its_rest(
    screen: Any, event: str
) -> None:
    await screen.goto(
        f"""<button id=go>Go</button><script>
        const clicks = []; globalThis.clicks = clicks;
        go.addEventListener('{event}', () => {{
          document.open();
          document.write('<button id=other style="position:fixed;inset:0;width:100vw">Go</button>');
          document.close();
          for (const type of ['pointerdown', 'mousedown', 'mouseup', 'click'])
            document.getElementById('other').addEventListener(type, () => clicks.push(type));
        }}, {{ once: true }});</script>"""
    )
    error = await refused(screen, "Go")
    assert error.reason in ("node_detached", "covered", "not_delivered")
    assert await screen.js("clicks") == []


async def test_a_press_whose_beginning_arrived_is_not_called_refused(screen: Any) -> None:
    await screen.goto(
        "<button id=go onpointerdown='this.remove()'>Go</button><button id=next>Next</button>"
    )
    error = await refused(screen, "Go")
    assert (error.code, error.reason) == ("COMMAND_FAILED", "not_delivered")
    assert error.details["phase"] == "press"


async def test_b042_a_covered_element_is_refused_and_the_cover_is_named(screen: Any) -> None:
    await screen.goto(
        "<button id=pay>Pay</button>"
        "<div role=dialog aria-label='Cookie banner' id=banner style='position:fixed;inset:0;background:#fff'>Cookies</div>"
    )
    error = await refused(screen, "Pay")
    assert error.code == "ELEMENT_COVERED"
    assert error.details["coveredBy"]["role"] == "dialog"
    assert error.details["coveredBy"]["label"] == "Cookie banner"
    banner = await screen.node("Cookie banner", role="dialog")
    assert error.details["coveredBy"]["handle"] == banner.handle
    assert await screen.log() == []


@pytest.mark.parametrize(
    ("markup", "around"),
    [
        ("<main aria-label=Cart><button style='pointer-events: none'>Buy</button></main>", "main"),
        (
            "<section aria-label=Cart><div style='pointer-events: none'><button>Buy</button></div></section>",
            "region",
        ),
    ],
    ids=["itself", "in-a-box"],
)
async def test_what_takes_no_pointer_is_not_called_covered_by_what_holds_it(
    screen: Any, markup: str, around: str
) -> None:
    await screen.goto(markup)
    with pytest.raises(SurefootError) as caught:
        await screen.press("Buy")
    assert (caught.value.code, caught.value.reason) == ("ELEMENT_COVERED", "no_pointer")
    assert f'button "Buy" takes no pointer; a press there goes to {around}' in caught.value.message
    assert caught.value.details["coveredBy"]["role"] == around
    assert "covering" not in (caught.value.hint or "")


async def test_b045_two_equal_buttons_only_the_one_meant_is_pressed(screen: Any) -> None:
    await screen.goto("<button id=first>Remove</button><button id=second>Remove</button>")
    nodes = [
        node
        for node in (await screen.app.observe()).tree
        if node.label == "Remove" and node.role == "button"
    ]
    await screen.app.pointer(nodes[1], Gesture())
    assert "click:second:true" in await screen.log()
    assert "click:first:true" not in await screen.log()


@pytest.mark.parametrize(
    ("markup", "code", "reason"),
    [
        ("<button disabled>Go</button>", "ELEMENT_DISABLED", "disabled"),
        ("<fieldset disabled><button>Go</button></fieldset>", "ELEMENT_DISABLED", "disabled"),
        ("<button aria-disabled=true>Go</button>", "ELEMENT_DISABLED", "disabled"),
        (
            "<button style='width:0;height:0;padding:0;border:0;overflow:hidden'>Go</button>",
            "ELEMENT_OFFSCREEN",
            "zero_size",
        ),
        ("<button style='position:fixed;left:-500px'>Go</button>", "ELEMENT_OFFSCREEN", "offscreen"),
    ],
    ids=["disabled", "fieldset", "aria-disabled", "zero-size", "offscreen"],
)
async def test_what_takes_no_input_is_told_before_anything_is_sent(
    screen: Any, markup: str, code: str, reason: str
) -> None:
    await screen.goto(markup)
    await screen.js("log.length = 0")
    error = await refused(screen, "Go")
    assert (error.code, error.reason) == (code, reason)
    assert await screen.log() == []


async def test_an_element_made_inert_after_it_was_seen_is_refused(screen: Any) -> None:
    await screen.goto("<div id=box><button>Go</button></div>")
    node = await screen.node("Go")
    await screen.js("box.inert = true")
    with pytest.raises(SurefootError) as caught:
        await screen.app.pointer(node, Gesture())
    assert (caught.value.code, caught.value.reason) == ("ELEMENT_DISABLED", "inert")


async def test_an_element_behind_a_modal_dialog_is_covered_by_it(screen: Any) -> None:
    await screen.goto("<button>Go</button><dialog aria-label=Confirm>Sure?</dialog>")
    node = await screen.node("Go")
    await screen.js("document.querySelector('dialog').showModal()")
    with pytest.raises(SurefootError) as caught:
        await screen.app.pointer(node, Gesture())
    assert caught.value.code in ("ELEMENT_COVERED", "ELEMENT_DISABLED")
    assert await screen.log() == ["focus:DIALOG:true"] or "click" not in "".join(await screen.log())


async def test_a_detached_element_is_gone_even_if_an_equal_one_took_its_place(screen: Any) -> None:
    await screen.goto("<div id=box><button>Go</button></div>")
    node = await screen.node("Go")
    await screen.js("box.innerHTML = '<button>Go</button>'")
    with pytest.raises(SurefootError) as caught:
        await screen.app.pointer(node, Gesture())
    assert (caught.value.code, caught.value.reason) == ("ELEMENT_NOT_FOUND", "node_detached")


async def test_a_handle_of_the_document_before_misses_in_the_next_one(screen: Any) -> None:
    await screen.goto("<button>Go</button>")
    node = await screen.node("Go")
    await screen.goto("<button>Other</button>")
    await screen.app.observe()
    with pytest.raises(SurefootError) as caught:
        await screen.app.pointer(node, Gesture())
    assert caught.value.reason == "node_detached"
    assert await screen.log() == []


async def test_an_element_that_moves_is_waited_for(screen: Any) -> None:
    await screen.goto(
        "<style>@keyframes in { from { margin-left: 600px } } button { animation: in 300ms }</style><button id=go>Go</button>"
    )
    await screen.press("Go")
    assert "click:go:true" in await screen.log()
    assert await screen.js("document.getAnimations().length") == 0


async def test_an_element_that_never_rests_is_refused(screen: Any) -> None:
    await screen.goto(
        "<style>@keyframes go { to { margin-left: 600px } } button { animation: go 500ms linear infinite }</style><button>Go</button>"
    )
    error = await refused(screen, "Go")
    assert (error.code, error.reason) == ("COMMAND_FAILED", "moving")


async def test_no_wrong_click_when_the_element_is_swapped_at_the_last_moment(screen: Any) -> None:
    # The move of the pointer itself puts another button over the target before the press arrives.
    await screen.goto(
        "<button id=safe>Safe</button><button id=danger hidden style='position:fixed;inset:0'>Danger</button>"
        "<script>addEventListener('mousemove', () => danger.hidden = false)</script>"
    )
    error = await refused(screen, "Safe")
    assert error.code == "ELEMENT_COVERED"
    assert error.details["coveredBy"]["label"] == "Danger"
    seen = await screen.log()
    assert not [entry for entry in seen if entry.startswith(("pointerdown", "mousedown", "click"))]


async def test_the_gate_swallows_nothing_after_its_press(screen: Any) -> None:
    await screen.goto("<button id=one>One</button><button id=two>Two</button>")
    await screen.press("One")
    two = await screen.node("Two")
    assert two.rect is not None
    await screen.app.pointer_at(Point(*two.rect.center), Gesture())
    assert (await screen.log())[-1] == "click:two:true"


async def test_a_control_drawn_by_its_label_is_pressed_through_it(screen: Any) -> None:
    await screen.goto(
        "<style>input { position: absolute; opacity: 0; pointer-events: none }</style>"
        "<label><input type=checkbox id=agree> I agree</label>"
    )
    await screen.app.pointer(await screen.node(role="checkbox"), Gesture())
    assert await screen.js("agree.checked") is True


HIDING = ["style='display:none'", "hidden", "style='visibility:hidden'"]


@pytest.mark.parametrize("hidden", HIDING)
@pytest.mark.parametrize("kind", ["checkbox", "radio"])
async def test_a_press_on_the_label_of_a_hidden_control_switches_it(
    screen: Any, hidden: str, kind: str
) -> None:
    await screen.goto(f"<label id=l for=h><b>Agree</b></label><input type={kind} id=h {hidden}>")
    delivery = await screen.app.pointer(await screen.node(id="l"), Gesture())
    assert await screen.js("h.checked") is True
    assert "change:h:true" in await screen.log()
    assert delivery.warnings == ()


async def test_a_press_on_the_label_of_a_hidden_button_presses_it(screen: Any) -> None:
    await screen.goto("<label id=l for=h>Go</label><button id=h hidden>x</button>")
    await screen.app.pointer(await screen.node(id="l"), Gesture())
    assert (await screen.log())[-2:] == ["click:l:true", "click:h:true"]


@pytest.mark.parametrize(
    "markup",
    [
        "<label id=l for=h>Agree</label><input type=checkbox id=h hidden disabled>",
        "<label id=l for=h onclick='event.preventDefault()'>Agree</label><input type=checkbox id=h hidden>",
        "<input type=checkbox id=l aria-label=Agree onclick='event.preventDefault()'>",
    ],
    ids=["disabled", "prevented label", "prevented control"],
)
async def test_a_press_that_left_its_check_box_as_it_was_says_so(screen: Any, markup: str) -> None:
    await screen.goto(markup)
    delivery = await screen.app.pointer(await screen.node(id="l"), Gesture())
    assert delivery.warnings == ("the check box or radio button it switches is off as before",)


async def test_an_area_of_an_image_is_pressed_where_it_is(screen: Any) -> None:
    await screen.goto(
        "<div style='height:2000px'></div><img usemap='#m' width=200 height=100 alt=Map style='padding:7px;border:3px solid'"
        " src='data:image/svg+xml,<svg xmlns=\"http://www.w3.org/2000/svg\"/>'>"
        "<map name=m><area id=left shape=rect coords='0,0,50,50' href='#l' alt=Left>"
        "<area id=right shape=poly coords='100,0,200,0,200,100' href='#r' alt=Right></map>"
    )
    for label, hash in (("Right", "#r"), ("Left", "#l")):
        node = await screen.node(label, role="link")
        assert (node.rect.width, node.rect.height) == ((50, 50) if label == "Left" else (100, 100))
        await screen.app.pointer(node, Gesture())
        assert await screen.js("location.hash") == hash


async def test_a_press_in_a_shadow_root_reaches_the_inner_element(screen: Any) -> None:
    await screen.goto(
        "<x-card></x-card><script>const root = document.querySelector('x-card').attachShadow({mode: 'open'});"
        "root.innerHTML = '<button>Inner</button>'; root.firstChild.onclick = () => window.hit = true</script>"
    )
    await screen.press("Inner")
    assert await screen.js("window.hit") is True


async def test_a_double_press_is_a_dblclick(screen: Any) -> None:
    await screen.goto("<button id=go>Go</button>")
    await screen.press("Go", count=2)
    assert (await screen.log()).count("click:go:true") == 2
    assert (await screen.log())[-1] == "dblclick:go:true"


async def test_the_second_press_in_a_row_makes_a_dblclick(screen: Any) -> None:
    await screen.goto("<button id=go onclick='d.textContent += event.detail'>Go</button><p id=d></p>")
    for nth in (1, 2, 3):
        await screen.press("Go", nth=nth)
    assert await screen.js("d.textContent") == "123"
    assert (await screen.log()).count("dblclick:go:true") == 1


async def test_a_right_press_opens_the_context_menu(screen: Any) -> None:
    await screen.goto("<button id=go>Go</button>")
    await screen.press("Go", button="right")
    assert "contextmenu:go:true" in await screen.log()
    assert "click:go:true" not in await screen.log()


async def test_a_long_press_holds_the_button(screen: Any) -> None:
    await screen.goto(
        "<button id=go>Go</button><script>go.onmousedown = () => t = performance.now();"
        "go.onmouseup = () => held = performance.now() - t</script>"
    )
    await screen.press("Go", hold_ms=200)
    assert 190 <= await screen.js("held") < 1000


async def test_a_hover_moves_the_pointer_and_presses_nothing(screen: Any) -> None:
    await screen.goto("<button id=go disabled>Go</button>")
    await screen.press("Go", kind="hover")
    assert await screen.js("go.matches(':hover')") is True
    assert "mousedown:go:true" not in await screen.log()


async def test_a_page_that_answers_the_press_itself_is_said_so(screen: Any) -> None:
    await screen.goto(
        "<button id=menu>Menu</button><script>menu.onpointerdown = () => {"
        "const over = document.createElement('ul'); over.style = 'position:fixed;inset:0;background:#fff';"
        "over.id = 'over'; document.body.append(over) }</script>"
    )
    delivery = await screen.press("Menu")
    assert delivery.warnings == ("the page answered the press itself and changed before its release",)
    assert "mouseup:over:true" not in await screen.log()


async def test_a_page_that_captures_the_pointer_gets_the_whole_gesture(screen: Any) -> None:
    await screen.goto(
        "<div id=track style='padding:20px'><button id=thumb>Thumb</button></div>"
        "<script>thumb.onpointerdown = e => track.setPointerCapture(e.pointerId)</script>"
    )
    await screen.press("Thumb")
    assert "mouseup:track:true" in await screen.log()


async def test_a_point_outside_the_viewport_is_refused(screen: Any) -> None:
    await screen.goto("<p>x")
    with pytest.raises(SurefootError) as caught:
        await screen.app.pointer_at(Point(5000, 10), Gesture())
    assert caught.value.code == "ELEMENT_OFFSCREEN"


async def test_a_link_over_two_lines_is_hit_on_its_own_text(screen: Any) -> None:
    await screen.goto(
        "<p style='width:200px;font:16px monospace'>aaaaaaaaaaaaaa <a id=link href='#x'>bbbb cccccccccccccccc</a> dd</p>"
    )
    await screen.app.pointer(await screen.node(role="link"), Gesture())
    assert "click:link:true" in await screen.log()


async def test_a_native_press_by_handle_takes_the_same_way(screen: Any) -> None:
    await screen.goto("<button id=go>Go</button>")
    await screen.app.press_native((await screen.node("Go")).handle)
    assert (await screen.log())[-1] == "click:go:true"


CARD = (
    "<div role=button tabindex=0 aria-label='Open card' id=card style='width:300px;height:100px;"
    "display:flex;align-items:center;justify-content:center' onclick='log.push(\"opened\")'>"
    "<button id=inner style='{}' onclick='event.stopPropagation(); log.push(\"inner\")'>Delete</button></div>"
)


async def test_a_press_on_what_holds_another_control_misses_that_one(screen: Any) -> None:
    await screen.goto(CARD.format(""))
    await screen.press("Open card")
    log = await screen.log()
    assert "opened" in log
    assert "inner" not in log


async def test_what_another_control_in_it_fills_is_covered_by_that(screen: Any) -> None:
    await screen.goto(CARD.format("width:100%;height:100%"))
    with pytest.raises(SurefootError) as caught:
        await screen.press("Open card")
    assert caught.value.code == "ELEMENT_COVERED"
    assert "Delete" in str(caught.value.details)
    assert "inner" not in await screen.log()


async def test_an_item_that_is_all_link_is_pressed_through_it(screen: Any) -> None:
    await screen.goto(
        "<ul role=menu><li role=menuitem id=item><a id=link href='#x' style='display:block'>Home</a></li></ul>"
    )
    await screen.app.pointer(await screen.node("Home", role="menuitem"), Gesture())
    assert "click:link:true" in await screen.log()


async def test_a_box_drawn_by_its_label_is_pressed_beside_a_link_in_it(screen: Any) -> None:
    await screen.goto(
        "<label style='display:block;width:400px;text-align:center'>"
        "<input type=checkbox id=box style='position:absolute;opacity:0;width:0;height:0'>"
        "I agree to the <a id=terms href='#t'>terms and conditions</a> of use</label>"
    )
    await screen.app.pointer(await screen.node(role="checkbox"), Gesture())
    assert await screen.js("box.checked") is True
    assert "click:terms:true" not in await screen.log()


async def test_a_control_that_comes_under_the_pointer_gets_no_press_for_what_holds_it(
    screen: Any,
) -> None:
    await screen.goto(
        "<div role=button tabindex=0 aria-label=Card id=card style='width:200px;height:90px'>Card</div>"
        "<script>card.onmousemove = () => card.innerHTML = "
        '\'<button style="width:100%;height:100%" onclick="log.push(`inner`)">Delete</button>\'</script>'
    )
    with contextlib.suppress(SurefootError):
        await screen.press("Card")
    assert "inner" not in await screen.log()


@pytest.mark.parametrize("event", ["mouseover", "mousemove", "pointerenter", "pointermove"])
async def test_what_becomes_another_when_the_pointer_arrives_is_looked_at_again(
    screen: Any, event: str
) -> None:
    await screen.goto(
        "<ul id=list></ul><script>let names = ['Ada', 'Bea', 'Cyd'], done = false;"
        "const draw = () => [...list.children].forEach((li, i) => li.firstChild.textContent = names[i]);"
        "list.innerHTML = names.map(() => '<li><span></span> <button>Delete</button></li>').join(''); draw();"
        "list.onclick = e => log.push('gone ' + e.target.parentNode.firstChild.textContent);"
        f"list.addEventListener('{event}', () => {{ if (!done) {{ done = true; names.reverse(); draw() }} }}, true)"
        "</script>"
    )
    node = next(n for n in (await screen.app.observe()).tree if n.label == "Delete")
    with pytest.raises(SurefootError) as caught:
        await screen.app.pointer(node, Gesture(as_seen=2))
    assert caught.value.reason == "brought_into_view"
    assert not [entry for entry in await screen.log() if entry.startswith("gone")]
