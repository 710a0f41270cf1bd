"""``surefoot mcp`` and the daemon behind it: started, killed, stopped, of another version, silent."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from mcp import MCPError
from tests.support.command import SUREFOOT, answer, environment, failure, surefoot
from tests.support.mcp_client import agent, reason, structured, text_of

from surefoot.client import launch
from surefoot.mcp import MAX_STRUCTURED_BYTES, MAX_TEXT_BYTES
from surefoot.wire import StatePaths

HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


@pytest.fixture
def state(tmp_path: Path) -> Iterator[Path]:
    made = tmp_path / "state"
    yield made
    launch.end(StatePaths(made), {"SUREFOOT_DAEMON_TIMEOUT": "3000"})


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The state directory of the tests that leave the daemon alone."""
    made = tmp_path_factory.mktemp("mcp") / "state"
    yield made
    launch.end(StatePaths(made), {"SUREFOOT_DAEMON_TIMEOUT": "3000"})


def kill(state: Path) -> int:
    """Kill the daemon the hard way and see that it is gone."""
    pid = launch.holder(StatePaths(state))
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    gone(state)
    return pid


def gone(state: Path) -> None:
    """Wait until no daemon holds the directory."""
    while launch.holder(StatePaths(state)) is not None:
        time.sleep(0.005)


async def test_the_first_client_starts_the_daemon(state: Path, tmp_path: Path) -> None:
    assert launch.holder(StatePaths(state)) is None
    async with agent(state, tmp_path) as one:
        assert (await one.ok("daemon_status"))["pid"] == launch.holder(StatePaths(state))


async def test_a_daemon_killed_between_two_calls_is_replaced_at_the_next(
    state: Path, tmp_path: Path
) -> None:
    async with agent(state, tmp_path) as one:
        await one.ok("open", target="contacts", platform="sim")
        ref = await one.ref("button", "Add")
        old = kill(state)
        error = await one.refused("press", target=ref)
        assert error["code"] == "SESSION_NOT_FOUND"
        assert (await one.ok("daemon_status"))["pid"] != old
        await one.ok("open", target="contacts", platform="sim")
        await one.ok("press", target=await one.ref("button", "Add"))
        assert len((await one.session.list_tools()).tools) > 30


async def test_a_daemon_killed_under_a_call_answers_it_with_daemon_lost(
    state: Path, tmp_path: Path
) -> None:
    async with agent(state, tmp_path) as one:
        await one.ok("open", target="contacts", platform="sim")
        waiting = asyncio.create_task(one.call("wait", target="label=Never", timeoutMs=60_000))
        await _runs(state, tmp_path)
        kill(state)
        result = await waiting
        assert result.is_error
        error = structured(result)
        assert (error["code"], reason(error)) == ("COMMAND_FAILED", "daemon_lost")
        assert (await one.ok("session_list"))["sessions"] == []


async def _runs(state: Path, cwd: Path) -> None:
    """Until the wait has begun (its session's log says so)."""
    while True:
        done = await asyncio.to_thread(
            surefoot, state, "events", "--platform", "sim", "--json", cwd=cwd
        )
        events = answer(done)["data"]["events"]
        if any(entry["event"].get("command") == "wait" for entry in events):
            return


async def test_daemon_stop_is_answered_and_the_next_call_starts_another(
    state: Path, tmp_path: Path
) -> None:
    async with agent(state, tmp_path) as one:
        old = (await one.ok("daemon_status"))["pid"]
        assert (await one.ok("daemon_stop"))["pid"] == old
        assert (await one.ok("daemon_status"))["pid"] != old


async def test_a_client_that_waits_for_nothing_does_not_hold_up_the_daemons_end(
    state: Path, tmp_path: Path
) -> None:
    async with agent(state, tmp_path) as one:
        await one.ok("daemon_status")
        await asyncio.to_thread(surefoot, state, "daemon", "stop", cwd=tmp_path)
        await asyncio.to_thread(gone, state)
    log = (state / "run" / "daemon.log").read_text().splitlines()
    began, ended = (
        datetime.fromisoformat(line[:23].replace(",", "."))
        for line in log
        if line.endswith(("stopping: asked to", "INFO stopped"))
    )
    assert (ended - began).total_seconds() < 1.5  # the daemon waits two seconds for who waits for it


async def test_a_huge_screen_comes_bounded(calm: Path, tmp_path: Path) -> None:
    big = {
        "format": "surefoot-sim-1",
        "name": "big",
        "start": "main",
        "screens": {"main": {"tree": ['document "Big"(button "Press ${i}, please" repeat=20000)']}},
    }
    (tmp_path / "big.json").write_text(json.dumps(big))
    async with agent(calm, tmp_path) as one:
        await one.ok("open", target="./big.json", platform="sim")
        result = await one.call("snapshot")
        assert len(text_of(result).encode()) <= MAX_TEXT_BYTES
        data = structured(result)
        assert len(json.dumps(data, separators=(",", ":"))) <= MAX_STRUCTURED_BYTES
        assert data["omitted"]["nodes"] + len(data["nodes"]) == data["total"]
        await one.ok("press", target=f"@{data['nodes'][-1]['ref']}")


async def test_a_session_of_the_flags_is_the_session_of_every_call(calm: Path, tmp_path: Path) -> None:
    async with agent(calm, tmp_path, "--session", "mine", "--platform", "sim") as one:
        assert (await one.ok("open", target="contacts"))["session"] == "mine"
        listed = (await one.ok("session_list"))["sessions"]
        assert "mine" in [item["session"] for item in listed]


