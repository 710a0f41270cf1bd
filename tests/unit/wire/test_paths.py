"""Where a daemon lives, and that the place is the user's own."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from surefoot.errors import SurefootError
from surefoot.wire import StatePaths, default_state_dir, prepare, state_paths


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_flag_wins_over_the_variable_and_is_taken_from_the_directory(tmp_path: Path) -> None:
    found = state_paths("mine", {"SUREFOOT_STATE_DIR": "/elsewhere"}, str(tmp_path))
    assert found.state == tmp_path / "mine"


def test_the_variable_wins_over_the_default(tmp_path: Path) -> None:
    assert state_paths(None, {"SUREFOOT_STATE_DIR": "/else/where"}, "/").state == Path("/else/where")


def test_without_either_it_is_the_systems_place() -> None:
    assert state_paths(None, {}, "/").state == Path(os.path.realpath(default_state_dir()))


def test_an_empty_flag_is_refused() -> None:
    with pytest.raises(SurefootError) as caught:
        state_paths("", {}, "/")
    assert caught.value.reason == "empty_state_dir"


def test_B123_everything_that_is_created_is_private(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        paths = StatePaths(tmp_path / "new" / "state")
        prepare(paths)
    finally:
        os.umask(old)
    assert mode(paths.state) == 0o700
    assert mode(paths.run) == 0o700


def test_a_wider_directory_of_ours_is_closed(tmp_path: Path) -> None:
    (tmp_path / "state").mkdir(mode=0o755)
    prepare(StatePaths(tmp_path / "state"))
    assert mode(tmp_path / "state") == 0o700


def test_a_directory_that_holds_more_than_ours_keeps_its_mode(tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / "run").mkdir(parents=True)
    for place in (home, home / "run"):
        (place / "letter.txt").write_text("dear")
        place.chmod(0o755)
    prepare(StatePaths(home))
    assert (mode(home), mode(home / "run")) == (0o755, 0o755)


def test_one_that_holds_more_and_is_open_to_writers_is_refused(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear")
    tmp_path.chmod(0o775)
    with pytest.raises(SurefootError) as caught:
        prepare(StatePaths(tmp_path))
    assert caught.value.reason == "state_dir_insecure"
    assert mode(tmp_path) == 0o775


def test_a_shared_directory_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    with pytest.raises(SurefootError) as caught:
        prepare(StatePaths(shared))
    assert caught.value.reason == "state_dir_insecure"
    assert stat.S_IMODE(shared.stat().st_mode) == 0o1777


def test_a_directory_of_another_user_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "state").mkdir()
    monkeypatch.setattr(os, "getuid", lambda: os.stat(tmp_path).st_uid + 1)
    with pytest.raises(SurefootError) as caught:
        prepare(StatePaths(tmp_path / "state"))
    assert caught.value.reason == "state_dir_insecure"


def test_a_link_in_place_of_the_run_directory_is_refused(tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    (tmp_path / "bait").mkdir()
    (tmp_path / "state" / "run").symlink_to(tmp_path / "bait")
    with pytest.raises(SurefootError) as caught:
        prepare(StatePaths(tmp_path / "state"))
    assert caught.value.reason == "state_dir_insecure"


def test_a_file_in_its_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("")
    with pytest.raises(SurefootError) as caught:
        prepare(StatePaths(tmp_path / "state"))
    assert caught.value.reason == "state_dir_unusable"


def test_a_short_path_keeps_its_socket_beside_its_lock(tmp_path: Path) -> None:
    paths = StatePaths(Path("/home/somebody/.local/state/surefoot"))
    assert paths.socket == Path("/home/somebody/.local/state/surefoot/run/daemon.sock")


def test_a_long_path_gets_a_short_socket_of_its_own() -> None:
    one, other = StatePaths(Path("/" + "a" * 120)), StatePaths(Path("/" + "a" * 121))
    assert len(os.fsencode(one.socket)) <= 100
    assert one.socket.parent.name.startswith(f"surefoot-{os.getuid()}-")
    assert one.socket != other.socket
    assert one.socket == StatePaths(Path("/" + "a" * 120)).socket


def test_the_place_of_a_long_paths_socket_does_not_depend_on_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    paths = StatePaths(Path("/" + "b" * 120))
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/one")
    first = paths.socket
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/two")
    assert paths.socket == first
