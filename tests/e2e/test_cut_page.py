"""A page deeper than a capture: nothing is said of what may stand below."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.faults import Hands, hands_of
from tests.support.pages import Pages

NOTE = "elements nested deeper than 1000 levels are left out"


@pytest.fixture
def hands(tmp_path: Path, serve: Pages) -> Iterator[Hands]:
    with hands_of(tmp_path, serve, by_command=True) as made:
        yield made


def test_an_absence_on_a_page_that_is_too_deep_is_not_claimed(hands: Hands) -> None:
    nest = """<h1>Top</h1><script>
        let at = document.body;  // the parser itself nests no deeper than 512
        for (let level = 0; level < 1100; level++) at = at.appendChild(document.createElement('div'));
        at.innerHTML = '<button>Deep</button>';
    </script>"""
    assert hands.run("open", hands.page(nest)).returncode == 0
    said = hands.run("is", "absent", "label=Deep")
    assert said.returncode == 1
    assert "capture_truncated" in said.stderr
    assert NOTE in said.stderr
    assert NOTE in hands.run("press", "label=Deep").stderr
    assert hands.run("is", "exists", "label=Top").returncode == 0