async def test_an_unknown_tool_is_a_protocol_error_that_names_the_nearest(
    calm: Path, tmp_path: Path
) -> None:
    async with agent(calm, tmp_path) as one:
        with pytest.raises(MCPError, match='no tool "pres"; did you mean press') as caught:
            await one.call("pres")
        assert caught.value.code == -32602


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"traget": "x"}, "INVALID_ARGS"),
        ({"target": 5}, "INVALID_ARGS"),
        ({"target": "@x"}, "INVALID_ARGS"),
        ({"target": "id=a", "timeoutMs": "soon"}, "INVALID_ARGS"),
        ({"target": "id=a", "level": "loud"}, "INVALID_ARGS"),
        ({"target": "id=a", "session": "../up"}, "INVALID_ARGS"),
        ({"target": "id=a"}, "SESSION_NOT_FOUND"),
    ],
    ids=["argument", "type", "ref", "timeout", "level", "session", "no-session"],
)
async def test_a_bad_call_is_a_typed_error(
    calm: Path, tmp_path: Path, arguments: dict[str, Any], code: str
) -> None:
    async with agent(calm, tmp_path) as one:
        error = await one.refused("press", **arguments)
        assert error["code"] == code
        assert error["hint"]
        assert error["diagnosticId"]


def talk(state: Path, cwd: Path, *lines: str) -> subprocess.CompletedProcess[str]:
    """Type lines into the pipe and end it."""
    return subprocess.run(
        [SUREFOOT, "mcp"],
        input="".join(f"{line}\n" for line in lines),
        env=environment(state),
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )


def test_what_is_no_message_is_answered_and_goes_no_further(state: Path, tmp_path: Path) -> None:
    done = talk(state, tmp_path, "", "hello", "[1]")
    said = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(one["id"], one["error"]["code"]) for one in said] == [(None, -32700)] * 2
    assert done.returncode == 0
    assert launch.holder(StatePaths(state)) is None


@pytest.mark.parametrize("stdin", ["< typed", "< /dev/null", "<&-"])
def test_any_standard_input_will_do(calm: Path, tmp_path: Path, stdin: str) -> None:
    (tmp_path / "typed").write_text("hello\n")
    done = subprocess.run(
        ["sh", "-c", f"'{SUREFOOT}' mcp {stdin}"],
        env=environment(calm),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert ("not a JSON-RPC message" in done.stdout) == (stdin == "< typed")


def test_help_on_the_pipe_is_a_page_of_help(calm: Path, tmp_path: Path) -> None:
    asked = surefoot(calm, "mcp", "--help", cwd=tmp_path)
    assert asked.stdout == surefoot(calm, "help", "mcp", cwd=tmp_path).stdout
    assert asked.stdout.startswith("surefoot mcp: every command as an MCP tool")


def test_the_pipe_ends_with_its_client(state: Path, tmp_path: Path) -> None:
    done = talk(state, tmp_path, json.dumps(HELLO))
    assert done.returncode == 0
    assert done.stderr == ""


def test_a_daemon_that_cannot_start_is_an_error_of_each_request(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "help"}}
    done = talk(file / "state", tmp_path, json.dumps(HELLO), json.dumps(call))
    first, second = [json.loads(line) for line in done.stdout.splitlines()]
    assert first["error"]["data"]["details"]["reason"] == "state_dir_unusable"
    assert second["result"]["isError"] is True
    assert second["result"]["structuredContent"]["code"] == "COMMAND_FAILED"


@pytest.mark.parametrize("argv", [("mcp", "now"), ("mcp", "--json"), ("mcp", "--session")])
def test_what_the_pipe_does_not_take_is_invalid_args(
    state: Path, tmp_path: Path, argv: tuple[str, ...]
) -> None:
    done = surefoot(state, *argv, cwd=tmp_path)
    assert done.returncode == 2
    if "--json" in argv:
        assert failure(done)[0] == "INVALID_ARGS"
    else:
        assert "error INVALID_ARGS" in done.stderr


def test_a_command_with_the_word_mcp_in_it_is_that_command(state: Path, tmp_path: Path) -> None:
    done = surefoot(state, "press", "mcp", "--json", cwd=tmp_path)
    assert failure(done)[0] in ("INVALID_ARGS", "SESSION_NOT_FOUND")


def test_a_silent_daemon_is_given_up_on_in_bounded_time(state: Path, tmp_path: Path) -> None:
    surefoot(state, "daemon", "status", cwd=tmp_path)
    pid = launch.holder(StatePaths(state))
    assert pid is not None
    call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "daemon_status"}}
    with subprocess.Popen(
        [SUREFOOT, "mcp"],
        env=environment(state, SUREFOOT_DAEMON_TIMEOUT="300"),
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as pipe:
        assert pipe.stdin is not None
        assert pipe.stdout is not None
        pipe.stdin.write(json.dumps(HELLO) + "\n")
        pipe.stdin.flush()
        assert json.loads(pipe.stdout.readline())["result"]["serverInfo"]["name"] == "surefoot"
        os.kill(pid, signal.SIGSTOP)
        try:
            pipe.stdin.write(json.dumps(call) + "\n")
            pipe.stdin.flush()
            told = json.loads(pipe.stdout.readline())["result"]
        finally:
            os.kill(pid, signal.SIGCONT)
        pipe.stdin.close()
        assert pipe.wait(10) == 0
    assert told["isError"] is True
    assert told["structuredContent"]["details"]["reason"] == "daemon_unresponsive"
