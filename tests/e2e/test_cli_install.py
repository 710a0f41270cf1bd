"""The command as installed: an unchanged script beside its interpreter, or the plain entry point."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.command import SUREFOOT, SUREFOOT_PY, answer, environment, surefoot
from tests.support.daemon_host import Hosted, hosted

ROOT = Path(__file__).parents[2]
THIN = ROOT / "src" / "surefoot" / "cli" / "thin.py"


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[Hosted]:
    with hosted(tmp_path / "a state") as host:
        yield host


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """The command beside an interpreter, in a directory with blanks."""
    place = tmp_path / "my env" / "bin"
    place.mkdir(parents=True)
    shutil.copy(SUREFOOT, place / "surefoot")
    (place / "python").symlink_to(sys.executable)
    return place


def echoed(daemon: Hosted, command: Path) -> object:
    return answer(surefoot(daemon.paths.state, "echo", "a b", '"', command=command))["data"]


def test_what_is_installed_is_this_source() -> None:
    """After a change of ``thin.py``: ``pip install --no-build-isolation --no-deps -e .``"""
    assert SUREFOOT.read_bytes() == THIN.read_bytes()
    assert os.access(SUREFOOT, os.X_OK)


def test_it_runs_from_a_path_with_blanks(daemon: Hosted, elsewhere: Path) -> None:
    assert echoed(daemon, elsewhere / "surefoot") == {"words": ["a b", '"']}


def test_it_runs_through_links(daemon: Hosted, elsewhere: Path, tmp_path: Path) -> None:
    (tmp_path / "a bin").mkdir()
    (tmp_path / "a bin" / "one").symlink_to(elsewhere / "surefoot")
    (tmp_path / "a bin" / "two").symlink_to("../a bin/one")
    assert echoed(daemon, tmp_path / "a bin" / "two") == {"words": ["a b", '"']}


@pytest.mark.parametrize(
    "line",
    ["surefoot echo x", "./surefoot echo x", "sh surefoot echo x", "PATH=:$PATH surefoot echo x"],
    ids=["on the path", "here", "as an argument of sh", "on a path with here"],
)
def test_it_finds_itself_however_it_is_called(daemon: Hosted, elsewhere: Path, line: str) -> None:
    env = environment(daemon.paths.state, PATH=f"{elsewhere}:{os.environ['PATH']}")
    done = subprocess.run(
        ["sh", "-c", line], cwd=elsewhere, env=env, capture_output=True, text=True, check=False
    )
    assert answer(done)["data"] == {"words": ["x"]}


def test_without_an_interpreter_beside_it_the_entry_point_takes_over(
    daemon: Hosted, tmp_path: Path
) -> None:
    place = tmp_path / "user bin"
    place.mkdir()
    shutil.copy(SUREFOOT, place / "surefoot")
    (place / "surefoot-py").symlink_to(SUREFOOT_PY)
    assert echoed(daemon, place / "surefoot") == {"words": ["a b", '"']}


@pytest.mark.parametrize(
    "command", [[str(SUREFOOT_PY)], [sys.executable, "-m", "surefoot"]], ids=["surefoot-py", "-m"]
)
def test_the_other_ways_in_are_the_same_command(daemon: Hosted, command: list[str]) -> None:
    done = subprocess.run(
        [*command, "echo", "a b"],
        env=environment(daemon.paths.state),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert answer(done)["data"] == {"words": ["a b"]}


def test_a_long_state_directory_works_through_the_entry_point(tmp_path: Path) -> None:
    with hosted(tmp_path / ("long " * 20).strip()) as daemon:
        assert len(str(daemon.paths.socket)) <= 100
        assert echoed(daemon, SUREFOOT) == {"words": ["a b", '"']}


def test_a_regular_wheel_installs_both_commands(tmp_path: Path, daemon: Hosted) -> None:
    build = f"from hatchling.build import build_wheel; print(build_wheel({str(tmp_path)!r}))"
    name = subprocess.run(
        [sys.executable, "-c", build], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()[-1]
    with zipfile.ZipFile(tmp_path / name) as wheel:
        info = next(one for one in wheel.infolist() if one.filename.endswith(".data/scripts/surefoot"))
        assert wheel.read(info) == THIN.read_bytes()
        assert (info.external_attr >> 16) & 0o111 == 0o111
    prefix = tmp_path / "a prefix"
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-index", "--no-deps"]
    subprocess.run(
        [*pip, "--ignore-installed", f"--prefix={prefix}", str(tmp_path / name)],
        env={**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_ROOT_USER_ACTION": "ignore"},
        capture_output=True,
        check=True,
    )
    assert (prefix / "bin" / "surefoot").read_bytes() == THIN.read_bytes()
    assert echoed(daemon, prefix / "bin" / "surefoot") == {"words": ["a b", '"']}
