"""Publication: whole or not at all, and never over something else."""

from __future__ import annotations

import os
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
