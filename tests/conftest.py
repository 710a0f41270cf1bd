"""Fixtures every kind of test may use."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.support.pages import Pages, serving

pytest.register_assert_rewrite("tests.contract.contracts")


@pytest.fixture(scope="session")
def serve() -> Iterator[Pages]:
    """Pages over HTTP on the loopback: ``serve.page("<button>Go")`` or ``serve.folder(path)``."""
    with serving() as pages:
        yield pages
