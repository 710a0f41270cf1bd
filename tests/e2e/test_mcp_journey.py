"""``surefoot mcp`` and the official client on real pages: see, act, be refused, retry, resume."""

from __future__ import annotations

import asyncio
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path

import pytest
from mcp_types import ImageContent
from tests.support.command import answer, surefoot
from tests.support.mcp_client import Agent, agent, reason, structured, text_of
from tests.support.pages import Pages

from surefoot import AsyncSurefoot
from surefoot.client import launch
from surefoot.mcp import INSTRUCTIONS
from surefoot.wire import StatePaths

PAGE = """<!doctype html><title>Basket</title><main><h1>Basket</h1>
<ul aria-label="Items">
  <li><span>Rope</span> <button onclick="said.textContent='Rope removed'">Remove</button></li>
  <li><span>Lamp</span> <button onclick="said.textContent='Lamp removed'">Remove</button></li>
</ul>
<label>Name <input id="who"></label>
<button onclick="said.textContent='Ordered by ' + who.value">Order now</button>
<button onclick="said.textContent=confirm('Sure?')?'Yes':'No'">Ask</button>
<p id="said" role="status"></p></main>"""
RENAMED = PAGE.replace("Order now", "Place order")


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    made = tmp_path_factory.mktemp("mcp") / "state"
    yield made
    launch.end(StatePaths(made), {"SUREFOOT_DAEMON_TIMEOUT": "3000"})


class Site:
    """A page that may change."""

    def __init__(self, serve: Pages, directory: Path) -> None:
        self._file = directory / "site" / "index.html"
        self._file.parent.mkdir()
        self.show(PAGE)
        self.url = f"{serve.folder(self._file.parent)}/index.html"

    def show(self, html: str) -> None:
        self._file.write_text(html, encoding="utf-8")


@pytest.fixture
def site(serve: Pages, tmp_path: Path) -> Site:
    return Site(serve, tmp_path)


async def said(one: Agent) -> str:
    return str((await one.ok("get", what="text", target="id=said"))["text"])


async def test_every_command_is_a_tool_and_the_server_says_how_to_use_them(
    state: Path, tmp_path: Path
) -> None:
    async with agent(state, tmp_path) as one:
        tools = {tool.name: tool for tool in (await one.session.list_tools()).tools}
        assert {"open", "snapshot", "press", "session_list", "tab_close", "replay"} <= set(tools)
        assert tools["press"].input_schema["properties"]["target"]["type"] == "string"
        assert {"session", "level", "timeoutMs", "noRecord"} <= set(
            tools["press"].input_schema["properties"]
        )
        assert "follow" not in tools["events"].input_schema["properties"]
        assert one.session.initialize_result is not None
        assert one.session.initialize_result.instructions == INSTRUCTIONS


async def test_a_journey_by_refs(state: Path, tmp_path: Path, site: Site) -> None:
    async with agent(state, tmp_path) as one:
        await one.ok("open", target=site.url)
        await one.ok("fill", target=await one.ref("textbox", "Name"), text="Ada")
        pressed = await one.call("press", target=await one.ref("button", "Order now"), settle=True)
        assert "Ordered by Ada" in text_of(pressed)
        assert structured(pressed)["resolution"] == {
            "kind": "exact",
            "source": "ref",
            "phase": "pre-action",
        }
        asked = await one.ok("press", target=await one.ref("button", "Ask"))
        assert asked["dialog"]["message"] == "Sure?"
        await one.ok("dialog_dismiss")
        assert await said(one) == "No"
        assert (await one.ok("close"))["closed"] is True


