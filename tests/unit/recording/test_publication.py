"""Publication: whole or not at all, and never over something else."""

from __future__ import annotations

import os
import socket
import stat
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from surefoot.errors import SurefootError
from surefoot.recording import check_target, publish


def refusal(target: Path, *, force: bool = False) -> SurefootError:
    with pytest.raises(SurefootError) as caught:
        publish(target, "new\n", force=force)
    return caught.value


def test_a_script_is_written_whole_and_leaves_nothing_else(tmp_path: Path) -> None:
    target = tmp_path / "flow.ad"
    publish(target, "wait 1\nclose\n")
    assert target.read_text(encoding="utf-8") == "wait 1\nclose\n"
    assert os.listdir(tmp_path) == ["flow.ad"]


@pytest.mark.parametrize("held", ["", "wait 1\n", "half a scr"], ids=["empty", "whole", "partial"])
def test_any_existing_target_is_refused_unchanged(tmp_path: Path, held: str) -> None:
    target = tmp_path / "flow.ad"
    target.write_text(held, encoding="utf-8")
    error = refusal(target)
    assert (error.code, error.reason) == ("INVALID_ARGS", "target_exists")
    assert target.read_text(encoding="utf-8") == held
    assert os.listdir(tmp_path) == ["flow.ad"]


def test_a_dangling_link_counts_as_existing(tmp_path: Path) -> None:
    target = tmp_path / "flow.ad"
    target.symlink_to(tmp_path / "nowhere")
    assert refusal(target).reason == "target_exists"
    assert target.is_symlink()


def test_force_replaces_the_whole_file(tmp_path: Path) -> None:
    target = tmp_path / "flow.ad"
    target.write_text("old\n", encoding="utf-8")
    publish(target, "new\n", force=True)
    assert target.read_text(encoding="utf-8") == "new\n"
    assert os.listdir(tmp_path) == ["flow.ad"]


@pytest.mark.parametrize(
    ("name", "reason"),
    [("missing/flow.ad", "directory_missing"), (".", "target_not_a_file")],
)
def test_a_target_that_cannot_be_is_refused_before_anything_is_written(
    tmp_path: Path, name: str, reason: str
) -> None:
    with pytest.raises(SurefootError) as caught:
        check_target((tmp_path / name).absolute(), force=False)
    assert (caught.value.code, caught.value.reason) == ("INVALID_ARGS", reason)
    assert os.listdir(tmp_path) == []


def test_of_eight_writers_exactly_one_wins_and_the_winner_stays_whole(tmp_path: Path) -> None:
    target = tmp_path / "flow.ad"

    def attempt(writer: int) -> str | None:
        try:
            publish(target, f"wait {writer}\n" * 500)
        except SurefootError as error:
            return error.reason
        return "won"

    with ThreadPoolExecutor(8) as pool:
        ends = list(pool.map(attempt, range(8)))
    assert sorted(map(str, ends)) == ["target_exists"] * 7 + ["won"]
    assert target.read_text(encoding="utf-8") == f"wait {ends.index('won')}\n" * 500
    assert os.listdir(tmp_path) == ["flow.ad"]


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(path))


def _link_to_fifo(path: Path) -> None:
    os.mkfifo(path.with_name("pipe"))
    path.symlink_to("pipe")


def _device(path: Path) -> None:
    """A node of the null device's numbers where that is allowed, else a link to the real one, which
    the kernel keeps from whoever may make no node."""
    try:
        os.mknod(path, stat.S_IFCHR | 0o600, os.makedev(1, 3))
    except PermissionError:
        path.symlink_to("/dev/null")


NOT_FILES: dict[str, Callable[[Path], None]] = {
    "a FIFO": os.mkfifo,
    "a socket": _socket,
    "a device": _device,
    "a directory": os.mkdir,
    "a link to a FIFO": _link_to_fifo,
    "a link to itself": lambda path: path.symlink_to(path),
}


@pytest.mark.parametrize("force", [False, True], ids=["plain", "force"])
@pytest.mark.parametrize("made", NOT_FILES.values(), ids=NOT_FILES.keys())
def test_what_is_no_file_is_never_replaced(
    tmp_path: Path, made: Callable[[Path], None], force: bool
) -> None:
    target = tmp_path / "flow.ad"
    made(target)
    before = os.lstat(target)
    assert refusal(target, force=force).reason == "target_not_a_file"
    with pytest.raises(SurefootError, match="not a place for a file"):
        check_target(target, force=force)
    after = os.lstat(target)
    assert (after.st_ino, after.st_mode) == (before.st_ino, before.st_mode)
    assert [name for name in os.listdir(tmp_path) if name.endswith(".tmp")] == []


def test_force_replaces_a_link_and_leaves_what_it_leads_to(tmp_path: Path) -> None:
    (tmp_path / "other.ad").write_text("other\n", encoding="utf-8")
    target = tmp_path / "flow.ad"
    target.symlink_to("other.ad")
    publish(target, "new\n", force=True)
    assert not target.is_symlink()
    assert target.read_text(encoding="utf-8") == "new\n"
    assert (tmp_path / "other.ad").read_text(encoding="utf-8") == "other\n"


def test_what_becomes_no_file_before_the_last_step_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "flow.ad"
    monkeypatch.setattr("surefoot.recording.publication.reached", lambda _point: os.mkfifo(target))
    assert refusal(target, force=True).reason == "target_not_a_file"
    assert os.listdir(tmp_path) == ["flow.ad"]


def test_a_name_too_long_for_a_file_is_a_refusal_too(tmp_path: Path) -> None:
    assert refusal(tmp_path / ("a" * 300)).reason == "target_not_a_file"
