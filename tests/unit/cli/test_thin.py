"""The thin command repeats a few rules, as it imports nothing of ours; here they are held together."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import surefoot
from surefoot.cli import entry, thin
from surefoot.wire import (
    PROTOCOL,
    ArgvRequest,
    StatePaths,
    decode_argv,
    state_paths,
)

SOURCE = Path(thin.__file__)


def test_versions_agree() -> None:
    pyproject = (SOURCE.parents[3] / "pyproject.toml").read_text()
    assert f'version = "{surefoot.__version__}"' in pyproject
    assert surefoot.__version__ == thin.VERSION
    assert PROTOCOL == thin.PROTOCOL


def test_it_imports_built_in_modules_only() -> None:
    imported = {
        name.name
        for node in ast.walk(ast.parse(SOURCE.read_text()))
        if isinstance(node, ast.Import)
        for name in node.names
    }
    assert imported == {"posix", "sys", "_socket", "select"}


def test_the_warm_way_loads_no_module_that_costs_time() -> None:
    run = f"exec(compile(open({str(SOURCE)!r}).read(), 'thin', 'exec'), {{'__name__': 'thin'}})"
    script = f"import sys; before = set(sys.modules); {run}; print(sorted(set(sys.modules) - before))"
    out = subprocess.run(
        [sys.executable, "-IS", "-c", script], capture_output=True, text=True, check=True
    ).stdout
    assert out.strip() == "['_socket']"


@pytest.mark.parametrize(
    ("argv", "env"),
    [
        ([], {}),
        ([], {"SUREFOOT_STATE_DIR": "/state"}),
        ([], {"SUREFOOT_STATE_DIR": "state"}),
        (["--state-dir", "/flag"], {"SUREFOOT_STATE_DIR": "/state"}),
        (["--state-dir=/flag", "snapshot"], {}),
        (["--state-dir", "one", "--state-dir=two"], {}),
        (["type", "--", "--state-dir", "/text"], {"SUREFOOT_STATE_DIR": "/state"}),
        ([], {"XDG_STATE_HOME": "/xdg"}),
        ([], {"XDG_STATE_HOME": " "}),
    ],
)
def test_it_finds_the_same_state_directory_as_everybody_else(
    argv: list[str], env: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home/somebody")
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    full = {"HOME": "/home/somebody", **env}
    found = thin.state_dir(
        [word.encode() for word in argv],
        {name.encode(): value.encode() for name, value in full.items()},
        b"/some/dir",
    )
    assert Path(found.decode()) == state_paths(entry.explicit_state_dir(argv), full, "/some/dir").state


@pytest.mark.parametrize(
    ("argv", "env"),
    [([], {}), (["--state-dir"], {"HOME": "/h"}), (["--state-dir="], {"HOME": "/h"})],
)
def test_where_there_is_none_the_entry_point_decides(argv: list[str], env: dict[str, str]) -> None:
    found = thin.state_dir(
        [word.encode() for word in argv],
        {name.encode(): value.encode() for name, value in env.items()},
        b"/",
    )
    assert found == b""


def test_the_longest_state_directory_it_takes_is_the_longest_with_its_own_socket() -> None:
    longest = StatePaths(Path("/" + "x" * (thin.LONGEST_STATE_DIR - 1)))
    assert longest.socket.parent == longest.run
    longer = StatePaths(Path("/" + "x" * thin.LONGEST_STATE_DIR))
    assert longer.socket.parent != longer.run


def test_its_request_is_the_one_the_daemon_reads() -> None:
    env = {b"AD_VAR_USER": b"me", b"SUREFOOT_SESSION": b"s=1", b"NO_COLOR": b"", b"HOME": b"/h"}
    payload = thin.request([b"fill", 'label="Ä"'.encode(), b""], env, b"/a b")
    asked = decode_argv(payload)
    assert asked == ArgvRequest(
        protocol=PROTOCOL,
        version=surefoot.__version__,
        cwd="/a b",
        tty=asked.tty,
        columns=asked.columns,
        argv=("fill", 'label="Ä"', ""),
        env={"AD_VAR_USER": "me", "SUREFOOT_SESSION": "s=1", "NO_COLOR": ""},
    )


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["daemon", "stop"], ("daemon", "stop")),
        (["--json", "daemon", "--session", "x", "stop"], ("daemon", "stop")),
        (["--state-dir=/x", "daemon", "stop", "now"], ("daemon", "stop")),
        (["type", "daemon", "stop"], ("type", "daemon")),
        ([], ()),
    ],
)
def test_the_entry_point_tells_daemon_stop_from_all_else(
    argv: list[str], words: tuple[str, ...]
) -> None:
    assert entry.first_words(argv) == words


def test_importing_surefoot_imports_nothing_else() -> None:
    script = "import sys; before = set(sys.modules); import surefoot; print(set(sys.modules) - before)"
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "{'surefoot'}"


@pytest.mark.parametrize("name", surefoot.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(surefoot, name) is not None
    assert name in dir(surefoot)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="surefoot' has no attribute 'nothing'"):
        _ = surefoot.nothing
