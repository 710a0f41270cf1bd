"""A sign-in shared by two flows, in a real browser: pinned, replayed, changed, repinned, resumed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.support.command import answer, failure, surefoot
from tests.support.pages import Pages

from surefoot.client import launch
from surefoot.wire import StatePaths

PAGE = """<!doctype html><title>Shop</title><main id="app"><h1>Sign in</h1>
<label>Name <input id="name"></label>
<button onclick="app.innerHTML=basket.innerHTML">
Continue</button></main><p id="said" role="status"></p>
<template id="basket"><h1>Basket</h1>
<button onclick="said.textContent='ordered'">Order</button></template>"""


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    made = tmp_path_factory.mktemp("fragments") / "state"
    yield made
    launch.end(StatePaths(made), {"SUREFOOT_DAEMON_TIMEOUT": "3000"})


class Flows:
    """A page, two flows over one fragment, and the command."""

    def __init__(self, state: Path, directory: Path, url: str) -> None:
        self.state, self.directory, self.url = state, directory, f"{url}/index.html"
        (directory / ".git").mkdir()
        (directory / "fragments").mkdir()
        self.show(PAGE)

    def show(self, html: str) -> None:
        (self.directory / "site" / "index.html").write_text(html, encoding="utf-8")

    def run(self, *argv: str) -> Any:
        return surefoot(self.state, *argv, cwd=self.directory)

    def ok(self, *argv: str) -> str:
        done = self.run(*argv)
        assert done.returncode == 0, done.stdout + done.stderr
        return str(done.stdout)

    def replay(self, flow: str, *argv: str) -> Any:
        return self.run("replay", flow, "-e", f"URL={self.url}", *argv)

    def record(self) -> None:
        """The sign-in as a fragment of real evidence, and two flows that include it, not yet pinned."""
        self.ok("open", self.url, "--save-script=recorded.ad")
        self.ok("wait", 'role=heading label="Sign in"', "5000")
        self.ok("fill", "label=Name", "Ada")
        self.ok("press", "role=button label=Continue")
        self.ok("close")
        lines = (self.directory / "recorded.ad").read_text(encoding="utf-8").splitlines()
        first = next(at for at, line in enumerate(lines) if line.startswith("open ")) + 1
        body = [line for line in lines[first:] if line != "close"]
        self.write("fragments/sign-in.ad", "fragment-v1", "context platform=web target=desktop", *body)
        included = 'include "./fragments/sign-in.ad"'
        order = 'press "role=button label=Order"'
        self.write("look.ad", *ROOT, included, "close")
        self.write("order.ad", *ROOT, included, order, "close")

    def write(self, name: str, *lines: str) -> None:
        (self.directory / name).write_text("\n".join([*lines, ""]), encoding="utf-8")

    def text(self, name: str) -> str:
        return (self.directory / name).read_text(encoding="utf-8")


ROOT = ("composition-v1", "context platform=web target=desktop", 'open "${URL}"')


@pytest.fixture
def flows(state: Path, tmp_path: Path, serve: Pages) -> Iterator[Flows]:
    (tmp_path / "site").mkdir()
    made = Flows(state, tmp_path, serve.folder(tmp_path / "site"))
    made.record()
    yield made
    made.run("close")


def test_two_flows_share_a_fragment_and_are_pinned_on_request_only(flows: Flows) -> None:
    assert failure(flows.replay("order.ad", "--json")) == (
        "INVALID_ARGS",
        "fragment_call_site_invalid",
    )
    shown = flows.ok("fragment", "pin", "order.ad")
    assert "+# agent-device:fragment-ref-v1" in shown
    assert "fragment-ref-v1" not in flows.text("order.ad")
    for flow in ("order.ad", "look.ad"):
        flows.ok("fragment", "pin", flow, "--write")
        assert flows.replay(flow).returncode == 0
    assert "sign-in: fragments/sign-in.ad (fragment" in flows.ok("fragment", "graph", "order.ad")


def test_changed_fragment_stops_every_flow_before_the_browser_opens(flows: Flows) -> None:
    for flow in ("order.ad", "look.ad"):
        flows.ok("fragment", "pin", flow, "--write")
    changed = flows.text("fragments/sign-in.ad").replace('"Ada"', '"Grace"')
    flows.write("fragments/sign-in.ad", *changed.splitlines())
    for flow in ("order.ad", "look.ad"):
        assert failure(flows.replay(flow, "--json")) == ("INVALID_ARGS", "fragment_stale")
    assert answer(flows.run("session", "list", "--json"))["data"]["sessions"] == []
    flows.ok("fragment", "pin", "order.ad", "--write")
    assert flows.replay("order.ad").returncode == 0


def test_failure_in_the_fragment_names_its_own_step_and_the_flow_goes_on_by_address(
    flows: Flows,
) -> None:
    flows.ok("fragment", "pin", "order.ad", "--write")
    flows.show(PAGE.replace("\nContinue", "\nGo on"))
    done = flows.replay("order.ad", "--keep-session", "--json")
    report = answer(done)["error"]["details"]["divergence"]
    assert report["step"]["source"]["path"] == "fragments/sign-in.ad"
    assert report["step"]["address"]["localStep"] == 3
    assert report["step"]["address"]["invocationPath"] == [{"callSiteId": "sign-in", "iteration": 0}]
    assert report["resume"]["address"]["owner"]["kind"] == "root"
    flows.ok("press", 'role=button label="Go on"')
    flags = ("--from", report["resume"]["token"], "--composition-digest")
    again = flows.replay("order.ad", "--keep-session", *flags, report["resume"]["compositionDigest"])
    assert again.returncode == 0, again.stderr
    assert "ordered" in json.dumps(answer(flows.run("snapshot", "--json")))
