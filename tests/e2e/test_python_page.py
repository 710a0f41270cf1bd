"""The page on the Python client cannot rot: its examples run as they stand, against the demo shop."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from shop.server import Shop

from surefoot import Surefoot, SurefootError
from surefoot.client import Session, launch
from surefoot.wire import StatePaths

ROOT = Path(__file__).resolve().parents[2]
URL = "http://127.0.0.1:8765/"
WHOLE, ASYNCHRONOUS, PYTEST = re.findall(
    r"^```python\n(.*?)^```", (ROOT / "docs" / "python.md").read_text("utf-8"), re.MULTILINE | re.DOTALL
)


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    made = tmp_path_factory.mktemp("page") / "state"
    yield made
    launch.end(StatePaths(made), {"SUREFOOT_DAEMON_TIMEOUT": "3000"})


@pytest.fixture
def shop() -> Iterator[Shop]:
    with Shop() as running:
        yield running


def run(state: Path, directory: Path, *words: str) -> str:
    environment = {**os.environ, "SUREFOOT_STATE_DIR": str(state)}
    done = subprocess.run(
        [sys.executable, *words],
        cwd=directory,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_whole_example_runs(state: Path, tmp_path: Path, shop: Shop) -> None:
    (tmp_path / "example.py").write_text(WHOLE.replace(URL, shop.url), encoding="utf-8")
    said = run(state, tmp_path, "example.py").splitlines()
    assert said[0] == "Catalogue · Sure Shop"
    assert any(re.fullmatch(r' *- button "Add" \[@e[0-9]+\]', line) for line in said)
    assert said[-1].startswith("AMBIGUOUS_MATCH ambiguous_match Use one of")


def test_the_asynchronous_example_runs(state: Path, tmp_path: Path, shop: Shop) -> None:
    (tmp_path / "example.py").write_text(ASYNCHRONOUS.replace(URL, shop.url), encoding="utf-8")
    assert run(state, tmp_path, "example.py") == "ada@example.com\n"


def test_the_tests_of_the_page_pass(state: Path, tmp_path: Path, shop: Shop) -> None:
    script = f"open {shop.url}\nfill 'label=\"Password\"' '${{PASSWORD}}'\nclose\n"
    (tmp_path / "order.ad").write_text(f"context platform=web\n{script}", encoding="utf-8")
    (tmp_path / "test_page.py").write_text(PYTEST.replace(URL, shop.url), encoding="utf-8")
    assert "2 passed" in run(state, tmp_path, "-m", "pytest", "-q", "-p", "no:cacheprovider", ".")


@pytest.fixture
def session(state: Path, shop: Shop) -> Iterator[Session]:
    with Surefoot(session="page", state_dir=state).open(shop.url) as opened:
        yield opened


def test_what_was_shown_is_a_target(session: Session) -> None:
    screen = session.snapshot(interactive=True)
    email = next(node for node in screen.nodes if node.label == "Email")
    filled = session.fill(screen.pinned(email), "ada@example.com", settle=True)
    assert filled.settled is not None
    assert filled.settled.diff is not None
    (changed,) = filled.settled.diff.changed
    session.fill(filled.settled.pinned(changed), "grace@example.com")
    assert session.get("attrs", label="Email").attrs.value == "grace@example.com"  # type: ignore[union-attr]
    with pytest.raises(SurefootError) as caught:
        session.press(screen.pinned(email))
    assert caught.value.reason == "ref_frame_expired"


def test_holds_is_a_truth_value_and_is_an_assertion(session: Session) -> None:
    assert session.holds("visible", role="heading", label="Sign in") is True
    assert session.holds("checked", role="checkbox") is False
    assert session.holds("visible", label="Nowhere") is False
    with pytest.raises(SurefootError) as caught:
        session.is_("checked", role="checkbox")
    assert caught.value.reason == "predicate_failed"
    with pytest.raises(SurefootError):
        session.holds("visible", "nonsense")


def test_a_batch_takes_lists_and_mappings(session: Session) -> None:
    steps: list[Sequence[str] | Mapping[str, object]] = [
        ["snapshot"],
        {"command": "fill", "arguments": {"target": "label=Email", "text": "x"}},
    ]
    assert session.batch(steps=steps).total == 2