async def test_the_text_is_the_terminals_and_text_of_the_page_is_marked_untrusted(
    state: Path, tmp_path: Path, site: Site
) -> None:
    async with agent(state, tmp_path) as one:
        await one.ok("open", target=site.url)
        wanted = surefoot(state, "get", "text", "label=Name", cwd=tmp_path).stdout
        wrong = surefoot(state, "press", "label=Nowhere", cwd=tmp_path).stderr
        read = await one.call("get", what="text", target="label=Name")
        missed = await one.call("press", target="label=Nowhere")
        assert text_of(read) == wanted.rstrip("\n")
        told, _, hint = text_of(missed).rpartition("\n")
        assert told == wrong.rstrip("\n").rpartition("\n")[0]
        assert hint.startswith('hint: Run `snapshot {"interactive": true}`')
        assert len(read.content) == 2
        assert read.meta is not None
        assert read.meta["surefoot/untrusted"] is True
        status = await one.call("daemon_status")
        assert status.meta is not None
        assert status.meta["surefoot/untrusted"] is False
        await one.ok("close")


async def test_a_screenshot_is_in_the_result(state: Path, tmp_path: Path, site: Site) -> None:
    async with agent(state, tmp_path) as one:
        await one.ok("open", target=site.url)
        taken = await one.call("screenshot", path="screen.png")
        picture, *told = taken.content
        assert isinstance(picture, ImageContent)
        assert picture.mime_type == "image/png"
        assert b64decode(picture.data) == (tmp_path / "screen.png").read_bytes()
        assert len(told) == 2
        await one.ok("close")


async def test_a_refusal_of_the_arguments_names_them_and_is_no_text_of_the_page(
    state: Path, tmp_path: Path
) -> None:
    async with agent(state, tmp_path) as one:
        wrong = await one.call("key", key="Enter")
        assert "chord (needed)" in structured(wrong)["hint"]
        assert len(wrong.content) == 1


async def test_an_ambiguous_press_is_retried_by_the_plain_ref_of_a_candidate(
    state: Path, tmp_path: Path, site: Site
) -> None:
    async with agent(state, tmp_path) as one:
        await one.ok("open", target=site.url)
        error = await one.refused("press", target="label=Remove")
        assert error["code"] == "AMBIGUOUS_MATCH"
        lamp = next(item for item in error["details"]["candidates"] if "Lamp" in item["place"])
        await one.ok("press", target=f"@{lamp['ref']}")
        assert await said(one) == "Lamp removed"
        await one.ok("close")


async def test_a_ref_of_a_screen_that_was_acted_on_is_refused(
    state: Path, tmp_path: Path, site: Site
) -> None:
    async with agent(state, tmp_path) as one:
        await one.ok("open", target=site.url)
        ref = await one.ref("button", "Remove")
        await one.ok("press", target=ref)
        assert reason(await one.refused("press", target=ref)) == "ref_frame_expired"
        await one.ok("close")


async def test_a_ref_shown_by_settle_is_good_for_the_next_press(
    state: Path, tmp_path: Path, site: Site
) -> None:
    async with agent(state, tmp_path) as one:
        await one.ok("open", target=site.url)
        filled = await one.ok("fill", target="id=who", text="Ada", settle=True)
        shown = filled["settled"]["diff"]["changed"][0]
        assert shown["label"] == "Name"
        await one.ok("fill", target=f"@{shown['ref']}", text="Bea")
        assert (await one.ok("get", what="attrs", target="id=who"))["attrs"]["value"] == "Bea"
        await one.ok("close")


async def test_two_clients_never_act_on_each_others_refs(
    state: Path, tmp_path: Path, site: Site
) -> None:
    async with agent(state, tmp_path) as one, agent(state, tmp_path) as other:
        await one.ok("open", target=site.url)
        mine = await one.ref("button", "Remove")
        await other.ref("button", "Remove", nth=1)
        error = await one.refused("press", target=mine)
        assert reason(error) == "ref_generation_mismatch"
        assert await said(one) == ""
        await one.ok("press", target=await one.ref("button", "Remove"))
        assert await said(other) == "Rope removed"
        await one.ok("close")


async def test_a_result_that_issues_nothing_leaves_the_pins_alone(
    state: Path, tmp_path: Path, site: Site
) -> None:
    async with agent(state, tmp_path) as one:
        await one.ok("open", target=site.url)
        ref = await one.ref("button", "Remove", nth=1)
        await one.ok("get", what="attrs", target="id=who")
        await one.ok("is", predicate="visible", selector="id=who")
        await one.refused("press", target="label=Nowhere")
        await one.ok("press", target=ref)
        assert await said(one) == "Lamp removed"
        await one.ok("close")


