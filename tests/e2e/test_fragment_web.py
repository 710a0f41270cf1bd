"""The demo shop's sign-in, captured in a real browser: two flows include it, it changes, it is captured
again; a failure inside names its own step; a connection that ends takes its capture with it."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.support.command import answer, failure, surefoot

from surefoot import Surefoot
from surefoot.client import launch
from surefoot.wire import StatePaths

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "examples"))
from shop.server import Shop  # noqa: E402

HEAD = ("composition-v1", "context platform=web target=desktop", 'open "${URL}"')
BASKET = 'press "role=\\"link\\" label=\\"Basket\\""'
SIGN_IN = "fragments/sign-in.ad"
ENTRY = 'role=heading label="Sign in"'


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    made = tmp_path_factory.mktemp("capture") / "state"
    yield made
    launch.end(StatePaths(made), {"SUREFOOT_DAEMON_TIMEOUT": "3000"})


class Desk:
    """A directory of flows over the shop, and the command."""

    def __init__(self, state: Path, directory: Path, shop: Shop) -> None:
        self.state, self.directory, self.shop = state, directory, shop
        (directory / ".git").mkdir()
        (directory / "fragments").mkdir()

    def run(self, *argv: str) -> Any:
        return surefoot(self.state, *argv, cwd=self.directory)

    def ok(self, *argv: str) -> str:
        done = self.run(*argv)
        assert done.returncode == 0, done.stdout + done.stderr
        return str(done.stdout)

    def capture(self, *more: str, force: bool = False) -> tuple[str, str]:
        """The sign-in as a fragment; the two lines that pin it."""
        again = ("--force",) if force else ()
        self.ok("open", self.shop.url)
        self.ok("session", "fragment", "start", SIGN_IN, "--entry", ENTRY, *more, *again)
        self.ok("fill", 'label="Email"', "ada@example.com")
        self.ok("fill", 'label="Password"', "correct horse", "--record-as", "PASSWORD")
        self.ok("press", 'role=button label="Sign in"')
        self.ok("wait", 'role=heading label="Catalogue"', "1500")
        saved = answer(self.run("session", "fragment", "save", "--json"))["data"]
        self.ok("close")
        return (saved["pin"][0], saved["pin"][1])

    def fragment(self) -> str:
        """The state of the only session's capture."""
        (only,) = answer(self.run("session", "list", "--json"))["data"]["sessions"]
        return str(only["fragment"])

    def write(self, name: str, *lines: str) -> None:
        text = "\n".join([*HEAD, *lines, "close", ""])
        (self.directory / name).write_text(text, encoding="utf-8")

    def replay(self, flow: str, *more: str) -> Any:
        given = ("-e", f"URL={self.shop.url}", "-e", "PASSWORD=correct horse")
        return self.run("replay", flow, *given, *more)


@pytest.fixture
def desk(state: Path, tmp_path: Path) -> Iterator[Desk]:
    with Shop() as shop:
        made = Desk(state, tmp_path, shop)
        yield made
        made.run("close")


def test_a_captured_sign_in_is_shared_changed_and_captured_again(desk: Desk) -> None:
    pin = desk.capture("--entry-timeout", "4000")
    text = (desk.directory / SIGN_IN).read_text(encoding="utf-8")
    assert text.startswith(
        "fragment-v1\ncontext platform=web target=desktop\n# agent-device:target-v1 "
    )
    assert 'wait "role=heading label=\\"Sign in\\"" 4000\n' in text
    assert "correct horse" not in text
    flows = {"look.ad": (), "basket.ad": (BASKET,)}
    for name, rest in flows.items():
        desk.write(name, *pin, *rest)
        done = desk.replay(name)
        assert done.returncode == 0, done.stderr

    edited = text.replace("ada@example.com", "grace@example.com")
    (desk.directory / SIGN_IN).write_text(edited, encoding="utf-8")
    for name in flows:
        assert failure(desk.replay(name, "--json")) == ("INVALID_ARGS", "fragment_stale")
    assert answer(desk.run("session", "list", "--json"))["data"]["sessions"] == []

    desk.capture(force=True)  # its timeout is another one now
    for name in flows:
        assert failure(desk.replay(name, "--json")) == ("INVALID_ARGS", "fragment_stale")
        desk.ok("fragment", "pin", name, "--write")
        assert desk.replay(name).returncode == 0


def test_a_failure_inside_names_its_local_step_and_call_site(desk: Desk) -> None:
    desk.write("look.ad", *desk.capture())
    desk.shop.drifts.add("signed-out")
    report = answer(desk.replay("look.ad", "--keep-session", "--json"))["error"]["details"][
        "divergence"
    ]
    address = report["step"]["address"]
    assert (report["step"]["source"]["path"], address["localStep"]) == (SIGN_IN, 5)
    assert address["invocationPath"] == [{"callSiteId": "sign-in", "iteration": 0}]
    assert address["owner"]["kind"] == "fragment"
    assert "index" not in report["step"]


def test_the_end_of_a_python_client_aborts_its_capture_and_leaves_the_session(
    desk: Desk, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(desk.directory)
    desk.ok("open", desk.shop.url)
    with Surefoot(state_dir=state) as client:
        client.session_fragment_start("fragments/lost.ad", entry=ENTRY)
        assert desk.fragment() == "ARMED"
    ends = time.monotonic() + 10
    while desk.fragment() == "ARMED" and time.monotonic() < ends:
        time.sleep(0.02)
    assert desk.fragment() == "ABORTED"
    assert failure(desk.run("session", "fragment", "save", "--json"))[1] == "fragment_not_armed"
    assert not (desk.directory / "fragments" / "lost.ad").exists()
    desk.ok("is", "visible", ENTRY)


def test_a_capture_outlives_the_one_shot_commands_that_make_it(desk: Desk) -> None:
    desk.ok("open", desk.shop.url)
    desk.ok("session", "fragment", "start", SIGN_IN, "--entry", ENTRY)
    assert desk.fragment() == "ARMED"
    desk.ok("session", "fragment", "abort")
    assert desk.fragment() == "ABORTED"
