"""The tools as a projection of the descriptors, and what an MCP connection holds up: nothing."""

from __future__ import annotations

import re
import subprocess
import sys

from surefoot.commands import DESCRIPTORS
from surefoot.daemon.tooling import tool_list


def test_there_is_one_tool_a_command_and_no_two_share_a_name() -> None:
    tools = tool_list()
    assert [tool.command for tool in tools] == [one.name for one in DESCRIPTORS]
    assert len({tool.name for tool in tools}) == len(tools)
    assert all(re.fullmatch(r"[a-z_]{1,64}", tool.name) for tool in tools)


def test_every_argument_but_a_stream_is_in_the_schema_and_described() -> None:
    for tool, one in zip(tool_list(), DESCRIPTORS, strict=True):
        properties = tool.input_schema["properties"]
        for argument in one.arguments:
            if argument.name == one.traits.timeout_policy.unbounded_when:
                assert argument.wire not in properties
            else:
                assert properties[argument.wire]["description"] == argument.help
        assert tool.input_schema["additionalProperties"] is False
        assert set(tool.input_schema.get("required", ())) == {
            argument.wire for argument in one.arguments if argument.required
        }


def test_an_argument_of_the_command_wins_over_an_option_of_that_name() -> None:
    wait = next(tool for tool in tool_list() if tool.name == "wait")
    assert "timeoutMs" not in wait.options
    assert wait.input_schema["properties"]["timeoutMs"]["description"].startswith("Give up after")


def test_only_what_only_looks_is_called_read_only() -> None:
    read_only = {tool.name for tool in tool_list() if tool.read_only}
    assert {"snapshot", "get", "is"} <= read_only
    assert not {"press", "open", "close", "replay", "daemon_stop", "batch", "screenshot"} & read_only


def test_a_whole_screen_of_refs_comes_from_a_snapshot_only() -> None:
    assert {tool.name for tool in tool_list() if tool.publishes} == {"snapshot"}


def test_the_list_is_short_enough_to_be_read_by_a_model() -> None:
    size = sum(len(str(tool.input_schema)) + len(tool.description) for tool in tool_list())
    assert size < 40_000


def test_starting_a_daemon_imports_nothing_of_the_sdk() -> None:
    code = (
        "import sys, surefoot.daemon.__main__, surefoot.daemon, surefoot.cli.entry, surefoot.cli.pipe\n"
        "sdk = {'mcp', 'mcp_types', 'pydantic', 'anyio', 'surefoot.mcp.server'}\n"
        "print(sorted(sdk & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
