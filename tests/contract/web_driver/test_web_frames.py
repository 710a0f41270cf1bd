# ruff: noqa: E501 - pages are written in line, and waited for from outside
"""Frames, also those in processes of their own, are acted in like the page itself."""

from __future__ import annotations

from typing import Any

import pytest
import pytest_asyncio

from surefoot.drivers import Gesture
from surefoot.errors import SurefootError

pytestmark = pytest.mark.asyncio(loop_scope="session")

INNER = (
    "<body style='margin:0'><div style='height:1500px'></div><button id=inner onclick=\"parent.postMessage('pressed', '*')\">Inner</button>"
    "<input id=f aria-label=F oninput=\"parent.postMessage(this.value, '*')\"></body>"
)
OUTER = (
    "<div style='height:1200px'></div><iframe title=Frame src='{src}' style='width:300px;height:200px;border:7px solid;padding:11px'></iframe>"
    "<script>got = []; onmessage = e => got.push(e.data)</script>"
)


@pytest_asyncio.fixture(
    loop_scope="session", params=["127.0.0.1", "localhost"], ids=["same-origin", "cross-site"]
)
async def framed(screen: Any, request: pytest.FixtureRequest) -> Any:
    screen.site.put("/inner", "<!doctype html>" + INNER)
    await screen.goto(OUTER.format(src=screen.site.url("/inner", request.param)))
    return screen


async def test_a_press_in_a_frame_scrolls_both_and_lands(framed: Any, soon: Any) -> None:
    await framed.press("Inner")
    assert await framed.js("new Promise(r => setTimeout(() => r(got), 50))") == ["pressed"]


async def test_what_lies_over_a_frame_is_not_pressed_through(framed: Any) -> None:
    node = await framed.node("Inner")
    await framed.js(
        "{const over = document.createElement('div'); over.setAttribute('role', 'alert'); over.setAttribute('aria-label', 'Notice');"
        "over.style = 'position:fixed;inset:0;background:#fff'; over.onclick = () => got.push('wrong'); document.body.append(over)}"
    )
    with pytest.raises(SurefootError) as caught:
        await framed.app.pointer(node, Gesture())
    assert caught.value.code == "ELEMENT_COVERED"
    assert caught.value.details["coveredBy"]["label"] == "Notice"
    assert await framed.js("new Promise(r => setTimeout(() => r(got), 50))") == []


async def test_a_field_in_a_frame_is_filled_and_typed_at(framed: Any) -> None:
    outcome = await framed.app.fill(await framed.node("F"), "abc")
    assert outcome.value == "abc"
    outcome = await framed.app.type_text("de")
    assert outcome.value == "abcde"
    assert (await framed.js("new Promise(r => setTimeout(() => r(got), 50))"))[-1] == "abcde"


async def test_a_frame_that_goes_away_takes_its_elements_with_it(framed: Any) -> None:
    node = await framed.node("Inner")
    await framed.js("document.querySelector('iframe').remove()")
    with pytest.raises(SurefootError) as caught:
        await framed.app.pointer(node, Gesture())
    assert caught.value.reason == "node_detached"


async def test_a_frame_that_slides_over_the_target_at_the_last_moment_gets_nothing(screen: Any) -> None:
    screen.site.put(
        "/inner",
        "<body style='margin:0'><button style='width:100vw;height:100vh' onclick=\"parent.got = 'wrong'\">Ad</button>",
    )
    await screen.goto(
        "<button id=safe>Safe</button><iframe src=/inner style='position:fixed;left:-9999px;top:0;width:100%;height:100%'></iframe>"
        "<script>got = ''; addEventListener('mousemove', () => document.querySelector('iframe').style.left = 0)</script>"
    )
    with pytest.raises(SurefootError) as caught:
        await screen.press("Safe")
    assert caught.value.code == "ELEMENT_COVERED"
    assert await screen.js("got") == ""


async def test_a_frame_moved_to_another_process_is_followed(screen: Any) -> None:
    screen.site.put("/first", "<button>First</button>")
    screen.site.put("/second", "<button onclick=\"parent.postMessage('second', '*')\">Second</button>")
    await screen.goto(OUTER.format(src="/first"))
    await screen.node("First")
    await screen.js(
        f"document.querySelector('iframe').src = {screen.site.url('/second', 'localhost')!r}; new Promise(r => document.querySelector('iframe').onload = () => r())"
    )
    await screen.press("Second")
    assert await screen.js("new Promise(r => setTimeout(() => r(got), 50))") == ["second"]


async def test_a_frame_that_hangs_does_not_hold_up_the_page(screen: Any) -> None:
    screen.site.put("/hang", "<p>ad</p><script>setTimeout(() => { for (;;); }, 100)</script>")
    await screen.goto(
        f"<button id=go>Go</button><iframe title=Ad src='{screen.site.url('/hang', 'localhost')}'></iframe>"
    )
    await screen.js("new Promise(r => setTimeout(r, 300))")
    observation = await screen.app.observe()
    assert [node.label for node in observation.tree if node.role == "button"] == ["Go"]
    await screen.press("Go")
    assert "click:go:true" in await screen.log()


async def test_a_frame_whose_process_dies_leaves_the_page_usable(screen: Any) -> None:
    screen.site.put("/inner", "<button>Inner</button>")
    await screen.goto(
        f"<button id=go>Go</button><iframe title=Ad src='{screen.site.url('/inner', 'localhost')}'></iframe>"
    )
    await screen.node("Inner")
    page = screen.app._tabs.current()
    (inner,) = [frame for frame in page.frames() if frame.separate]
    with pytest.raises(Exception, match="navigated or closed"):
        await page.call("Page.crash", {}, inner.session_id, deadline=5)
    assert [node.label for node in (await screen.app.observe()).tree if node.role == "button"] == ["Go"]
    await screen.press("Go")
    assert "click:go:true" in await screen.log()
    assert screen.events == []


async def test_a_press_on_a_frame_itself_goes_to_its_document(screen: Any) -> None:
    screen.site.put("/inner", "<body onclick=\"parent.got = 'inside'\" style='height:90vh'>")
    await screen.goto("<iframe id=f title=Frame src=/inner></iframe><script>got = ''</script>")
    await screen.app.pointer(await screen.node(id="f"), Gesture())
    assert await screen.js("got") == "inside"
