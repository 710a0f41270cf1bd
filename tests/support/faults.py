"""The public faults as data, and hands that do to the real product what a row says.

A test of a row is ``@cases("B045", ...)``: its ids begin with the row's id, one for each input of the
row's kind. :class:`Hands` runs the installed command against a daemon of its own, on pages in a real
browser and on apps of the virtual device.
"""

from __future__ import annotations

import itertools
import json
import subprocess
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pytest
from tests.support.command import started, surefoot
from tests.support.pages import Pages

from surefoot import ErrorCode, Surefoot, SurefootError, __version__
from surefoot.client import launch
from surefoot.client.link import Link
from surefoot.client.portal import Portal
from surefoot.commands import parse_argv
from surefoot.wire import PROTOCOL, CallRequest, StatePaths

FOLDER = Path(__file__).parents[1] / "cases" / "public_faults"
F = TypeVar("F", bound=Callable[..., object])

# Every page can say what happened to it; `said` reads it back as a caller would.
PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<style>button {{ min-width: 60px; min-height: 22px }}</style>
<script>
function say(what) {{
  const said = document.getElementById('said');
  said.value = (said.value + ' ' + what).trim();
}}
</script></head><body>{body}
<p><input id="said" aria-label="What happened" readonly></p></body></html>"""


class Row(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One fault: what went wrong elsewhere, the input that shows it, what is right.

    ``part`` is the part of the project that carries the row; ``tested`` says whether it has its tests
    now, which a row of a later part may have as well.
    """

    id: str
    area: str
    name: str
    fault: str
    input: str
    outcome: str
    runs_on: str
    part: int = 1
    tested: bool = True


def rows() -> tuple[Row, ...]:
    """Every row, in the order of the file."""
    data = tomllib.loads((FOLDER / "faults.toml").read_text(encoding="utf-8"))
    return msgspec.convert(data["row"], tuple[Row, ...])


def cases(row: str, **table: object) -> Callable[[F], F]:
    """Parametrise ``case`` by a row's inputs; underscores in a name become hyphens in the test's id."""
    params = [
        pytest.param(value, id=f"{row}-{name.replace('_', '-')}") for name, value in table.items()
    ]
    return pytest.mark.parametrize("case", params)


@dataclass(frozen=True)
class Outcome:
    """What a command answered with ``--json``, and its exit code."""

    exit_code: int
    body: Mapping[str, Any]

    @property
    def data(self) -> Mapping[str, Any]:
        assert self.body["success"], self.body["error"]
        data = self.body["data"]
        assert isinstance(data, dict)
        return data

    @property
    def error(self) -> Mapping[str, Any]:
        assert not self.body["success"], self.body
        error = self.body["error"]
        assert isinstance(error, dict)
        assert self.exit_code == (2 if error["code"] == "INVALID_ARGS" else 1)
        assert error["message"]
        assert error["hint"]
        return error

    @property
    def code(self) -> str:
        return str(self.error["code"])

    @property
    def reason(self) -> str | None:
        reason = self.error.get("details", {}).get("reason")
        return None if reason is None else str(reason)

    @property
    def refused(self) -> tuple[str, str | None]:
        """Code and reason of a refusal."""
        return self.code, self.reason