async def test_steps_of_a_batch_are_pinned_until_one_shows_a_screen(
    state: Path, tmp_path: Path, site: Site
) -> None:
    async with agent(state, tmp_path) as one, agent(state, tmp_path) as other:
        await one.ok("open", target=site.url)
        ref = await one.ref("button", "Remove")
        await other.ok("snapshot")
        stale = await one.refused("batch", steps=f'[["press", "{ref}"]]')
        assert reason(stale) == "ref_generation_mismatch"
        fresh = [["snapshot"], {"command": "press", "arguments": {"target": ref}}]
        await one.ok("batch", steps=fresh)
        assert await said(one) == "Rope removed"
        await one.ok("close")


async def test_a_divergence_is_a_result_whose_plain_refs_can_be_pressed(
    state: Path, tmp_path: Path, site: Site
) -> None:
    async with agent(state, tmp_path) as one:
        await one.ok("open", target=site.url, saveScript="flow.ad")
        await one.ok("press", target=await one.ref("button", "Order now"))
        await one.ok("wait", target="id=said")
        await one.ok("close")

        site.show(RENAMED)
        result = await one.call("replay", file="flow.ad")
        assert result.is_error
        report = structured(result)
        assert (report["version"], report["code"]) == (1, "REPLAY_DIVERGENCE")
        assert report["kind"] == "selector-miss"
        assert report["repairHint"] == "record-and-heal"
        assert text_of(result).startswith("error REPLAY_DIVERGENCE selector-miss: ")
        assert f'"planDigest": "{report["resume"]["planDigest"]}"' in text_of(result)
        assert "surefoot " not in text_of(result)
        assert "surefoot " not in report["hint"]

        shown = next(item for item in report["screen"]["refs"] if item.get("label") == "Place order")
        await one.ok("press", target=f"@{shown['ref']}")
        assert await said(one) == "Ordered by"
        resume = report["resume"]
        done = await one.ok(
            "replay",
            file="flow.ad",
            **{"from": str(resume["from"]), "planDigest": resume["planDigest"]},
        )
        assert done["sessionActive"] is False


async def test_a_call_that_the_client_cancels_ends_and_leaves_the_session_usable(
    state: Path, tmp_path: Path, site: Site
) -> None:
    async with agent(state, tmp_path) as one:
        await one.ok("open", target=site.url)
        waiting = asyncio.create_task(one.call("wait", target="label=Never", timeoutMs=60_000))
        while True:
            listed = await one.ok("events", limit=3)
            if any(e["event"].get("command") == "wait" for e in listed["events"]):
                break
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert await said(one) == ""
        await one.ok("close")


async def test_a_replay_reports_its_steps_to_a_client_that_asks(
    state: Path, tmp_path: Path, site: Site
) -> None:
    (tmp_path / "look.ad").write_text(f"context platform=web\nopen {site.url}\nwait id=who\nclose\n")
    heard: list[tuple[float, str | None]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append((progress, message))

    async with agent(state, tmp_path) as one:
        arguments = {"file": "look.ad"}
        done = await one.session.call_tool("replay", arguments, progress_callback=hear)
        assert not done.is_error, text_of(done)
    assert heard == [(1, "step 1: open"), (2, "step 2: wait"), (3, "step 3: close")]


async def test_what_check_finds_is_its_answer_on_every_surface(state: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.ad").write_text("key Nope\n")
    done = surefoot(state, "check", str(tmp_path / "bad.ad"), "--json")
    body = answer(done)
    assert (done.returncode, body["success"], body["data"]["ok"]) == (1, True, False)
    async with agent(state, tmp_path) as one:
        told = await one.ok("check", files=["bad.ad"])
    async with AsyncSurefoot(state_dir=state) as client:
        checked = await client.check([str(tmp_path / "bad.ad")])
    assert told["ok"] is checked.ok is False
    assert told["files"][0]["errors"] == body["data"]["files"][0]["errors"]
    assert [(one.line, one.column) for one in checked.files[0].errors] == [(1, 5)]
