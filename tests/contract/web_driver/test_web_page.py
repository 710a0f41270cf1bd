# ruff: noqa: E501 - pages are written in line, and waited for from outside
"""Navigation, settle, scroll, viewport, files, dragging (web.md; fault B049)."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from surefoot.drivers import Gesture, Point, SettlePolicy
from surefoot.drivers.web import app
from surefoot.drivers.web.act import uploading
from surefoot.errors import CaptureUnreadable, SurefootError

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_b049_a_scroll_says_how_far_it_went_and_that_it_ended(screen: Any) -> None:
    await screen.goto("<body style='margin:0'><div style='height:2000px'>tall</div>")
    first = await screen.app.scroll(None, "down", 500)
    assert (first.moved_x, first.moved_y, first.at_edge) == (0, 500, False)
    last = await screen.app.scroll(None, "bottom", 0)
    assert (last.moved_y, last.at_edge) == (2000 - 720 - 500, True)
    again = await screen.app.scroll(None, "down", 500)
    assert (again.moved_y, again.at_edge) == (0, True)
    up = await screen.app.scroll(None, "top", 0)
    assert (up.moved_y, up.at_edge) == (-(2000 - 720), True)


async def test_a_scroll_moves_the_containers_own_content(screen: Any) -> None:
    await screen.goto(
        "<div style='height:100px;width:100px;overflow:auto'><div style='width:500px;height:500px'><button>In</button></div></div>"
    )
    node = await screen.node("In")
    outcome = await screen.app.scroll(node, "right", 60)
    assert (outcome.moved_x, outcome.moved_y) == (60, 0)
    assert await screen.js("scrollX") == 0


async def test_a_page_that_scrolls_in_an_inner_box_is_scrolled_there(screen: Any) -> None:
    await screen.goto(
        "<body style='margin:0'><div id=box style='height:100vh;overflow:auto'><div style='height:3000px'>x</div></div>"
    )
    outcome = await screen.app.scroll(None, "down", 300)
    assert outcome.moved_y == 300
    assert await screen.js("box.scrollTop") == 300


async def test_a_smooth_page_still_moves_all_the_way(screen: Any) -> None:
    await screen.goto(
        "<style>html { scroll-behavior: smooth }</style><div style='height:3000px'>x</div>"
    )
    assert (await screen.app.scroll(None, "down", 900)).moved_y == 900


async def test_settle_waits_for_the_content_to_come(screen: Any) -> None:
    screen.site.put("/data", "late", delay=0.3)
    await screen.goto(
        "<button onclick=\"fetch('/data').then(r => r.text()).then(t => out.textContent = t)\">Load</button><p id=out>"
    )
    await screen.press("Load")
    outcome = await screen.app.settle(SettlePolicy(quiet_ms=100))
    assert outcome.settled
    assert outcome.waited_ms >= 300
    assert await screen.js("out.textContent") == "late"


async def test_settle_is_quick_on_a_page_at_rest_with_an_endless_spinner(screen: Any) -> None:
    await screen.goto(
        "<style>@keyframes s { to { transform: rotate(1turn) } } i { display: inline-block; animation: s 1s linear infinite }</style>"
        "<i>x</i><button>Go</button><script>(function loop() { requestAnimationFrame(loop) })()</script>"
    )
    await screen.press("Go")
    outcome = await screen.app.settle(SettlePolicy(quiet_ms=50, timeout_ms=3000))
    assert outcome.settled
    assert outcome.waited_ms < 500


@pytest.mark.parametrize(
    ("markup", "why"),
    [
        (
            "<script>setInterval(() => out.textContent = Math.random(), 20)</script>",
            "the content keeps changing",
        ),
        (
            "<style>@keyframes s { to { opacity: 0 } } p { animation: s 60s }</style>",
            "an animation is running",
        ),
    ],
    ids=["content", "animation"],
)
async def test_settle_gives_up_at_its_cap_and_says_why(screen: Any, markup: str, why: str) -> None:
    await screen.goto("<p id=out>x</p>" + markup)
    outcome = await screen.app.settle(SettlePolicy(quiet_ms=100, timeout_ms=400))
    assert (outcome.settled, outcome.why) == (False, why)
    assert 400 <= outcome.waited_ms < 1000


async def test_settle_names_the_request_that_is_open(screen: Any) -> None:
    screen.site.put("/slow", "x", delay=1.5)
    await screen.goto("<button onclick=\"fetch('/slow')\">Go</button>")
    await screen.press("Go")
    outcome = await screen.app.settle(SettlePolicy(quiet_ms=50, timeout_ms=300))
    assert outcome.why == f"a request is still open: {screen.site.url('/slow')}"


async def test_settle_waits_for_the_navigation_a_press_began(screen: Any) -> None:
    screen.site.put("/next", "<title>next</title><p>next", delay=0.3)
    await screen.goto("<a href=/next>Next</a>")
    delivery = await screen.press("Next")
    assert delivery.navigated
    await screen.app.settle(SettlePolicy())
    assert (await screen.app.observe()).page.title == "next"


@pytest.mark.parametrize(
    "markup",
    [
        "<form action=/next><button>Next</button></form>",
        "<button onclick=\"location.href = '/next'\">Next</button>",
        "<form action=/next method=post><input type=submit value=Next></form>",
        '<button onclick="f.requestSubmit()">Next</button><form id=f action=/next></form>',
        '<button onclick="f.submit()">Next</button><form id=f action=/next></form>',
    ],
    ids=["form", "location", "post", "requestSubmit", "submit()"],
)
async def test_a_press_that_navigates_says_so_however_it_does(screen: Any, markup: str) -> None:
    screen.site.put("/next", "<title>next</title><p>next", delay=0.2)
    await screen.goto(markup)
    assert (await screen.press("Next")).navigated
    assert (await screen.app.observe()).page.title == "next"


async def test_enter_in_a_form_says_that_it_navigated(screen: Any) -> None:
    screen.site.put("/next", "<title>next</title><p>next", delay=0.2)
    await screen.goto("<form action=/next><input id=f aria-label=F></form>")
    await screen.app.focus(await screen.node(id="f"))
    assert (await screen.app.key("Enter")).navigated


async def test_a_press_that_does_not_navigate_says_that_too(screen: Any) -> None:
    await screen.goto("<form onsubmit='return false'><button>Stay</button></form>")
    assert not (await screen.press("Stay")).navigated


FORM = """<form onsubmit='event.preventDefault(); n.textContent = "sent"'>
<label>Name <input name=n{name}></label><label>Email <input type=email required value='{email}'></label>
<label>Pin <input type=password minlength=6 required id=pin></label>{button}</form><p id=n></p>"""


async def refused_form(screen: Any, act: Any, **parts: str) -> tuple[str, ...]:
    await screen.goto(
        FORM.format(**{"name": " required", "email": "", "button": "<button>Send</button>", **parts})
    )
    return tuple((await act()).warnings)


async def test_a_form_the_browser_refuses_to_send_says_why(screen: Any) -> None:
    (said,) = await refused_form(screen, lambda: screen.press("Send"), email="ada")
    assert said.startswith('the browser refused the form: textbox "Name": Please fill out this field. ')
    assert "textbox \"Email\": Please include an '@'" in said
    assert await screen.js("n.textContent") == ""


async def test_enter_in_a_form_the_browser_refuses_says_why(screen: Any) -> None:
    for button in ("<button>Send</button>", ""):
        await screen.goto(f"<form><label>Email <input type=email required></label>{button}</form>")
        await screen.app.focus(await screen.node("Email"))
        (said,) = (await screen.app.key("Enter")).warnings
        assert said == 'the browser refused the form: textbox "Email": Please fill out this field.'


async def test_what_a_password_lacks_is_not_told(screen: Any) -> None:
    await screen.goto(FORM.format(name="", email="a@b.c", button="<button>Send</button>"))
    await screen.app.fill(await screen.node(id="pin"), "abc")
    (said,) = (await screen.press("Send")).warnings
    assert said == 'the browser refused the form: textbox "Pin": its value is not valid.'


async def test_many_fields_of_a_refused_form_are_bounded(screen: Any) -> None:
    fields = "".join(f"<input required aria-label=F{n}>" for n in range(6))
    await screen.goto(f"<form>{fields}<button>Send</button></form>")
    (said,) = (await screen.press("Send")).warnings
    assert '"F2"' in said
    assert '"F3"' not in said
    assert said.endswith("and 3 more")


@pytest.mark.parametrize(
    "markup",
    [
        "<form novalidate onsubmit='this.checkValidity(); event.preventDefault()'><input required><button>Go</button></form>",
        "<form id=f><input required></form><button onclick='f.checkValidity()'>Go</button>",
        "<form><input required><label>Go <input type=checkbox onchange='this.form.checkValidity()' aria-label=Go></label></form>",
        "<form><input required><button formnovalidate formaction='/blank'>Go</button></form>",
    ],
    ids=["its-own-check", "elsewhere", "a-field", "not-asked"],
)
async def test_a_form_nobody_refused_says_nothing_of_it(screen: Any, markup: str) -> None:
    await screen.goto(markup)
    node = next(
        node
        for node in (await screen.app.observe()).tree
        if node.label == "Go" and node.role in ("button", "checkbox")
    )
    assert (await screen.app.pointer(node, Gesture())).warnings == ()


async def test_observing_right_after_a_navigating_press_sees_the_new_document(screen: Any) -> None:
    screen.site.put("/next", "<title>next</title><p>next", delay=0.2)
    await screen.goto("<a href=/next>Next</a>")
    await screen.press("Next")
    assert (await screen.app.observe()).page.title == "next"


async def test_history_goes_back_forward_and_reloads(screen: Any) -> None:
    await screen.goto("<title>one</title><p>1", "/one")
    await screen.goto("<title>two</title><p>2", "/two")
    await screen.app.history("back")
    assert (await screen.app.observe()).page.title == "one"
    await screen.app.history("forward")
    assert (await screen.app.observe()).page.title == "two"
    await screen.js("document.title = 'changed'")
    await screen.app.history("reload")
    assert (await screen.app.observe()).page.title == "two"


async def on_page(screen: Any) -> str:
    page = (await screen.app.observe()).page
    return str(page.url.rpartition("/")[2]) if page else ""


async def three_pages(screen: Any) -> None:
    """Three pages in a row, each some time away from the one before; the second one is shown."""
    for name, after in (("one", "two"), ("two", "three"), ("three", "one")):
        screen.site.put(
            f"/{name}",
            f"<!doctype html><body onkeydown='n.textContent += event.key'><a href='/{after}'>Next</a>"
            "<button style='position: absolute; left: 0; top: 200px' onclick='n.textContent += 1'>B</button>"
            "<p id=n>",
            delay=0.15,
        )
    await screen.app.goto(screen.site.url("/one"), 20_000)
    await screen.press("Next")


async def test_history_right_after_a_press_counts_from_the_page_it_led_to(screen: Any) -> None:
    await three_pages(screen)
    assert (await screen.press("Next")).navigated
    await screen.app.history("back")
    assert await on_page(screen) == "two"
    await screen.app.history("forward")
    assert await on_page(screen) == "three"


@pytest.mark.parametrize(
    "act",
    [
        lambda app: app.key("1"),
        lambda app: app.pointer_at(Point(8, 208), Gesture()),
        lambda app: app.pointer_at(Point(8, 208), Gesture(kind="hover")),
        lambda app: app.scroll(None, "down", 10),
        lambda app: app.drag(Point(8, 208), Point(9, 208), 0),
    ],
    ids=["key", "press", "hover", "scroll", "drag"],
)
async def test_an_action_right_after_a_press_is_done_on_the_page_it_led_to(
    screen: Any, act: Callable[[Any], Any], request: pytest.FixtureRequest
) -> None:
    await three_pages(screen)
    await act(screen.app)
    assert await on_page(screen) == "two"
    got = await screen.js("n.textContent")
    assert got == ("" if request.node.callspec.id in ("hover", "scroll") else "1")


async def test_what_is_typed_right_after_a_press_goes_into_the_page_it_led_to(screen: Any) -> None:
    screen.site.put("/form", "<!doctype html><input id=f aria-label=F autofocus>", delay=0.15)
    await screen.goto("<a href='/form'>Next</a>")
    await screen.press("Next")
    outcome = await screen.app.type_text("ab")
    assert (outcome.value, await screen.js("f.value")) == ("ab", "ab")


async def test_nothing_is_sent_to_a_page_that_is_leaving_for_too_long(
    screen: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "READABLE_WAIT", 0.1)
    screen.site.put("/late", "<!doctype html><p>late", delay=1)
    await screen.goto("<a href='/late'>Next</a>")
    await screen.press("Next")
    with pytest.raises(SurefootError) as caught:
        await screen.app.key("a")
    assert (caught.value.code, caught.value.reason) == ("TIMEOUT", "driver_deadline")


async def test_there_is_nothing_before_the_first_page(screen: Any) -> None:
    with pytest.raises(SurefootError) as caught:
        await screen.app.history("back")
    assert caught.value.reason == "no_history"


async def test_back_within_a_document_is_enough(screen: Any) -> None:
    await screen.goto("<a href='#part'>Part</a>")
    await screen.press("Part")
    await screen.app.history("back")
    assert await screen.js("location.hash") == ""


async def test_an_address_that_does_not_answer_is_unreachable(screen: Any) -> None:
    with pytest.raises(SurefootError) as caught:
        await screen.app.goto("http://127.0.0.1:9/", 10_000)
    assert (caught.value.code, caught.value.reason) == ("APP_NOT_FOUND", "unreachable")
    assert caught.value.details["error"] == "net::ERR_UNSAFE_PORT"
    await screen.goto("<button>Still here</button>")
    await screen.node("Still here")


@pytest.mark.parametrize("target", ["javascript:alert(1)", "no url", "http://", ""])
async def test_what_is_no_address_is_refused(screen: Any, target: str) -> None:
    with pytest.raises(SurefootError) as caught:
        await screen.app.goto(target, 10_000)
    assert caught.value.code == "INVALID_ARGS"


async def test_the_viewport_is_what_was_asked_for(screen: Any) -> None:
    await screen.goto("<p>x")
    await screen.app.set_viewport(640, 360)
    assert await screen.js("[innerWidth, innerHeight]") == [640, 360]
    with pytest.raises(SurefootError) as caught:
        await screen.app.set_viewport(0, 360)
    assert caught.value.code == "INVALID_ARGS"


def png_size(data: bytes) -> tuple[int, int]:
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    return struct.unpack(">II", data[16:24])


async def test_a_screenshot_shows_the_viewport_or_the_whole_page(screen: Any) -> None:
    await screen.goto("<body style='margin:0'><div style='height:1500px'>x</div>")
    assert png_size(await screen.app.screenshot()) == (1280, 720)
    assert png_size(await screen.app.screenshot(full=True)) == (1280, 1500)


async def test_files_go_into_a_file_field(screen: Any, tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("hello")
    await screen.goto("<input id=f type=file aria-label=Files>")
    await screen.app.upload(await screen.node(id="f"), [str(file)])
    assert await screen.js("f.files[0].text()") == "hello"
    assert "change:f:true" in await screen.log()
    with pytest.raises(SurefootError) as caught:
        await screen.app.upload(await screen.node(id="f"), [str(file), str(file)])
    assert caught.value.reason == "bad_value"


async def test_files_go_through_the_button_that_opens_a_chooser(screen: Any, tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("hello")
    await screen.goto("<input id=f type=file hidden><button onclick='f.click()'>Choose</button>")
    await screen.app.upload(await screen.node("Choose"), [str(file)])
    assert await screen.js("f.files[0].name") == "a.txt"


@pytest.mark.parametrize("opener", ["Files", "Choose"])
async def test_a_press_that_opens_a_file_chooser_says_so(screen: Any, opener: str) -> None:
    await screen.goto(
        "<input id=f type=file aria-label=Files><button onclick='f.click()'>Choose</button>"
    )
    delivery = await screen.press(opener)
    assert ["upload" in warning for warning in delivery.warnings] == [True]
    assert (await screen.press("Choose")).warnings  # and again: the first one is not still open


async def test_an_upload_through_a_chooser_has_nothing_to_say_of_it(
    screen: Any, tmp_path: Path
) -> None:
    file = tmp_path / "a.txt"
    file.write_text("hello")
    await screen.goto("<input id=f type=file hidden><button onclick='f.click()'>Choose</button>")
    assert (await screen.app.upload(await screen.node("Choose"), [str(file)])).warnings == ()


@pytest.mark.parametrize(
    "markup",
    [
        "<input type=checkbox id=x aria-label=It onclick='hit()'>",
        "<input type=radio id=x aria-label=It onclick='hit()'>",
        "<input aria-label=It onfocus='hit()'>",
        "<select aria-label=It onfocus='hit()'><option>1</select>",
        "<input type=range aria-label=It oninput='hit()'>",
        "<div role=tab tabindex=0 onclick='hit()'>It</div>",
        "<div contenteditable aria-label=It role=group onfocus='hit()'>text</div>",
        "<label onclick='hit()'><b role=note aria-label=It>It</b><input type=checkbox></label>",
    ],
    ids=["checkbox", "radio", "textbox", "combobox", "slider", "tab", "editable", "label"],
)
async def test_what_has_another_use_is_not_pressed_for_an_upload(
    screen: Any, markup: str, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text("a")
    await screen.goto(f"<script>hits = 0; hit = () => hits++</script>{markup}")
    node = next(n for n in (await screen.app.observe()).tree if n.label == "It" and n.role != "text")
    with pytest.raises(SurefootError) as caught:
        await screen.app.upload(node, [str(tmp_path / "a.txt")])
    assert caught.value.reason == "no_file_field"
    assert "takes no files; it was not touched" in caught.value.message
    assert await screen.js("hits") == 0


async def test_an_upload_to_what_opens_no_chooser_says_that_it_was_pressed(
    screen: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploading, "CHOOSER_WAIT", 0.1)
    (tmp_path / "a.txt").write_text("a")
    await screen.goto("<button onclick='n.textContent = \"gone\"'>Delete all</button><p id=n>")
    with pytest.raises(SurefootError) as caught:
        await screen.app.upload(await screen.node("Delete all"), [str(tmp_path / "a.txt")])
    assert caught.value.reason == "no_file_chooser"
    assert "it was pressed, and no file chooser opened" in caught.value.message
    assert await screen.js("n.textContent") == "gone"


async def test_a_file_that_is_not_there_is_refused(screen: Any) -> None:
    await screen.goto("<input id=f type=file aria-label=Files>")
    with pytest.raises(SurefootError) as caught:
        await screen.app.upload(await screen.node(id="f"), ["/no/such/file"])
    assert (caught.value.code, caught.value.reason) == ("INVALID_ARGS", "file_not_found")


@pytest.mark.parametrize("step", ["reload", "back"])
async def test_a_navigation_that_hangs_is_given_up_for_the_page_that_is_shown(
    screen: Any, monkeypatch: pytest.MonkeyPatch, step: Any
) -> None:
    screen.site.put("/hang", "x", delay=4)
    await screen.goto("<title>first</title><p>first", "/first")
    await screen.goto("<title>shown</title><a href=/hang>Go</a>", "/shown")
    await screen.press("Go")
    monkeypatch.setattr(app, "READABLE_WAIT", 0.1)
    await screen.app.history(step)
    observation = await screen.app.observe()
    assert observation.page.title == ("shown" if step == "reload" else "first")
    if step == "reload":
        await screen.app.history("back")
        assert (await screen.app.observe()).page.title == "first"


async def test_opening_something_else_gives_up_a_navigation_that_hangs(screen: Any) -> None:
    screen.site.put("/hang", "x", delay=4)
    await screen.goto("<title>shown</title><a href=/hang>Go</a>", "/shown")
    await screen.press("Go")
    await screen.goto("<title>other</title>", "/other")
    await screen.app.history("back")
    assert (await screen.app.observe()).page.title == "shown"


async def test_a_pointer_drag_goes_from_source_to_destination(screen: Any) -> None:
    await screen.goto(
        "<div role=button id=a aria-label=A style='width:50px;height:50px;background:red'></div>"
        "<div role=button id=b aria-label=B style='margin:200px;width:90px;height:90px;background:blue'></div>"
        "<script>path = []; a.onpointerdown = () => path.push('down');"
        "b.onpointermove = () => path.at(-1) === 'over' || path.push('over'); b.onpointerup = () => path.push('up')</script>"
    )
    await screen.app.drag(await screen.node("A"), await screen.node("B"), 60)
    assert await screen.js("path") == ["down", "over", "up"]


async def test_a_native_drag_is_dropped_at_the_destination(screen: Any) -> None:
    await screen.goto(
        "<div role=button id=a aria-label=A draggable=true style='width:50px;height:50px;background:red'></div>"
        "<div role=button id=b aria-label=B style='margin:200px;width:90px;height:90px;background:blue'></div>"
        "<script>a.ondragstart = e => e.dataTransfer.setData('text/plain', 'cargo'); b.ondragover = e => e.preventDefault();"
        "b.ondrop = e => { e.preventDefault(); dropped = e.dataTransfer.getData('text/plain') }</script>"
    )
    await screen.app.drag(await screen.node("A"), await screen.node("B"), 0)
    assert await screen.js("dropped") == "cargo"


DRAGGED = """
<style>[role=button] { position: relative; width: 90px; height: 90px; background: silver }</style>
<div role=button id=c aria-label=C style='position:fixed;inset:0;width:100%;height:100%;background:white'></div>
<div role=button id=a aria-label=A draggable=true></div>
<div role=button id=b aria-label=B style='margin:200px'></div>
<script>
drops = [];
for (const at of [a, b, c]) at.ondrop = e => { e.preventDefault(); drops.push(at.id); };
a.ondragstart = e => e.dataTransfer.setData('text/plain', 'x');
"""


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("a.ondragstart = e => e.preventDefault()", "it cancelled its own drag"),
        ("", "it accepted no drop (its dragover was not taken)"),
        (
            "b.ondragover = e => { e.preventDefault(); b.style.margin = '800px' }",
            "it accepted no drop (its dragover was not taken)",
        ),
        (
            "b.ondragover = c.ondragover = e => { e.preventDefault(); b.style.margin = '800px' }",
            "the drop went to another element",
        ),
    ],
    ids=["cancelled", "not accepted", "moved away", "another one"],
)
async def test_a_drag_that_was_not_dropped_on_its_destination_is_no_success(
    screen: Any, script: str, why: str
) -> None:
    await screen.goto(f"{DRAGGED}{script}</script>")
    with pytest.raises(SurefootError) as caught:
        await screen.app.drag(await screen.node("A"), await screen.node("B"), 0)
    assert (caught.value.reason, caught.value.details["why"]) == ("not_delivered", why)
    assert await screen.js("drops") == []


async def test_a_list_that_sorts_while_dragging_takes_the_drop(screen: Any) -> None:
    items = "".join(f"<li id={x} draggable=true>Item {x}</li>" for x in "abc")
    await screen.goto(
        f"<ul id=list>{items}</ul><script>"
        "list.ondragstart = e => dragged = e.target; list.ondragover = e => { e.preventDefault();"
        "if (e.target !== dragged) e.target.after(dragged) };"
        "list.ondrop = e => { e.preventDefault(); order = [...list.children].map(li => li.id).join('') }</script>"
    )
    nodes = [node for node in (await screen.app.observe()).tree if node.role == "listitem"]
    await screen.app.drag(nodes[0], nodes[2], 0)
    assert await screen.js("order") == "bca"


async def test_an_image_that_is_dragged_by_script_gets_the_pointer_and_that_is_said(
    screen: Any,
) -> None:
    await screen.goto(
        "<img id=a alt=A width=50 height=50 src='data:image/svg+xml,<svg xmlns=\"http://www.w3.org/2000/svg\"/>'>"
        "<div role=button id=b aria-label=B style='margin:200px;width:90px;height:90px;background:blue'></div>"
        "<script>a.ondragstart = () => false; b.onpointerup = () => up = true</script>"
    )
    delivery = await screen.app.drag(await screen.node("A"), await screen.node("B"), 30)
    assert await screen.js("up") is True
    assert delivery.warnings == (
        "the page cancelled the browser's own drag: only the pointer was moved",
    )


async def test_a_dialog_at_the_drop_is_told(screen: Any) -> None:
    await screen.goto(
        f"{DRAGGED}b.ondragover = e => e.preventDefault(); b.ondrop = () => alert('Moved')</script>"
    )
    delivery = await screen.app.drag(await screen.node("A"), await screen.node("B"), 0)
    assert delivery.dialog.message == "Moved"
    await screen.app.answer_dialog(True)


async def test_a_drag_between_two_points_is_proven_too(screen: Any) -> None:
    await screen.goto(f"{DRAGGED}b.ondragover = e => e.preventDefault()</script>")
    a, b = await screen.node("A"), await screen.node("B")
    await screen.app.drag(Point(*a.rect.center), Point(*b.rect.center), 0)
    assert await screen.js("drops") == ["b"]
    with pytest.raises(SurefootError) as caught:
        await screen.app.drag(Point(*a.rect.center), Point(5, 400), 0)
    assert caught.value.reason == "not_delivered"


async def test_an_unchanged_screen_is_known_without_looking_again(screen: Any) -> None:
    await screen.goto("<button>Go</button>")
    observation = await screen.app.observe()
    assert await screen.app.unchanged(observation)
    await screen.js("document.body.append('more')")
    assert not await screen.app.unchanged(observation)


async def test_sessions_share_nothing(screen: Any, driver: Any, site: Any, state_dir: Path) -> None:
    from surefoot.drivers import OpenRequest

    await screen.goto("<script>document.cookie = 'a=1'; localStorage.a = 1</script><p>x")
    request = OpenRequest(target=site.url("/page2"), session="other", state_dir=str(state_dir))
    site.put("/page2", "<p>x")
    other = await driver.open(request, lambda _event: None)
    try:
        page = other._tabs.current()
        answer = await page.call(
            "Runtime.evaluate", {"expression": "document.cookie + (localStorage.a ?? '')"}
        )
        assert answer["result"]["value"] == ""
    finally:
        await other.close()


async def test_an_empty_document_is_a_verdict_not_a_failure(screen: Any) -> None:
    screen.site.put("/empty", "")
    await screen.app.goto(screen.site.url("/empty"), 10_000)
    with pytest.raises(CaptureUnreadable) as caught:
        await screen.app.observe()
    assert caught.value.verdict == "empty_document"
