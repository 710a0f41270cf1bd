"""Record in a real browser, let the page drift, replay: the installed command, as an agent types it."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.support.command import answer, surefoot
from tests.support.pages import Pages

from surefoot import ReplayDivergence, Surefoot
from surefoot.client import launch
from surefoot.wire import AvailableScreen, StatePaths

PAGE = """<!doctype html><title>Basket</title><main><h1>Basket</h1>
<ul aria-label="Items">
  <li><span>Rope</span> <button onclick="said.textContent='Rope removed'">Remove</button></li>
  <li><span>Lamp</span> <button onclick="said.textContent='Lamp removed'">Remove</button></li>
</ul>
<form aria-label="Order" onsubmit="said.textContent='Ordered by ' + who.value; return false">
  <label>Name <input id="who"></label>
  <button>Order now</button>
</form>
<p id="said" role="status"></p></main>"""
RENAMED = PAGE.replace("Order now", "Place order")
OIL = "<li><span>Oil</span> <button onclick=\"said.textContent='wrong'\">Remove</button></li>"
INSERTED = PAGE.replace("<li><span>Rope", OIL + "<li><span>Rope")
GONE = PAGE.replace("<li><span>Lamp", "<li><span>Candle")
ELSEWHERE = "<!doctype html><title>Sign in</title><main><h1>Sign in</h1><button>Go</button></main>"

Say = Callable[..., Any]


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    made = tmp_path_factory.mktemp("replay") / "state"
    yield made
    launch.end(StatePaths(made), {"SUREFOOT_DAEMON_TIMEOUT": "3000"})


class Shop:
    """A page that drifts, a directory with its script, and the command."""

    def __init__(self, state: Path, directory: Path, url: str) -> None:
        self.state = state
        self.directory = directory
        self.url = f"{url}/index.html"
        self.show(PAGE)

    def show(self, html: str) -> None:
        (self.directory / "site" / "index.html").write_text(html, encoding="utf-8")

    def run(self, *argv: str) -> Any:
        return surefoot(self.state, *argv, cwd=self.directory)

    def ok(self, *argv: str) -> str:
        done = self.run(*argv)
        assert done.returncode == 0, done.stderr
        return str(done.stdout)

    def divergence(self, *argv: str) -> dict[str, Any]:
        done = self.run("replay", "flow.ad", *argv, "--json")
        assert done.returncode == 1, done.stdout
        body = answer(done)["error"]
        assert body["code"] == "REPLAY_DIVERGENCE"
        report = body["details"]["divergence"]
        assert isinstance(report, dict)
        return report

    def says(self, text: str) -> bool:
        """Whether the page says this, and nothing it should not."""
        shown = self.ok("snapshot", "--json")
        return f'"{text}"' in shown and '"wrong"' not in shown


@pytest.fixture
def shop(state: Path, tmp_path: Path, serve: Pages) -> Iterator[Shop]:
    (tmp_path / "site").mkdir()
    made = Shop(state, tmp_path, serve.folder(tmp_path / "site"))
    yield made
    made.run("close")


def record(shop: Shop) -> None:
    """Remove the lamp, fill in the name, order."""
    shop.ok("open", shop.url, "--save-script=flow.ad")
    nodes = answer(shop.run("snapshot", "--json"))["data"]["nodes"]
    lamp = [node["ref"] for node in nodes if node.get("label") == "Remove"][1]
    shop.ok("press", f"@{lamp}")
    assert shop.says("Lamp removed")
    shop.ok("fill", 'label="Name"', "Ada")
    shop.ok("press", 'role="button" label="Order now"')
    shop.ok("close")


def test_an_unchanged_page_and_one_with_rows_inserted_replay(shop: Shop) -> None:
    record(shop)
    shop.ok("replay", "flow.ad")
    shop.show(INSERTED)
    shop.ok("replay", "flow.ad", "--keep-session")
    assert shop.says("Ordered by Ada")


def test_a_renamed_button_is_repaired_with_what_the_divergence_prints(shop: Shop) -> None:
    """One turn: read the text, press the ref it shows, run the command it prints."""
    record(shop)
    shop.show(RENAMED)
    done = shop.run("replay", "flow.ad")
    assert done.returncode == 1
    assert len(done.stderr.encode()) <= 2048
    lines = done.stderr.splitlines()
    assert "repair: record-and-heal" in lines
    ref = next(line.partition("[")[2].partition("]")[0] for line in lines if '"Place order"' in line)
    command = shlex.split(next(line for line in lines if "--from" in line))
    assert command[:3] == ["surefoot", "replay", "flow.ad"]
    early = shop.run(*command[1:], "--json")
    assert answer(early)["error"]["details"]["reason"] == "corrective_action_missing"
    shop.ok("press", ref)
    assert shop.says("Ordered by Ada")
    shop.ok(*command[1:])


def test_a_row_that_is_gone_is_refused_although_its_button_s_name_is_there(shop: Shop) -> None:
    record(shop)
    shop.show(GONE)
    report = shop.divergence()
    assert (report["kind"], report["repairHint"]) == ("identity-mismatch", "caution")
    assert report["targetBinding"]["matchCount"] == 2
    assert report["resume"]["alternateFrom"] == report["resume"]["from"] + 1
    assert not shop.says("Candle removed")
    assert not shop.says("Rope removed")


def test_another_screen_is_a_state_to_repair(shop: Shop) -> None:
    record(shop)
    shop.show(ELSEWHERE)
    report = shop.divergence()
    assert (report["kind"], report["repairHint"]) == ("selector-miss", "state-repair")
    assert report["resume"]["from"] == report["step"]["index"]
    assert [item.get("label") for item in report["screen"]["refs"]] == ["Sign in", "Go"]


def test_the_client_raises_the_same_report_typed(shop: Shop) -> None:
    record(shop)
    shop.show(RENAMED)
    report = shop.divergence()
    shop.ok("close")
    with Surefoot(state_dir=shop.state, session="typed") as client:
        with pytest.raises(ReplayDivergence) as caught:
            client.replay(str(shop.directory / "flow.ad"))
        client.close()
    typed = caught.value.divergence
    assert typed.repair_hint == report["repairHint"] == "record-and-heal"
    assert typed.resume.plan_digest == report["resume"]["planDigest"]
    assert isinstance(typed.screen, AvailableScreen)
    assert [item.label for item in typed.screen.refs] == [
        item.get("label") for item in report["screen"]["refs"]
    ]


def test_a_page_that_mounts_late_is_no_divergence(shop: Shop) -> None:
    """A shell first, its content a second later: what a relaunch looks like."""
    record(shop)
    body = json.dumps(PAGE.partition("</title>")[2])
    shop.show(
        "<!doctype html><title>Basket</title><body><script>setTimeout(() => "
        f"{{ document.body.innerHTML = {body}; }}, 1000)</script></body>"
    )
    shop.ok("replay", "flow.ad", "--keep-session")
    assert shop.says("Ordered by Ada")


DIALOG = """<!doctype html><title>Order</title><style>
.box { position: fixed; inset: 50px; opacity: 0; pointer-events: none; transition: opacity .3s }
.box.on { opacity: 1; pointer-events: auto }
.veil { position: fixed; inset: 0; background: #fff; animation: away .4s forwards }
@keyframes away { to { visibility: hidden } }
</style><main><h1>Order</h1>
<button onclick="setTimeout(() => box.classList.add('on'), WAIT)">Open</button>
<div class="box" id="box" role="dialog" aria-label="Confirm"><p>Really order?</p>
<button id="yes" onclick="said.textContent = 'ordered'">Yes</button></div>
<p id="said" role="status"></p></main>"""
FADES_LATE = DIALOG.replace("WAIT", "500")
DISABLED_AT_FIRST = DIALOG.replace(
    "WAIT", "yes.disabled = true, setTimeout(() => yes.disabled = false, 600)"
)
VEILED = DIALOG.replace("WAIT", "said.insertAdjacentHTML('afterend', '<div class=veil>Loading</div>')")


@pytest.mark.parametrize(
    "page", [FADES_LATE, DISABLED_AT_FIRST, VEILED], ids=["fades", "disabled", "veil"]
)
def test_what_is_still_coming_in_is_waited_for(shop: Shop, page: str) -> None:
    """Recorded at a person's pace; a replay is there before the dialog has come in."""
    shop.show(DIALOG.replace("WAIT", "0"))
    shop.ok("open", shop.url, "--save-script=flow.ad")
    shop.ok("press", "label=Open")
    shop.ok("wait", 'role=dialog label="Confirm"')
    shop.ok("wait", "stable")
    shop.ok("press", "label=Yes")
    shop.ok("close")
    script = shop.directory / "flow.ad"
    quick = [line for line in script.read_text("utf-8").splitlines() if line != "wait stable"]
    script.write_text("\n".join([*quick, ""]), encoding="utf-8")
    shop.show(page)
    shop.ok("replay", "flow.ad", "--keep-session")
    assert shop.says("ordered")


ASKING = """<!doctype html><title>Asking</title><main>
<select aria-label="Country" onchange="if (confirm('Sure?')) said.textContent = 'to ' + value">
  <option>Spain<option>Portugal</select>
<input type="color" aria-label="Colour" onchange="alert('Nice')"><input type="file" aria-label="Photo" onchange="alert('Got it')">
<button onmouseenter="alert('Boo')">Ghost</button><p id="said" role="status"></p><p style="height: 3000px">
<script>let seen = 0; onscroll = () => seen++ || alert('Down')</script></main>"""  # noqa: E501


def test_b131_what_opens_a_dialog_is_recorded_and_replays_with_its_answer(shop: Shop) -> None:
    shop.show(ASKING)
    (shop.directory / "me.png").write_text("me")
    shop.ok("open", shop.url, "--save-script=flow.ad")
    for command, message in (
        ('fill label="Country" Portugal', "Sure?"),
        ('fill label="Colour" #ff8800', "Nice"),
        ('upload label="Photo" me.png', "Got it"),
        ('hover label="Ghost"', "Boo"),
        ("scroll down", "Down"),
    ):
        assert f'"{message}"' in shop.ok(*shlex.split(command))
        shop.ok("dialog", "accept")
    shop.ok("close")
    shop.ok("replay", "flow.ad", "--keep-session")
    assert shop.says("to Portugal")
