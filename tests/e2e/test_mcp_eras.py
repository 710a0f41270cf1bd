"""Both eras of the protocol: a handshake, or requests that each carry what it would have agreed on."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters
from tests.support.command import SUREFOOT, environment

from surefoot.client import launch
from surefoot.wire import StatePaths


@pytest.fixture
def state(tmp_path: Path) -> Iterator[Path]:
    made = tmp_path / "state"
    yield made
    launch.end(StatePaths(made), {"SUREFOOT_DAEMON_TIMEOUT": "3000"})


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_a_client_of_each_era_survives_its_daemon(state: Path, tmp_path: Path, mode: str) -> None:
    server = StdioServerParameters(
        command=str(SUREFOOT), args=["mcp"], env=environment(state), cwd=tmp_path
    )
    async with Client(server, mode=mode) as client:
        assert len((await client.list_tools()).tools) > 30
        first = await client.call_tool("daemon_status", {})
        pid = first.structured_content["pid"]
        os.kill(pid, signal.SIGKILL)
        second = await client.call_tool("session_list", {})
        assert second.structured_content == {"sessions": []}
        third = await client.call_tool("daemon_status", {})
        assert third.structured_content["pid"] != pid
