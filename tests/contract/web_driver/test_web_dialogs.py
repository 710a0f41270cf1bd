# ruff: noqa: E501, ASYNC240 - pages are written in line, and waited for from outside
"""Dialogs, tabs, downloads: told, never answered by themselves (web.md; faults B131, B133)."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from surefoot.drivers import Gesture, SettlePolicy
from surefoot.drivers.web.pages import effects
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


ASKS = "confirm('Sure?')"


@pytest.mark.parametrize(
    ("markup", "text", "held"),
    [
        ('<select aria-label=F onchange="%s"><option>a<option>b</select>', "b", "b"),
        ('<select multiple aria-label=F onchange="%s"><option>a<option>b</select>', "b", "b"),
        ('<input type=date aria-label=F value=2025-01-02 onchange="%s">', "2026-03-14", "2026-03-14"),
        ('<input type=month aria-label=F onchange="%s">', "2026-03", "2026-03"),
        ('<input type=color aria-label=F onchange="%s">', "#ff8800", "#ff8800"),
        ('<input type=range aria-label=F oninput="%s">', "10", "10"),
        ('<input aria-label=F oninput="%s">', "10", "10"),
    ],
    ids=["select", "multiple", "date", "month", "color", "range", "text"],
)
async def test_b131_filling_a_field_that_opens_a_dialog_is_done_and_says_so(
    screen: Any, markup: str, text: str, held: str
) -> None:
    await screen.goto(markup % ASKS)
    outcome = await screen.app.fill(await screen.node("F"), text)
    assert outcome.delivery.dialog.message == "Sure?"
    assert (outcome.value, outcome.delivery.warnings) == (None, ("a dialog opened: not read back",))
    await screen.app.answer_dialog(True)
    assert await screen.js("document.querySelector('input, select').value") == held


@pytest.mark.parametrize(
    ("markup", "act", "proof"),
    [
        (f'<button onmouseenter="{ASKS}">F</button>', "hover", "log.join().includes('mouseover:BUTTON')"),
        (f'<button onmouseenter="{ASKS}">F</button>', "press", "log.join().includes('click:BUTTON')"),
        (f'<input aria-label=F onfocus="{ASKS}">', "focus", "document.activeElement.tagName == 'INPUT'"),
        (f'<input type=file aria-label=F onchange="{ASKS}">', "upload", "!!document.querySelector('input').value"),
        (f"<button>F</button><p style='height:5000px'><script>onscroll = () => {ASKS}</script>", "scroll", "scrollY == 90"),
    ],
    ids=["hover", "press", "focus", "upload", "scroll"],
)  # fmt: skip
async def test_b131_whatever_opens_a_dialog_is_done_and_says_so(
    screen: Any, tmp_path: Path, markup: str, act: str, proof: str
) -> None:
    (tmp_path / "a.txt").write_text("a")
    await screen.goto(markup)
    node, app = await screen.node("F"), screen.app
    if act == "scroll":
        moved = await app.scroll(None, "down", 90)
        assert (moved.moved_y, moved.at_edge) == (90, False)
    else:
        delivery = await {
            "hover": lambda: app.pointer(node, Gesture(kind="hover")),
            "press": lambda: app.pointer(node, Gesture()),
            "focus": lambda: app.focus(node),
            "upload": lambda: app.upload(node, [str(tmp_path / "a.txt")]),
        }[act]()
        assert delivery.dialog.message == "Sure?"
    assert app.dialog().message == "Sure?"
    while app.dialog() is not None:
        await app.answer_dialog(True)
    assert await screen.js(proof)


@pytest.mark.parametrize(
    ("markup", "delay", "typed"),
    [
        (f'<input aria-label=F oninput="{ASKS}">', 10, True),
        (f'<select aria-label=F onfocus="{ASKS}"><option>a<option>10</select>', 0, None),
    ],
    ids=["in the midst", "before"],
)
async def test_b037_a_dialog_before_all_of_it_was_typed_is_no_success(
    screen: Any, markup: str, delay: int, typed: bool | None
) -> None:
    await screen.goto(markup)
    with pytest.raises(SurefootError) as caught:
        await screen.app.fill(await screen.node("F"), "10", delay)
    assert caught.value.reason == "dialog_open"
    assert caught.value.details["typed"] is typed


async def test_a_dialog_before_a_drag_was_let_go_is_no_success(screen: Any) -> None:
    await screen.goto(
        f"<div role=button aria-label=A draggable=true ondragstart=\"{ASKS}\" style='width:80px;height:40px'>A</div>"
        "<div role=group aria-label=B style='height:99px' ondragover='event.preventDefault()'>B</div>"
    )
    source, destination = await screen.node("A", role="button"), await screen.node("B", role="group")
    with pytest.raises(SurefootError) as caught:
        await screen.app.drag(source, destination, 50)
    assert caught.value.reason == "dialog_open"
    await screen.app.answer_dialog(True)


async def test_a_date_is_one_change_to_the_page(screen: Any) -> None:
    await screen.goto(
        "<script>seen = []</script><input type=date aria-label=F value=2025-01-02 "
        "oninput=\"seen.push('input ' + value)\" onchange=\"seen.push('change ' + value)\">"
    )
    assert (await screen.app.fill(await screen.node("F"), "2026-03-14")).delivery.trusted
    assert await screen.js("seen") == ["input 2026-03-14", "change 2026-03-14"]


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


@pytest.mark.parametrize("by", ["key", "press"])
async def test_a_page_that_asks_whether_to_be_left_says_so_in_the_answer(screen: Any, by: str) -> None:
    await screen.goto(
        "<script>onbeforeunload = e => e.preventDefault()</script><form action=/blank><input name=q aria-label=Q>"
        "<button>Send</button></form>"
    )
    await screen.app.fill(await screen.node("Q"), "text")
    await screen.app.pointer(await screen.node("Q"), Gesture())
    delivery = await (screen.app.key("Enter") if by == "key" else screen.press("Send"))
    assert delivery.dialog.kind == "beforeunload"
    await screen.app.answer_dialog(False)


async def test_a_page_that_is_stayed_on_is_used_again_at_once(screen: Any) -> None:
    await screen.goto(
        "<script>onbeforeunload = e => e.preventDefault()</script><a href=/blank>Go</a><button>Here</button>"
    )
    await screen.press("Here")
    began = time.monotonic()
    for _ in range(2):
        assert (await screen.press("Go")).dialog.kind == "beforeunload"
        await screen.app.answer_dialog(False)
    assert (await screen.node("Here")).role == "button"
    assert time.monotonic() - began < 0.9


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


async def test_where_no_tab_is_left_an_address_is_to_be_opened(screen: Any, soon: Any) -> None:
    await screen.app.close_tab(None)
    assert list(await screen.app.tabs()) == []
    for act in (
        screen.app.observe,
        lambda: screen.app.key("a"),
        lambda: screen.app.select_tab(1),
        lambda: screen.app.close_tab(None),
    ):
        with pytest.raises(SurefootError) as caught:
            await act()
        assert (caught.value.reason, caught.value.hint) == ("tab_closed", "Run `surefoot open <url>`.")
    await screen.goto("<p>again")
    assert [tab.index for tab in await screen.app.tabs()] == [1]


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


async def test_a_download_is_told_and_kept_under_a_safe_name(screen: Any, state_dir: Path) -> None:
    screen.site.put(
        "/file",
        "content",
        "application/octet-stream",
        Content_Disposition='attachment; filename="../re port.txt"',
    )
    await screen.goto("<a href=/file>Get</a>")
    (file,) = (await screen.press("Get")).downloads
    assert Path(file.path).parent == state_dir / "downloads" / "test"
    assert Path(file.path).read_text() == "content"
    assert "/" not in file.name
    assert [event.kind for event in screen.events] == ["download"]
    assert (await screen.press("Get")).downloads[0].path != file.path  # told once, and apart from it


SAVE = """<script>
function save(text, name) {
  const a = document.createElement('a');
  a.href = URL.createObjectURL(new Blob([text]));
  a.download = name;
  a.click();
}
</script>"""


@pytest.mark.parametrize(
    ("markup", "name"),
    [
        ("<a href=/csv download='r.csv'>Get</a>", "r.csv"),
        ("<a href=/attached>Get</a>", "a.csv"),
        ("<button onclick=\"save('a,b', 'b.csv')\">Get</button>", "b.csv"),
        ("<button onclick=\"setTimeout(save, 20, 'a,b', 'c.csv')\">Get</button>", "c.csv"),
        ("<form action=/attached><button>Get</button></form>", "a.csv"),
    ],
    ids=["attribute", "attachment", "blob", "later-blob", "form"],
)
async def test_a_press_that_downloads_names_the_file_and_where_it_is(
    screen: Any, markup: str, name: str
) -> None:
    screen.site.put("/csv", "a,b", "text/csv", delay=0.1)
    screen.site.put(
        "/attached", "a,b", "text/csv", 0.1, Content_Disposition="attachment; filename=a.csv"
    )
    await screen.goto(SAVE + markup)
    delivery = await screen.press("Get")
    (file,) = delivery.downloads
    assert (Path(file.path).suffix, file.name, file.state) == (".csv", name, "complete")
    assert Path(file.path).read_text() == "a,b"
    assert delivery.warnings == ()
    assert not delivery.navigated


async def test_a_key_on_a_download_link_names_the_file(screen: Any) -> None:
    screen.site.put("/csv", "a,b", "text/csv", delay=0.1)
    await screen.goto("<a href=/csv download='k.csv'>Get</a>")
    await screen.app.focus(await screen.node("Get"))
    assert [file.name for file in (await screen.app.key("Enter")).downloads] == ["k.csv"]


async def test_a_download_that_comes_later_is_told_by_settle(screen: Any) -> None:
    screen.site.put("/csv", "a,b", "text/csv", delay=0.3)
    await screen.goto(
        SAVE
        + "<button onclick=\"n.textContent = '…'; fetch('/csv').then(r => r.text()).then(t => save(t, 'f.csv'))\">Get</button><p id=n>"
    )
    assert (await screen.press("Get")).downloads == ()
    (file,) = (await screen.app.settle(SettlePolicy())).downloads
    assert (file.name, Path(file.path).read_text()) == ("f.csv", "a,b")


async def test_a_download_no_answer_told_of_comes_with_the_next_action(screen: Any, soon: Any) -> None:
    await screen.goto(
        SAVE
        + "<button onclick=\"n.textContent = '…'; setTimeout(save, 300, 'x', 'l.csv')\">Get</button><button>Other</button><p id=n>"
    )
    assert (await screen.press("Get")).downloads == ()
    await soon(lambda: bool(screen.events))
    assert [file.name for file in (await screen.press("Other")).downloads] == ["l.csv"]


async def test_a_link_that_saves_nothing_is_not_silent(
    screen: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(effects, "ANNOUNCED_WAIT", 0.05)
    await screen.goto("<a href=/csv download onclick='event.preventDefault()'>Get</a>")
    (said,) = (await screen.press("Get")).warnings
    assert "no download has begun" in said


async def test_a_file_that_is_still_arriving_is_said_so_and_its_rest_removed_with_the_session(
    screen: Any, monkeypatch: pytest.MonkeyPatch, state_dir: Path
) -> None:
    downloads = screen.app.downloads
    downloads.event(
        "Browser.downloadWillBegin", {"guid": "g1", "frameId": "", "suggestedFilename": "big.zip"}
    )
    (state_dir / "downloads" / "test" / "g1").write_text("half")
    monkeypatch.setattr(effects, "ARRIVAL_WAIT", 0.05)
    await screen.goto("<button onclick='n.textContent = 1'>Go</button><p id=n>")
    (file,) = (await screen.press("Go")).downloads
    assert (file.name, file.state) == ("big.zip", "arriving")
    downloads.clear_up()
    assert not (state_dir / "downloads" / "test" / "g1").exists()


async def test_opening_a_download_is_refused_as_such(screen: Any) -> None:
    url = screen.site.put("/file", "content", "application/octet-stream")
    with pytest.raises(SurefootError) as caught:
        await screen.app.goto(url, 10_000)
    assert caught.value.reason == "is_download"
