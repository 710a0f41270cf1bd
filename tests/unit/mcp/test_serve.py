"""The door of the room: the SDK is loaded by the first connection, and missed in plain words."""

from __future__ import annotations

import importlib

import pytest
from tests.unit.mcp.test_tools import Host

from surefoot.errors import ErrorCode, SurefootError
from surefoot.mcp import serve


class Silent:
    """A client that says nothing."""

    async def receive(self) -> bytes | None:
        return None

    async def send(self, message: bytes) -> None:
        raise AssertionError(message)

    def owes(self, answers: int) -> None:
        assert answers == 0


async def test_without_the_sdk_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ImportError("No module named 'mcp'")

    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(SurefootError) as caught:
        await serve(Host(), Silent())
    assert caught.value.code is ErrorCode.UNSUPPORTED_OPERATION
    assert caught.value.reason == "mcp_missing"
    assert "pip install 'surefoot[mcp]'" in caught.value.hint


async def test_a_client_that_leaves_ends_its_server() -> None:
    await serve(Host(), Silent())
