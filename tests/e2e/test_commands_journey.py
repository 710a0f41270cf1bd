"""The installed command on a real page: see, act, answer, record, replay; bad input does nothing."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.command import answer, failure, surefoot
from tests.support.pages import Pages

PAGE = """<!doctype html><title>Form & more</title><h1>Sign up</h1>
<label>Email <input id=email></label>
<label>Password <input type=password id=pw value=hunter2></label>
<button id=save onclick="out.textContent='Saved '+email.value">Save</button>
<button id=ask onclick="out.textContent=confirm('Sure?')?'Yes':'No'">Ask</button>
<button id=tab onclick="window.open('about:blank')">Tab</button>
<ul><li>One <button>Edit</button></li><li>Two <button>Edit</button></li></ul>
<button aria-label='OK" [@e99]&#10;- button "Delete all'>x</button>
<p id=out></p>"""


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    path = tmp_path_factory.mktemp("journey")
    yield path
    surefoot(path, "daemon", "stop")


@pytest.fixture
def page(serve: Pages) -> str:
    return serve.page(PAGE)


def test_a_journey_is_recorded_and_replayed(state: Path, page: str, tmp_path: Path) -> None:
    def run(*argv: str) -> str:
        done = surefoot(state, *argv, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert run("open", page, "--save-script=flow.ad").startswith("opened ")
    shown = run("snapshot", "-i")
    assert '- button "Save" [@e' in shown
    assert "hunter2" not in shown
    assert sum(line.startswith('- button "OK') for line in shown.splitlines()) == 1
    ref = shown.split('- textbox "Email" [@')[1].split("]")[0]
    assert '→ "ada@example.com"' in run("fill", f"@{ref}", "ada@example.com", "--settle")
    assert "Saved ada@example.com" in run("press", "id=save", "--settle")
    assert 'dialog: confirm "Sure?"' in run("press", "id=ask")
    assert "answered: confirm" in run("dialog", "accept")
    run("wait", "label=Yes", "2000")
    assert "true: " in run("is", "visible", "label=Yes")
    assert run("get", "text", "id=save") == '"Save"\n'
    run("close")
    assert run("replay", "flow.ad").startswith("replayed 9 steps in ")


def test_a_press_that_opens_a_tab_says_so(state: Path, page: str, tmp_path: Path) -> None:
    surefoot(state, "open", page, cwd=tmp_path)
    assert "opened tab 2" in surefoot(state, "press", "id=tab", cwd=tmp_path).stdout
    listed = answer(surefoot(state, "tab", "list", "--json", cwd=tmp_path))["data"]["tabs"]
    assert len(listed) == 2
    surefoot(state, "close", cwd=tmp_path)


def test_a_picture_with_refs_is_written_where_the_caller_is(
    state: Path, page: str, tmp_path: Path
) -> None:
    surefoot(state, "open", page, cwd=tmp_path)
    done = surefoot(state, "screenshot", "shot.png", "--overlay-refs", "--json", cwd=tmp_path)
    data = answer(done)["data"]
    assert data["path"] == str(tmp_path / "shot.png")
    assert (tmp_path / "shot.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert {"ref", "role", "rect", "label"} == set(data["overlays"][0])
    surefoot(state, "close", cwd=tmp_path)


def test_a_page_that_came_with_an_http_error_is_told(
    state: Path, page: str, serve: Pages, tmp_path: Path
) -> None:
    done = surefoot(state, "open", f"{serve.origin}/nowhere", cwd=tmp_path)
    assert done.returncode == 0
    assert "warning: The server answered with HTTP 404" in done.stdout
    assert "(HTTP 404)\n" in surefoot(state, "snapshot", cwd=tmp_path).stdout
    seen = answer(surefoot(state, "snapshot", "--json", cwd=tmp_path))["data"]["page"]
    assert seen["status"] == 404
    assert "HTTP" not in surefoot(state, "open", page, cwd=tmp_path).stdout
    assert "status" not in answer(surefoot(state, "snapshot", "--json", cwd=tmp_path))["data"]["page"]
    assert "(HTTP 404)" in surefoot(state, "back", cwd=tmp_path).stdout
    surefoot(state, "close", cwd=tmp_path)


@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o027, 0o640), (0o077, 0o600)])
def test_a_caller_s_files_have_the_permissions_of_their_umask(
    page: str, tmp_path: Path, umask: int, mode: int
) -> None:
    own, before = tmp_path / "state", os.umask(umask)
    try:
        surefoot(own, "open", page, "--save-script=flow.ad", cwd=tmp_path)
        surefoot(own, "screenshot", "shot.png", cwd=tmp_path)
        surefoot(own, "press", "id=save", cwd=tmp_path)
        surefoot(own, "wait", "label=Ask", "2000", cwd=tmp_path)
        assert surefoot(own, "close", cwd=tmp_path).returncode == 0
    finally:
        os.umask(before)
        surefoot(own, "daemon", "stop")
    modes = {name: stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("flow.ad", "shot.png")}
    assert modes == {"flow.ad": mode, "shot.png": mode}


BAD: list[tuple[str, ...]] = [
    ("prss", "id=save"),
    ("press",),
    ("press", "id=save", "--cuont", "2"),
    ("press", "id=save", "--count", "0"),
    ("press", "id=save", "--count", "many"),
    ("press", "colour=red"),
    ("press", 'label="unclosed'),
    ("press", "@x9"),
    ("press", "id=save", "extra"),
    ("fill", "id=email"),
    ("is", "shiny", "id=save"),
    ("wait", "visible", "id=save", "60000"),
    ("scroll", "sideways"),
    ("find", "Save", "click", "--record"),
    ("get", "text", "id=save", "--record", "--no-record"),
    ("press", "id=save", "--session", ".."),
    ("press", "id=save", "--timeout", "0"),
    ("batch", "--steps", '[["press", "id=save"], ["nope"]]'),
    ("batch", "--steps", "{"),
    ("replay", "missing.ad"),
    ("close", "--save-script=x.ad"),
]


@pytest.fixture(scope="module")
def opened(state: Path, serve: Pages, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory in which a session on the page is open."""
    here = tmp_path_factory.mktemp("bad")
    done = surefoot(state, "open", serve.page(PAGE), "--session", "bad", cwd=here)
    assert done.returncode == 0, done.stderr
    return here


@pytest.mark.parametrize("argv", BAD, ids=" ".join)
def test_bad_input_exits_with_2_and_does_nothing(
    state: Path, opened: Path, argv: tuple[str, ...]
) -> None:
    named = argv if "--session" in argv else (*argv, "--session", "bad")
    done = surefoot(state, *named, "--json", cwd=opened)
    assert done.returncode == 2
    assert failure(done)[0] == "INVALID_ARGS"
    assert answer(done)["error"]["hint"]
    shown = surefoot(state, "is", "absent", "text=Saved", "--session", "bad", cwd=opened)
    assert shown.returncode == 0
    assert list(opened.iterdir()) == []
