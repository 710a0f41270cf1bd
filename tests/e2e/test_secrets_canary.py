"""One secret through a whole journey on a real page: no output, no script, no file holds it."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from tests.support.faults import Hands, hands_of
from tests.support.pages import Pages

CANARY = 'tulip-Walrus 93"x'
PAGE = """<h1 id=title>Welcome</h1>
<label>Name <input id=name></label>
<label>Password <input id=pw type=password></label>
<p id=out role=status></p>
<button id=echo>Nobody</button>
<ul><li>Ada <button>Open</button></li><li><span id=row>Bob</span> <button>Open</button></li></ul>
<button id=ask onclick="alert('Saved for ' + secret)">Ask</button>
<button id=next onclick="document.getElementById('done').textContent = 'Done'">Next</button>
<p id=done role=status></p>
<script>
let secret = '';
const at = id => document.getElementById(id);
at('name').oninput = event => {
  secret = event.target.value;
  at('out').textContent = 'You typed ' + secret;
  at('echo').textContent = 'Continue as ' + secret;
  at('row').textContent = secret;
  at('title').textContent = 'Welcome ' + secret;
  document.title = secret;
  console.error(secret);
  setTimeout(() => { throw new Error(secret) });
};
</script>"""
SPELLINGS = (CANARY, json.dumps(CANARY)[1:-1], quote(CANARY), "tulip", "Walrus")


@pytest.fixture
def hands(tmp_path: Path, serve: Pages) -> Iterator[Hands]:
    with hands_of(tmp_path, serve, by_command=True) as made:
        yield made


def holds(text: str) -> list[str]:
    return [spelling for spelling in SPELLINGS if spelling in text]


def test_a_secret_goes_nowhere_but_into_the_page(hands: Hands) -> None:
    said: list[str] = []

    def run(*argv: str, fails: bool = False) -> str:
        both = ""
        for more in ((), ("--json", "--debug", "--cost")):
            if more and argv[0] in ("press", "fill", "type", "dialog", "close", "replay", "open"):
                continue
            done = hands.run(*argv, *more)
            both += done.stdout + done.stderr
            assert (done.returncode != 0) is fails, (argv, done)
        said.append(both)
        return both

    url = hands.page(PAGE)
    run("open", url, "--save-script=flow.ad")
    run("fill", "label=Nobody", CANARY, "--record-as", "SECRET", fails=True)
    filled = run("fill", "id=name", CANARY, "--record-as", "SECRET", "--settle", "--verify", "--json")
    assert json.loads(filled)["data"]["text"]["value"] == "${SECRET}"
    run("find", "label", "Password", "fill", CANARY, "--record-as", "SECRET")
    run("type", CANARY, "--record-as", "SECRET")
    everything = [
        ("snapshot",),
        ("snapshot", "-i"),
        ("snapshot", "--raw"),
        ("snapshot", "--level", "digest"),
        ("diff", "snapshot"),
        ("find", "typed"),
        ("get", "text", "id=out"),
        ("get", "attrs", "id=name"),
        ("screenshot", "shot.png", "--overlay-refs"),
        ("tab", "list"),
        ("session", "list"),
        ("events",),
        ("capabilities",),
        ("daemon", "status"),
    ]
    for argv in everything:
        run(*argv)
    assert "<var:SECRET>" in "".join(said)
    run("press", "label=Open", fails=True)  # ambiguous
    run("press", f'label="Nobody {json.dumps(CANARY)[1:-1]}"', "--debug", fails=True)
    run("is", "text", "id=out", "x", fails=True)
    run("wait", "label=Never", "1", fails=True)
    run("press", "id=echo")
    run("press", "id=ask")
    run("dialog", "get")
    run("snapshot", fails=True)
    run("dialog", "accept")
    run("press", "id=next", "--settle")
    run("wait", "label=Done", "2000")
    run("wait", "text", CANARY, "2000")
    hands.file("more.ad", "context platform=web\npress 'label=\"Gone\"'\n")
    for level in ("digest", "default", "full"):
        run("replay", "more.ad", "--level", level, fails=True)
    run("batch", "--steps", '[["snapshot"], ["press", "label=Nobody"]]', fails=True)
    closed = run("close")
    assert "saved " in closed
    script = (hands.cwd / "flow.ad").read_text(encoding="utf-8")
    assert script.count('"${SECRET}"') >= 3
    assert "Continue as ${SECRET}" in script
    assert "error unverifiable: " in run("check", "flow.ad", fails=True)

    run("open", url)
    diverged = run("replay", "flow.ad", "-e", f"SECRET={CANARY}", fails=True)
    assert "REPLAY_DIVERGENCE" in diverged
    run("close")
    run("daemon", "stop")

    assert [(at, holds(text)) for at, text in enumerate(said) if holds(text)] == []
    files = [path for path in (*hands.state.rglob("*"), *hands.cwd.rglob("*")) if path.is_file()]
    assert {"flow.ad", "daemon.log", "events.ndjson"} <= {path.name for path in files}
    held = {str(path): found for path in files if (found := _in_file(path))}
    assert held == {}


def test_a_password_in_a_query_that_the_page_repeats_goes_into_no_script(hands: Hands) -> None:
    secret = "Zq9!xK@7pL"
    url = hands.page(
        """<form><input name=u aria-label=User><input name=p type=password aria-label=Password>
        <button>Sign in</button></form><p id=said></p>
        <button>Next</button><p>Bye</p><button>Next</button>
        <script>said.textContent = location.search</script>"""
    )
    said = hands.run("open", url, "--save-script=query.ad").stdout
    said += hands.run("fill", "label=User", "ann").stdout
    said += hands.run("fill", "label=Password", secret, "--record-as", "PW").stdout
    said += hands.run("press", "label='Sign in'").stdout
    shown = hands.run("snapshot")
    assert "?u=ann&p=<var:PW>" in shown.stdout
    (ref,) = [
        line.split("[@")[1].split("]")[0] for line in shown.stdout.splitlines() if '"Next"' in line
    ][:1]
    said += hands.run("press", f"@{ref}").stdout
    said += hands.run("wait", "id=said", "2000").stdout
    said += hands.run("get", "text", "id=said", "--record").stdout
    assert hands.run("close").returncode == 0
    script = (hands.cwd / "query.ad").read_text(encoding="utf-8")
    assert 'fill "' in script
    for text in (script, said + shown.stdout):
        assert secret not in text
        assert quote(secret, safe="") not in text


@pytest.mark.parametrize("password", ["pw", "Zq9%21xK-93"])
def test_the_password_of_a_url_is_shown_nowhere(hands: Hands, password: str) -> None:
    url = hands.page("<title>In</title><button>Go</button><a href='#there'>There</a>")
    named = url.replace("://", f"://ann:{password}@")
    opened = hands.run("open", named, "--save-script=in.ad")
    said = opened.stdout + opened.stderr
    assert "warning: The password in the URL goes into the recording" in said
    assert "ann:<secret>@" in said
    for argv in (
        ("session", "list"),
        ("session", "list", "--json"),
        ("tab", "list", "--json"),
        ("snapshot", "--json"),
        ("press", "label=There"),
        ("press", "label=Gone", "--json"),
        ("viewport", "700", "500"),
        ("reload",),
    ):
        done = hands.run(*argv)
        said += done.stdout + done.stderr
    hands.file("away.ad", f"open http://ann:{password}@127.0.0.1:1/\n")
    other = dataclasses.replace(hands, session="other")
    for flags in ((), ("--json",)):
        for argv in (("open", f"http://ann:{password}@127.0.0.1:1/"), ("replay", "away.ad")):
            done = other.run(*argv, *flags)
            assert "cannot be opened" in done.stdout + done.stderr
            said += done.stdout + done.stderr
    assert hands.run("close").returncode == 0
    assert "secret-literal" in hands.run("check", "in.ad").stdout
    hands.run("daemon", "stop")
    log = "".join(path.read_text() for path in hands.state.rglob("daemon.log*"))
    assert f"ann:{password}" not in said + log
    if len(password) > 3:
        assert password not in said + log


def _in_file(path: Path) -> list[str]:
    data = path.read_bytes()
    return [spelling for spelling in SPELLINGS if spelling.encode() in data]
