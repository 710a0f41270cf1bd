"""A repair in a real browser by the installed command: what it costs, what is left of one cut short."""

from __future__ import annotations

import os
import shlex
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.support.command import answer, failure, surefoot
from tests.support.pages import Pages

from surefoot.client import launch
from surefoot.wire import StatePaths

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
MAX_READ = 3 * 1024
_RECORDED: list[str] = []


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    made = tmp_path_factory.mktemp("repair") / "state"
    yield made
    launch.end(StatePaths(made), {"SUREFOOT_DAEMON_TIMEOUT": "3000"})


class Shop:
    """A page that drifts, a directory with its script, the command, and all it was told."""

    def __init__(self, state: Path, directory: Path, url: str) -> None:
        self.state, self.directory, self.url = state, directory, f"{url}/index.html"
        self.read: list[str] = []
        self.show(PAGE)

    def show(self, html: str) -> None:
        (self.directory / "site" / "index.html").write_text(html, encoding="utf-8")

    def run(self, *argv: str) -> Any:
        done = surefoot(self.state, *argv, cwd=self.directory)
        self.read.append(done.stdout + done.stderr)
        return done

    def ok(self, *argv: str) -> str:
        done = self.run(*argv)
        assert done.returncode == 0, done.stderr
        return str(done.stdout)

    def record(self) -> None:
        """The script, recorded once: remove the rope, fill in the name, order, see it taken."""
        script = self.directory / "flow.ad"
        if _RECORDED:
            text, url = _RECORDED
            script.write_text(text.replace(url, self.url), encoding="utf-8")
            return
        self.ok("open", self.url, "--save-script=flow.ad")
        nodes = answer(self.run("snapshot", "--json"))["data"]["nodes"]
        rope = next(node["ref"] for node in nodes if node.get("label") == "Remove")
        self.ok("press", f"@{rope}")
        self.ok("fill", 'label="Name"', "Ada")
        self.ok("press", 'role="button" label="Order now"')
        self.ok("is", "visible", 'label="Ordered by Ada"')
        self.ok("close")
        _RECORDED.extend((script.read_text("utf-8"), self.url))

    def diverge(self) -> tuple[str, list[str]]:
        """Armed on the renamed page: the ref of the renamed button, and the command to go on."""
        self.show(RENAMED)
        self.read.clear()
        done = self.run("replay", "flow.ad", "--save-script")
        assert done.returncode == 1
        lines = done.stderr.splitlines()
        ref = next(one.partition("[")[2].partition("]")[0] for one in lines if '- button "Place' in one)
        command = shlex.split(next(line for line in lines if "--from" in line))
        return ref, command[1:]

    @property
    def healed(self) -> Path:
        return self.directory / "flow.healed.ad"

    def browser_pid(self) -> int:
        return int(answer(self.run("daemon", "status", "--json"))["data"]["browserPid"])

    def lose_the_browser(self) -> None:
        os.kill(self.browser_pid(), signal.SIGKILL)

    def lose_the_daemon(self) -> None:
        pid = int(answer(self.run("daemon", "status", "--json"))["data"]["pid"])
        os.kill(pid, signal.SIGKILL)
        ends = time.monotonic() + 10
        while launch.holder(StatePaths(self.state)) is not None and time.monotonic() < ends:
            time.sleep(0.02)


@pytest.fixture
def shop(state: Path, tmp_path: Path, serve: Pages) -> Iterator[Shop]:
    (tmp_path / "site").mkdir()
    made = Shop(state, tmp_path, serve.folder(tmp_path / "site"))
    yield made
    made.run("close")


def test_a_one_step_repair_takes_three_commands_and_three_kilobytes(shop: Shop) -> None:
    """Told of the divergence, an agent presses, resumes and closes; nothing else is asked or read."""
    shop.record()
    ref, command = shop.diverge()
    before = len(shop.read)
    shop.ok("press", ref)
    shop.ok(*command)
    said = shop.ok("close")
    assert len(shop.read) - before == 3
    assert f"to {shop.healed}" in said
    assert sum(len(text.encode()) for text in shop.read) <= MAX_READ
    shop.ok("replay", "flow.healed.ad")


def test_the_healed_script_differs_from_the_original_by_the_repaired_step(shop: Shop) -> None:
    shop.record()
    ref, command = shop.diverge()
    shop.ok("press", ref)
    shop.ok(*command)
    shop.ok("close")
    original = _steps(shop.directory / "flow.ad")
    healed = _steps(shop.healed)
    assert [(a, b) for a, b in zip(original, healed, strict=True) if a != b] == [
        (
            'press "role=\\"button\\" label=\\"Order now\\" || label=\\"Order now\\""',
            'press "role=\\"button\\" label=\\"Place order\\" || label=\\"Place order\\""',
        )
    ]


def test_a_browser_that_dies_while_armed_leaves_a_tombstone(shop: Shop) -> None:
    shop.record()
    ref, command = shop.diverge()
    shop.ok("press", ref)
    shop.lose_the_browser()
    for argv in (command, ["close"], ["snapshot"]):
        done = shop.run(*argv, "--json")
        assert failure(done) == ("REPAIR_SESSION_EXPIRED", "browser_lost"), done.stdout
    assert not shop.healed.exists()
    _clear(shop)


def test_a_browser_that_dies_after_complete_costs_nothing(shop: Shop) -> None:
    shop.record()
    ref, command = shop.diverge()
    shop.ok("press", ref)
    shop.ok(*command)
    shop.lose_the_browser()
    shop.ok("close")
    assert shop.healed.read_text("utf-8").endswith("close\n# agent-device:heal-complete\n")


def test_a_daemon_that_dies_while_armed_leaves_a_tombstone_and_no_file(shop: Shop) -> None:
    shop.record()
    shop.diverge()
    shop.lose_the_daemon()
    assert failure(shop.run("close", "--json")) == ("REPAIR_SESSION_EXPIRED", "daemon_lost")
    assert not shop.healed.exists()
    _clear(shop)


def test_a_daemon_that_dies_after_complete_is_published_by_the_next(shop: Shop) -> None:
    shop.record()
    ref, command = shop.diverge()
    shop.ok("press", ref)
    shop.ok(*command)
    shop.lose_the_daemon()
    assert failure(shop.run("close", "--json"))[0] == "SESSION_NOT_FOUND"
    shop.ok("replay", "flow.healed.ad")


def test_a_daemon_that_is_stopped_publishes_what_is_complete(shop: Shop) -> None:
    shop.record()
    ref, command = shop.diverge()
    shop.ok("press", ref)
    shop.ok(*command)
    shop.ok("daemon", "stop")
    assert shop.healed.exists()
    shop.ok("replay", "flow.healed.ad")


def _clear(shop: Shop) -> None:
    """A new armed replay takes the tombstone's place; its session is closed, and the key is free."""
    assert shop.run("replay", "flow.ad", "--save-script").returncode == 1
    shop.ok("close")
    assert failure(shop.run("close", "--json"))[0] == "SESSION_NOT_FOUND"


def _steps(path: Path) -> list[str]:
    return [line for line in path.read_text("utf-8").splitlines() if not line.startswith("#")]
