# ruff: noqa: ASYNC240 - pages are written in line, and waited for from outside
"""Dialogs, tabs, downloads: told, never answered by themselves (web.md; faults B131, B133)."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from surefoot.drivers import SettlePolicy
from surefoot.errors import SurefootError

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_b131_a_press_that_opens_an_alert_returns_at_once_and_says_so(screen: Any) -> None:
    await screen.goto("<button onclick=\"alert('Saved!')\">Save</button>")
    node = await screen.node("Save")
    began = time.monotonic()
    delivery = await screen.press("Save")
    assert time.monotonic() - began < 1.0
    assert (delivery.dialog.kind, delivery.dialog.message) == ("alert", "Saved!")
    assert screen.app.dialog() == delivery.dialog
    with pytest.raises(SurefootError) as caught:
        await screen.app.observe()
    assert (caught.value.code, caught.value.reason) == ("DIALOG_PENDING", "dialog_open")
    with pytest.raises(SurefootError) as caught:
        await screen.app.fill(node, "x")
    assert caught.value.code == "DIALOG_PENDING"
    await screen.app.answer_dialog(True)
    assert screen.app.dialog() is None
    assert (await screen.node("Save")).handle == node.handle


@pytest.mark.parametrize(
    ("accept", "text", "answer"), [(True, "me", "me"), (True, None, "you"), (False, None, None)]
)
async def test_b133_a_prompt_waits_for_the_caller(
    screen: Any, accept: bool, text: str | None, answer: str | None
) -> None:
    await screen.goto("<button onclick=\"answer = prompt('Who?', 'you')\">Ask</button>")
    delivery = await screen.press("Ask")
    assert (delivery.dialog.kind, delivery.dialog.default) == ("prompt", "you")
    await screen.app.answer_dialog(accept, text)
    assert await screen.js("answer") == answer


async def test_a_dialog_on_mousedown_ends_the_press_too(screen: Any) -> None:
    await screen.goto("<button onmousedown=\"confirm('Now?')\">Go</button>")
    delivery = await screen.press("Go")
    assert delivery.dialog.kind == "confirm"
    assert delivery.warnings == ("a dialog opened before the press ended",)
    await screen.app.answer_dialog(False)


async def test_a_dialog_in_a_call_that_is_under_way_ends_it(screen: Any) -> None:
    await screen.goto("<script>setTimeout(() => alert('late'), 150)</script><p>x")
    outcome = await screen.app.settle(SettlePolicy(quiet_ms=1000))
    assert outcome.settled
    assert screen.app.dialog().message == "late"
    await screen.app.answer_dialog(True)


async def test_answering_when_nothing_is_asked_is_refused(screen: Any) -> None:
    with pytest.raises(SurefootError) as caught:
        await screen.app.answer_dialog(True)
    assert caught.value.reason == "no_dialog"


async def test_leaving_a_page_that_asks_is_for_the_caller_to_decide(screen: Any) -> None:
    await screen.goto("<script>onbeforeunload = e => e.preventDefault()</script><button>Here</button>")
    await screen.press("Here")
    with pytest.raises(SurefootError) as caught:
        await screen.app.goto(screen.site.url("/blank"), 10_000)
    assert caught.value.code == "DIALOG_PENDING"
    assert screen.app.dialog().kind == "beforeunload"
    await screen.app.answer_dialog(False)
    assert (await screen.node("Here")).role == "button"
    with pytest.raises(SurefootError):
        await screen.app.goto(screen.site.url("/blank"), 10_000)
    await screen.app.answer_dialog(True)
    assert (await screen.app.observe()).page.title == "blank"


@pytest.mark.parametrize(
    "markup",
    [
        "<a href=/blank target=_blank>Open</a>",
        "<button onclick=\"window.open('/blank')\">Open</button>",
    ],
    ids=["link", "window.open"],
)
async def test_a_press_that_opens_a_tab_says_so(screen: Any, markup: str) -> None:
    await screen.goto(markup)
    delivery = await screen.press("Open")
    assert delivery.opened_tab is not None
    assert (delivery.opened_tab.index, delivery.opened_tab.active) == (2, False)
    assert delivery.opened_tab.url == screen.site.url("/blank")
    tab = await screen.app.select_tab(2)
    assert tab.active
    assert (await screen.app.observe()).page.title == "blank"
    await screen.app.close_tab(None)
    assert [tab.url for tab in await screen.app.tabs()] == [screen.site.url("/page")]
    await screen.node("Open")


async def test_a_tab_that_closes_itself_gives_way_to_its_opener(screen: Any, soon: Any) -> None:
    screen.site.put("/popup", "<button onclick='window.close()'>Done</button>")
    await screen.goto("<button onclick=\"window.open('/popup')\">Open</button>")
    await screen.press("Open")
    await screen.app.select_tab(2)
    await screen.press("Done")
    await soon(lambda: len(screen.app._tabs.pages) == 1)
    await screen.node("Open")


async def test_there_is_no_such_tab(screen: Any) -> None:
    with pytest.raises(SurefootError) as caught:
        await screen.app.select_tab(7)
    assert (caught.value.code, caught.value.reason) == ("COMMAND_FAILED", "no_such_tab")


async def test_a_download_is_told_and_kept_under_a_safe_name(
    screen: Any, state_dir: Path, soon: Any
) -> None:
    screen.site.put(
        "/file",
        "content",
        "application/octet-stream",
        Content_Disposition='attachment; filename="../re port.txt"',
    )
    await screen.goto("<a href=/file>Get</a>")
    await screen.press("Get")
    await soon(lambda: any(item.path for item in screen.app.downloads.items.values()))
    (item,) = screen.app.downloads.items.values()
    assert Path(item.path).parent == state_dir / "downloads" / "test"
    assert Path(item.path).read_text() == "content"
    assert "/" not in item.name
    assert [event.kind for event in screen.events] == ["download"]


async def test_opening_a_download_is_refused_as_such(screen: Any) -> None:
    url = screen.site.put("/file", "content", "application/octet-stream")
    with pytest.raises(SurefootError) as caught:
        await screen.app.goto(url, 10_000)
    assert caught.value.reason == "is_download"
