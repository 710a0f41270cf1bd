"""One daemon for each module of rows."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.support.faults import Hands, hands_of
from tests.support.pages import Pages


@pytest.fixture(scope="module")
def hands(
    tmp_path_factory: pytest.TempPathFactory, serve: Pages, request: pytest.FixtureRequest
) -> Iterator[Hands]:
    by_command = getattr(request.module, "BY_COMMAND", False)
    with hands_of(tmp_path_factory.mktemp("faults"), serve, by_command=by_command) as hands:
        yield hands
