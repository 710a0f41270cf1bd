"""Help topics cannot rot: every command and every script in them runs, in order, as it stands.

A line of two blanks and a command is run by a shell; an indented block under ``name.ad:`` is that file.
What a line says of itself is checked: ``# refused: WORD`` fails with that word in its answer,
``# diverges: HINT`` diverges with that hint (``# diverges`` with any), everything else succeeds. Refs
and numbers stand in the text as they come; only a pin's generation, a digest and the shop's port are
put in.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.command import SUREFOOT, environment

from surefoot.client import launch
from surefoot.commands import help_page
from surefoot.wire import StatePaths

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "examples"))
from shop.server import Shop  # noqa: E402

URL = "http://127.0.0.1:8765/"
TOPICS = ("workflow", "scripting", "selectors", "mcp")

DRIFTS = {("workflow", "diverges: caution"): "sold-out"}
"""What the shop does just before the first line that holds this text."""

SHOWN = {
    ("workflow", "press @e27~s42 --settle"): '@e27~s[0-9]+ button "Add" in listitem "Rope"',
    ("workflow", "# recorded as a selector"): '@e27~s[0-9]+ button "Add" in listitem "Rope"',
    ("workflow", "# like it"): 'button "Add" .@e27~s[0-9]+. in listitem "Headlamp"',
    ("workflow", "fill @e5"): 'textbox "Email" .@e5.',
}
"""What the answer before such a line must have shown, so that the ref in it is the right one."""

_COMMAND = re.compile(r"^  (?! )((?:[A-Z_]+='[^']*' )?surefoot .*)$")
_FILE = re.compile(r"^(\w+\.ad):$")
_PIN = re.compile(r"@(e[0-9]+)~s42\b")


def commands(page: str) -> list[str]:
    return [match[1] for line in page.splitlines() if (match := _COMMAND.match(line))]


def scripts(page: str) -> dict[str, str]:
    """The scripts of a page by name, without their indentation."""
    found: dict[str, list[str]] = {}
    name: str | None = None
    for line in page.splitlines():
        if match := _FILE.match(line):
            name = match[1]
            found[name] = []
        elif name is not None and (line.startswith("    ") or not line):
            found[name].append(line.removeprefix("    "))
        else:
            name = None
    return {name: "\n".join(lines).rstrip() + "\n" for name, lines in found.items()}


class Reader:
    """Does what the page says, as a reader would, and holds the page to what happens."""

    def __init__(self, topic: str, state: Path, directory: Path, shop: Shop) -> None:
        self.topic = topic
        self.said: list[str] = []
        self._shop = shop
        self._directory = directory
        self._environment = environment(
            state, PATH=f"{SUREFOOT.parent}{os.pathsep}{os.environ['PATH']}", PASSWORD="correct horse"
        )

    def run(self, line: str) -> str | None:
        """Why the line does not do what the page says; ``None`` when it does."""
        for (topic, text), drift in DRIFTS.items():
            if topic == self.topic and text in line:
                self._shop.drifts.add(drift)
        for (topic, text), shown in SHOWN.items():
            if topic == self.topic and text in line and not re.search(shown, self.said[-1]):
                return f"{line}: nothing before it showed {shown}"
        done = subprocess.run(
            ["sh", "-c", self._filled(line)],
            cwd=self._directory,
            env=self._environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        self.said.append(done.stdout + done.stderr)
        wanted = re.search(r"# (refused|diverges)(?:: (\w+))?", line)
        if wanted is None:
            return None if done.returncode == 0 else f"{line}: {self.said[-1]}"
        word = f"repair: {wanted[2] or ''}" if wanted[1] == "diverges" else wanted[2]
        if done.returncode == 0 or word not in self.said[-1]:
            return f"{line}: {done.returncode} {self.said[-1]}"
        return None

    def _filled(self, line: str) -> str:
        line = line.replace(URL, self._shop.url)
        line = _PIN.sub(lambda match: self._last(rf"@{match[1]}~s[0-9]+\b"), line)
        if "--plan-digest SHA" in line:
            at = re.search(r"--from [0-9]+ ", line)
            assert at is not None
            line = line.replace(
                f"{at[0]}--plan-digest SHA", self._last(rf"{at[0]}--plan-digest [0-9a-f]{{64}}")
            )
        return line

    def _last(self, pattern: str) -> str:
        """The newest text of the answers so far that looks so."""
        for said in reversed(self.said):
            found = re.findall(pattern, said)
            if found:
                return str(found[-1])
        raise AssertionError(f"no answer showed {pattern}")


@pytest.fixture
def state(tmp_path: Path) -> Iterator[Path]:
    made = tmp_path / "state"
    yield made
    launch.end(StatePaths(made), {"SUREFOOT_DAEMON_TIMEOUT": "3000"})


@pytest.mark.parametrize("topic", ["workflow", "scripting"])
def test_every_line_of_a_topic_runs(topic: str, state: Path, tmp_path: Path) -> None:
    page = help_page(topic)
    directory = tmp_path / "here"
    directory.mkdir()
    with Shop() as shop:
        for name, text in scripts(page).items():
            (directory / name).write_text(text.replace(URL, shop.url), encoding="utf-8")
        reader = Reader(topic, state, directory, shop)
        wrong = [problem for line in commands(page) if (problem := reader.run(line))]
    assert wrong == []
    assert len(reader.said) >= 5


def test_every_marker_of_this_test_is_met_by_a_line() -> None:
    for topic, text in (*DRIFTS, *SHOWN):
        assert any(text in line for line in commands(help_page(topic))), text


def test_every_reason_that_a_topic_names_is_one_the_code_gives() -> None:
    code = "\n".join(path.read_text("utf-8") for path in (ROOT / "src").rglob("*.py"))
    named = {
        word for topic in TOPICS for word in re.findall(r"\b[a-z]+(?:_[a-z]+)+\b", help_page(topic))
    }
    assert {word for word in named if f'"{word}"' not in code} <= {"session_list"}
    assert "corrective_action_missing" in named


def test_every_repair_hint_is_explained() -> None:
    page = help_page("workflow")
    for hint in ("record-and-heal", "state-repair", "caution", "manual"):
        assert re.search(rf"^  {hint} ", page, re.MULTILINE), hint


def test_the_topics_are_named_where_help_is_asked_for() -> None:
    for topic in TOPICS:
        assert topic in help_page(None)
