"""SIGKILL at every point of a repair, once each; ``make nightly`` does each of them twenty times."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.crash_matrix import DOOMS, Doom, suffer

from surefoot.session import POINTS


@pytest.mark.parametrize("doom", DOOMS, ids=lambda doom: doom.name)
def test_a_daemon_killed_there_leaves_what_the_table_says(doom: Doom, tmp_path: Path) -> None:
    suffer(doom, tmp_path)


def test_every_named_point_has_a_row() -> None:
    assert {doom.point for doom in DOOMS} == set(POINTS)
    assert len(POINTS) >= 12