@dataclass
class Hands:
    """A caller of one daemon: ``session`` is ``web`` for pages, ``sim`` for apps.

    ``text``, ``complaint`` and ``run`` are the installed command. ``ask`` and ``do``, of which a test
    needs many, send the same command line's call over one connection unless ``by_command``.
    """

    state: Path
    pages: Pages
    cwd: Path
    by_command: bool = False
    session: str = "web"
    portal: Portal = field(default_factory=Portal)
    numbers: Iterator[int] = field(default_factory=itertools.count)

    def run(self, *argv: str, env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
        """A command line in the session, as it is."""
        return surefoot(self.state, *self._with_session(argv), env=env, cwd=self.cwd)

    def start(self, *argv: str) -> subprocess.Popen[str]:
        """A command line that runs while the test goes on."""
        return started(self.state, *self._with_session(argv))

    def _with_session(self, argv: tuple[str, ...]) -> tuple[str, ...]:
        return ("--session", self.session, *argv)

    def ask(self, *argv: str, env: Mapping[str, str] | None = None) -> Outcome:
        """A command line with ``--json``, whatever comes of it."""
        if not self.by_command and env is None:
            return self._call(self._with_session(argv))
        done = self.run("--json", *argv, env=env)
        assert done.stdout, done.stderr
        return Outcome(done.returncode, json.loads(done.stdout))

    def _call(self, argv: tuple[str, ...]) -> Outcome:
        try:
            call = parse_argv(argv, {}).call
            request = CallRequest(
                protocol=PROTOCOL,
                version=__version__,
                kind="client",
                cwd=str(self.cwd),
                env={},
                call=call,
            )
            data, _ = self.portal.run(self._link.call(request, dict))
        except SurefootError as error:
            body = {"code": error.code.value, "message": error.message, "hint": error.hint}
            code = 2 if error.code is ErrorCode.INVALID_ARGS else 1
            return Outcome(code, {"success": False, "error": {**body, "details": error.details}})
        return Outcome(0, {"success": True, "data": data})

    @cached_property
    def _link(self) -> Link:
        return Link(StatePaths(self.state), {})

    def leave(self) -> None:
        """Close the connection."""
        self.portal.run(self._link.disconnect())
        self.portal.stop()

    def do(self, *argv: str) -> Mapping[str, Any]:
        """The data of a command that succeeds."""
        return self.ask(*argv).data

    def text(self, *argv: str) -> str:
        """What a command that succeeds prints."""
        done = self.run(*argv)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    def complaint(self, *argv: str) -> str:
        """What a command that fails prints."""
        done = self.run(*argv)
        assert done.returncode != 0
        assert done.stdout == ""
        return done.stderr

    # -- screens -----------------------------------------------------------------------------------

    def page(self, body: str, title: str = "Page") -> str:
        """The URL of a page with this body."""
        return self.pages.page(PAGE.format(body=body, title=title))

    def show(self, body: str, title: str = "Page") -> None:
        """Open a page with this body."""
        self.session = "web"
        self.do("open", self.page(body, title))

    def file(self, name: str, content: str | bytes) -> Path:
        """A file in the caller's directory."""
        path = self.cwd / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def app(self, tree: str | list[str], **more: Any) -> None:
        """Open an app of the virtual device anew; ``more`` is of its start screen, but for what the
        format has for a whole app."""
        self.session = "sim"
        self.ask("close")
        whole = {"variables", "screens", "flavour", "without", "deadlineMs", "bringIntoView"}
        top = {key: value for key, value in more.items() if key in whole}
        start = {key: value for key, value in more.items() if key not in whole}
        screens = {"start": {"tree": tree, **start}, **top.pop("screens", {})}
        spec = {"format": "surefoot-sim-1", "name": "case", "start": "start", **top, "screens": screens}
        file = self.file(f"app{next(self.numbers)}.json", json.dumps(spec))
        self.do("open", f"./{file.name}", "--platform", "sim")

    # -- reading -----------------------------------------------------------------------------------

    def said(self) -> str:
        """What the page, or the app's element ``#said``, says happened."""
        attrs = self.do("get", "attrs", "id=said")["attrs"]
        return str(attrs["label"] if self.session == "sim" else attrs.get("value", ""))

    def nodes(self, *argv: str) -> list[dict[str, Any]]:
        nodes = self.do("snapshot", *argv)["nodes"]
        assert isinstance(nodes, list)
        return nodes

    def ref(self, label: str, role: str | None = None) -> str:
        """The ref of the only element with this label in a new interactive snapshot."""
        return ref_of(self.do("snapshot", "-i"), label, role)

    @contextmanager
    def client(self) -> Iterator[Surefoot]:
        """The Python client in the same session."""
        with Surefoot(state_dir=self.state, session=self.session) as client:
            yield client


def ref_of(snapshot: Mapping[str, Any], label: str, role: str | None = None) -> str:
    """The pinned ref of the only node with this label."""
    found = [
        node["ref"]
        for node in snapshot["nodes"]
        if node.get("label") == label and "ref" in node and role in (None, node["role"])
    ]
    assert len(found) == 1, (label, snapshot["nodes"])
    return f"@{found[0]}~s{snapshot['refsGeneration']}"


@contextmanager
def hands_of(directory: Path, pages: Pages, *, by_command: bool = False) -> Iterator[Hands]:
    """Hands with a daemon of their own, which ends with the block and leaves nothing running."""
    state = directory / "state"
    work = directory / "work"
    work.mkdir()
    hands = Hands(state, pages, work, by_command)
    try:
        yield hands
    finally:
        hands.leave()
        launch.end(StatePaths(state), {"SUREFOOT_DAEMON_TIMEOUT": "5000"})
